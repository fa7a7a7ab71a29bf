from itertools import permutations

import numpy as np
import pytest

from wingedge.primitives.triangle_triangle import closest, meet

A = (0, 0, 0), (4, 0, 0), (0, 4, 0)
CASES = {
    "above": (((0, 0, 1), (4, 0, 1), (0, 4, 1)), "apart"),
    "beside, in the plane": (((5, 0, 0), (9, 0, 0), (5, 4, 0)), "apart"),
    "its plane cuts, it does not": (((5, 5, -1), (6, 6, 1), (7, 5, 0)), "apart"),
    "through": (((1, 1, -1), (1, 1, 1), (5, 5, 1)), "crossing"),
    "all of it through": (((1, 1, -1), (1, 1, 1), (1.5, 1.5, 1)), "crossing"),
    "a corner on the face": (((1, 1, 0), (1, 1, 1), (5, 5, 1)), "touching"),
    "an edge on the face": (((1, 1, 0), (1, 2, 0), (5, 5, 1)), "touching"),
    "a corner through an edge": (((-1, 1, -1), (-1, 1, 1), (0, 1, 0)), "touching"),
    "hinged": (((0, 0, 0), (4, 0, 0), (0, 0, 4)), "touching"),
    "a corner in common": (((0, 0, 0), (-4, 0, 1), (0, -4, 2)), "touching"),
    "hinged in the plane": (((0, 0, 0), (4, 0, 0), (0, -4, 0)), "touching"),
    "corners in the plane": (((4, 0, 0), (8, 0, 0), (8, 4, 0)), "touching"),
    "the same": (A, "overlapping"),
    "inside": (((1, 1, 0), (2, 1, 0), (1, 2, 0)), "overlapping"),
    "a star": (((3, 3, 0), (-1, 3, 0), (3, -1, 0)), "overlapping"),
    "a segment through": (((1, 1, -1), (1, 1, 1), (1, 1, 0)), "crossing"),
    "a segment to it": (((1, 1, 0), (1, 1, 1), (1, 1, 2)), "touching"),
    "a segment through an edge": (((2, 0, -1), (2, 0, 1), (2, 0, 0)), "touching"),
    "a segment beside": (((5, 5, -1), (5, 5, 1), (5, 5, 0)), "apart"),
    "a segment in it": (((1, 1, 0), (2, 1, 0), (1.5, 1, 0)), "overlapping"),
    "a segment on an edge": (((1, 0, 0), (9, 0, 0), (2, 0, 0)), "touching"),
    "a point in it": (((1, 1, 0),) * 3, "overlapping"),
    "a point on an edge": (((1, 0, 0),) * 3, "touching"),
    "a point at a corner": (((4, 0, 0),) * 3, "touching"),
    "a point beside": (((3, 3, 0),) * 3, "apart"),
    "a point above": (((1, 1, 1),) * 3, "apart"),
}
SEGMENTS = {
    "crossing": ((1, 1, 0), (1, -1, 0), "overlapping"),
    "end to inside": ((1, 0, 0), (1, 5, 0), "touching"),
    "skew": ((1, 1, 1), (1, -1, 1), "apart"),
    "skew, seen as crossing along two axes": ((0, 0, 1), (2, 2, 2), "apart"),
    "in line, apart": ((3, 0, 0), (5, 0, 0), "apart"),
    "in line, end to end": ((2, 0, 0), (5, 0, 0), "touching"),
    "in line, overlapping": ((1, 0, 0), (5, 0, 0), "overlapping"),
    "parallel": ((0, 1, 0), (2, 1, 0), "apart"),
    "a point on it": ((1, 0, 0), (1, 0, 0), "overlapping"),
    "a point at its end": ((2, 0, 0), (2, 0, 0), "touching"),
    "a point beyond": ((3, 0, 0), (3, 0, 0), "apart"),
}


def both_ways(a, b):
    """All orders of the corners of both, and either first: (n, 6, 3)."""
    rows = [[*p, *q] for p in permutations(a) for q in permutations(b)]
    rows += [[*row[3:], *row[:3]] for row in rows]
    return np.array(rows, dtype=float).swapaxes(0, 1)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("axis", range(3))
def test_how_triangles_meet_in_whatever_order(name, axis):
    b, kind = CASES[name]
    corners = np.roll(both_ways(A, b), axis, axis=2)
    found = meet(*corners)
    assert set(found.kind.tolist()) == {kind}
    assert set(found.hit.tolist()) == {kind != "apart"}


@pytest.mark.parametrize("name", SEGMENTS)
@pytest.mark.parametrize("axis", range(3))
def test_triangles_of_no_area_are_segments(name, axis):
    p, q, kind = SEGMENTS[name]
    corners = both_ways(((0, 0, 0), (2, 0, 0), (1, 0, 0)), (p, q, p))
    assert set(meet(*np.roll(corners, axis, axis=2)).kind.tolist()) == {kind}


def test_the_common_segment_in_whatever_order():
    for b, ends in [
        (((1, 1, -1), (1, 1, 1), (5, 5, 1)), ((1, 1, 0), (2, 2, 0))),
        (((1, 1, -1), (1, 1, 1), (2, 2, -1)), ((1, 1, 0), (1.5, 1.5, 0))),
        (((-1, 1, -1), (-1, 1, 1), (9, 1, 0)), ((0, 1, 0), (3, 1, 0))),
        (((0, 0, 0), (4, 0, 0), (0, 0, 4)), ((0, 0, 0), (4, 0, 0))),
        (((1, 1, 0), (1, 1, 1), (5, 5, 1)), ((1, 1, 0), (1, 1, 0))),
        (((1, 2, 3), (1, 2, -3), (1, 2, 1)), ((1, 2, 0), (1, 2, 0))),
    ]:
        found = meet(*both_ways(A, b))
        seen = [sorted(pair) for pair in np.stack([found.start, found.end], 1).tolist()]
        assert np.unique(seen, axis=0).tolist() == [sorted(map(list, ends))]


@pytest.mark.parametrize("b", [A, ((0, 0, 1), (1, 0, 1), (0, 1, 1))])
def test_apart_or_in_one_plane_there_is_no_common_segment(b):
    found = meet(*A, *b)
    assert np.isnan([found.start, found.end]).all()


def test_one_bit_or_a_billionth_of_an_angle_decides():
    up = np.nextafter(0.0, 1.0)
    for z, hit in ((0.0, True), (up, False), (-up, True)):
        assert meet(*A, (1, 1, z), (1, 1, 1), (2, 1, 1)).hit == hit
    assert meet(*A, (1, 1, up), (1, 1, 1), (2, 1, 1)).kind == "apart"
    assert closest(*A, (1, 1, up), (1, 1, 1), (2, 1, 1)).distance > 0
    b = (1, 1, -1e-9), (1, 3, 1e-9), (3, 1, -1e-9)
    found = meet((-9, -9, 0), (27, -9, 0), (-9, 27, 0), *b)
    ends = np.sort([found.start, found.end], axis=0)
    assert ends == pytest.approx(np.array([(1, 2, 0), (2, 2, 0)]), abs=1e-13)
    near = closest(*A, (1, 1, -1), (1, 1, 1), (5, 5, 1))
    assert near.point_a.tolist() == near.point_b.tolist() == [1.5, 1.5, 0]


def test_nearest_points_and_their_features():
    for b, distance, point_a, point_b, parts in [
        (((1, 1, 2), (1, 2, 3), (2, 1, 3)), 2, (1, 1, 0), (1, 1, 2), "face vertex"),
        (((1, 5, 3), (1, -5, 3), (1, 0, 9)), 3, None, None, None),
        (((2, -1, -1), (2, -1, 1), (2, -5, 0)), 1, (2, 0, 0), (2, -1, 0), "edge edge"),
        (
            ((-3, -4, 0), (-9, -4, 0), (-3, -9, 0)),
            5,
            A[0],
            (-3, -4, 0),
            "vertex vertex",
        ),
        (
            ((5, 5, 0), (3, 9, 3), (9, 3, 3)),
            18**0.5,
            (2, 2, 0),
            (5, 5, 0),
            "edge vertex",
        ),
        (((1, 1, -1), (1, 1, 1), (5, 5, 1)), 0, None, None, "face face"),
        (((1, 1, 0), (1, 1, 1), (5, 5, 1)), 0, (1, 1, 0), (1, 1, 0), "face vertex"),
    ]:
        near = closest(*A, *b)
        assert near.distance == pytest.approx(distance, abs=1e-15)
        gap = np.subtract(near.point_a, near.point_b)
        assert gap @ gap == pytest.approx(distance**2)
        if point_a is not None:
            assert near.point_a == pytest.approx(np.array(point_a), abs=1e-15)
            assert near.point_b == pytest.approx(np.array(point_b), abs=1e-15)
        if parts is not None:
            assert f"{near.part_a} {near.part_b}" == parts
        assert near.weights_a @ np.array(A) == pytest.approx(near.point_a)
        assert near.weights_b @ np.array(b) == pytest.approx(near.point_b)
        assert near.weights_b.sum() == pytest.approx(1)
