"""Put one feature of a body against one of another, at a gap, a twist and a tilt."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Body, PairTracker, Pose
from wingedge import WingedEdgeMesh

Array = NDArray[np.float64]
Rng = np.random.Generator
QUARTER = {0: (1.0, 0.0), 1: (0.0, 1.0), 2: (-1.0, 0.0), 3: (0.0, -1.0)}


def rolled(a: Body, b: Body, frames: int = 40) -> Iterator[int]:
    """Turn B beside A about two axes, pushed to a distance of 0.001."""
    guide = PairTracker(a, b)
    for k in range(frames):
        s = np.tan(np.radians(2.0) * k / 4)
        turn = Pose.rigid((s, 0.5 * s, 0.2, 1.0)).linear
        at = np.array([2.0, 0.02, 0.1 + 0.005 * k])
        for _ in range(50):
            b.pose = Pose(turn, at)
            state = guide.update()
            at = at - (state.distance - 0.001) * state.normal
        yield k


class Anchor(NamedTuple):
    """A point of a body, a direction that it is extreme in, and one along it."""

    point: Array
    normal: Array
    along: Array

    def frame(self) -> Array:
        aside = np.cross(self.normal, self.along)
        return np.stack([self.along, aside, self.normal], axis=1)


def anchor(mesh: WingedEdgeMesh, kind: str, rng: Rng) -> Anchor:
    """Draw a vertex "V", an edge "E" or a face "F", and a direction it supports."""
    if kind == "F":
        face = int(rng.integers(mesh.n_faces))
        corners = mesh.points[mesh.face_vertices(face)]
        middle = corners.mean(axis=0)
        return Anchor(middle, _normal(mesh, face), unit(corners[1] - corners[0]))
    if kind == "E":
        edge = int(rng.integers(mesh.n_edges))
        tail, tip = mesh.points[mesh.edge_vertices[edge]]
        left, right = (_normal(mesh, int(f)) for f in mesh.edge_faces[edge])
        # Now and then the edge of a face rather than a ridge.
        t = float(rng.choice([0.0, 0.5, rng.random()]))
        along = unit(tip - tail)
        return Anchor(0.5 * (tail + tip), unit((1.0 - t) * left + t * right), along)
    vertex = int(rng.integers(mesh.n_vertices))
    normals = np.array([_normal(mesh, int(f)) for f in mesh.vertex_faces(vertex)])
    normal = unit(rng.random(len(normals)) @ normals)
    return Anchor(mesh.points[vertex], normal, across(normal))


def facing(
    a: WingedEdgeMesh,
    b: WingedEdgeMesh,
    on_a: Anchor,
    on_b: Anchor,
    gap: float,
    *,
    twist: float = 0.0,
    tilt: float = 0.0,
    slide: tuple[float, float] = (0.0, 0.0),
) -> Pose:
    """Return B's pose with its anchor opposite A's, A at the identity.

    Twist is in quarter turns (whole ones are exact) about A's normal, tilt in radians
    about the direction along B; the gap between the supports along A's normal is
    exact up to rounding.
    """
    c, s = circle(twist)
    along = c * on_a.along + s * np.cross(on_a.normal, on_a.along)
    into = Anchor(on_a.point, -on_a.normal, along).frame()
    if tilt:
        c, s = np.cos(tilt), np.sin(tilt)
        into = into @ np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    linear = into @ on_b.frame().T
    # Whole numbers stay whole: boxes that lie along the axes are exactly parallel.
    linear = np.where(np.abs(linear - np.rint(linear)) < 4e-16, np.rint(linear), linear)
    u, v = slide
    aside = np.cross(on_a.normal, on_a.along)
    at = on_a.point + u * on_a.along + v * aside - linear @ on_b.point
    low = float(((b.points @ linear.T + at) @ on_a.normal).min())
    high = float((a.points @ on_a.normal).max())
    return Pose(linear, at + (high + gap - low) * on_a.normal)


def circle(quarters: float) -> tuple[float, float]:
    if quarters == int(quarters):
        return QUARTER[int(quarters) % 4]
    angle = 0.5 * np.pi * quarters
    return float(np.cos(angle)), float(np.sin(angle))


def reach(mesh: WingedEdgeMesh) -> float:
    """Return the largest distance of a vertex from the middle of the box."""
    middle = 0.5 * (mesh.points.max(axis=0) + mesh.points.min(axis=0))
    return float(np.linalg.norm(mesh.points - middle, axis=1).max())


def _normal(mesh: WingedEdgeMesh, face: int) -> Array:
    return outward(mesh.points[mesh.face_vertices(face)])


def outward(corners: Array) -> Array:
    """Return the normal of a polygon."""
    spokes = corners[1:] - corners[0]
    return unit(np.cross(spokes[:-1], spokes[1:]).sum(axis=0))


def across(normal: Array) -> Array:
    """Return some direction across another."""
    return unit(np.cross(normal, np.eye(3)[int(np.abs(normal).argmin())]))


def unit(v: Array) -> Array:
    most = np.abs(v).max()
    if most == 0.0:
        return np.array([0.0, 0.0, 1.0])
    w = v / most  # twice: needles and small triangles have tiny normals
    out: Array = w / np.sqrt(w @ w)
    return out
