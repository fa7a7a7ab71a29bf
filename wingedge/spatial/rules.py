"""Divide space for a tree of triangles: by octants, or by planes of their own."""

from collections.abc import Iterator
from functools import reduce

import numpy as np

from wingedge.columns import columns, dot, subtract, unit_normals
from wingedge.spatial.tree import Level, TriangleIndex
from wingedge.spatial.triangles import SLACK, Bools, Floats, Longs, spread

OWN_PLANES = 4  # triangles of a node whose planes are tried
LEAST = 0.2  # of a list: what a plane must take from it
# What one more entry per triangle must take from the list that an entry is on, on
# average, as a share: copies that shorten nothing would double at every depth.
PRICE = 0.35


def shortening(count: Longs, entries: Longs, squares: Floats) -> tuple[Floats, Bools]:
    """Say how much shorter lists get by dividing nodes, and whether it is worth it.

    Parameters: ``count``, ``entries`` (n,): how many triangles a node lists, and its
    parts together; ``squares`` (n,): the squares of what each part lists, added: an
    entry chosen at random is on a list of ``squares / entries``.
    """
    lists = np.maximum(entries, 1.0) * np.maximum(count, 1.0)
    gain = 1.0 - squares / lists
    extra = entries / np.maximum(count, 1.0) - 1.0
    return gain, gain >= PRICE * extra


class Octree(TriangleIndex):
    """Find triangles by eight-fold division of a cube, at most 16 times if not told.

    A triangle is listed in every leaf cube that its box meets. By the box and not by
    the triangle: comparisons alone decide, without rounding, and a leaf knows exactly
    which boxes it holds. A cube stays whole where dividing it would list triangles more
    often without making the lists shorter; identical triangles end that way.

    Cost: O(T depth) to build, 10 to 20 us and 140 bytes a triangle; a query looks at
    O(log T) cubes where triangles are small and evenly spread.

    After Meagher (1982), Geometric modeling using octree encoding.
    """

    max_depth = 16
    _low: Floats  # (n, 3) corners of the cubes of one depth
    _high: Floats
    _middle: Floats

    def _levels(self, capacity: int, max_depth: int) -> Iterator[Level]:
        low, high = self._set.lower.min(axis=0), self._set.upper.max(axis=0)
        # what rounding takes from the sum stays inside
        high = np.maximum(low + (high - low).max(), high)
        self._low, self._high = low[None], high[None]
        return super()._levels(capacity, max_depth)

    def _bounds(self, triangle: Longs, first: Longs) -> tuple[Floats, Floats]:
        lower, upper = super()._bounds(triangle, first)
        return np.maximum(lower, self._low), np.minimum(upper, self._high)

    def _split(
        self, node: Longs, triangle: Longs, count: Longs, divide: Bools
    ) -> tuple[Longs, Longs]:
        self._middle = self._low + 0.5 * (self._high - self._low)
        divide &= (self._middle > self._low).any(axis=1)
        entry = np.flatnonzero(divide[node])
        middle, octant = self._middle[node[entry]], np.zeros(len(entry), np.intp)
        below = self._set.lower[triangle[entry]] <= middle
        above = self._set.upper[triangle[entry]] >= middle
        for axis in range(3):
            # an entry that lies on both sides is listed twice from here on
            both = below[:, axis].astype(np.intp) + above[:, axis]
            which, half = spread(np.where(below[:, axis], 0, 1), both)
            entry, octant = entry[which], octant[which] * 2 + half
            below, above = below[which], above[which]
        n = len(count)
        parts = np.bincount(node[entry] * 8 + octant, minlength=8 * n).reshape(n, 8)
        squares = (parts * parts).sum(axis=1)
        keep = shortening(count, parts.sum(axis=1), squares)[1][node[entry]]
        return entry[keep], octant[keep]

    def _enter(self, parent: Longs, part: Longs) -> None:
        top = (part[:, None] >> np.array([2, 1, 0])) & 1 == 1
        low, middle, high = (x[parent] for x in (self._low, self._middle, self._high))
        self._low, self._high = np.where(top, middle, low), np.where(top, high, middle)


class BSPTree(TriangleIndex):
    """Find triangles by binary space partition (BSP), 40 times at most if not told.

    Each node is divided by the best of seven planes: those of four of its triangles,
    evenly spread over their numbers, and three across the axes through the median of
    the boxes' middles. The best is the one with the least a^2 + b^2, a and b the
    triangles on its sides; the first of equal ones. The axes are needed: of a convex
    body every triangle's plane has all others on one side, so its own planes alone make
    a list of T nodes, not a tree.

    A triangle that straddles a plane goes to both sides, whole. Kept at the node, it
    would be met by every query that passes there, and those of a closed surface at the
    root are about sqrt(T); cut in two, its pieces would be rounded and no longer the
    triangle that was given. What lies in the plane (within 2^-46 of the size) goes to
    both as well. A node that no plane divides well stays whole: coplanar triangles are
    divided across the axes, identical ones not at all.

    Cost: O(T depth) to build, about ten times an `Octree`.

    After Fuchs, Kedem and Naylor (1980), On visible surface generation by a priori tree
    structures.
    """

    max_depth = 40
    # of the plane above each node, which is on its positive side, and a point of it
    _normal = _origin = np.zeros((1, 3))
    _best: tuple[Floats, Floats]  # by which the nodes of the last depth are divided

    def _split(
        self, node: Longs, triangle: Longs, count: Longs, divide: Bools
    ) -> tuple[Longs, Longs]:
        n = len(count)
        entry = np.flatnonzero(divide[node])
        inner = node[entry]
        least, best = np.full(n, np.inf), (np.zeros((n, 3)), np.zeros((n, 3)))
        for normal, origin in self._candidates(node, triangle, count):
            sides = self._sides(triangle[entry], normal[inner], origin[inner])
            a, b = (np.bincount(inner[side], minlength=n) for side in sides)
            cost = (a * a + b * b).astype(np.float64)
            gain, pays = shortening(count, a + b, cost)
            better = divide & pays & (gain >= LEAST) & (cost < least)
            least = np.where(better, cost, least)
            best[0][better], best[1][better] = normal[better], origin[better]
        self._best = best
        entry = entry[least[inner] < np.inf]
        planes = (x[node[entry]] for x in best)
        front, back = self._sides(triangle[entry], *planes)
        part = np.repeat([0, 1], [front.sum(), back.sum()])
        return np.concatenate([entry[front], entry[back]]), part

    def _enter(self, parent: Longs, part: Longs) -> None:
        normal, origin = (x[parent] for x in self._best)
        normal[part == 1] *= -1.0
        self._normal = np.concatenate([self._normal, normal])
        self._origin = np.concatenate([self._origin, origin])

    def _candidates(
        self, node: Longs, triangle: Longs, count: Longs
    ) -> Iterator[tuple[Floats, Floats]]:
        """Give unit normals and points of planes, one per node each time.

        A triangle of no area has no plane: its normal is zero, all lie on both sides of
        it, and it is never the best.
        """
        first = np.cumsum(count) - count
        for k in range(OWN_PLANES):
            a, b, c = self._set.corners(triangle[first + count * k // OWN_PLANES])
            yield unit_normals(columns(a), columns(b), columns(c)), a
        middle = 0.5 * self._set.lower[triangle] + 0.5 * self._set.upper[triangle]
        for k in range(3):
            order = np.lexsort((middle[:, k], node))
            axis = np.tile(np.eye(3)[k], (len(count), 1))
            yield axis, middle[order[first + count // 2]]

    def _sides(
        self, triangle: Longs, normal: Floats, origin: Floats
    ) -> tuple[Bools, Bools]:
        """Tell which triangles reach in front of planes, and which behind."""
        heights = [
            _heights(corner, normal, origin) for corner in self._set.corners(triangle)
        ]
        top = np.maximum(np.maximum(heights[0], heights[1]), heights[2])
        bottom = np.minimum(np.minimum(heights[0], heights[1]), heights[2])
        return top >= -SLACK, bottom <= SLACK

    def _apart(self, p: Floats, node: Longs) -> Floats:
        return -_heights(p, self._normal[node], self._origin[node])

    def _before(self, node: Longs, slack: Floats, *points: Floats) -> Bools:
        normal, origin = self._normal[node], self._origin[node]
        heights = (_heights(p, normal, origin) for p in points)
        return np.asarray(reduce(np.maximum, heights) >= -slack)


def _heights(p: Floats, normal: Floats, origin: Floats) -> Floats:
    """Return the signed distances of points from planes, (K,)."""
    return np.asarray(dot(columns(normal), subtract(columns(p), columns(origin))))
