"""Positions that are not convex, a count of who looks at them, interpreted kernels."""

import numpy as np
import pytest

from sim import set_engine
from sim.body.audit import Auditor
from sim.engine.bound import Bound


class Checked:
    """A buffer that refuses what compiled code would do to memory that is not its.

    Negative indices wrap in Python and read wild memory when compiled.
    """

    def __init__(self, view):
        self._view = view

    def _inside(self, i):
        if type(i) is not int or not 0 <= i < len(self._view):
            raise IndexError(f"element {i} of a buffer of {len(self._view)}")
        return i

    def __getitem__(self, i):
        return self._view[self._inside(i)]

    def __setitem__(self, i, value):
        # A bool is an int, but not to a compiler.
        assert type(value) is (float if self._view.format == "d" else int)
        self._view[self._inside(i)] = value

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._view)


@pytest.fixture
def checked_buffers(monkeypatch):
    """Run every kernel interpreted, on buffers that refuse an index outside.

    The interpreter is the sanitizer.  Gives the function that wraps a table.
    """
    known = {}

    def checked(table):
        # ``set_whole`` makes a new table: whatever is there is wrapped, once.
        if id(table) not in known:
            known[id(table)] = (
                table,
                table._make(
                    Checked(x)
                    if isinstance(x, memoryview)
                    else checked(x)
                    if isinstance(x, tuple)
                    else x
                    for x in table
                ),
            )
        return known[id(table)][1]

    monkeypatch.setattr(
        Bound, "__call__", lambda self, *tables: self._entry(*map(checked, tables))
    )
    return checked


@pytest.fixture(scope="module")
def engine_python():
    set_engine("python")
    yield
    set_engine("auto")


@pytest.fixture
def dented():
    """The points of a sphere, or of another mesh, with one vertex pushed halfway in."""

    def points_of(mesh):
        points = mesh.points.copy()
        points[0] *= 0.5
        return points

    return points_of


@pytest.fixture
def audits(monkeypatch):
    """Count the audits: how often positions are looked at."""
    seen = []
    audit = Auditor.audit

    def counted(self):
        seen.append(self.points.copy())
        return audit(self)

    monkeypatch.setattr(Auditor, "audit", counted)
    return seen
