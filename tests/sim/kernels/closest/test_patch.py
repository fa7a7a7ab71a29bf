from math import cos, pi, sin  # of sim.kernels.closest.patch
from types import SimpleNamespace

import numpy as np

from sim.engine.bound import floats, ints
from sim.kernels.closest.patch import CORNER, outside, overlap

SQUARE = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
SLACK = 1e-12


def flat(points):
    """Lay an outline out: three floats a corner, the height is not looked at."""
    count = len(points)
    closed = count > 2
    rows = np.full((count + closed, 3), np.nan)
    rows[:count, :2] = points
    if closed:
        rows[count] = rows[0]
    ids = np.arange(count + closed, dtype=np.int32)
    ids[count:] = -1
    edges = ids.copy()
    edges[max(count - (not closed), 0) :] = -1
    lists = floats(rows), ints(ids), ints(edges)
    return SimpleNamespace(corners=lists[0], rim_vertex=lists[1], rim_edge=lists[2])


def beyond(points, s, t, convex=True):
    side = flat(points)
    return outside(side, len(side.rim_vertex), convex, s, t)


def moved(points, s, t):
    return [(x + s, y + t) for x, y in points]


def cut(a, b, slack=SLACK, capacity=64, convex=True):
    """Return the corners of the overlap as (s, t, kind, side of A, side of B).

    In the order found, but from the least corner on.
    """
    patch = floats(np.full(4 * capacity, np.nan))
    labels = ints(np.full(4 * capacity, -9, np.int32))
    workspace = SimpleNamespace(patch=patch, labels=labels, capacity=capacity)
    a, b = flat(a), flat(b)
    sizes = len(a.rim_vertex), len(b.rim_vertex)
    count = overlap(a, sizes[0], b, sizes[1], convex, slack, workspace)
    told = []
    for k in range(count):
        assert 0.0 <= patch[4 * k + 3] <= slack
        told.append((patch[4 * k], patch[4 * k + 1], *labels[4 * k : 4 * k + 3]))
    first = told.index(min(told)) if told else 0
    return told[first:] + told[:first]


def places(corners):
    return sorted((s, t) for s, t, *_ in corners)


def test_the_same_square_has_four_corners_named_on_a_and_others_may_not_fit():
    for k in range(4):
        corners = cut(SQUARE, SQUARE[k:] + SQUARE[:k])
        assert [(s, t) for s, t, *_ in corners] == SQUARE
        assert [(i, j) for *_, i, j in corners] == [(0, -1), (1, -1), (2, -1), (3, -1)]
    b = moved(SQUARE, 1.0, 2.0)
    assert len(cut(SQUARE, b, capacity=4)) == 4
    assert cut(SQUARE, b, capacity=3) == []
    # Two squares side by side, but for 1e-13: no sliver with crossings of its own.
    corners = cut(SQUARE, moved(SQUARE, 4.0 - 1e-13, 1e-13))
    assert len(corners) == 2
    assert {kind for _, _, kind, _, _ in corners} == {CORNER}


def test_touching_points_segments_and_misses():
    """A segment without length counts as what it is: a point, twice if need be."""
    for b, corners in [
        (moved(SQUARE, 4.0, 4.0), [(4.0, 4.0)]),
        (moved(SQUARE, 4.0, 1.0), [(4.0, 1.0), (4.0, 4.0)]),
        (moved(SQUARE, 4.5, 0.0), []),
        (moved(SQUARE, 4.0 + 1e-9, 0.0), []),
        (moved(SQUARE, 4.0 + 1e-13, 4.0), [(4.0, 4.0)]),
        ([(1.0, 1.0)], [(1.0, 1.0)]),
        ([(4.0, 4.0)], [(4.0, 4.0)]),
        ([(5.0, 4.0)], []),
        ([(1.0, 1.0), (9.0, 1.0)], [(1.0, 1.0), (4.0, 1.0)]),
        ([(-1.0, 1.0), (9.0, 1.0)], [(0.0, 1.0), (4.0, 1.0)]),
        ([(-2.0, 2.0), (2.0, -2.0)], [(0.0, 0.0)]),
        ([(4.0, 1.0), (4.0, 9.0)], [(4.0, 1.0), (4.0, 4.0)]),
        ([(2.0, 2.0), (2.0, 2.0)], [(2.0, 2.0)]),
        ([(9.0, 9.0), (9.0, 9.0)], []),
    ]:
        assert sorted(set(places(cut(SQUARE, b)))) == corners
        assert len(set(places(cut(b, SQUARE)))) == len(corners)


def polygon(n, turn=0.0, step=1, radius=1.0):
    angles = [turn + 2.0 * pi * step * k / n for k in range(n)]
    return [(radius * cos(x), radius * sin(x)) for x in angles]


def test_of_outlines_that_are_not_convex_the_hull_of_the_corners_is_kept():
    """An L on a square, and two stars that cross in more places than may fit."""
    angle = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)]
    corners = cut(angle, moved(SQUARE, -1.0, -1.0), convex=False)
    assert [c[:2] for c in corners] == [(0, 0), (3, 0), (3, 1), (1, 3), (0, 3)]
    assert beyond(angle, 2.0, 2.0, False) == 1.0
    a, b = polygon(11, 0.0, 5), polygon(11, pi / 22.0, 5)
    assert len(cut(a, b, capacity=300)) > 44
    assert cut(a, b, capacity=44) == []
