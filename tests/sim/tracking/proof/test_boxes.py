"""Groups of triangles leave no pair out, and rays count what solid angles do."""

import numpy as np
import pytest

from sim.tracking.proof.triangle_gap import (
    from_surface,
    from_triangles,
    near_pairs,
    windings,
)
from wingedge import shapes

MESHES = dict(shapes.zoo(non_convex=True))


def triangles_of(name, turn=0.0):
    points = MESHES[name].points + turn
    return points[MESHES[name].fan.vertex]


def half_solid_angle(corners):
    """Half the solid angle of triangles as seen from the origin, with sign."""
    u, v, w = corners.swapaxes(0, 1) / np.linalg.norm(corners, axis=2).T[:, :, None]
    top = (u * np.cross(v, w)).sum(axis=1)
    return np.arctan2(top, 1.0 + (u * v + v * w + w * u).sum(axis=1)).sum()


@pytest.mark.parametrize("name", ["l_block", "gear", "ring", "star"])
def test_no_pair_of_triangles_is_left_out(name):
    one, other = triangles_of(name), triangles_of("star", 0.7)
    for limit in (0.0, 0.1, 10.0):
        found = {
            (int(x), int(y))
            for i, j, _ in near_pairs(one, other, limit)
            for x, y in zip(i, j, strict=True)
        }
        gap = np.maximum(
            one.min(axis=1)[:, None] - other.max(axis=1),
            other.min(axis=1) - one.max(axis=1)[:, None],
        )
        near = np.linalg.norm(np.maximum(gap, 0.0), axis=2) <= limit
        assert found == set(zip(*map(np.ndarray.tolist, near.nonzero()), strict=True))


@pytest.mark.parametrize("name", ["l_block", "gear", "ring", "star", "hammer"])
def test_points_are_as_far_inside_as_each_triangle_says(name):
    """Among them points over corners and edges, where a ray cannot say."""
    triangles = triangles_of(name)
    points = np.random.default_rng(3).uniform(-1.2, 1.2, (150, 3))
    points[:40] = np.round(4.0 * points[:40]) / 4.0
    far = [from_triangles(p[None], triangles).min() for p in points]
    np.testing.assert_array_equal(from_surface(points, triangles), far)
    turns = windings(points, triangles)
    sure = np.array(far) > 1e-9
    angles = [half_solid_angle(triangles - p) / (2.0 * np.pi) for p in points[sure]]
    assert sure.sum() > 100
    np.testing.assert_allclose(turns[sure], angles, atol=1e-6)
