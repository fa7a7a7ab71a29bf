"""What the project declares to pyvista, as an installer would write it down."""

import os
import tomllib
from pathlib import Path

import pytest

from sim import scenes

pyvista = pytest.importorskip("pyvista", reason="pyvista is in the extra 'viewer'")
ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import sys, pyvista
ball, plotter = pyvista.Icosahedron(), pyvista.Plotter(off_screen=True)
print({"wingedge", "viewer"} & set(sys.modules))
print(ball.wingedge.info())
print("viewer.pyvista_plugin.component" in sys.modules)
print(type(plotter.contacts).__name__)
reader = pyvista.get_reader("run.vtkhdf")
print(type(reader).__name__, reader.number_time_points)
ours = pyvista.read("run.vtkhdf")
theirs = pyvista.HDFReader("run.vtkhdf").read()
print(ours.keys() == theirs.keys(), ours == theirs)
"""


def test_pyvista_finds_each_when_it_is_first_used(run, tmp_path):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = tmp_path / "declared"
    about = declared / "wingedge_declared-0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Name: wingedge-declared\nVersion: 0\n")
    lines = []
    for group, entries in project["entry-points"].items():
        if group.startswith("pyvista."):
            lines += [f"[{group}]", *(f"{k} = {v}" for k, v in entries.items())]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
    world = scenes.load("demo")
    with world.record(tmp_path / "run.vtkhdf"):
        list(world.run(5))
    path = [str(declared), os.environ.get("PYTHONPATH", "")]
    given = {"PYTHONPATH": os.pathsep.join(filter(None, path))}
    done = run(PROGRAM, PYTHONWARNINGS="error::UserWarning", **given)
    assert done.returncode == 0, done.stderr
    *told, reader, same = done.stdout.splitlines()
    counts = "12 vertices, 30 edges, 20 faces, convex, genus 0"
    assert told == ["set()", counts, "False", "ContactsComponent"]
    if pyvista.version_info >= (0, 49):  # before, pyvista's own reader stays
        assert reader == "StepReader 5"
    assert same == "True True"
