"""Index triangles by half-spaces: planes divide them, most of them their own."""

import numpy as np

from wingedge.columns import columns, dot, subtract, unit_normals
from wingedge.spatial.tree import Bools, BoxTree, shortening
from wingedge.spatial.triangles import SLACK, Floats, Longs

OWN_PLANES = 4  # triangles of a node whose planes are tried
LEAST = 0.2  # of a list: what a plane must take from it


class BSPTree(BoxTree):
    """Find triangles by binary space partition (BSP).

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

    Build anew after a deformation. Two deforming bodies are better left to
    `sim.PairTracker`, which keeps nothing that was computed from positions: see
    docs/many_triangles.md.

    After Fuchs, Kedem and Naylor (1980), On visible surface generation by a priori tree
    structures.

    Parameters
    ----------
    points, faces
        As for every `TriangleIndex`.
    capacity : int
        A node with more triangles than this, 12 if left out, is divided.
    max_depth : int
        How often at most, 40 if left out.
    """

    _normal: Floats  # (n, 3) of the plane above; the node is on its positive side
    _origin: Floats  # (n, 3) a point of it

    max_depth = 40

    def _build(self, capacity: int, max_depth: int) -> None:
        """Divide all nodes of one depth at once, depth after depth."""
        node, triangle = np.zeros(len(self), np.intp), np.arange(len(self))
        normal = origin = np.zeros((1, 3))
        planes = []
        for depth in range(max_depth + 1):
            n = len(normal)
            planes.append((normal, origin))
            count = np.bincount(node, minlength=n)
            lower, upper = self._bounds(triangle, count)
            divide = (count > capacity) & (depth < max_depth)
            cost, normal, origin = self._best_planes(node, triangle, count, divide)
            divide &= cost < np.inf

            stays = ~divide[node]
            held = triangle[stays]
            self._level(lower, upper, 2 * divide, np.where(divide, 0, count), held)
            if not divide.any():
                break
            node, triangle = node[~stays], triangle[~stays]
            front, back = self._sides(triangle, normal[node], origin[node])
            place = np.cumsum(divide) - 1
            node = 2 * place[node]
            node = np.concatenate([node[front], node[back] + 1])
            triangle = np.concatenate([triangle[front], triangle[back]])
            order = np.argsort(node, kind="stable")
            node, triangle = node[order], triangle[order]
            normal, origin = normal[divide], origin[divide]
            normal = np.stack([normal, -normal], axis=1).reshape(-1, 3)
            origin = np.repeat(origin, 2, axis=0)
        self._normal, self._origin = (
            np.concatenate(arrays) for arrays in zip(*planes, strict=True)
        )

    def _best_planes(
        self, node: Longs, triangle: Longs, count: Longs, divide: Bools
    ) -> tuple[Floats, Floats, Floats]:
        """Find for each node to divide the plane of least cost."""
        n = len(count)
        best = np.full(n, np.inf)
        normal, origin = np.zeros((n, 3)), np.zeros((n, 3))
        keep = divide[node]
        inner, members = node[keep], triangle[keep]
        for far, plane in self._candidates(node, triangle, count):
            front, back = self._sides(members, far[inner], plane[inner])
            a = np.bincount(inner[front], minlength=n)
            b = np.bincount(inner[back], minlength=n)
            cost = (a * a + b * b).astype(np.float64)
            gain, pays = shortening(count, a + b, cost)
            better = divide & pays & (gain >= LEAST) & (cost < best)
            best = np.where(better, cost, best)
            normal[better], origin[better] = far[better], plane[better]
        return best, normal, origin

    def _candidates(
        self, node: Longs, triangle: Longs, count: Longs
    ) -> list[tuple[Floats, Floats]]:
        """Give unit normals and points of planes, one per node each time.

        A triangle of no area has no plane: its normal is zero, all lie on both sides of
        it, and it is never the best.
        """
        out = []
        first = np.cumsum(count) - count
        for k in range(OWN_PLANES):
            which = triangle[first + count * k // OWN_PLANES]
            a, b, c = self._set.corners(which)
            out.append((unit_normals(columns(a), columns(b), columns(c)), a))
        middle = 0.5 * self._set.lower[triangle] + 0.5 * self._set.upper[triangle]
        for k in range(3):
            order = np.lexsort((middle[:, k], node))
            axis = np.tile(np.eye(3)[k], (len(count), 1))
            out.append((axis, middle[order[first + count // 2]]))
        return out

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

    def _reaches(self, p: Floats, reach: Floats, node: Longs) -> Bools:
        keep = super()._reaches(p, reach, node)
        height = _heights(p, self._normal[node], self._origin[node])
        return keep & (height >= -reach)

    def _passes(self, start: Floats, end: Floats, slack: Floats, node: Longs) -> Bools:
        keep = super()._passes(start, end, slack, node)
        normal, origin = self._normal[node], self._origin[node]
        height = np.maximum(
            _heights(start, normal, origin), _heights(end, normal, origin)
        )
        return keep & (height >= -slack)


def _heights(p: Floats, normal: Floats, origin: Floats) -> Floats:
    """Return the signed distances of points from planes, (K,)."""
    return np.asarray(dot(columns(normal), subtract(columns(p), columns(origin))))
