"""Which vertices of a body carry its closest point, their weights, how they move."""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import Body
from wingedge import Feature, WingedEdgeMesh
from wingedge.mesh import corners_of
from wingedge.primitives import point_triangle

Array = NDArray[np.float64]
Ids = NDArray[np.int64]
Cell = tuple[int, ...]  # one, two or three vertices

MOVED = 1e-7  # of the size: an answer's point that far off its feature is of the past
INSIDE = 1e-9  # of the size: as far out a corner is still one
LEVEL = 1e-11  # of the size: vertices that high are as high as the highest


class Carriers:
    """One body of an answer: where it is, and the cells of its level part.

    Parameters
    ----------
    body, mesh : Body, WingedEdgeMesh
        The mesh that the features are numbered by.
    parts : tuple of Feature
        The level part; polygons are fans from their first corner.
    origin : (3,)
        What positions are counted from: far away digits would be lost.

    Attributes: ``cells``: vertices, segments or triangles; ``cell``: the one that holds
    the point, and ``weights`` (k,) of its vertices there.
    """

    def __init__(
        self,
        body: Body,
        mesh: WingedEdgeMesh,
        parts: tuple[Feature, ...],
        origin: Array,
    ) -> None:
        self.body, self.mesh, self.parts = body, mesh, parts
        self.linear = body.transform[:, :3].copy()
        self.at: Array = body.transform[:, 3] - origin
        self.local = body.positions
        self.cells: list[Cell] = []
        for ring in (corners_of(mesh, part) for part in parts):
            fan = [(ring[0], *ring[k : k + 2]) for k in range(1, len(ring) - 1)]
            self.cells += fan or [tuple(ring)]
        self.cell = self.cells[0]
        self.weights = np.ones(1)

    def placed(self, ids: Cell | Ids | None = None) -> Array:
        """Return where vertices are, (k, 3); without ``ids`` all."""
        local = self.local if ids is None else self.local[list(ids)]
        moved: Array = local @ self.linear.T + self.at
        return moved

    def hold(self, point: Array) -> float:
        """Find the cell that holds a point of the level part; return how far it is."""
        ids = np.array([(*cell, *cell[-1:] * (3 - len(cell))) for cell in self.cells])
        x = self.placed(ids.ravel()).reshape(-1, 3, 3).swapaxes(0, 1)
        found = point_triangle.closest(point, *x)
        k = int(found.distance_sq.argmin())
        self.cell = self.cells[k]
        last = len(self.cell) - 1
        self.weights = found.weights[k, : last + 1].copy()
        self.weights[last] = found.weights[k, last:].sum()
        return float(np.sqrt(found.distance_sq[k]))

    def motions(self) -> Array:
        """Return how k carriers move, (3 k, 3 k + 18), by all that can move them.

        By their own positions (k, 3), then the twelve numbers of the pose, then the
        twist.
        """
        local, linear = self.local[list(self.cell)], self.linear
        arms, k = local @ linear.T, len(local)
        moved = np.zeros((k, 3, 3 * k + 18))
        for i in range(k):
            moved[i, :, 3 * i : 3 * i + 3] = linear
        for x in range(3):
            at, y, z = 3 * k + 4 * x, (x + 1) % 3, (x + 2) % 3
            moved[:, x, at : at + 3] = local
            moved[:, x, at + 3] = moved[:, x, x - 6] = 1.0
            moved[:, x, y - 3], moved[:, x, z - 3] = arms[:, z], -arms[:, y]
        return moved.reshape(3 * k, -1)

    def is_convex(self) -> bool:
        """Say whether the body is convex, or stands for its hull."""
        return self.body.convexity == "hull" or self.body.is_convex()

    def around(self) -> Ids:
        """List the vertices around the cell, and its own."""
        if self.body.convexity == "hull":
            faces = self.body.cover().faces
            return np.unique(faces[np.isin(faces, self.cell).any(axis=1)])
        rings = [self.mesh.vertex_vertices(v) for v in self.cell]
        return np.unique(np.concatenate([self.cell, *rings]))

    def level(self, way: Array, size: float) -> Ids:
        """List the vertices that are highest along a direction out of the body."""
        heights = self.local @ (self.linear.T @ way)
        found: Ids = np.flatnonzero(heights >= heights.max() - LEVEL * size)
        return found

    def velocity(self, given: ArrayLike | None) -> Array:
        """Return the velocity of every vertex in the world, (V, 3).

        Raises ValueError if it is neither a twist (6,) nor (V, 3), or is not finite.
        """
        count = len(self.local)
        if given is None:
            return np.zeros((count, 3))
        value = np.asarray(given, np.float64)
        if value.shape not in ((6,), (count, 3)) or not np.isfinite(value).all():
            raise ValueError(
                f"a velocity of body '{self.body.name}' must be finite, (6,): of its "
                f"origin and angular, or ({count}, 3): of each vertex in the body's "
                f"frame; got {value.shape}"
            )
        if value.ndim == 2:
            deformed: Array = value @ self.linear.T
            return deformed
        turned: Array = np.cross(value[3:], self.local @ self.linear.T) + value[:3]
        return turned


def sides_of(cells: Ids) -> Ids:
    """List the sides of equal cells, (s, 2), each once; of a vertex none."""
    pairs = [np.sort(cells[:, k]) for k in combinations(range(cells.shape[1]), 2)]
    sides: Ids = np.unique(np.concatenate([np.zeros((0, 2), int), *pairs]), axis=0)
    return sides
