import sys

import numpy as np
import pytest

from sim import Pose
from sim.compound import Compound, CompoundTracker, decompose
from wingedge import WingedEdgeMesh, convexity, geometry, shapes


@pytest.fixture(scope="module")
def coacd():
    return pytest.importorskip("coacd", reason="coacd is in the extra 'decompose'")


@pytest.fixture(scope="module")
def slab(in_pieces):
    return in_pieces("U")[1]


@pytest.fixture(scope="module")
def cut(coacd, slab):
    return decompose(slab)


def test_pieces_are_convex_fill_the_body_and_are_the_same_for_the_same_seed(cut, slab):
    assert len(cut) > 1
    assert all(convexity(piece).is_convex() for piece in cut)
    volume = sum(geometry.volume(piece) for piece in cut)
    assert volume == pytest.approx(geometry.volume(slab), rel=0.05)
    again = decompose(slab, seed=0)
    assert len(again) == len(cut)
    for p, q in zip(cut, again, strict=True):
        assert (p.points == q.points).all()
    a, b = (Compound(cut, slab, name=name) for name in "ab")
    b.pose = Pose.rigid(None, (0.0, 0.0, 1.5))
    state = CompoundTracker(a, b).update()
    assert state.distance == pytest.approx(0.5, abs=0.03)


def test_pieces_lie_where_the_body_lies_whatever_its_size(coacd, slab):
    far = WingedEdgeMesh.from_faces(
        slab.points * 1e-3 + [5.0, -7.0, 2.0],
        [slab.face_vertices(f) for f in range(slab.n_faces)],
    )
    compound = Compound(decompose(far), far, name="far")
    low, high = compound.piece_points().min(axis=0), compound.piece_points().max(axis=0)
    assert np.abs(low - far.points.min(axis=0)).max() < 1e-4
    assert np.abs(high - far.points.max(axis=0)).max() < 1e-4


def test_convex_shapes_stay_whole_and_what_cannot_be_asked_is_refused(coacd, slab):
    assert len(decompose(slab, max_pieces=1)) == 1
    assert len(decompose(shapes.box(1.0))) == 1
    with pytest.raises(TypeError, match="needs a WingedEdgeMesh, got ndarray"):
        decompose(slab.points)
    with pytest.raises(ValueError, match="threshold=2"):
        decompose(slab, threshold=2)
    with pytest.raises(ValueError, match="max_pieces=0"):
        decompose(slab, max_pieces=0)


def test_without_coacd_the_extra_is_named(monkeypatch, slab):
    monkeypatch.setitem(sys.modules, "coacd", None)
    with pytest.raises(ImportError, match=r"pip install 'wingedge\[decompose\]'"):
        decompose(slab)
