"""Positions that are not convex, a count of who looks at them, interpreted kernels."""

import pytest
from stories.checked import checked_kernels

from sim import set_engine
from sim.body.audit import HingeTest
from sim.engine.library import ENGINE


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
    judge = HingeTest.judge

    def counted(self):
        seen.append(self.points.copy())
        return judge(self)

    monkeypatch.setattr(HingeTest, "judge", counted)
    return seen
