"""Points of any dimension in rational numbers, what cuts them, roots to compare."""

from fractions import Fraction
from itertools import combinations, product
from math import isqrt

import numpy as np

DIGITS = 10**150
UNITS = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
NOTHING = Fraction(1, 10**120)  # per unit; what is less is no digit of a root, but 0


def wrong_rows(right, arguments, answer):
    """Ask row by row whether an answer is right; return where it is not."""
    return np.array([not right(*row) for row in zip(*arguments, *answer, strict=True)])


def rational(*arrays):
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


def height(a, b, c, d):
    """Return six times the volume of a b c d, positive where d is above a b c."""
    return dot(cross(subtract(b, a), subtract(c, a)), subtract(d, a))


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


def least(ends, corners):
    """Find the square and the nearest point of a hull of points from that of others.

    On every pair of faces of the two, where the gap is square to both; in integers.
    """
    given = [[Fraction(x) for x in p] for p in (*ends, *corners)]
    unit = max(x.denominator for p in given for x in p)
    given = [[int(x * unit) for x in p] for p in given]
    ends, corners = given[: len(ends)], given[len(ends) :]
    best = None
    for one, other in product(_faces(ends), _faces(corners)):
        axes = [subtract(p, one[0]) for p in one[1:]]
        axes += [subtract(other[0], p) for p in other[1:]]
        gap = subtract(one[0], other[0])
        gram = [[dot(x, y) for y in axes] for x in axes]
        det = _det(gram)
        if not det:
            continue
        shares = []
        for k in range(len(axes)):
            swapped = [[*row[:k], -dot(axis, gap), *row[k + 1 :]]
                       for row, axis in zip(gram, axes, strict=True)]  # fmt: skip
            shares.append(_det(swapped))
        mine = shares[: len(one) - 1], shares[len(one) - 1 :]
        if min(shares, default=0) < 0 or max(map(sum, mine)) > det:
            continue
        gap = _moved([det * x for x in gap], shares, axes, 1)
        square = Fraction(dot(gap, gap), (det * unit) ** 2)
        if best is None or square < best[0]:
            point = [det * x for x in other[0]]
            point = _moved(point, mine[1], axes[len(one) - 1 :], -1)
            best = square, [Fraction(x, det * unit) for x in point]
            if not square:
                break
    return best


def _faces(corners):
    return [face for k in range(len(corners)) for face in combinations(corners, k + 1)]


def _moved(point, shares, axes, sign):
    for x, axis in zip(shares, axes, strict=True):
        point = [p + sign * x * y for p, y in zip(point, axis, strict=True)]
    return point


def _det(matrix):
    if not matrix:
        return 1
    return sum(
        (-1) ** k * matrix[0][k] * _det([row[:k] + row[k + 1 :] for row in matrix[1:]])
        for k in range(len(matrix))
    )


def bounds(corners):
    """List the closed half-spaces n x >= c whose intersection a triangle is."""
    a, b, c = corners
    n = cross(subtract(b, a), subtract(c, a))
    if any(n):
        sides = [(cross(n, subtract(v, u)), u) for u, v in ((a, b), (b, c), (c, a))]
        flat = [(n, a), ([-x for x in n], a)]
    else:
        u, v = min(corners), max(corners)
        d = subtract(v, u)
        sides = [(d, u), ([-x for x in d], v)] if any(d) else []
        across = [cross(d, e) for e in UNITS] if any(d) else UNITS
        flat = [([s * x for x in m], u) for m in across for s in (1, -1)]
    return [(m, dot(m, at)) for m, at in flat + sides]


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
