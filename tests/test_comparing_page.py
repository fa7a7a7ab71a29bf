"""The page about comparing stories shows what is really said."""

import re
import runpy
from pathlib import Path

from viewer.cli import main

PAGE = Path(__file__).parents[1] / "docs/comparing.md"


def test_the_example_says_what_the_page_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```(\w+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    script, shown = blocks[0][1], blocks[1][1]
    Path("jelly.py").write_text(script, encoding="utf-8")
    world = runpy.run_path("jelly.py")["world"]
    for name, start in (("a", 0.4), ("b", 0.45)):
        made = world(start=start)
        with made.record(f"{name}.vtkhdf"):
            assert len(list(made.run(90))) == 90
    for said in shown.split("$ wingedge ")[1:]:
        command, _, lines = said.partition("\n")
        main(command.split(" "))
        assert capsys.readouterr().out == lines
