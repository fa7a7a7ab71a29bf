"""Two triangles in the plane: any winding, flat, sharing corners and edges, nested."""

from fractions import Fraction

import numpy as np

from queries._exact import allowance, differ, gap_sq, least, rational, wrong_rows
from wingedge.primitives.triangle_triangle_2d import meet as ask

OFF = 2e-15  # per unit of the largest coordinate


def draw(rng, n, kind):
    corners = rng.normal(size=(6, n, 2))
    corners[3:] += rng.normal(size=(n, 2))
    if kind == "degenerate":
        which = np.arange(n)[:, None] % 5
        tiny = rng.normal(size=(6, n, 2)) * 10.0 ** rng.uniform(-18, -3, (6, n, 1))
        a0, a1 = corners[:2]
        line = a0 + (a1 - a0) * rng.choice([-1, 0, 0.3, 0.5, 1, 2], (6, n, 1)) + tiny
        flat = np.where(rng.integers(0, 2, (6, n, 1)), line, corners)
        corners = np.where(which == 0, flat, corners)
        small = corners[3] + (corners - corners[3]) * 10.0 ** rng.uniform(-9, 0, (n, 1))
        small[:3] = corners[:3]
        corners = np.where(which == 1, small, corners)
        grid = rng.integers(-2, 3, size=(6, n, 2)).astype(float)
        corners = np.where(which >= 2, grid, corners)
        step = rng.integers(-1, 2, (n, 2))
        thin = grid[0] + rng.integers(-2, 3, (6, n, 1)) * step
        corners = np.where(
            (which == 3) & (rng.integers(0, 3, (6, n, 1)) > 0), thin, corners
        )
        scale = 2.0 ** rng.choice([0, 0, 0, -60, 60, -500, 500, -1060, 960], (n, 1))
        far = np.where(which == 4, scale * 2.0 ** rng.integers(0, 50, (n, 1)), 0.0)
        corners = corners * scale + far
    return tuple(corners)


def wrong(*arguments):
    return wrong_rows(_right, arguments, ask(*arguments))


def _right(a0, a1, a2, b0, b1, b2, hit, distance, point_a, point_b):
    *corners, point_a, point_b = rational(a0, a1, a2, b0, b1, b2, point_a, point_b)
    a, b = corners[:3], corners[3:]
    off = allowance(OFF, *corners)
    square, _ = least(a, b)
    return (
        hit == (square == 0)
        and (not hit or (distance == 0 and point_a == point_b))
        and not differ(Fraction(float(distance)) ** 2, square, off)
        and not differ(gap_sq(point_a, point_b), square, off)
        and least([point_a], a)[0] <= off * off
        and least([point_b], b)[0] <= off * off
    )
