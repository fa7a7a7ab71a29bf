"""Segments and spheres: ends on the surface, inside, tangents, no length, tiny."""

from fractions import Fraction

import queries.line_sphere as line_sphere
from queries._exact import less, wrong_rows
from wingedge.primitives.segment_sphere import hit as ask

CLOSE = Fraction(1, 2**300)


def draw(rng, n, kind):
    s, v, c, r = line_sphere.draw(rng, n, kind)
    return s, s + v, c, r


def wrong(*arguments):
    """Compare with the roots of the line in rational numbers, within the segment."""
    return wrong_rows(_right, arguments, ask(*arguments))


def _right(s, e, c, r, hit, surface, count, t, point, normal):
    v = less(e, s)
    _, times = line_sphere.truth(s, v, c, r)
    levels = [sum(x * x for x in less(p, c)) - Fraction(r) ** 2 for p in (s, e)]
    # the ends decide exactly where a long root is only nearly 0 or 1
    exact = [k for k, level in enumerate(levels) if level == 0 and (k == 0 or any(v))]
    near = [time for time in times if CLOSE < time < 1 - CLOSE]
    times = sorted([*near, *map(Fraction, exact)])
    if any(k not in t for k in exact):
        return False
    inside = bool(times) or levels[0] < 0
    return not line_sphere.is_wrong(
        hit, surface, count, t, point, normal, (inside, times), (s, v, c, r)
    )
