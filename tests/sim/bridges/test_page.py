"""sim.bridges.mujoco, sim.bridges.trimesh: the programs of docs/bridges.md run."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "bridges.md"
PARTS = re.split(r"^## (.*)\n", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]
PROGRAMS = {
    title: programs
    for title, text in zip(PARTS[::2], PARTS[1::2], strict=True)
    if (programs := re.findall(r"^```python\n(.*?)^```", text, re.M | re.S))
}


@pytest.mark.parametrize("title", PROGRAMS)
def test_its_programs_run(title, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (program,) = PROGRAMS[title]
    names = {}
    try:
        exec(program, names)
    except ModuleNotFoundError as missing:
        pytest.skip(f"{missing}; it is in the extra 'bridges' or 'viewer'")
    said = capsys.readouterr().out.splitlines()
    assert said
    if title.startswith("Your own"):
        assert said == ["54 begin bob/wall VF v41 f5 at 0.5377 s"]
    if title == "MuJoCo":
        assert re.match(r"\d+ begin floor/die FV f1 v\d", said[0])
    if title == "trimesh":
        assert said[0].startswith("{'room'}")
        assert said[1] == "(0.7000000000000002, 'ring')"
