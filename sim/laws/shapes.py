"""The bodies of a law in one table each: features, positions; mass and stiffness."""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.pose import product
from sim.tracking.broadphase import BodyBoxes, BroadPhase
from wingedge.geometry import face_normals

Array = NDArray[np.float64]
Ids = NDArray[np.intp]
Mask = NDArray[np.bool_]
Meet = Callable[..., Mask]  # which pairs of bodies are looked at
VERTEX, FACE, EDGE = 0, 1, 3  # kinds of features; sums of two are all different


class BodyTables:
    """All features of many bodies, numbered one body after the other.

    Attributes: ``points`` (V, 3): positions, body frame; ``vertices``, ``features`` (B
    + 1,): where those of each body begin; vertices, faces, then edges are its features;
    ``owner`` (V,): the body of each vertex; ``members`` (N, K): vertices of the
    features, the last one again where there are fewer; ``kind``, ``body`` (N,): of the
    features; ``normals`` (N, 3): of those that are faces, body frame; ``boxes``: of the
    bodies, written by whoever asks for ``pairs``.
    """

    def __init__(self, bodies: Sequence[Body]) -> None:
        meshes, count = [body.mesh for body in bodies], len(bodies)
        self.versions = [-1] * count
        of_each = [(m.n_vertices, m.n_faces, m.n_edges) for m in meshes]
        counts = np.array(of_each, np.intp)
        self.vertices, self.features = (
            np.append(0, np.cumsum(n)) for n in (counts[:, 0], counts.sum(axis=1))
        )
        column = np.arange(max(int(np.diff(m.corners.start).max()) for m in meshes))
        members = []
        for mesh, v in zip(meshes, self.vertices.tolist(), strict=False):
            start, vertex = (np.asarray(x, np.intp) for x in mesh.corners)
            at = np.minimum(start[:-1, None] + column, start[1:, None] - 1)
            own = np.arange(mesh.n_vertices)[:, None], vertex[at], mesh.edge_vertices
            members += [v + x[:, np.minimum(column, x.shape[1] - 1)] for x in own]
        self.members = np.concatenate(members).astype(np.intp)
        self.kind = np.repeat([VERTEX, FACE, EDGE] * count, counts.ravel())
        self.owner = np.repeat(np.arange(count), counts[:, 0])
        self.body = np.repeat(np.arange(count), counts.sum(axis=1))
        self.points = np.empty((self.vertices[-1], 3))
        self.normals = np.zeros((self.features[-1], 3))
        self.size = np.empty(count)
        self.boxes = BodyBoxes.of(count)
        self._phase = BroadPhase(self.boxes, 0.0)
        self.update(bodies)

    def update(self, bodies: Sequence[Body]) -> list[int]:
        """Read the positions of bodies that have new ones; say which."""
        known = zip(bodies, self.versions, strict=True)
        news = [k for k, (b, n) in enumerate(known) if b.version != n or b.is_open]
        for k in news:
            points, mesh = bodies[k].positions, bodies[k].mesh
            self.points[self.vertices[k] : self.vertices[k + 1]] = points
            first = self.features[k] + mesh.n_vertices
            self.normals[first : first + mesh.n_faces] = face_normals(mesh, points)
            self.size[k] = 0.5 * (points.max(axis=0) - points.min(axis=0)).max()
            self.versions[k] = bodies[k].version
        return news

    def pairs(self, low: Array, high: Array, meet: Meet) -> Ids:
        """Return pairs of bodies, (P, 2), i < j, ascending, whose boxes meet.

        Parameters: ``low``, ``high`` (V, 3): boxes of the vertices.
        """
        self.boxes.low[:] = np.minimum.reduceat(low, self.vertices[:-1], axis=0)
        self.boxes.high[:] = np.maximum.reduceat(high, self.vertices[:-1], axis=0)
        pairs = self._phase.near_pairs().astype(np.intp)
        return pairs[meet(*pairs.T)]

    def placed(self, q: Array) -> Array:
        """Return where all vertices are in the world, (V, 3), for maps (B, 3, 4)."""
        return moved(q[self.owner], self.points)

    def furthest(self, way: Array) -> Array:
        """Return how far vertices of each body go, at most, (B,)."""
        far = self.placed(way)
        return np.sqrt(np.maximum.reduceat(dot(far, far), self.vertices[:-1]))


def moved(maps: Array, points: Array) -> Array:
    """Apply a map each, (N, 3, 4), to points, (N, 3), in a fixed order."""
    (x, y, z), m = points.T[:, :, None], maps
    placed: Array = m[..., 0] * x + m[..., 1] * y + m[..., 2] * z + m[..., 3]
    return placed


def spread(counts: Ids) -> tuple[Ids, Ids]:
    """Return for each of so many members of groups its group, and its place there."""
    group = np.repeat(np.arange(len(counts)), counts)
    return group, np.arange(len(group)) - (np.cumsum(counts) - counts)[group]


def dot(a: Array, b: Array) -> Array:
    """Multiply vectors, (..., 3) each, in a fixed order."""
    return a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]


def cross(a: Array, b: Array) -> Array:
    """Return the cross products, (..., 3)."""
    i, j = [1, 2, 0], [2, 0, 1]
    return a[..., i] * b[..., j] - a[..., j] * b[..., i]


def applied(m: Array, v: Array) -> Array:
    """Multiply matrices, (N, n, k), and vectors, (N, k), in a fixed order."""
    return product(m, v[:, :, None])[:, :, 0]


def mass_matrix(body: Body, density: float) -> tuple[Array, Array, float]:
    """Return what a body weighs, (4, 4): density times the integral of (x, 1)(x, 1)'.

    And its centre of mass, (3,), body frame, and its volume.  The sums over the
    triangles are correctly rounded, so they are the same everywhere.
    """
    p = body.positions
    centre = 0.5 * (p.min(axis=0) + p.max(axis=0))
    a, b, c = (p[body.mesh.fan.vertex[:, k]] - centre for k in range(3))
    six = dot(a, cross(b, c))
    volume = fsum(six) / 6.0
    if not volume > 0.0:
        raise ValueError(f"body '{body.name}' has no volume, so it has no mass")
    # of each tetrahedron over the centre: its corners and their sum, (x, y, z, 1)
    a, b, c = (np.append(x, np.ones((len(x), 1)), axis=1).T for x in (a, b, c))
    total = a + b + c + np.array([[0.0], [0.0], [0.0], [1.0]])
    m = np.empty((4, 4))
    for i, j in np.ndindex(4, 4):
        each = total[i] * total[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]
        m[i, j] = fsum(six * (each + (i == j == 3))) / 120.0
    shift = np.eye(4)
    shift[:3, 3] = centre
    middle = centre + m[:3, 3] / volume
    return density * product(product(shift, m), shift.T), middle, volume


class Masses:
    """Mass and stiffness of bodies that move by affine maps.

    Attributes: ``mass`` (B, 4, 4): of each, as ``mass_matrix`` gives it; ``centre`` (B,
    3): of mass, body frame; ``elastic`` (B,): stiffness times volume; the energy is
    ``elastic |A'A - I|^2``.
    """

    def __init__(self, bodies: Sequence[Body], given: Mapping[str, Any]) -> None:
        density = [_of("density", given["density"], b.name) for b in bodies]
        kappa = [_of("kappa", given["kappa"], b.name) for b in bodies]
        found = map(mass_matrix, bodies, density)
        self.mass, self.centre, volume = map(np.array, zip(*found, strict=True))
        self.elastic = volume * kappa

    def speeds(self, bodies: Sequence[Body], given: Mapping[str, Any]) -> Array:
        """Return how fast maps change, (B, 3, 4): velocities of centres, and spins."""
        velocity, spin = given["velocity"], given["spin"]
        speeds = np.zeros((len(bodies), 3, 4))
        for v, body, centre in zip(speeds, bodies, self.centre, strict=True):
            x, y, z = spin.get(body.name, (0.0, 0.0, 0.0))
            turn = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
            v[:, :3] = product(turn, body.transform[:, :3])
            v[:, 3] = np.array(velocity.get(body.name, (0.0, 0.0, 0.0)))
            v[:, 3] -= product(v[:, :3], centre[:, None])[:, 0]
        return speeds

    def centres(self, maps: Array) -> Array:
        """Apply maps, (B, 3, 4), to the centres of mass, (B, 3)."""
        return moved(maps, self.centre)

    def gradient(self, q: Array, aim: Array, dt: float) -> Array:
        """Return the derivatives, (B, 3, 4), of elastic energy and inertia.

        The latter draws maps to where they would go by themselves, ``aim``.
        """
        total = product(q - aim, self.mass) / (dt * dt)
        a = q[:, :, :3]
        strain = product(a.transpose(0, 2, 1), a) - np.eye(3)
        total[:, :, :3] += 4.0 * self.elastic[:, None, None] * product(a, strain)
        return total

    def curvature(self, q: Array, dt: float, *, full: bool) -> Array:
        """Return the second derivatives by each body's own map, (B, 12, 12).

        Of inertia and elastic energy; not ``full``: only parts that are positive.
        """
        a, stiff = q[:, :, :3], 4.0 * self.elastic
        one, turned = np.eye(3), a.transpose(0, 2, 1)
        across = product(a, turned).transpose(1, 2, 0) * stiff
        own = (product(turned, a) - one).transpose(1, 2, 0) * stiff
        mass = (self.mass / (dt * dt)).transpose(1, 2, 0)
        h, a = np.zeros((3, 4, 3, 4, len(q))), a.transpose(1, 2, 0)
        # dA -> A (A' dA + dA' A), and dA (A'A - I); the bodies last: rows are long
        for k in range(3):
            h[k, :, k] += mass
            h[:, k, :, k] += across
            if full:
                h[k, :3, k, :3] += own
        h[:, :3, :, :3] += stiff * a[:, None, None] * a.transpose(1, 0, 2)[:, :, None]
        return np.ascontiguousarray(h.reshape(144, -1).T).reshape(-1, 12, 12)


NAMING = ("density", "kappa", "fixed", "velocity", "spin", "ignore")


def check_known(options: Mapping[str, Any], names: Collection[str]) -> None:
    """Raise ValueError for an option that names a body which is not there."""
    for what in NAMING:
        option = options[what]
        for name in option if isinstance(option, Collection) else ():
            if name not in names:
                known = ", ".join(names)
                raise ValueError(f"{what}: no body {name!r}; there are {known}")


def _of(what: str, value: float | Mapping[str, float], name: str) -> float:
    """Return what is said for a body."""
    if isinstance(value, Mapping) and name not in value:
        raise ValueError(f"{what}: give one of body '{name}', too")
    number = float(value[name] if isinstance(value, Mapping) else value)
    if not 0.0 < number < np.inf:
        raise ValueError(f"{what} of body '{name}' is {number!r}; it must be above 0")
    return number
