"""An octree over the triangles of a surface, built anew from positions: a peer.

After the idea of the paper's reference [4] (``kitamura1996octree``): space is halved
along three axes again and again, and the parts of a surface are kept by cell.  Here a
linear octree: cells are numbers whose bits are interleaved coordinates, so a sort
builds it; every cell keeps the box around its triangles.  All numpy.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.primitives.point_triangle import closest as point_triangle
from wingedge.primitives.segment_segment import closest as segment_segment

Array = NDArray[np.float64]
Ids = NDArray[np.int64]
PER_LEAF = 4  # triangles, about


class Level(NamedTuple):
    """The occupied cells of one depth, in the order of their numbers."""

    low: Array  # (C, 3) corners of the boxes around their triangles
    high: Array  # (C, 3)
    first: Ids  # (C + 1,) where their cells of the next level begin; last: triangles
    some: Array  # (C, 3) a point of the surface in each


class Octree(NamedTuple):
    """Levels from the root to the leaves, and the triangles in the leaves' order."""

    levels: list[Level]
    corners: Array  # (T, 3, 3)


def build(points: Array, triangles: Ids) -> Octree:
    """Sort the triangles of a surface into cells; O(T log T)."""
    corners = points[triangles]
    middle = (corners[:, 0] + corners[:, 1] + corners[:, 2]) / 3.0
    depth = max(1, round(0.5 * np.log2(max(1.0, len(triangles) / PER_LEAF))))
    base = middle.min(axis=0)
    side = max(float((middle.max(axis=0) - base).max()), 1e-300)
    cell = ((middle - base) / side * (2**depth * (1.0 - 1e-12))).astype(np.int64)
    code = np.zeros(len(triangles), np.int64)
    for bit in range(depth):
        for axis in range(3):
            code |= ((cell[:, axis] >> bit) & 1) << (3 * bit + axis)
    order = np.argsort(code, kind="stable")
    corners, code = corners[order], code[order]
    low, high, some = corners.min(axis=1), corners.max(axis=1), corners[:, 0]
    levels: list[Level] = []
    for _ in range(depth + 1):
        starts = np.flatnonzero(np.r_[True, code[1:] != code[:-1]])
        first = np.r_[starts, len(code)].astype(np.int64)
        low = np.minimum.reduceat(low, starts)
        high = np.maximum.reduceat(high, starts)
        some = some[starts]
        levels.append(Level(low, high, first, some))
        code = code[starts] >> 3
    return Octree(levels[::-1], corners)


def distance(a: Octree, b: Octree) -> float:
    """Return the distance of two surfaces that do not cross: level by level."""
    p = q = np.zeros(1, np.int64)
    best = np.inf
    for depth in range(max(len(a.levels), len(b.levels))):
        level_a = a.levels[min(depth, len(a.levels) - 1)]
        level_b = b.levels[min(depth, len(b.levels) - 1)]
        apart = np.maximum(
            np.maximum(
                level_a.low[p] - level_b.high[q], level_b.low[q] - level_a.high[p]
            ),
            0.0,
        )
        least = (apart * apart).sum(axis=1)
        step = level_a.some[p] - level_b.some[q]
        best = min(best, float((step * step).sum(axis=1).min()))
        near = least <= best * (1.0 + 1e-12)
        p, q = p[near], q[near]
        if depth < len(a.levels) - 1:
            p, q = _opened(p, q, level_a.first)
        if depth < len(b.levels) - 1:
            q, p = _opened(q, p, level_b.first)
    p, q = _opened(p, q, a.levels[-1].first)
    q, p = _opened(q, p, b.levels[-1].first)
    return float(np.sqrt(_triangles(a.corners[p], b.corners[q])))


def _opened(p: Ids, q: Ids, first: Ids) -> tuple[Ids, Ids]:
    """Replace each cell by what lies within it."""
    counts = first[p + 1] - first[p]
    ends = np.cumsum(counts)
    within = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
    return np.repeat(first[p], counts) + within, np.repeat(q, counts)


def _triangles(s: Array, t: Array) -> float:
    """Return the least squared distance of triangles, pair by pair."""
    best = np.inf
    for x, y in ((s, t), (t, s)):
        for k in range(3):
            found = point_triangle(x[:, k], y[:, 0], y[:, 1], y[:, 2])
            best = min(best, float(found.distance_sq.min()))
    for i in range(3):
        for j in range(3):
            edges = s[:, i], s[:, (i + 1) % 3], t[:, j], t[:, (j + 1) % 3]
            best = min(best, float(segment_segment(*edges).distance_sq.min()))
    return best
