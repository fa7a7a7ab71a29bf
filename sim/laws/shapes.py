"""The bodies of a law in one table each: features, positions, mass."""

from collections.abc import Callable, Sequence
from math import fsum

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.tracking.broadphase import BodyBoxes, BroadPhase
from wingedge.geometry import face_normals

Array = NDArray[np.float64]
Ids = NDArray[np.intp]
Meet = Callable[[Ids, Ids], NDArray[np.bool_]]  # which pairs of bodies are looked at


class NearBoxes:
    """Boxes of bodies, written by their owner, and the pairs of those that meet."""

    def __init__(self, count: int) -> None:
        self.boxes = BodyBoxes.of(count)
        self._phase = BroadPhase(self.boxes, 0.0)

    def pairs(self, meet: Meet) -> Ids:
        """Return pairs of bodies, (P, 2), i < j, ascending: all whose boxes meet."""
        pairs = self._phase.near_pairs().astype(np.intp)
        return pairs[meet(*pairs.T)]


class BodyTables:
    """All features of many bodies, numbered one body after the other.

    Attributes
    ----------
    points : (V, 3)
        Positions, body frame.
    normals : (F, 3)
        Of the faces, body frame.
    vertices, faces, edges : (B + 1,)
        Where those of each body begin.
    corners : (F, K)
        Vertices of the faces, the last one again where there are fewer than K.
    ends : (E, 2)
        Vertices of the edges.
    """

    def __init__(self, bodies: Sequence[Body]) -> None:
        self.meshes = [body.mesh for body in bodies]
        self.versions = [-1] * len(bodies)
        counts = [(m.n_vertices, m.n_faces, m.n_edges) for m in self.meshes]
        starts = np.cumsum([(0, 0, 0), *counts], axis=0, dtype=np.intp)
        self.vertices, self.faces, self.edges = starts.T.copy()
        most = max(int(np.diff(m.corners.start).max()) for m in self.meshes)
        self.corners = np.empty((self.faces[-1], most), np.intp)
        for mesh, v, f in zip(self.meshes, self.vertices, self.faces, strict=False):
            start, vertex = (np.asarray(x, np.intp) for x in mesh.corners)
            at = np.minimum(start[:-1, None] + np.arange(most), start[1:, None] - 1)
            self.corners[f : f + mesh.n_faces] = vertex[at] + v
        ends = [
            m.edge_vertices + v
            for m, v in zip(self.meshes, self.vertices, strict=False)
        ]
        self.ends = np.concatenate(ends).astype(np.intp)
        self.points = np.empty((self.vertices[-1], 3))
        self.normals = np.empty((self.faces[-1], 3))
        self.body_of_vertex, self.body_of_face, self.body_of_edge = (
            np.repeat(np.arange(len(bodies)), np.diff(s))
            for s in (self.vertices, self.faces, self.edges)
        )
        self.size = np.empty(len(bodies))
        self.near = NearBoxes(len(bodies))
        self.update(bodies)

    def update(self, bodies: Sequence[Body]) -> list[int]:
        """Read the positions of bodies that have new ones; say which."""
        news = [
            k
            for k, b in enumerate(bodies)
            if b.version != self.versions[k] or b.is_open
        ]
        for k in news:
            points = bodies[k].positions
            self.points[self.vertices[k] : self.vertices[k + 1]] = points
            some = slice(self.faces[k], self.faces[k + 1])
            self.normals[some] = face_normals(self.meshes[k], points)
            self.size[k] = 0.5 * (points.max(axis=0) - points.min(axis=0)).max()
            self.versions[k] = bodies[k].version
        return news

    def placed(self, q: Array) -> Array:
        """Return where all vertices are in the world, (V, 3), for maps (B, 3, 4)."""
        return moved(q[self.body_of_vertex], self.points)


def moved(maps: Array, points: Array) -> Array:
    """Apply a map each, (N, 3, 4), to points, (N, 3), in a fixed order."""
    (x, y, z), m = points.T[:, :, None], maps
    placed: Array = m[..., 0] * x + m[..., 1] * y + m[..., 2] * z + m[..., 3]
    return placed


def mass_matrix(body: Body, density: float) -> tuple[Array, Array, float]:
    """Return what a body weighs, (4, 4): density times the integral of (x, 1)(x, 1)'.

    And its centre of mass, (3,), body frame, and its volume.  The sums over the
    triangles are correctly rounded, so they are the same everywhere.
    """
    p = body.positions
    centre = 0.5 * (p.min(axis=0) + p.max(axis=0))
    a, b, c = (p[body.mesh.fan.vertex[:, k]] - centre for k in range(3))
    x, y, z = (
        b[:, k] * c[:, (k + 1) % 3] - b[:, (k + 1) % 3] * c[:, k] for k in (1, 2, 0)
    )
    six = a[:, 0] * x + a[:, 1] * y + a[:, 2] * z
    total = a + b + c
    volume = fsum(six) / 6.0
    if not volume > 0.0:
        raise ValueError(f"body '{body.name}' has no volume, so it has no mass")
    m = np.zeros((4, 4))
    m[3, 3] = volume
    for i in range(3):
        m[i, 3] = m[3, i] = fsum(six * total[:, i]) / 24.0
        for j in range(3):
            each = total[:, i] * total[:, j] + sum(t[:, i] * t[:, j] for t in (a, b, c))
            m[i, j] = fsum(six * each) / 120.0
    shift = np.eye(4)
    shift[:3, 3] = centre
    middle = centre + m[:3, 3] / volume
    return density * times(times(shift, m), shift.T), middle, volume


def times(a: Array, b: Array) -> Array:
    """Multiply matrices, (..., n, k) and (..., k, m), in a fixed order."""
    out = a[..., :, 0:1] * b[..., 0:1, :]
    for k in range(1, a.shape[-1]):
        out = out + a[..., :, k : k + 1] * b[..., k : k + 1, :]
    return out
