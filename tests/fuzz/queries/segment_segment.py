"""Two segments in space: parallel, in line, crossing, needles, of no length."""

import numpy as np

from queries._draw import points
from queries._exact import least
from wingedge.primitives.segment_segment import closest as ask

OFF = 5e-15  # per unit of size, in a distance and in a point


def draw(rng, n, kind):
    return tuple(points(rng, n, kind, 4, sizes=(1.0,))[0])


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
