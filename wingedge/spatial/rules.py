"""Divide the nodes of a tree of triangles: by octants, or by planes of their own."""

from collections.abc import Iterator

import numpy as np

from wingedge.columns import columns, dot, unit_normals
from wingedge.spatial.tree import SLACK, Floats, Longs, TriangleIndex, heights

OWN_PLANES = 4  # triangles of a node whose planes are tried


class Octree(TriangleIndex):
    """Find triangles by eight-fold division of space, 16 times at most.

    A node is divided across all axes at once, in the middle of its triangles' middles.

    Cost: O(T depth) to build, 1 to 3 us and 50 bytes a triangle; a query looks at
    O(log T) nodes where triangles are small and evenly spread.

    After Meagher (1982), Geometric modeling using octree encoding.
    """

    max_depth = 16

    def _split(self, triangle: Longs, node: Longs) -> tuple[Longs, float]:
        first = np.flatnonzero(np.diff(node, prepend=-1))
        lower, upper, _ = self._box_of(triangle)
        middle = lower + upper  # twice
        low = np.minimum.reduceat(middle, first)
        high = np.maximum.reduceat(middle, first)
        above = middle > (low + 0.5 * (high - low))[node]
        return np.asarray(above @ np.array([4, 2, 1])), 0.0


class BSPTree(TriangleIndex):
    """Find triangles by binary space partition (BSP), 40 times at most.

    Each node is divided by the best of seven planes: those of four of its triangles,
    evenly spread over their numbers, and three across the axes through the median of
    the boxes' middles, since a convex body's own planes divide nothing. The best is
    the one with the least a^2 + b^2, a and b the triangles that reach to its sides,
    straddling ones and those in the plane to both; the first of equal ones.

    Cost: O(T depth) to build, about ten times an `Octree`.

    After Fuchs, Kedem and Naylor (1980), On visible surface generation by a priori tree
    structures.
    """

    max_depth = 40
    _oblique = True

    def _split(self, triangle: Longs, node: Longs) -> tuple[Longs, Floats]:
        count = np.bincount(node)
        corners = self._corners[:, triangle]
        part, least = np.zeros(len(node), np.intp), 2.0 * count * count
        normals, slack = np.zeros((len(count), 3)), SLACK * self._largest
        for normal, origin in self._candidates(triangle, node, count):
            high = heights(corners, normal[node])
            bottom, top = high.min(axis=0), high.max(axis=0)
            level = dot(columns(normal), columns(origin))[node]
            side = bottom + top > 2.0 * level
            a, b, front = (
                np.bincount(node[which], minlength=len(count))
                for which in (top >= level - slack, bottom <= level + slack, side)
            )
            cost = (a * a + b * b).astype(np.float64)
            better = (cost < least) & (front > 0) & (front < count)
            least = np.where(better, cost, least)
            normals[better] = normal[better]
            part = np.where(better[node], side, part)
        return part, normals

    def _candidates(
        self, triangle: Longs, node: Longs, count: Longs
    ) -> Iterator[tuple[Floats, Floats]]:
        """Give unit normals and points of planes, one per node each time.

        A triangle of no area has no plane: its normal is zero, and divides nothing.
        """
        first = np.cumsum(count) - count
        for k in range(OWN_PLANES):
            a, b, c = self._corners[:, triangle[first + count * k // OWN_PLANES]]
            yield unit_normals(columns(a), columns(b), columns(c)), a
        lower, upper, _ = self._box_of(triangle)
        middle = 0.5 * lower + 0.5 * upper
        for k in range(3):
            order = np.lexsort((middle[:, k], node))
            axis = np.tile(np.eye(3)[k], (len(count), 1))
            yield axis, middle[order[first + count // 2]]
