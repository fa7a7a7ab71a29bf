"""Every triangle, every time."""

import numpy as np

from wingedge.spatial.index import TriangleIndex
from wingedge.spatial.pairs import Longs, Pairs
from wingedge.spatial.soup import Floats

PAIRS = 2**17  # of a point and a triangle at a time: what fits into the cache


class BruteForce(TriangleIndex):
    """Try every triangle: nothing to build, nothing to rebuild.

    The judge of the others; see docs/many_triangles.md. Cost: O(T) a query, some 1 us a
    triangle for `nearest` and 5 us for `first_hit`.
    """

    def _batch(self) -> int:
        return max(1, PAIRS // max(1, len(self)))

    def _meeting(self, lower: Floats, upper: Floats) -> Longs:
        return np.arange(len(self))

    def _some(self, p: Floats) -> Pairs:
        none = np.zeros(0, np.intp)
        return none, none

    def _around(self, p: Floats, reach: Floats) -> Pairs:
        return self._every(len(p))

    def _along(self, start: Floats, end: Floats) -> Pairs:
        return self._every(len(start))

    def _entered(
        self, start: Floats, end: Floats, query: Longs, triangle: Longs
    ) -> Floats:
        return np.zeros(len(query))

    def _every(self, n: int) -> Pairs:
        return np.repeat(np.arange(n), len(self)), np.tile(np.arange(len(self)), n)
