"""How near straight pieces come to triangles, by brute force in extended precision.

Every edge of the triangle against the piece, both ends of the piece against the inside,
and whether the piece goes through it; crossings near zero in rational numbers. Shares
no code with the library.
"""

import numpy as np
from queries._exact import height, rational

LONG = np.longdouble


def nearness(start, end, triangles):
    """Find how near the piece from start to end comes to each triangle: (T,)."""
    p, q = np.asarray(start, LONG), np.asarray(end, LONG)
    corners = np.asarray(triangles, LONG) - p
    q = q - p
    p = np.zeros(3, LONG)
    out = np.full(len(corners), np.inf, LONG)
    for k in range(3):
        a, b = corners[:, k - 1], corners[:, k]
        out = np.minimum(out, _between(p, q, a, b))
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.sqrt((normal**2).sum(axis=1))
    solid = size > 0
    unit = normal / np.where(solid, size, 1)[:, None]
    heights = [((x - corners[:, 0]) * unit).sum(axis=1) for x in (p, q)]
    for x, above in zip((p, q), heights, strict=True):
        inside = solid & _within(x - above[:, None] * unit, corners, normal)
        out = np.where(inside, np.minimum(out, np.abs(above)), out)
    change = heights[0] - heights[1]
    t = heights[0] / np.where(change == 0, 1, change)
    through = solid & (heights[0] * heights[1] <= 0) & (change != 0)
    through &= _within(p + t[:, None] * (q - p), corners, normal)
    return np.where(through, 0, out)


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


def _between(p, q, a, b):
    best = np.minimum.reduce([_to(a, p, q), _to(b, p, q), _to(p, a, b), _to(q, a, b)])
    d, e, r = q - p, b - a, p - a
    normal = np.cross(np.broadcast_to(d, e.shape), e)
    square = (normal**2).sum(axis=1)
    safe = np.where(square > 0, square, 1)
    s = -(np.cross(r, e) * normal).sum(axis=1) / safe
    t = -(np.cross(r, d) * normal).sum(axis=1) / safe
    proper = (square > 0) & (s > 0) & (s < 1) & (t > 0) & (t < 1)
    gap = r + s[:, None] * d - t[:, None] * e
    return np.where(proper, np.minimum(best, np.sqrt((gap**2).sum(axis=1))), best)


def _to(x, a, b):
    d = b - a
    square = (d**2).sum(axis=-1)
    t = ((x - a) * d).sum(axis=-1) / np.where(square > 0, square, 1)
    gap = x - a - np.clip(t, 0, 1)[..., None] * d
    return np.sqrt((gap**2).sum(axis=-1))
