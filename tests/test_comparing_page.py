"""The page about comparing stories shows what is really said."""

import re
from pathlib import Path

from viewer.cli import main

PAGE = Path(__file__).parents[1] / "docs/comparing.md"


def test_the_example_says_what_the_page_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```(\w+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    script, shown = blocks[0][1], blocks[1][1]
    Path("jelly.py").write_text(script, encoding="utf-8")
    for name, start in (("a", 0.4), ("b", 0.45)):
        keep = ["--record", f"{name}.vtkhdf", "--set", f"start={start}"]
        assert main(["run", "jelly.py", "--frames", "90", *keep]) == 0
        capsys.readouterr()
    for said in shown.split("$ wingedge ")[1:]:
        command, _, lines = said.partition("\n")
        main(command.split(" "))
        assert capsys.readouterr().out == lines
