from itertools import permutations

import numpy as np
import pytest

from wingedge.primitives.triangle_triangle_2d import meet

A = ((0.0, 0.0), (4.0, 0.0), (0.0, 4.0))
TOUCHING = {  # the other triangle, the common point
    "a corner inside": (((1, 1), (9, 1), (9, 9)), (1, 1)),
    "corner at corner": (((4, 0), (9, 1), (9, -9)), (4, 0)),
    "a corner on an edge": (((2, 2), (9, 1), (9, 9)), (2, 2)),
    "edges along each other": (((1, 0), (3, 0), (2, -5)), (1, 0)),
    "inside it": (((1, 1), (2, 1), (1, 2)), (1, 1)),
    "around it": (((-9, -9), (19, -9), (-9, 19)), (0, 0)),
    "a segment across": (((1, -2), (1, 9), (1, 0.5)), (1, 0.5)),
    "a segment along an edge": (((-3, 0), (9, 0), (-1, 0)), (0, 0)),
    "a point inside": (((1, 1), (1, 1), (1, 1)), (1, 1)),
    "a point on an edge": (((2, 2), (2, 2), (2, 2)), (2, 2)),
}
APART = {  # the other triangle, the nearest points
    "a corner off an edge": (((5, 5), (9, 5), (5, 9)), (2, 2), (5, 5)),
    "an edge off a corner": (((7, -3), (7, 2), (9, 0)), (4, 0), (7, 0)),
    "corner and corner": (((-3, -4), (-5, -4), (-3, -7)), (0, 0), (-3, -4)),
    "a segment": (((-1, 1), (-1, 1), (-6, 1)), (0, 1), (-1, 1)),
    "a segment on an edge's line": (((7, 0), (5, 0), (6, 0)), (4, 0), (5, 0)),
    "a point": (((2, -3), (2, -3), (2, -3)), (2, 0), (2, -3)),
}
ORDERS = list(permutations(range(3)))


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("name", TOUCHING)
def test_triangles_of_any_winding_meet_where_a_corner_is_in_the_other(name, order):
    b, point = TOUCHING[name]
    found = meet(*A, *(b[k] for k in order))
    assert (found.hit, found.distance) == (True, 0)
    assert found.point_a.tolist() == found.point_b.tolist()
    if order == (0, 1, 2):
        assert found.point_a.tolist() == list(point)
    assert meet(*(b[k] for k in order), *A).hit


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("name", APART)
def test_triangles_of_any_winding_that_are_apart_have_nearest_points(name, order):
    b, of_a, of_b = APART[name]
    distance = np.hypot(*np.subtract(of_a, of_b))
    one = meet(*A, *(b[k] for k in order))
    assert (one.hit, one.distance) == (False, distance)
    assert (one.point_a.tolist(), one.point_b.tolist()) == (list(of_a), list(of_b))
    two = meet(*(b[k] for k in order), *(A[k] for k in order))
    assert (two.point_a.tolist(), two.point_b.tolist()) == (list(of_b), list(of_a))


def test_a_corner_a_bit_beside_an_edge_does_not_touch():
    """Floats find both corners on the line through (12, 12) and (24, 24)."""
    on, off = (0.5, 0.5), (0.5, np.nextafter(0.5, 1))
    for corner, hit in ((on, True), (off, False)):
        assert meet((0, 0), (24, 24), (24, 0), corner, corner, corner).hit == hit
        assert meet((0, 0), (24, 24), (24, 0), corner, (0, 9), (-9, 9)).hit == hit
