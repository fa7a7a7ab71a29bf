"""Cubes that are halved along every axis where they hold too many triangles."""

import numpy as np
from numpy.typing import ArrayLike

from wingedge.spatial.pairs import Longs, spread
from wingedge.spatial.soup import Floats
from wingedge.spatial.tree import Bools, BoxTree, shortening


class Octree(BoxTree):
    """Find triangles by eight-fold division of a cube.

    Parameters
    ----------
    points, faces
        As for every `TriangleIndex`.
    capacity : int
        A cube with more triangles than this is divided.
    max_depth : int
        How often at most; also what stops at triangles that all share one point.

    Notes
    -----
    A triangle is listed in every leaf cube that its box meets. By the box and not by
    the triangle: comparisons alone decide, without rounding, and a leaf knows exactly
    which boxes it holds. A cube stays whole where dividing it would list triangles more
    often without making the lists shorter; identical triangles end that way.

    Cost: O(T depth) to build, 10 to 20 us and 140 bytes a triangle; a query looks at
    O(log T) cubes where triangles are small and evenly spread.

    Build anew after a deformation. Two deforming bodies are better left to
    `sim.PairTracker`, which keeps nothing that was computed from positions: see
    docs/many_triangles.md.

    After Meagher (1982), Geometric modeling using octree encoding.
    """

    def __init__(
        self,
        points: ArrayLike,
        faces: ArrayLike | None = None,
        *,
        capacity: int = 12,
        max_depth: int = 16,
    ) -> None:
        super().__init__(points, faces, capacity, max_depth)

    def _build(self, capacity: int, max_depth: int) -> None:
        """Divide all cubes of one depth at once, depth after depth."""
        low, high = self._soup.lower, self._soup.upper
        corner = low.min(axis=0)[None]
        side = float((high.max(axis=0) - corner[0]).max())
        cell_low, cell_high = corner, corner + side
        cell_high = np.maximum(cell_high, high.max(axis=0))  # rounding of the sum
        node = np.zeros(len(self), np.intp)
        triangle = np.arange(len(self))
        for depth in range(max_depth + 1):
            n = len(cell_low)
            count = np.bincount(node, minlength=n)
            lower, upper = self._bounds(triangle, count)
            lower, upper = np.maximum(lower, cell_low), np.minimum(upper, cell_high)

            middle = cell_low + 0.5 * (cell_high - cell_low)
            divide = (count > capacity) & (depth < max_depth)
            divide &= (middle > cell_low).any(axis=1)
            pair, octant = self._halves(node, triangle, middle, divide)
            entries = np.bincount(node[pair] * 8 + octant, minlength=8 * n)
            entries = entries.reshape(n, 8)
            squares = (entries * entries).sum(axis=1)
            divide &= shortening(count, entries.sum(axis=1), squares)[1]
            keep = divide[node[pair]]
            pair, octant = pair[keep], octant[keep]

            code = node[pair] * 8 + octant
            order = np.argsort(code, kind="stable")
            code, pair = code[order], pair[order]
            cells, new_node = np.unique(code, return_inverse=True)
            children = np.bincount(cells // 8, minlength=n)
            stays = ~divide[node]
            self._level(
                lower, upper, children, np.where(divide, 0, count), triangle[stays]
            )
            if not len(cells):
                return
            parent = cells // 8
            top = (cells[:, None] >> np.array([2, 1, 0])) & 1 == 1
            cell_low, cell_high = (
                np.where(top, middle[parent], cell_low[parent]),
                np.where(top, cell_high[parent], middle[parent]),
            )
            node, triangle = new_node, triangle[pair]

    def _halves(
        self, node: Longs, triangle: Longs, middle: Floats, divide: Bools
    ) -> tuple[Longs, Longs]:
        """List which entries go into which of the eight parts of their cubes."""
        entry = np.nonzero(divide[node])[0]
        below = self._soup.lower[triangle[entry]] <= middle[node[entry]]
        above = self._soup.upper[triangle[entry]] >= middle[node[entry]]
        octant = np.zeros(len(entry), np.intp)
        for axis in range(3):
            # an entry that lies on both sides is listed twice from here on
            both = below[:, axis].astype(np.intp) + above[:, axis]
            which, half = spread(np.where(below[:, axis], 0, 1), both)
            entry, octant = entry[which], octant[which] * 2 + half
            below, above = below[which], above[which]
        return entry, octant
