"""Whoever builds the wheel again gets the same file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LEFT = shutil.ignore_patterns(".git", ".*cache", "kernels.*", "results")


@pytest.mark.llvm
def test_two_builds_from_one_tree_are_equal_to_the_bit(tmp_path):
    pytest.importorskip("hatchling", reason="hatchling is in the extra 'lint'")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    built = []
    for seed in ("1", "2"):
        tree = shutil.copytree(Path(__file__).parents[1], tmp_path / seed, ignore=LEFT)
        for path in tree.rglob("*.py"):
            os.utime(path, 2 * (1e9 * int(seed),))  # written at another time
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": ""}
        subprocess.run(build, cwd=tree, env=env, check=True, capture_output=True)
        built += (tree / "dist").glob("*.whl")
    first, second = ((wheel.name, wheel.read_bytes()) for wheel in built)
    assert first == second
