"""`python -m benchmarks`: small tables are printed, and the page has room for all."""

import subprocess
import sys

import pytest
from paper import ROOT
from paper_experiments.page import marks


def asked(*words):
    """Run the command; return its exit code and what it said."""
    command = [sys.executable, ROOT / "benchmarks", *words]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.compiled
def test_small_tables_are_printed_below_the_machine_and_its_versions():
    code, said = asked("--quick", "new_vertices", "broad_phase")
    assert code == 0, said
    assert "numpy" in said.splitlines()[0]
    rows = [line.split(" | ") for line in said.splitlines() if line[:2] == "| "]
    assert [row[0] for row in rows[:4]] == ["| vertices", "| ---", "| 8", "| 50"]
    assert [int(row[1]) for row in rows[6:]] == [14, 11, 14, 0, 4, 16, 0]


def test_the_page_has_a_place_for_every_table_that_can_be_asked_for():
    page = (ROOT / "docs" / "performance.md").read_text("utf-8")
    code, said = asked("none")
    assert code == 2
    names = said.split("there are ")[1].split(", ")
    assert len(names) > 10
    for name in [*names, "machine", "slower"]:
        assert all(page.count(mark) == 1 for mark in marks(name.strip())), name
