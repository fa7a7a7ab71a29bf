"""How near straight pieces come to triangles, by brute force in extended precision.

Every edge of the triangle against the piece, both ends of the piece against the inside,
and whether the piece goes through it; crossings near zero in rational numbers. Shares
no code with the library.
"""

import numpy as np
from queries._exact import height, rational
from stories.brute import point_segment, point_triangle, segment_segment

LONG = np.longdouble


def nearness(start, end, triangles):
    """Find how near the piece from start to end comes to each triangle: (T,)."""
    corners = np.asarray(triangles, LONG) - np.asarray(start, LONG)
    p = np.zeros_like(corners[:, 0])
    q = p + (np.asarray(end, LONG) - np.asarray(start, LONG))
    a, b, c = corners.swapaxes(0, 1)
    squares = [point_triangle(x, a, b, c) for x in (p, q)]
    squares += [segment_segment(p, q, x, y) for x, y in ((a, b), (b, c), (c, a))]
    squares += [point_segment(x, p, q) for x in (a, b, c)]
    normal = np.cross(b - a, c - a)
    heights = [((x - a) * normal).sum(axis=1) for x in (p, q)]
    change = heights[0] - heights[1]
    t = heights[0] / np.where(change == 0, 1, change)
    through = (heights[0] * heights[1] <= 0) & (change != 0)
    through &= _within(p + t[:, None] * (q - p), corners, normal)
    return np.where(through, 0, np.sqrt(np.minimum.reduce(squares)))


def crosses(start, end, triangle):
    """Tell in rational numbers whether a piece goes from one side to the other."""
    p, q, a, b, c = rational(start, end, *triangle)
    below, above = height(a, b, c, p), height(a, b, c, q)
    if below * above >= 0:
        return False
    turns = [height(p, q, u, v) for u, v in ((a, b), (b, c), (c, a))]
    return min(turns) >= 0 or max(turns) <= 0


def _within(x, corners, normal):
    inside = np.ones(len(corners), bool)
    for k in range(3):
        a, b = corners[:, k - 1], corners[:, k]
        inside &= (np.cross(b - a, x - a) * normal).sum(axis=1) >= 0
    return inside
