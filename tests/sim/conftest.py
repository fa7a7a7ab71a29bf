"""Positions that are not convex, a count of who looks at them, interpreted kernels."""

import importlib
import sys

import numpy as np
import pytest
from stories.checked import checked_kernels

from sim import Body, set_engine
from sim.body.audit import Findings
from sim.engine.library import ENGINE
from wingedge import WingedEdgeMesh, shapes


@pytest.fixture
def checked_buffers():
    """Run every kernel interpreted, on buffers that refuse an index outside."""
    with checked_kernels() as checked:
        yield checked


@pytest.fixture(scope="module")
def engine_python():
    set_engine("python")
    yield
    set_engine("auto")


@pytest.fixture
def engine_kept():
    """Put the engine back after a test as it was before."""
    before = dict(vars(ENGINE))
    yield
    vars(ENGINE).update(before)


@pytest.fixture(params=["python", pytest.param("compiled", marks=pytest.mark.compiled)])
def engine(request, engine_kept):
    set_engine(request.param)


@pytest.fixture
def board():
    """A board on two pointed feet of the same height, at x = -1 and x = 1."""
    mesh = shapes.grid_box((4, 1, 1), (4.0, 1.0, 1.0))
    points = mesh.points.copy()
    x, y, z = points.T
    foot = (z < 0.0) & (np.abs(np.abs(x) - 1.0) < 1e-9)
    points[foot, 2] = np.where(y[foot] < 0.0, -1.25, -1.0)
    faces = [mesh.face_vertices(f).tolist() for f in range(mesh.n_faces)]
    solid = WingedEdgeMesh.from_faces(points, faces, triangulate=True)
    return Body(solid, name="board")


@pytest.fixture
def dented():

    def points_of(mesh):
        points = mesh.points.copy()
        points[0] *= 0.5
        return points

    return points_of


@pytest.fixture
def audits(monkeypatch):
    """Count the audits: how often positions are looked at."""
    seen = []
    look = Findings.look

    def counted(self, edges=1):
        if edges == 0:
            seen.append(self.points.copy())
        return look(self, edges)

    monkeypatch.setattr(Findings, "look", counted)
    return seen


READERS = """
import os, signal, time
def dies(path): os.kill(os.getpid(), signal.SIGSEGV)
def sleeps(path): return time.sleep(1.5) or ""
def fills(path): return len(bytes(1 << 27))
def waits(path): path.with_name("waits").read_bytes()
def loops(path):
    while True: pass
"""


@pytest.fixture
def readers(tmp_path, monkeypatch):
    """Return a module beside a user's script, whose readers do no good."""
    (tmp_path / "odd_readers.py").write_text(READERS)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("odd_readers")
    del sys.modules["odd_readers"]
