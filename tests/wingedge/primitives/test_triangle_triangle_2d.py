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


def test_a_star_meets_although_no_corner_is_inside():
    a, b = ((0, 0), (6, 0), (3, 5)), ((0, 3), (6, 3), (3, -2))
    for first, second in ((a, b), (b, a)):
        found = meet(*first, *second)
        assert (found.hit, found.distance) == (True, 0)
        again = meet(*first, found.point_a, found.point_a, found.point_a)
        assert again.distance < 1e-15


def test_a_cross_of_two_segments_meets_where_they_cross():
    found = meet((-1, 0), (1, 0), (1, 0), (0, -3), (0, 3), (0, -3))
    assert found.hit
    assert found.point_a.tolist() == [0, 0]


def test_two_segments_on_one_line_meet_in_what_they_share():
    line = np.array([(1.0, 2.0)] * 3)
    a, b, c = ([0, 3, 1] * line.T).T, ([3, 5, 5] * line.T).T, ([4, 9, 6] * line.T).T
    found = meet(*a, *b)
    assert (found.hit, found.point_a.tolist()) == (True, [3, 6])
    assert not meet(*a, *c).hit
    assert meet(*a, *c).distance == np.sqrt(5)


def test_a_corner_a_bit_beside_an_edge_does_not_touch():
    """Floats find both corners on the line through (12, 12) and (24, 24)."""
    on, off = (0.5, 0.5), (0.5, np.nextafter(0.5, 1))
    for corner, hit in ((on, True), (off, False)):
        assert meet((0, 0), (24, 24), (24, 0), corner, corner, corner).hit == hit
        assert meet((0, 0), (24, 24), (24, 0), corner, (0, 9), (-9, 9)).hit == hit


def test_two_points_meet_where_they_are_one():
    p, q = np.array([(1.0, 2.0)] * 3), np.array([(4.0, 6.0)] * 3)
    assert meet(*p, *p).hit
    assert (meet(*p, *q).hit, meet(*p, *q).distance) == (False, 5)


@pytest.mark.parametrize("scale", [2.0**-1060, 2.0**-600, 2.0**600, 2.0**1015])
@pytest.mark.parametrize("name", [*TOUCHING, *APART])
def test_lengths_at_both_ends_of_the_floats(name, scale):
    b = {**TOUCHING, **APART}[name][0]
    one, found = meet(*A, *b), meet(*np.multiply((*A, *b), scale))
    assert found.hit == one.hit == (name in TOUCHING)
    assert found.distance == one.distance * scale
    assert found.point_a.tolist() == (one.point_a * scale).tolist()


def test_one_query_has_no_axis_and_shapes_broadcast():
    assert [np.shape(x) for x in meet(*A, *A)] == [(), (), (2,), (2,)]
    many = meet(*A, np.zeros((3, 1, 2)), np.ones((4, 2)), (1, 2))
    assert [np.shape(x) for x in many] == [(3, 4), (3, 4), (3, 4, 2), (3, 4, 2)]
    assert meet(np.zeros((0, 2)), *A[1:], *A).hit.shape == (0,)


def test_many_queries_are_the_bits_of_each_alone():
    corners = np.random.default_rng(10).normal(size=(6, 80, 2))
    many = meet(*corners)
    assert 10 < many.hit.sum() < 70
    for k in range(80):
        for field, alone in zip(many, meet(*corners[:, k]), strict=True):
            assert field[k].tolist() == alone.tolist()


def test_nothing_is_aliased():
    given = [np.array(x, dtype=float) for x in (*A, (1, 1), (9, 1), (9, 9))]
    found = meet(*given)
    for field in found:
        assert not any(np.shares_memory(field, x) for x in given)
    assert not np.shares_memory(found.point_a, found.point_b)


def test_what_cannot_be_asked_is_named():
    with pytest.raises(ValueError, match=r"b1\[1\] is nan"):
        meet(*A, (0, 0), (0, np.nan), (1, 1))
    with pytest.raises(ValueError, match="a2: expected an array of shape"):
        meet((0, 0), (1, 0), (0, 1, 0), *A)
