"""Two triangles in the plane: any winding, flat, sharing corners and edges, nested."""

from fractions import Fraction

import numpy as np

from queries._exact import (
    allowance,
    cut,
    differ,
    foot,
    gap_sq,
    rational,
    turn,
    wrong_rows,
)
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
    true_hit = _meet(a, b)
    square = Fraction(0) if true_hit else min(_far_sq(a, b), _far_sq(b, a))
    return (
        hit == true_hit
        and (not hit or (distance == 0 and point_a == point_b))
        and not differ(Fraction(float(distance)) ** 2, square, off)
        and not differ(gap_sq(point_a, point_b), square, off)
        and _from(point_a, a) <= off * off
        and _from(point_b, b) <= off * off
    )


def _meet(a, b):
    """Tell whether something of a is left when all sides of b have cut it."""
    area = turn(b[2], b[0], b[1])
    if area == 0:
        return _meet_flat(a, b)
    for k in range(3):
        a = cut(a, [area * turn(v, b[k], b[k - 2]) for v in a])
    return bool(a)


def _meet_flat(a, b):
    """Tell whether a meets the segment that b is, by the part of it on that line."""
    ends = sorted(b)  # by x, then y: in order along any line
    a = cut(a, [turn(v, ends[0], ends[2]) for v in a])
    a = cut(a, [-turn(v, ends[0], ends[2]) for v in a])
    if ends[0] == ends[2]:
        return _from(ends[0], a) == 0
    return bool(a) and max(a) >= ends[0] and min(a) <= ends[2]


def _far_sq(p, triangle):
    """Find the least squared distance of corners from edges."""
    return min(
        gap_sq(v, foot(v, triangle[k], triangle[k - 2])[1]) for v in p for k in range(3)
    )


def _from(p, triangle):
    """Find the squared distance of a point from a triangle."""
    turns = [turn(p, triangle[k], triangle[k - 2]) for k in range(3)]
    if any(turns) and (min(turns) >= 0 or max(turns) <= 0) and sum(turns):
        return Fraction(0)
    return _far_sq([p], triangle)
