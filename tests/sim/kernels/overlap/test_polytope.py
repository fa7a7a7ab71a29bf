"""The growing polytope: planes, visibility, connectivity."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from sim.kernels.overlap.polytope import (
    BLUR,
    DISTANCE,
    FREE,
    HEIGHT,
    PLANE,
    SLIVER,
    add_vertex,
    make_tetrahedron,
    outward,
    put_triangle,
    put_vertex,
)
from sim.tracking.buffers import make_polytope


def hull_of(points):
    """Start a polytope from the first four points."""
    hull = make_polytope(64)
    for v, point in enumerate(points[:4]):
        put_vertex(hull, v, tuple(map(float, point)), v, v)
    make_tetrahedron(hull, 1.0)
    return hull


def alive(hull):
    return [f for f in range(hull.filled[1]) if hull.state[f] != FREE]


def corners(hull, f):
    ids = [hull.corners[3 * f + k] for k in range(3)]
    return np.array([[hull.points[3 * v + k] for k in range(3)] for v in ids])


def assert_closed(hull):
    """Every side must lead to a triangle that leads back along the same corners."""
    for f in alive(hull):
        for side in range(3):
            tail = hull.corners[3 * f + side]
            tip = hull.corners[3 * f + (side + 1) % 3]
            g = hull.across[3 * f + side]
            assert hull.state[g] != FREE
            back = [hull.across[3 * g + k] for k in range(3)].index(f)
            assert hull.corners[3 * g + back] == tip
            assert hull.corners[3 * g + (back + 1) % 3] == tail


def visible_from(hull, point):
    """Return the triangle that a point stands highest above, and how high."""
    heights = {
        f: float(np.dot(outward(hull, f), point)) - hull.planes[PLANE * f + HEIGHT]
        for f in alive(hull)
    }
    best = max(heights, key=heights.get)
    return best, heights[best]


def grow(hull, points):
    for v, point in enumerate(points):
        f, above = visible_from(hull, point)
        if above > 1e-12:
            assert add_vertex(hull, f, tuple(map(float, point)), v, v, 1.0)
            assert_closed(hull)


@pytest.mark.parametrize("turned", [False, True])
def test_a_tetrahedron_looks_outward_whichever_way_it_was_given(turned):
    points = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    if turned:
        points = points[[1, 0, 2, 3]]
    hull = hull_of(points)
    assert_closed(hull)
    for f in alive(hull):
        assert hull.planes[PLANE * f + HEIGHT] == pytest.approx(1.0 / np.sqrt(3.0))
        assert hull.planes[PLANE * f + DISTANCE] == pytest.approx(1.0 / np.sqrt(3.0))


@pytest.mark.parametrize("seed", range(8))
def test_it_grows_into_the_convex_hull(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(40, 3))
    hull = hull_of(points)
    grow(hull, points)
    wanted = ConvexHull(points)
    assert len(alive(hull)) == len(wanted.simplices)
    heights = sorted(hull.planes[PLANE * f + HEIGHT] for f in alive(hull))
    assert heights == pytest.approx(sorted(-wanted.equations[:, 3]), abs=1e-12)


def test_level_points_leave_no_triangle_without_area():
    """A grid on every side of a cube: all but eight points lie on planes and edges."""
    ticks = np.linspace(-1.0, 1.0, 3)
    grid = np.array([(x, y, z) for x in ticks for y in ticks for z in ticks])
    rng = np.random.default_rng(0)
    for _ in range(20):
        order = rng.permutation(len(grid))
        points = grid[order]
        first = points[:4]
        if abs(np.linalg.det(first[1:] - first[0])) < 0.1:
            continue
        hull = hull_of(points)
        grow(hull, points)
        for f in alive(hull):
            assert hull.state[f] != SLIVER
            assert hull.planes[PLANE * f + HEIGHT] == pytest.approx(1.0)
        area = sum(
            0.5 * np.linalg.norm(np.cross(p[1] - p[0], p[2] - p[0]))
            for p in (corners(hull, f) for f in alive(hull))
        )
        assert area == pytest.approx(24.0)


def test_a_needle_has_no_plane_but_a_distance():
    hull = make_polytope(8)
    for v, point in enumerate([(-1.0, 0, 2.0), (1.0, 0, 2.0), (0.5, 1e-13, 2.0)]):
        put_vertex(hull, v, point, v, v)
    put_triangle(hull, 0, 0, 1, 2, 2.0)
    assert hull.state[0] == SLIVER
    assert hull.planes[DISTANCE] == pytest.approx(2.0)
    assert hull.planes[BLUR] == 2.0
