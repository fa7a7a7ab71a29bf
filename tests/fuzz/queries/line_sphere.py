"""Lines and spheres: tangents, no direction, no radius, far origins, tiny."""

from fractions import Fraction

import numpy as np

from queries._draw import lengths, points
from queries._exact import dot, less, root, wrong_rows
from wingedge.primitives.line_sphere import hit as ask

OFF = 2e-13  # of the extent around the centre


def draw(rng, n, kind):
    (o, at, c), units = points(rng, n, kind, 3)
    slow = rng.choice([1.0, 1.0, 2.0**-200], (n, 1)) if kind == "degenerate" else 1.0
    return o, (at - o) * slow, c, lengths(rng, units, 1.0)


def wrong(*arguments):
    """Compare with the equations solved in rational numbers and long roots."""
    return wrong_rows(
        lambda o, v, c, r, *answer: (
            not is_wrong(*answer, truth(o, v, c, r), (o, v, c, r))
        ),
        arguments,
        ask(*arguments),
    )


def truth(o, v, c, r):
    """Find whether the ball is met, and the parameters of the surface."""
    m, v = less(o, c), [Fraction(x) for x in v]
    square = dot(m, m) - Fraction(r) ** 2
    if not any(v):
        return square <= 0, [Fraction(0)] * (square == 0)
    nearest = -dot(m, v) / dot(v, v)
    foot = [x + nearest * y for x, y in zip(m, v, strict=True)]
    rest = (Fraction(r) ** 2 - dot(foot, foot)) / dot(v, v)
    if rest <= 0:
        return rest == 0, [nearest] * (rest == 0)
    half = root(rest)
    return True, [nearest - half, nearest + half]


def is_wrong(hit, surface, count, t, point, normal, expected, given):
    o, v, c, r = given
    pace = max(*map(abs, map(Fraction, v)), Fraction(5e-324))
    meets, times = expected
    if hit != meets or count != len(times) or surface != (count > 0):
        return True
    if not np.isnan([*t[count:], *point[count:].flat, *normal[count:].flat]).all():
        return True
    extent = max(r, np.abs(o - c).max())
    for k, time in enumerate(times):
        # beyond the floats a parameter is infinite
        if np.isinf(t[k]) and abs(time) > 1.7e308:
            off = 0
        else:
            off = abs(Fraction(t[k]) - time)
        if off > Fraction(5e-324) + Fraction(OFF) * Fraction(extent) / pace:
            return True
        at = [Fraction(x) + time * Fraction(y) for x, y in zip(o, v, strict=True)]
        if is_off(at, c, r, v, point[k], normal[k], extent):
            return True
    return False


def is_off(at, c, r, v, point, normal, extent):
    """Compare a point of the surface, and its normal, with where they should be."""
    room = 2e-8 * r + 1e-15 * max(np.abs(c).max(), r) + 1e-13 * extent + 1e-322
    if max(abs(float(x)) for x in less(at, point)) > room:
        return True
    if abs(sum(float(x) ** 2 for x in normal) - 1) > 1e-15:
        return True
    outward = less(at, c)
    if r == 0:
        outward = [-Fraction(x) for x in v] if any(v) else [1, 0, 0]
    exact = [Fraction(x) for x in normal]
    along = dot(outward, exact)
    cosine_sq = along**2 / (dot(outward, outward) * dot(exact, exact))
    return along <= 0 or 1 - cosine_sq > Fraction(2e-8) ** 2
