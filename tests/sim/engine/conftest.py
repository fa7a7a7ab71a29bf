"""Programs of their own, and the engine of this one put back after each test."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import sim

ROOT = Path(sim.__file__).parents[1]
Run = Callable[..., subprocess.CompletedProcess[str]]

# A box that turns above another for some frames; prints a digest of all answers.
PROGRAM = """
import hashlib, sys
from sim import Body, PairTracker, Pose
from sim.engine.library import ENGINE
from wingedge import shapes
a, b = Body(shapes.box()), Body(shapes.box())
tracker = PairTracker(a, b)
digest = hashlib.sha256()
for k in range(int(sys.argv[1])):
    b.pose = Pose.rigid((0.1, 0.2 + 0.001 * k, 0.3, 1.0), (0.0, 0.2, 2.0 + 0.001 * k))
    digest.update(repr(tracker.update().numbers).encode())
print(digest.hexdigest(), ENGINE.compiled is not None, ENGINE.reason)
"""


@pytest.fixture
def program() -> str:
    return PROGRAM


@pytest.fixture(autouse=True)
def _engine_kept(engine_kept: None) -> None: ...


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., "subprocess.Popen[str]"]:

    def popen(code: str, *args: object, **environment: str) -> "subprocess.Popen[str]":
        variables = os.environ | {"PYTHONPATH": str(ROOT)} | environment
        return subprocess.Popen(
            [sys.executable, "-c", code, *map(str, args)],
            cwd=tmp_path,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return popen


@pytest.fixture
def run(start: Callable[..., "subprocess.Popen[str]"]) -> Run:

    def wait(*args: object, **environment: str) -> subprocess.CompletedProcess[str]:
        with start(*args, **environment) as program:
            out, err = program.communicate()
        return subprocess.CompletedProcess(args, program.returncode, out, err)

    return wait
