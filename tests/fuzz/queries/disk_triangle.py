"""Disks and triangles in the plane: any winding, flat ones, exact touch, far away."""

from fractions import Fraction

import numpy as np

from queries._exact import allowance, differ, foot, gap_sq, rational, turn, wrong_rows
from wingedge.primitives.disk_triangle import meet as ask

OFF = 1e-15  # per unit of the largest coordinate, in a distance
# pythagorean directions: touching disks whose radius is a float
LEGS = np.array([(3, 4, 5), (-5, 12, 13), (8, -15, 17), (-20, -21, 29), (0, 1, 1)])


def draw(rng, n, kind):
    p, a, b, c = rng.normal(size=(4, n, 2)) * (2.0, 1.0)
    r = rng.exponential(1.0, n)
    if kind == "degenerate":
        which = np.arange(n) % 6
        grid = rng.integers(-3, 4, size=(4, n, 2)).astype(float)
        p, a, b, c = np.where(which[:, None] >= 3, grid, (p, a, b, c))
        r = np.where(which >= 3, rng.integers(0, 4, n), r)
        tiny = rng.normal(size=(n, 2)) * 10.0 ** rng.uniform(-18, -3, (n, 1))
        flat = a + (b - a) * rng.normal(size=(n, 1)) + tiny
        c = np.where(which[:, None] == 0, flat, c)
        b = np.where(which[:, None] == 1, a + tiny, b)
        share = rng.dirichlet([1, 1, 1], n)[:, :, None] * rng.integers(0, 2, (n, 3, 1))
        p = np.where(which[:, None] == 2, (share * np.stack([a, b, c], 1)).sum(1), p)
        x, y, z = LEGS[rng.integers(0, len(LEGS), n)].T
        along = np.stack([y, -x], axis=1) * rng.integers(-2, 3, (n, 1))
        touch = which == 4  # an edge, a disk that touches it exactly
        b = np.where(touch[:, None], a + np.stack([y, -x], axis=1), b)
        p = np.where(touch[:, None], a + np.stack([x, y], axis=1) + along, p)
        r = np.where(touch, z, r)
        scale = 2.0 ** rng.choice([0, 0, 0, -60, 60, -500, 500, -1060, 960], n)
        p, a, b, c = (v * scale[:, None] for v in (p, a, b, c))
        r = r * scale
        far = np.where(which == 5, scale * 2.0 ** rng.integers(0, 50, n), 0.0)
        p, a, b, c = (v + far[:, None] for v in (p, a, b, c))
    return p, r, a, b, c


def wrong(*arguments):
    return wrong_rows(_right, arguments, ask(*arguments))


def _right(p, r, a, b, c, hit, region, feature, point, distance):
    p, point, *corners = rational(p, point, a, b, c)
    off = allowance(OFF, p, *corners)
    square, named = nearest(p, corners)
    return (
        hit == (square <= Fraction(float(r)) ** 2)
        and region == _region(p, corners)
        and feature == named
        and (distance == 0 or named != "f0")
        and not differ(gap_sq(p, point), square, off)
        and not differ(Fraction(float(distance)) ** 2, square, off)
        and nearest(point, corners)[0] <= off * off
    )


def nearest(p, corners):
    """Find the squared distance from a triangle, and the smallest nearest feature."""
    best = [(gap_sq(p, v), 0, f"v{k}") for k, v in enumerate(corners)]
    for k in range(3):
        t, point = foot(p, corners[k], corners[(k + 1) % 3])
        if 0 < t < 1:
            best.append((gap_sq(p, point), 1, f"e{k}"))
    turns = _turns(p, corners)
    if min(turns) > 0 or max(turns) < 0:
        best.append((Fraction(0), 2, "f0"))
    square, _, name = min(best)
    return square, name


def _turns(p, corners):
    return [turn(p, corners[k], corners[(k + 1) % 3]) for k in range(3)]


def _region(p, corners):
    """Find the article's region, of the corners named clockwise."""
    total = sum(_turns(p, corners))
    if total < 0:
        corners = [corners[0], corners[2], corners[1]]
    right = [turn >= 0 for turn in _turns(p, corners)]
    return (total != 0) * (4 * right[0] + 2 * right[1] + right[2])
