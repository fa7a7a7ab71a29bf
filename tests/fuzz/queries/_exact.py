"""Points of any dimension in rational numbers, what cuts them, roots to compare."""

from fractions import Fraction
from math import isqrt

import numpy as np

DIGITS = 10**150
NOTHING = Fraction(1, 10**120)  # per unit; what is less is no digit of a root, but 0


def wrong_rows(right, arguments, answer):
    """Ask row by row whether an answer is right; return where it is not."""
    return np.array([not right(*row) for row in zip(*arguments, *answer, strict=True)])


def rational(*arrays):
    """Take arrays of floats as lists of rational numbers, without rounding."""
    return [[Fraction(float(x)) for x in array] for array in arrays]


def subtract(p, q):
    return [x - y for x, y in zip(p, q, strict=True)]


def less(p, q):
    """Return p - q of floats, without rounding."""
    return [Fraction(x) - Fraction(y) for x, y in zip(p, q, strict=True)]


def on_way(p, q, t):
    """Return p + t (q - p) of floats, without rounding."""
    return [Fraction(x) + t * y for x, y in zip(p, less(q, p), strict=True)]


def dot(p, q):
    return sum(x * y for x, y in zip(p, q, strict=True))


def cross(p, q):
    return [p[k - 2] * q[k - 1] - p[k - 1] * q[k - 2] for k in range(3)]


def turn(p, a, b):
    """Return twice the area of a b p, positive where p is right of the line a b."""
    (x, y), (u, v) = subtract(p, a), subtract(b, a)
    return x * v - y * u


def gap_sq(p, q):
    gap = subtract(p, q)
    return dot(gap, gap)


def foot(p, a, b):
    """Return t and the point of the segment a b nearest to p; 0 where it is a point."""
    d = subtract(b, a)
    square = dot(d, d)
    t = min(max(Fraction(dot(subtract(p, a), d), square), 0), 1) if square else 0
    return t, [x + t * y for x, y in zip(a, d, strict=True)]


def triangle_sq(p, corners):
    """Return the squared distance of a point in space from a triangle."""
    a, b, c = corners
    sides = (a, b), (b, c), (c, a)
    best = min(gap_sq(p, foot(p, u, v)[1]) for u, v in sides)
    n = cross(subtract(b, a), subtract(c, a))
    turns = [dot(cross(subtract(v, u), subtract(p, u)), n) for u, v in sides]
    if any(n) and min(turns) >= 0:
        best = min(best, Fraction(dot(subtract(p, a), n) ** 2, dot(n, n)))
    return best


def cut(polygon, heights):
    """Keep what of a polygon has no height below 0 (Sutherland and Hodgman 1974)."""
    left = []
    for k, (p, h) in enumerate(zip(polygon, heights, strict=True)):
        before, g = polygon[k - 1], heights[k - 1]
        if g * h < 0:
            t = Fraction(g, g - h)
            left.append([x + t * (y - x) for x, y in zip(before, p, strict=True)])
        if h >= 0:
            left.append(p)
    return left


def allowance(off, *points):
    """Return what off per unit of the largest coordinate comes to; never nothing."""
    largest = max(abs(x) for p in points for x in p)
    return Fraction(off) * largest + Fraction(5e-324)


def differ(found_sq, true_sq, off):
    """Tell whether two lengths differ by more than off, from their squares."""
    # |f - t| > off  <=>  f^2 + t^2 - off^2 > 2 f t
    rest = found_sq + true_sq - off * off
    return rest > 0 and rest * rest > 4 * found_sq * true_sq


def root(square):
    """Return the square root: exact where it is rational, else to 150 digits."""
    top, bottom = square.numerator, square.denominator
    return Fraction(isqrt(top * bottom * DIGITS**2), bottom * DIGITS)


def frame(axis):
    """Return unit vectors along an axis, and a quarter turn from it."""
    length = root(dot(axis, axis))
    x, y = (x / length for x in axis)
    return (x, y), (-y, x)
