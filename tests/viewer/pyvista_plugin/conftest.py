"""What the project declares to pyvista, as an installer would write it down."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def run_installed(tmp_path):
    """Run lines of Python where pyvista finds what pyproject.toml declares."""
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

    def run(code):
        path = [str(declared), os.environ.get("PYTHONPATH", "")]
        done = subprocess.run(
            [sys.executable, "-W", "error::UserWarning", "-c", code],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run
