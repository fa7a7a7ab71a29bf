"""A program of its own, and the engine of this one put back after each test."""

import ctypes

import pytest

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


@pytest.fixture(scope="module")
def linked_anew(tmp_path_factory):
    """Return what compiles entries into a library of their own, and loads it."""

    def make(entries):
        from sim.engine import compiler, library, link

        file = tmp_path_factory.mktemp("linked") / "kernels.so"
        link.link(library.this_machine(), file, compiler.assemble(entries))
        return library.Functions(ctypes.CDLL(str(file)))

    return make
