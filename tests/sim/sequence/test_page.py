"""sim.sequence.sample: docs/sequences.md runs, the command says what it shows."""

import re
from pathlib import Path

from viewer.cli import main

PAGE = Path(__file__).resolve().parents[3] / "docs" / "sequences.md"


def test_its_example_runs_whole(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    make, play = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    (shown,) = re.findall(r"^```text\n(.*?)^```", text, re.M | re.S)
    exec(make, {})
    command, _, lines = shown.removeprefix("$ wingedge ").partition("\n")
    assert main(command.split(" ")) == 0
    assert capsys.readouterr().out == lines
    exec(play, {})
    assert capsys.readouterr().out == "21 begin ball/table VF v35 f1 at 0.3464 s\n"
    assert main(["events", "bounce.vtkhdf", "--when"]) == 0
    first, _, _ = capsys.readouterr().out.partition("\n")
    assert first.startswith("21 begin ball/table VF v35 f1 @0.78")
