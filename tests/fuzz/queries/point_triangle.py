"""Points and triangles: needles, caps, feet on edges and corners, grids."""

import numpy as np

from queries._exact import least
from wingedge.primitives.point_triangle import closest as ask

OFF = 5e-15  # per unit of size, in a distance


def draw(rng, n, kind):
    p, a, b, c = rng.normal(size=(4, n, 3))
    if kind == "degenerate":
        tiny = rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-13, -3, (n, 1))
        share = rng.dirichlet([1, 1, 1], n)
        which = np.arange(n)[:, None] % 4
        c = np.where(which == 0, b + tiny, c)
        c = np.where(which == 1, a + (b - a) * rng.uniform(size=(n, 1)) + tiny, c)
        p = np.where(which < 3, share[:, :1] * a + share[:, 1:2] * b, p)
        p = np.where(which < 3, p + share[:, 2:] * c + tiny, p)
        grid = rng.integers(-2, 3, size=(4, n, 3)).astype(float)
        p, a, b, c = (
            np.where(which == 3, g, x) for g, x in zip(grid, (p, a, b, c), strict=True)
        )
    return p, a, b, c


def wrong(p, a, b, c):
    near = ask(p, a, b, c)
    rows = zip(p, a, b, c, strict=True)
    exact = np.array([float(least([x], three)[0]) for x, *three in rows]) ** 0.5
    size = np.abs(np.concatenate([p, a, b, c], axis=1)).max(axis=1)
    weighted = sum(near.weights[:, [k]] * v for k, v in enumerate((a, b, c)))
    off = np.abs(near.distance_sq**0.5 - exact) > OFF * size
    off |= np.abs(weighted - near.point).max(axis=1) > OFF * size
    return off | (near.weights.min(axis=1) < 0)
