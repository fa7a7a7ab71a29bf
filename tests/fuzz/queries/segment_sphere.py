"""Segments and spheres: ends on the surface, inside, tangents, no length, tiny."""

from fractions import Fraction

import numpy as np

import queries.line_sphere as line_sphere
from wingedge.primitives.segment_sphere import hit as ask

CLOSE = Fraction(1, 2**90)


def draw(rng, n, kind):
    """Draw segment ends, centres and radii."""
    s, v, c, r = line_sphere.draw(rng, n, kind)
    return s, s + v, c, r


def wrong(*arguments):
    """Compare with the roots of the line in rational numbers, within the segment."""
    answer = ask(*arguments)
    return np.array(
        [
            _is_wrong(one, given)
            for one, given in zip(
                zip(*answer, strict=True), zip(*arguments, strict=True), strict=True
            )
        ]
    )


def _is_wrong(answer, given):
    hit, surface, count, t, point, normal = answer
    s, e, c, r = given
    v = [Fraction(x) - Fraction(y) for x, y in zip(e, s, strict=True)]
    _, times = line_sphere.truth(s, v, c, r)
    gaps = [
        [Fraction(x) - Fraction(y) for x, y in zip(p, c, strict=True)] for p in (s, e)
    ]
    levels = [sum(x * x for x in gap) - Fraction(r) ** 2 for gap in gaps]
    # the ends decide exactly where a long root is only nearly 0 or 1
    exact = [k for k, level in enumerate(levels) if level == 0 and (k == 0 or any(v))]
    near = [time for time in times if CLOSE < time < 1 - CLOSE]
    times = sorted([*near, *map(Fraction, exact)])
    if any(k not in t for k in exact) or surface != bool(times):
        return True
    inside = bool(times) or levels[0] < 0
    return line_sphere.is_wrong(
        hit, count, t, point, normal, (inside, times), (s, v, c, r)
    )
