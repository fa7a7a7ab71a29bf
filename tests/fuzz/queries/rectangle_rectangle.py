"""Two turned rectangles: exact touch, no width, one in the other, the same one, far."""

from fractions import Fraction

import numpy as np

from queries._exact import (
    NOTHING,
    allowance,
    cut,
    dot,
    frame,
    rational,
    subtract,
    wrong_rows,
)
from wingedge.primitives.rectangle_rectangle import meet as ask

OFF = 2e-15  # per unit of the largest coordinate or half
LEGS = np.array([(3, 4), (-4, 3), (6, -8), (1, 0), (0, -2), (-7, 0)])


def draw(rng, n, kind):
    a, b, u, w = rng.normal(size=(4, n, 2))
    b = b * 2
    g, h = rng.exponential(0.7, (2, n, 2))
    if kind == "degenerate":
        which = np.arange(n)[:, None] % 5
        g, h = g * rng.integers(0, 2, (n, 2)), h * rng.integers(0, 2, (n, 2))
        w = np.where(which == 1, u * rng.choice([-2, 1, 1], (n, 1)), w)
        legs = LEGS[rng.integers(0, len(LEGS), (2, n))]  # whole lengths; units of 5
        grid = which >= 2
        u, w = np.where(grid, legs, (u, w))
        a, b = np.where(grid, 5 * rng.integers(-3, 4, (2, n, 2)), (a, b))
        g, h = np.where(grid, 5 * rng.integers(0, 3, (2, n, 2)), (g, h))
        b = np.where(which == 3, b + rng.normal(size=(n, 2)) * 1e-15, b)
        b = np.where(rng.integers(0, 12, (n, 1)) == 0, a, b)
        scale = 2.0 ** rng.choice([0, 0, 0, -60, 60, -500, 500, -1060, 950], (n, 1))
        far = np.where(which == 4, scale * 2.0 ** rng.integers(0, 50, (n, 1)), 0.0)
        a, b, g, h = a * scale + far, b * scale + far, g * scale, h * scale
        u = u * 2.0 ** rng.choice([0, -600, 600], (n, 1))
    return a, g, b, h, u, w


def wrong(*arguments):
    return wrong_rows(_right, arguments, ask(*arguments))


def _right(a, g, b, h, u, w, hit, separation, normal, axis):
    a, g, b, h, u, w, normal = rational(a, g, b, h, u, w, normal)
    off = allowance(OFF, a, g, b, h)
    none = NOTHING * max(abs(x) for v in (a, g, b, h) for x in v)
    normals = (*frame(u), *frame(w))
    first, second = _corners(a, g, frame(u)), _corners(b, h, frame(w))
    gaps = [_gap(first, second, way) for way in normals]
    true_hit = _meet(first, second, none)
    assert true_hit == (max(gaps) <= none), "two ways to know it disagree"
    way = normals[axis]
    turn = 1 if dot(way, normal) > 0 else -1
    between = dot(subtract(b, a), way) * turn
    return (
        hit == true_hit
        and (separation <= 0 if hit else separation >= 0)
        and abs(Fraction(float(separation)) - max(gaps)) <= off
        and abs(gaps[axis] - max(gaps)) <= off
        and max(abs(x - turn * y) for x, y in zip(normal, way, strict=True)) < 4e-16
        and between >= -off
        and (hit or gaps[axis] > none)
    )


def _corners(m, half, ways):
    (ux, uy), (vx, vy) = ways
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    return [
        (
            m[0] + s * half[0] * ux + t * half[1] * vx,
            m[1] + s * half[0] * uy + t * half[1] * vy,
        )
        for s, t in signs
    ]


def _gap(first, second, way):
    p, q = ([dot(v, way) for v in corners] for corners in (first, second))
    return max(min(q) - max(p), min(p) - max(q))


def _meet(first, second, none):
    """Tell whether the part of one polygon inside all sides of the other is left.

    Cuts one by the sides of the other (Sutherland and Hodgman 1974), each side moved
    out by nothing that counts; sides are those along its box, had they no length.
    """
    sides = [subtract(second[k - 3], second[k]) for k in range(4)]
    for k in range(4):
        a, (x, y) = second[k], sides[k]
        if not (x or y):  # a side of no length is a quarter turn from the next
            x, y = sides[k - 3][1], -sides[k - 3][0]
        if not (x or y):
            x, y = ((1, 0), (0, 1), (-1, 0), (0, -1))[k]
        size = max(abs(x), abs(y))
        heights = [
            ((v[1] - a[1]) * x - (v[0] - a[0]) * y) / size + 4 * none for v in first
        ]
        first = cut(first, heights)
    return bool(first)
