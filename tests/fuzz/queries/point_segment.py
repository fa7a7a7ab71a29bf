"""Points and segments in space and in the plane: no length, ends, needles, far."""

from fractions import Fraction

import numpy as np

from queries._exact import allowance, differ, foot, gap_sq, rational, wrong_rows
from wingedge.primitives.point_segment import closest as ask

OFF = 1e-15  # per unit of the largest coordinate, in a distance
OFF_POINT = 2e-15  # the same, of the point along the segment


def draw(rng, n, kind):
    p, a, b = rng.normal(size=(3, n, 3))
    if kind == "degenerate":
        which = np.arange(n)[:, None] % 5
        tiny = rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-20, -3, (n, 1))
        b = np.where(which == 0, a + tiny, b)
        b = np.where((which == 0) & (rng.integers(0, 3, (n, 1)) == 0), a, b)
        on_line = a + (b - a) * rng.uniform(-0.5, 1.5, (n, 1))
        p = np.where(which == 1, on_line + tiny, p)
        p = np.where(which == 2, np.where(rng.integers(0, 2, (n, 1)), a, b) + tiny, p)
        grid = rng.integers(-2, 3, size=(3, n, 3)).astype(float)
        p, a, b = np.where(which >= 3, grid, (p, a, b))
        scale = 2.0 ** rng.choice([0, 0, -60, 60, -500, 500, -1060, 960], (n, 1))
        p, a, b = p * scale, a * scale, b * scale
        far = np.where(which == 4, scale * 2.0 ** rng.integers(0, 50, (n, 1)), 0.0)
        p, a, b = p + far, a + far, b + far
    return p, a, b


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
