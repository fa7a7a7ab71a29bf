from fractions import Fraction  # of sim.kernels.walk.simplex

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from queries._exact import height

from sim.engine.bound import floats, ints
from sim.kernels.vector import point as corner
from sim.kernels.walk.simplex import reduce
from wingedge.exact import point_segment_square, point_triangle_square

ORIGIN = (Fraction(0),) * 3
A, B, C = (0.0, 0.0, 1.0), (4.0, 0.0, 1.0), (0.0, 4.0, 1.0)


def simplex(points):
    """Lay points out as the walk does: 12 floats; a count and two ids for each."""
    k = len(points)
    w = np.full(12, np.nan)
    w[: 3 * k] = np.ravel(points)
    ids = [k, 10, 11, 12, 13, 20, 21, 22, 23]
    return floats(w), ints(np.array(ids, np.int32))


def kept(ids):
    """Name the points that are left, and check that both ids moved together."""
    assert all(ids[5 + k] == ids[1 + k] + 10 for k in range(ids[0]))
    return [ids[1 + k] - 10 for k in range(ids[0])]


def exact_sq(points):
    """Return the exact squared distance of the origin from a simplex's surface."""
    p = [tuple(Fraction(x) for x in point) for point in points]
    if len(p) == 1:
        return sum(x * x for x in p[0])
    if len(p) == 2:
        return point_segment_square(ORIGIN, *p)
    faces = [p] if len(p) == 3 else [p[:k] + p[k + 1 :] for k in range(4)]
    return min(point_triangle_square(ORIGIN, *face) for face in faces)


def encloses(points):
    p = [[Fraction(x) for x in point] for point in points]
    total = height(*p)
    parts = [height(*p[:k], ORIGIN, *p[k + 1 :]) for k in range(4)]
    return total != 0 and all(part * total > 0 for part in parts)


def shifted(points, by):
    return [tuple(x - y for x, y in zip(p, by, strict=True)) for p in points]


def check(points, slack=1e-13):
    """Reduce, and compare distance, inside and what is left with exact arithmetic."""
    w, ids = simplex(points)
    inside, v = reduce(w, ids)
    if len(points) == 4 and encloses(points):
        reach = max(abs(x) for p in points for x in p)
        shallow = exact_sq(points) <= (slack * reach) ** 2
        assert inside or shallow or abs(height(*points)) < 1e-12
        if inside:
            return
    assert not inside
    size = max(abs(x) for p in points for x in p)
    reached = float(exact_sq(points)) ** 0.5
    assert abs(sum(x * x for x in v) ** 0.5 - reached) <= slack * size
    left = kept(ids)
    assert left == sorted(set(left))
    assert [corner(w, k) for k in range(ids[0])] == [tuple(points[i]) for i in left]
    rest = float(exact_sq([points[i] for i in left])) ** 0.5
    assert abs(rest - reached) <= slack * size


def test_coincident_collinear_and_coplanar_points_have_a_defined_nearest():
    for points in [
        [A, A],
        [A, A, A],
        [A, A, A, A],
        [A, B, A],
        [A, B, B, A],
        [A, (2.0, 0.0, 1.0), B],
        [A, (1.0, 0.0, 1.0), (2.0, 0.0, 1.0), B],
        [A, B, C, (1.0, 1.0, 1.0)],
        [A, B, C, (4.0, 4.0, 1.0)],
        [A, B, C, C],
        [(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)],
        [(0.0, 0.0, 0.0), A, B, C],
        [(0.0, 0.0, 0.0), (0.0, 0.0, 0.0)],
    ]:
        for at in ((0.0, 0.0, 0.0), (1.0, 0.5, 0.0), (-1.0, -2.0, 3.0)):
            check(shifted(points, at))


@pytest.mark.parametrize("height", [0.0, 1e-16, -1e-16, 1e-14, -1e-14])
def test_a_tetrahedron_flat_within_rounding_has_no_inside(height):
    points = [(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, height)]
    w, ids = simplex(points)
    inside, v = reduce(w, ids)
    assert not inside
    assert max(abs(x) for x in v) <= 1e-14


def test_near_the_origin_the_direction_stays_across_the_segment():
    """The nearest point is the rounding of large numbers: 1e-10 from 1e3."""
    p, q = (-1e3, 1e-10, 1.0 / 3.0), (2e3 + 0.1, 1e-10, -2.0 / 3.0)
    w, ids = simplex([p, q])
    _, v = reduce(w, ids)
    e = [b - a for a, b in zip(p, q, strict=True)]
    size = sum(x * x for x in v) ** 0.5
    assert abs(sum(x * y for x, y in zip(v, e, strict=True))) <= 1e-12 * size * 3e3


GRID = st.integers(-6, 6).map(lambda k: k / 4.0)
NEAR = st.floats(-2.0, 2.0, width=32)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.lists(st.tuples(GRID, GRID, GRID), min_size=1, max_size=4))
def test_simplices_on_a_grid_equal_exact_arithmetic(points):
    check(points)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.lists(st.tuples(NEAR, NEAR, NEAR), min_size=4, max_size=4))
def test_any_simplex_equals_exact_arithmetic(points):
    size = max(abs(x) for p in points for x in p)
    if size > 2.0**-40:  # sixth powers survive
        check(points, slack=1e-7)
