"""Two segments in the plane: overlaps, shared ends, no length, almost parallel, far."""

from fractions import Fraction

import numpy as np

from queries._draw import lengths, points
from queries._exact import (
    allowance,
    differ,
    dot,
    foot,
    gap_sq,
    rational,
    subtract,
    turn,
    wrong_rows,
)
from wingedge.primitives.segment_segment_2d import meet

OFF = 2e-15  # per unit of the largest coordinate, of a point from a segment


def ask(a, b, c, d, tolerance):
    return meet(a, b, c, d, tolerance=tolerance)


def draw(rng, n, kind):
    ends, units = points(rng, n, kind, 4, 2)
    return *ends, np.where(rng.integers(0, 2, n), lengths(rng, units, 0.1), 0.0)


def wrong(*arguments):
    return wrong_rows(_right, arguments, ask(*arguments))


def _right(a, b, c, d, reach, hit, kind, s, t, point, distance, s_range, t_range, ends):
    a, b, c, d, point, end = rational(a, b, c, d, point, ends[1])
    off = allowance(OFF, a, b, c, d)
    named, square, common = _truth(a, b, c, d)
    if named == "apart" and square <= Fraction(float(reach)) ** 2:
        named = "touching"
    good = kind == named and hit == (named != "apart")
    good = good and not differ(Fraction(float(distance)) ** 2, square, off)
    good = good and (distance == 0 or not common)
    good = good and (ends[0] == [float(x) for x in point]).all()
    good = good and s_range[0] == s and t_range[0] == t
    if len(common) == 2:
        good = good and all(
            gap_sq(u, v) <= off * off for u, v in zip((point, end), common, strict=True)
        )
    else:
        good = good and s_range[1] == s and t_range[1] == t and end == point
    if len(common) == 1 and common[0] in (a, b, c, d):
        good = good and point == common[0]
    for k, place in enumerate((point, end)):
        on_p, on_q = _at(s_range[k], a, b), _at(t_range[k], c, d)
        good = good and 0 <= s_range[k] <= 1 and 0 <= t_range[k] <= 1
        good = good and gap_sq(place, on_p) <= off * off
        good = good and not differ(gap_sq(place, on_q), square, 2 * off)
    return bool(good)


def _at(t, a, b):
    return [x + Fraction(float(t)) * (y - x) for x, y in zip(a, b, strict=True)]


def _truth(a, b, c, d):
    """Find the kind, the squared distance, and the common point or the ends of many."""
    places = [(a, foot(a, c, d)), (b, foot(b, c, d)), (c, foot(c, a, b))]
    places.append((d, foot(d, a, b)))
    common = [end for end, (_, near) in places if end == near]
    common = sorted(common, key=lambda end: dot(subtract(end, a), subtract(b, a)))
    if common and common[0] != common[-1]:
        return "overlap", Fraction(0), [common[0], common[-1]]
    if common:
        return "touching", Fraction(0), common[:1]
    u, v = turn(a, c, d), turn(b, c, d)
    if u * v < 0 and turn(c, a, b) * turn(d, a, b) < 0:
        t = u / (u - v)
        point = [x + t * (y - x) for x, y in zip(a, b, strict=True)]
        return "crossing", Fraction(0), [point]
    return "apart", min(gap_sq(end, near) for end, (_, near) in places), []
