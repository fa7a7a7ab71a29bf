"""Two segments in space: parallel, in line, crossing, needles, of no length."""

import numpy as np

from queries._exact import least
from wingedge.primitives.segment_segment import closest as ask

OFF = 5e-15  # per unit of size, in a distance and in a point
SIGNS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]


def draw(rng, n, kind):
    a, b, c, d = rng.normal(size=(4, n, 3))
    if kind == "random":
        return a, b, c, d
    which = np.arange(n)[:, None] % 8
    share, part = rng.uniform(-1, 2, size=(2, n, 1))
    tiny = rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-17, -3, (n, 1))
    grid = rng.integers(-2, 3, size=(4, n, 3)).astype(float)
    step = rng.choice(SIGNS, n) * 2.0 ** rng.integers(-9, 1, (n, 1))
    forms = [
        grid,  # parallel, in line, touching, of no length
        (a, b, c, c + (b - a) * share + tiny),  # nearly parallel
        (a, b, a + (b - a) * share, a + (b - a) * part + tiny),  # nearly in line
        (a, a + step, a + tiny, a + step * 2),  # nearly one segment
        (a, a + tiny, c, d),  # a needle's end, against a segment
        (a, b, c, c),  # a point
        (a, b, (a + b) / 2 - c + tiny, (a + b) / 2 + c),  # crossing, nearly
        (1e6 * a, 1e6 * b, 1e6 * a + c, 1e6 * a + d),  # far away
    ]
    return tuple(
        np.select([which == k for k in range(8)], [form[i] for form in forms])
        for i in range(4)
    )


def wrong(a, b, c, d):
    """Compare distances with those of rational arithmetic; place the points."""
    near = ask(a, b, c, d)
    rows = zip(a, b, c, d, strict=True)
    exact = np.array([float(least(row[:2], row[2:])[0]) for row in rows]) ** 0.5
    allowed = OFF * np.abs(np.concatenate([a, b, c, d], axis=1)).max(axis=1)
    s, t = near.s[:, None], near.t[:, None]
    off = np.abs(near.distance_sq**0.5 - exact) > allowed
    off |= np.abs(a + s * (b - a) - near.point_p).max(axis=1) > allowed
    off |= np.abs(c + t * (d - c) - near.point_q).max(axis=1) > allowed
    off |= ~((near.s >= 0) & (near.s <= 1) & (near.t >= 0) & (near.t <= 1))
    gap = np.sqrt(((near.point_p - near.point_q) ** 2).sum(axis=1))
    return off | (np.abs(gap - exact) > allowed)
