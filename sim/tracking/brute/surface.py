"""One body as the arrays that an exhaustive search runs over, in the pair's frame."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.audit import sides_at_hinges
from sim.body.body import Body
from sim.result.answer import Vec
from wingedge.columns import columns, cross, dot, rows
from wingedge.mesh import WingedEdgeMesh
from wingedge.primitives import point_triangle
from wingedge.tables import once_per_mesh

Points = NDArray[np.float64]
Ids = NDArray[np.int64]


class Surface(NamedTuple):
    """The true surface of a body: every polygon is the fan from its first corner."""

    points: Points  # (V, 3)
    triangles: Ids  # (T, 3) vertices
    triangle_face: Ids  # (T,)
    segments: Ids  # (S, 2) vertices: the edges, then the inner diagonals of fans
    segment_face: Ids  # (S,) the face of a diagonal; -1 for an edge
    body: Body
    hinge: Ids = np.empty((0, 2), np.int64)  # (S, 2) the triangles beside a segment

    def held_at(self, x: Vec, near: float) -> "Surface":
        """Return the triangles that hold a point, or the nearest, as a surface."""
        corners = self.points[self.triangles].swapaxes(0, 1)
        off = point_triangle.closest(np.array(x), *corners).distance_sq
        kept = off <= max(near * near, off.min())
        both, number = kept[self.hinge].all(axis=1), np.cumsum(kept) - 1
        segments, hinge = self.segments[both], number[self.hinge[both]]
        triangles = self.triangles[kept]
        return self._replace(triangles=triangles, segments=segments, hinge=hinge)

    def edges(self) -> Points:
        """Return the segments as vectors, (S, 3)."""
        return self.points[self.segments[:, 1]] - self.points[self.segments[:, 0]]

    def normals(self) -> Points:
        """Return the unit normals in the world, (T, 3), 0 for no area.

        From the body frame, by the cofactors: a linear part with strong shear makes
        slivers in the world, whose own normals have no digits left.
        """
        a, b, c = (self.body.positions[self.triangles[:, k]] for k in range(3))
        n = cross_rows(b - a, c - a)
        m = self.body.transform[:, :3]
        cofactors = [cross_rows(m[(i + 1) % 3], m[(i + 2) % 3]) for i in range(3)]
        return unit_rows(np.stack([dot_rows(n, row) for row in cofactors], axis=-1))


def surface_of(body: Body, origin: Vec) -> Surface:
    """Lay out a body, its translation replaced; turned, where it is inside-out."""
    m = body.transform
    x, y, z = np.ascontiguousarray(body.positions.T)
    moved = m[:, :1] * x + m[:, 1:2] * y + m[:, 2:3] * z + np.array(origin)[:, None]
    points = np.ascontiguousarray(moved.T)
    triangles, face, segments, owner, hinge = _sides_of(body.mesh)
    if body.volume_sign() < 0:
        triangles, segments = triangles[:, ::-1].copy(), segments[:, ::-1].copy()
    return Surface(points, triangles, face, segments, owner, body, hinge)


@once_per_mesh
def _sides_of(mesh: WingedEdgeMesh) -> tuple[Ids, Ids, Ids, Ids, Ids]:
    """Return triangles and their faces; segments, their faces, and their triangles."""
    triangles, face = mesh.fan.vertex.astype(np.int64), mesh.fan.face.astype(np.int64)
    sides = np.sort(sides_at_hinges(mesh), axis=1).astype(np.int64)
    ends = np.stack([triangles, triangles[:, [1, 2, 0]]], axis=-1).reshape(-1, 2)
    owner = face[sides[:, 0] // 3]
    owner[: mesh.n_edges] = -1
    return triangles, face, ends[sides[:, 0]], owner, sides // 3


def cross_rows(u: Points, v: Points) -> Points:
    """Return the vector products of matching rows."""
    return rows(cross(columns(u), columns(v)))


def dot_rows(u: Points, v: Points | Vec) -> Points:
    """Return the scalar products of matching rows, summed in order."""
    return dot(columns(u), columns(v))


def unit_rows(v: Points) -> Points:
    """Return the directions of the rows; 0 for a zero row."""
    scale = np.abs(v).max(axis=-1, keepdims=True)
    w = v / np.where(scale > 0.0, scale, 1.0)
    norm = np.sqrt(dot_rows(w, w))[..., None]
    out: Points = w / np.where(norm > 0.0, norm, 1.0)
    return out
