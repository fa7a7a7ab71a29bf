"""Disks and turned rectangles: exact touch of sides and corners, no width, far away."""

from fractions import Fraction

import numpy as np

from queries._exact import (
    NOTHING,
    allowance,
    differ,
    dot,
    frame,
    gap_sq,
    rational,
    subtract,
    wrong_rows,
)
from wingedge.primitives.disk_rectangle import meet as ask

OFF = 2e-15  # per unit of the largest coordinate, in a distance
# axes whose length is a whole number: touching disks whose radius is one
LEGS = np.array([(3, 4, 5), (-5, 12, 13), (8, -15, 17), (0, -1, 1), (2, 0, 2)])


def draw(rng, n, kind):
    p, m, axis = rng.normal(size=(3, n, 2)) * 1.5
    half = rng.exponential(1.0, (n, 2))
    r = rng.exponential(1.0, n)
    if kind == "degenerate":
        which = np.arange(n) % 5
        half = half * rng.integers(0, 2, (n, 2))
        *legs, length = LEGS[rng.integers(0, len(LEGS), n)].T
        legs = np.stack(legs, axis=1)
        across = np.stack([-legs[:, 1], legs[:, 0]], axis=1)
        sides = rng.integers(0, 4, (2, n, 1))
        out = rng.integers(-2, 3, (2, n, 1))
        face = (out[0] + np.sign(out[0]) * sides[0]) * legs
        face = face + (out[1] + np.sign(out[1]) * sides[1]) * across
        grid = which[:, None] >= 2  # everything on whole numbers, in units of length
        m = np.where(grid, rng.integers(-3, 4, (n, 2)), m)
        p = np.where(grid, m + face, p)
        half = np.where(grid, np.hstack([*sides]) * length[:, None], half)
        axis = np.where(grid, legs, axis)
        r = np.where(grid[:, 0], rng.choice([0, 1, 2], n) * length, r)
        off = np.where(which[:, None] == 3, rng.normal(size=(n, 2)) * 1e-15, 0.0)
        skew = which == 1  # axis-aligned, or a diagonal of irrational length
        axis[skew] = rng.integers(-1, 2, (skew.sum(), 2)) + np.array([0, 0.125])
        p[skew], m[skew], half[skew] = rng.integers(0, 4, (3, skew.sum(), 2)) / 2
        scale = 2.0 ** rng.choice([0, 0, 0, -60, 60, -500, 500, -1060, 950], n)[:, None]
        far = np.where(which[:, None] == 4, scale * 2.0 ** rng.integers(0, 50), 0.0)
        p, m, half = (p + off) * scale + far, m * scale + far, half * scale
        r = r * scale[:, 0]
        axis = axis * 2.0 ** rng.choice([0, -600, 600], (n, 1))
    return p, r, m, half, axis


def wrong(*arguments):
    return wrong_rows(_right, arguments, ask(*arguments))


def _right(p, r, m, half, axis, hit, region, point, distance):
    p, m, half, axis, point = rational(p, m, half, axis, point)
    r = Fraction(float(r))
    off = allowance(OFF, p, m, half)
    none = NOTHING * max(abs(x) for x in (*p, *m, *half, r))
    ways = [dot(subtract(p, m), way) for way in frame(axis)]
    column, row = (
        0 if abs(x) <= h + none else (1 if x > 0 else -1)
        for x, h in zip(ways, half, strict=True)
    )
    over = [max(abs(x) - h, 0) for x, h in zip(ways, half, strict=True)]
    square = dot(over, over)
    inside = [dot(subtract(point, m), way) for way in frame(axis)]
    return (
        hit == (square <= r * r + none * r + none * none)
        and region == 4 + column + 3 * row
        and (region != 4 or (distance == 0 and point == p))
        and not differ(Fraction(float(distance)) ** 2, square, off)
        and not differ(gap_sq(p, point), square, off)
        and all(abs(x) <= h + off for x, h in zip(inside, half, strict=True))
    )
