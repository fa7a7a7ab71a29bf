"""The bodies of a law in one table each: features, positions; mass and stiffness."""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.tracking.broadphase import BodyBoxes, BroadPhase
from wingedge.geometry import face_normals

Array = NDArray[np.float64]
Ids = NDArray[np.intp]
Vectors = Mapping[str, tuple[float, float, float]]
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
        self.corners, ends = np.empty((self.faces[-1], most), np.intp), []
        for mesh, v, f in zip(self.meshes, self.vertices, self.faces, strict=False):
            start, vertex = (np.asarray(x, np.intp) for x in mesh.corners)
            at = np.minimum(start[:-1, None] + np.arange(most), start[1:, None] - 1)
            self.corners[f : f + mesh.n_faces] = vertex[at] + v
            ends.append(mesh.edge_vertices + v)
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


def dot(a: Array, b: Array) -> Array:
    """Multiply vectors, (..., 3) each, in a fixed order."""
    return a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]


def cross(a: Array, b: Array) -> Array:
    """Return the cross products, (..., 3)."""
    i, j = [1, 2, 0], [2, 0, 1]
    return a[..., i] * b[..., j] - a[..., j] * b[..., i]


def applied(m: Array, v: Array) -> Array:
    """Multiply matrices, (N, n, k), and vectors, (N, k), in a fixed order."""
    return times(m, v[:, :, None])[:, :, 0]


def mass_matrix(body: Body, density: float) -> tuple[Array, Array, float]:
    """Return what a body weighs, (4, 4): density times the integral of (x, 1)(x, 1)'.

    And its centre of mass, (3,), body frame, and its volume.  The sums over the
    triangles are correctly rounded, so they are the same everywhere.
    """
    p = body.positions
    centre = 0.5 * (p.min(axis=0) + p.max(axis=0))
    a, b, c = (p[body.mesh.fan.vertex[:, k]] - centre for k in range(3))
    six = dot(a, cross(b, c))
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


class Bulk:
    """Mass and stiffness of bodies that move by affine maps.

    Attributes
    ----------
    mass : (B, 4, 4)
        Of each, as ``mass_matrix`` gives it.
    centre : (B, 3)
        Centres of mass, body frame.
    elastic : (B,)
        Stiffness times volume: the energy is ``elastic |A'A - I|^2``.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        density: float | Mapping[str, float],
        kappa: float | Mapping[str, float],
    ) -> None:
        found = [
            mass_matrix(body, _of("density", density, body.name)) for body in bodies
        ]
        self.mass, self.centre, volume = map(np.array, zip(*found, strict=True))
        self.elastic = volume * [_of("kappa", kappa, body.name) for body in bodies]

    def speeds(self, bodies: Sequence[Body], velocity: Vectors, spin: Vectors) -> Array:
        """Return how fast maps change, (B, 3, 4): velocities of centres, and spins."""
        found = np.zeros((len(bodies), 3, 4))
        for v, body, centre in zip(found, bodies, self.centre, strict=True):
            x, y, z = spin.get(body.name, (0.0, 0.0, 0.0))
            turn = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
            v[:, :3] = times(turn, body.transform[:, :3])
            v[:, 3] = np.array(velocity.get(body.name, (0.0, 0.0, 0.0)))
            v[:, 3] -= times(v[:, :3], centre[:, None])[:, 0]
        return found

    def gradient(self, q: Array, aim: Array, dt: float) -> Array:
        """Return the derivatives, (B, 3, 4), of elastic energy and inertia.

        The latter draws maps to where they would go by themselves, ``aim``.
        """
        total = times(q - aim, self.mass) / (dt * dt)
        a = q[:, :, :3]
        strain = times(a.transpose(0, 2, 1), a) - np.eye(3)
        total[:, :, :3] += 4.0 * self.elastic[:, None, None] * times(a, strain)
        return total

    def curvature(self, q: Array, dt: float, *, full: bool) -> Array:
        """Return the second derivatives by each body's own map, (B, 12, 12).

        Of inertia and elastic energy; not ``full``: only parts that are positive.
        """
        a = q[:, :, :3]
        count = len(q)
        one = np.eye(3)
        h = np.zeros((count, 3, 4, 3, 4))
        mass = self.mass / (dt * dt)
        for i in range(3):
            h[:, i, :, i, :] = mass
        # dA -> A (A' dA + dA' A), and dA (A'A - I)
        aa = times(a, a.transpose(0, 2, 1))
        part = aa[:, :, None, :, None] * one[None, None, :, None, :]
        part = part + a[:, :, None, None, :] * a.transpose(0, 2, 1)[:, None, :, :, None]
        if full:
            strain = times(a.transpose(0, 2, 1), a) - one
            part = part + one[None, :, None, :, None] * strain[:, None, :, None, :]
        h[:, :, :3, :, :3] += 4.0 * self.elastic[:, None, None, None, None] * part
        return h.reshape(count, 12, 12)


NAMING = ("density", "kappa", "fixed", "velocity", "spin", "ignore")


def check_known(options: Mapping[str, Any], names: Collection[str]) -> None:
    """Raise ValueError for an option that names a body which is not there."""
    for what in NAMING:
        told = options[what]
        for name in told if isinstance(told, Collection) else ():
            if name not in names:
                known = ", ".join(names)
                raise ValueError(f"{what}: no body {name!r}; there are {known}")


def _of(what: str, value: float | Mapping[str, float], name: str) -> float:
    """Return what is said for a body."""
    if isinstance(value, Mapping) and name not in value:
        raise ValueError(f"{what}: give one of body '{name}', too")
    found = float(value[name] if isinstance(value, Mapping) else value)
    if not 0.0 < found < np.inf:
        raise ValueError(f"{what} of body '{name}' is {found!r}; it must be above 0")
    return found
