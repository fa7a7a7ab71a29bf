"""The closest pair of features, by brute force over every pair without a bound."""

import numpy as np
import pytest

from sim import Body, Pose
from sim.tracking.brute import nearest
from sim.tracking.brute.nearest import candidates, nearest_pair
from sim.tracking.brute.surface import surface_of
from wingedge import shapes
from wingedge.primitives import point_triangle, segment_segment

UNIT = shapes.box((1.0, 1.0, 1.0))
HERE = (0.0, 0.0, 0.0)


def brute(a, b):
    best = np.inf
    for one, two in ((a, b), (b, a)):
        corners = two.points[two.triangles]
        for p in one.points:
            hit = point_triangle.closest(p, corners[:, 0], corners[:, 1], corners[:, 2])
            best = min(best, float(hit.distance_sq.min()))
    q = b.points[b.segments]
    for p in a.points[a.segments]:
        hit = segment_segment.closest(p[0], p[1], q[:, 0], q[:, 1])
        best = min(best, float(hit.distance_sq.min()))
    return np.sqrt(best)


@pytest.mark.parametrize("block", [1, 7, 1 << 19])
@pytest.mark.parametrize("mesh", [UNIT, shapes.needle(), shapes.random_hull(2, 15)])
def test_no_pair_is_left_out_whatever_the_block(mesh, block, monkeypatch):
    monkeypatch.setattr(nearest, "BLOCK", block)
    rng = np.random.default_rng(mesh.n_vertices)
    a = surface_of(Body(mesh), HERE)
    for _ in range(6):
        pose = Pose.rigid(rng.normal(size=4))
        b = surface_of(Body(UNIT, pose=pose), tuple(rng.normal(size=3).tolist()))
        pair = nearest_pair(a, b)
        assert pair.distance == brute(a, b)
        gap = np.linalg.norm(np.subtract(pair.point_b, pair.point_a))
        assert gap == pytest.approx(pair.distance, abs=1e-15)
        # The tracker takes the bodies in one order: the mirror is its business.
        mirrored = nearest_pair(b, a)
        assert mirrored.distance == pytest.approx(pair.distance, abs=1e-15)


@pytest.mark.parametrize(
    ("at", "sizes"),
    [
        ((2.0, 2.0, 2.0), (1, 1)),
        ((2.0, 2.0, 0.25), (1, 2)),
        ((2.0, 0.25, 0.125), (1, 3)),
    ],
)
def test_a_pair_is_named_by_the_vertices_that_carry_it(at, sizes):
    """Of equals, a vertex of A and a part of B are named first."""
    a, b = surface_of(Body(UNIT), HERE), surface_of(Body(UNIT), at)
    pair = nearest_pair(a, b)
    assert (len(pair.vertices_a), len(pair.vertices_b)) == sizes
    assert pair.index_a == pair.vertices_a[0]
    assert set(pair.vertices_b) <= set(b.triangles[pair.index_b].tolist())


def test_candidates_keep_every_pair_that_may_be_closest_and_few_others():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(30, 3)), rng.normal(size=(40, 3)) + 3.0
    ra, rb = rng.uniform(0.0, 0.2, 30), rng.uniform(0.0, 0.2, 40)
    d = np.linalg.norm(a[:, None] - b[None], axis=2)
    low = d - ra[:, None] - rb[None]
    for band in (0.0, 0.5):
        i, j = candidates(a, ra, b, rb, band)
        found = set(zip(i.tolist(), j.tolist(), strict=True))
        wanted = set(
            zip(*(x.tolist() for x in np.nonzero(low <= d.min() + band)), strict=True)
        )
        assert wanted <= found
        assert all(low[p] <= d.min() + band + 1e-9 for p in found)
        assert len(found) < low.size
