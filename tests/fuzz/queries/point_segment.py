"""Points and segments in space and in the plane: no length, ends, needles, far."""

from fractions import Fraction

import numpy as np

from queries._draw import points
from queries._exact import allowance, differ, foot, gap_sq, rational, wrong_rows
from wingedge.primitives.point_segment import closest as ask

OFF = 1e-15  # per unit of the largest coordinate, in a distance
OFF_POINT = 2e-15  # the same, of the point along the segment


def draw(rng, n, kind):
    return tuple(points(rng, n, kind, 3)[0])


def wrong(*arguments):
    flat = [v[:, :2] for v in arguments]
    return wrong_rows(_right, arguments, ask(*arguments)) | wrong_rows(
        _right, flat, ask(*flat)
    )


def _right(p, a, b, point, t, distance, distance_sq):
    p, a, b, point = rational(p, a, b, point)
    off, off_point = (allowance(o, p, a, b) for o in (OFF, OFF_POINT))
    true_t, nearest = foot(p, a, b)
    square = gap_sq(p, nearest)
    with np.errstate(over="ignore", under="ignore"):
        again = distance * distance
    return (
        0 <= t <= 1
        and not differ(Fraction(float(distance)) ** 2, square, off)
        and not differ(gap_sq(p, point), square, off)
        and gap_sq(point, nearest) <= off_point**2
        and (Fraction(float(t)) - true_t) ** 2 * gap_sq(a, b) <= off_point**2
        and (t not in (0, 1) or point == (a if t == 0 else b))
        and (distance_sq == again or abs(distance_sq - again) <= 4e-16 * again + 1e-323)
    )
