"""Points and triangles: needles, caps, feet on edges and corners, grids."""

import numpy as np

from queries._draw import points
from queries._exact import least
from wingedge.primitives.point_triangle import closest as ask

OFF = 5e-15  # per unit of size, in a distance


def draw(rng, n, kind):
    return tuple(points(rng, n, kind, 4, sizes=(1.0,))[0])


def wrong(p, a, b, c):
    near = ask(p, a, b, c)
    rows = zip(p, a, b, c, strict=True)
    exact = np.array([float(least([x], three)[0]) for x, *three in rows]) ** 0.5
    size = np.abs(np.concatenate([p, a, b, c], axis=1)).max(axis=1)
    weighted = sum(near.weights[:, [k]] * v for k, v in enumerate((a, b, c)))
    off = np.abs(near.distance_sq**0.5 - exact) > OFF * size
    off |= np.abs(weighted - near.point).max(axis=1) > OFF * size
    return off | (near.weights.min(axis=1) < 0)
