"""Segments and triangles: through edges and corners, in one plane, flat, far, tiny."""

from fractions import Fraction

import numpy as np

from queries._draw import inside, points
from queries._exact import bounds, cross, dot, less, on_way, wrong_rows
from wingedge.primitives.segment_triangle import hit as ask

OFF = 7e-14  # in t and weights; as much of the length in points


def draw(rng, n, kind):
    s, e, *corners = points(rng, n, kind, 5)[0]
    if kind == "random":
        e = np.where(rng.random((n, 1)) < 0.5, e, 2 * inside(rng, corners) - s)
    return s, e, *corners


def wrong(*arguments):
    """Compare with half spaces cutting the segment in rational numbers."""
    return wrong_rows(_right, arguments, ask(*arguments))


def _right(s, e, a, b, c, hit, case, t, point, weights, side):
    given = s, e, a, b, c
    truth, true_side, true_case = _truth(*given)
    if (hit, side, case) != (truth is not None, true_side, true_case):
        return False
    if truth is None:
        return np.isnan(t) and np.isnan(point).all() and np.isnan(weights).all()
    at = on_way(s, e, truth)
    edge = max(np.abs(b - a).max(), np.abs(c - b).max(), np.abs(a - c).max())
    rounding = 4e-15 * max(np.abs(x).max() for x in given) + 1e-322
    held = weights[0] * a + weights[1] * b + weights[2] * c
    return (
        abs(t - truth) <= OFF
        and weights.min() >= 0
        and abs(weights.sum() - 1) <= 3 * OFF
        and _off(point, at) <= 2 * OFF * min(edge, np.abs(e - s).max()) + rounding
        and _off(held, at) <= 4 * OFF * edge + rounding
    )


def _off(point, truth):
    return max(map(abs, less(point, truth)))


def _truth(s, e, a, b, c):
    """Find the first time, the side of the start and the case.

    The segment is cut by the half spaces that make up the triangle.
    """
    s, e, a, b, c = ([Fraction(x) for x in map(float, v)] for v in (s, e, a, b, c))
    n = cross(less(b, a), less(c, a))
    low, high = Fraction(0), Fraction(1)
    for m, offset in bounds([a, b, c]):
        first, last = dot(m, s) - offset, dot(m, e) - offset
        if first < 0 and last < 0:
            low, high = Fraction(1), Fraction(0)
        elif first < 0:
            low = max(low, first / (first - last))
        elif last < 0:
            high = min(high, first / (first - last))
    heights = [dot(n, less(x, a)) for x in (s, e)]
    signs = [(h > 0) - (h < 0) for h in heights]
    case = {1: "A", 0: "B", -1: "C"}[signs[0] * signs[1]]
    return (low if low <= high else None), signs[0], case
