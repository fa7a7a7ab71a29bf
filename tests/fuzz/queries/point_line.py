"""Points and lines in the plane: on the line, a bit beside it, no line at all."""

import numpy as np

from queries._exact import rational, turn
from wingedge.primitives.point_line import side as ask


def draw(rng, n, kind):
    p, a, b = rng.normal(size=(3, n, 2))
    if kind == "degenerate":
        which = np.arange(n)[:, None] % 4
        p = np.where(which == 0, a + (b - a) * rng.normal(size=(n, 1)), p)
        grid = rng.integers(-3, 4, size=(3, n, 2)).astype(float)
        p, a, b = np.where(which >= 1, grid, (p, a, b))
        scale = 2.0 ** rng.choice([0, 0, -500, 500, -1060, 960], (n, 1))
        p, a, b = p * scale, a * scale, b * scale
        far = np.where(which == 2, scale * 2.0 ** rng.integers(0, 55, (n, 1)), 0.0)
        p, a, b = p + far, a + far, b + far
        p = np.where((which == 3) & (rng.integers(0, 2, (n, 1)) == 0), beside(p), p)
    return p, a, b


def beside(p):
    x, y = p.T
    return np.stack([np.nextafter(x, np.inf), y], axis=1)


def wrong(p, a, b):
    areas = [turn(*rational(*row)) for row in zip(p, a, b, strict=True)]
    return ask(p, a, b) != [(x > 0) - (x < 0) for x in areas]
