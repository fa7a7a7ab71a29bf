"""viewer.cli.study: a script over many settings, as a TOML file says."""

import csv
from pathlib import Path

import pytest

from viewer.cli import main

SCRIPT = """
from sim import Body, Pose, World
from wingedge import shapes

def world(height=1.0):
    a = Body(shapes.box((1, 1, 1)), name="a")
    b = Body(shapes.box((1, 1, 1)), name="b", pose=Pose(None, (0, 0, height)))
    if height < 0:
        raise ValueError("below")
    return World([a, b])
"""


@pytest.fixture
def plan(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("boxes.py").write_text(SCRIPT, encoding="utf-8")

    def write(cases, head="script = 'boxes.py'\nframes = 2\nfolder = 'out'"):
        Path("plan.toml").write_text(f"{head}\n{cases}", encoding="utf-8")
        return ["study", "plan.toml"]

    return write


def test_it_runs_what_is_missing_and_writes_a_table(plan, capsys):
    command = plan("[cases]\nheight = { steps = [0.9, 1.5, 0.2] }")
    assert main([*command, "--explain", "--workers", "2"]) == 0
    assert capsys.readouterr().out.startswith("4 cases, 0 finished, 4 to run")
    assert not Path("out").exists()
    assert main(command) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "plan.csv: 4 cases, 4 done"
    assert said[1].startswith("3 cases, height=1.1 .. 1.5: 0 events")
    rows = list(csv.DictReader(Path("plan.csv").read_text().splitlines()))
    assert [row["events"] for row in rows] == ["2", "0", "0", "0"]
    assert main([*command, "--explain"]) == 0
    assert "4 finished, nothing to run" in capsys.readouterr().out
    assert main(plan("[cases]\nheight = [0.9, 1.7]")) == 0
    told = capsys.readouterr().out
    assert told.startswith("plan.csv: 2 cases, 2 done; 1 finished before, 1 run\n")


def test_a_case_that_fails_is_named_and_the_others_are_there(plan, capsys):
    assert main(plan("[cases]\nheight = [-1.0, 2.0]")) == 1
    told = capsys.readouterr()
    assert "2 cases, 1 failed, 1 done" in told.out
    assert "failed: " in told.err
    assert "ValueError: below" in told.err


def test_samples_are_drawn_from_ranges(plan, capsys):
    drawn = "[cases]\nheight = [2.0, 3.0]\n[sample]\ncount = 4\nseed = 1"
    assert main(plan(drawn)) == 0
    rows = list(csv.DictReader(Path("plan.csv").read_text().splitlines()))
    assert sorted(int(4 * (float(row["height"]) - 2)) for row in rows) == [0, 1, 2, 3]
