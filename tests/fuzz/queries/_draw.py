"""Draw points in general and in degenerate places: one generator for all queries."""

import numpy as np

SIZES = (2.0**-1070, 2.0**-350, 2.0**300)
FAR = 2.0**40
SHARES = (-0.5, 0.0, 0.25, 0.5, 0.7, 1.0, 1.5)


def points(rng, n, kind, count, dim=3, *, sizes=SIZES, apart=True):
    """Draw the points of n queries, (count, n, dim), and their units, (n,).

    Degenerate, in turn: on a lattice; all in one plane or on one line; one all but on
    what others span, or on another one; far out, ``apart`` from each other or together;
    of any size; at times one of them is off by the last bit.  Lengths may be whole
    numbers of units; in general position the unit is 0.
    """
    free = rng.normal(size=(count, n, dim))
    if kind == "random":
        return free, np.zeros(n)
    rows, which = np.arange(n), np.arange(n) % 6
    grid = rng.integers(-3, 4, (count, n, dim)).astype(float)
    flat = grid * np.append(np.ones(dim - 1), 0.0)
    line = grid[0] + rng.integers(-2, 3, (count, n, 1)) * rng.integers(-1, 2, (n, dim))
    line = np.where(rng.random((count, n, 1)) < 0.8, line, grid)
    order = rng.permuted(np.tile(np.arange(count), (n, 1)), axis=1)
    own, *others = (order[:, min(k, count - 1)] for k in range(4))
    a, b, c = (free[other, rows] for other in others)
    s, t = rng.choice(SHARES, (2, n, 1))
    t = np.where(rng.random((n, 1)) < 0.5, t, 0.0)
    tiny = rng.normal(size=(n, dim)) * 10.0 ** rng.uniform(-20.0, -3.0, (n, 1))
    near = free.copy()
    near[own, rows] = a + s * (b - a) + t * (c - a) + tiny * rng.integers(0, 2, (n, 1))
    wide = grid.copy()
    wide[..., 0] += FAR * rng.integers(0, 2, (count if apart else 1, n))
    size = np.where(which == 5, rng.choice(sizes, n), 1.0)
    forms = grid, flat, line, near, wide, grid * size[:, None]
    drawn = np.choose(which[:, None], forms)
    beside = np.nextafter(drawn[own, rows], np.inf)
    moved = (rng.random(n) < 0.2) & (which < 5)
    drawn[own, rows] = np.where(moved[:, None], beside, drawn[own, rows])
    return drawn, np.where(which == 3, 0.0, size)


def lengths(rng, units, mean):
    """Draw a length for each query: a whole number of units, or any."""
    n = len(units)
    whole = rng.integers(0, 4, n) * units
    return np.where(units > 0.0, whole, mean * rng.exponential(size=n))


def inside(rng, corners):
    """Draw a point of each triangle."""
    share = rng.dirichlet([1, 1, 1], (len(corners[0]), 1))
    return (share @ np.stack(corners, axis=1))[:, 0]
