"""Segments and planes: in the plane, ends on it, no length, no normal, far, tiny."""

from fractions import Fraction

import numpy as np

from queries._draw import lengths, points
from queries._exact import cross, less, on_way, wrong_rows
from wingedge.primitives.segment_plane import hit as ask
from wingedge.primitives.segment_plane import plane

OFF = 7e-14


def draw(rng, n, kind):
    (s, e), units = points(rng, n, kind, 2)
    ((normal,), _) = points(rng, n, kind, 1, sizes=(1.0,), apart=False)
    offset = lengths(rng, units, 1.0) * rng.choice([-1.0, 1.0], n)
    reach = (s * normal).sum(axis=1) * (1.0 + rng.integers(-2, 3, n) * 2.0**-52)
    return s, e, normal, np.where(rng.random(n) < 0.3, reach, offset)


def wrong(*arguments):
    """Compare with rational arithmetic; the planes of the ends and normals as well."""
    answer, triangles = ask(*arguments), plane(*arguments[:3])
    return wrong_rows(_right, arguments, answer) | wrong_rows(
        _plane_right, arguments[:3], triangles
    )


def _right(s, e, n, c, hit, case, t, point, *heights):
    limit = Fraction(c)
    true = [_dot(x, n) - limit for x in (s, e)]
    for x, height, truth in zip((s, e), heights, true, strict=True):
        room = 1e-15 * (_dot(map(abs, x), map(abs, n)) + abs(limit)) + Fraction(5e-324)
        if np.sign(height) != (truth > 0) - (truth < 0) or abs(height - truth) > room:
            return False
    product = true[0] * true[1]
    if case != ("A" if product > 0 else "B" if product == 0 else "C"):
        return False
    if hit != (product <= 0):
        return False
    if product > 0:
        return np.isnan([t, *point]).all()
    time = true[0] / (true[0] - true[1]) if true[0] else Fraction(0)
    off = max(map(abs, less(point, on_way(s, e, time))))
    room = OFF * np.abs(e - s).max() + 1e-15 * np.abs([s, e]).max() + 1e-322
    return abs(Fraction(t) - time) <= OFF and off <= room


def _plane_right(a, b, c, normal, offset):
    true = cross(less(b, a), less(c, a))
    if not any(true):
        return not any(normal) and offset == 0
    along, square = _dot(normal, true), _dot(normal, normal)
    reach = sum(float(x) * float(y) for x, y in zip(normal, a, strict=True))
    return (
        along > 0
        and 1 - along**2 / (_dot(true, true) * square) <= Fraction(2e-11) ** 2
        and abs(square - 1) <= 1e-15
        and abs(offset - reach) <= 1e-15 * np.abs(a).sum() + 1e-322
    )


def _dot(u, v):
    return sum(Fraction(x) * Fraction(y) for x, y in zip(u, v, strict=True))
