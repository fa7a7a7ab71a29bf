"""Where a point of a piece lies on the surface that the piece is a part of.

Asked at rest, so that it depends on ids and weights alone and nothing goes stale.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.tracking.brute.surface import dot_rows
from wingedge import Feature, WingedEdgeMesh
from wingedge.primitives import point_triangle

Float = np.float64
Points = NDArray[Float]

ON_SURFACE = 1e-6  # per unit of rest size: files round coordinates to six digits


class Seat(NamedTuple):
    """The feature of the surface nearest to a point, and how far off it is."""

    feature: Feature  # the lowest that the point lies on; off the surface a face
    offset: float  # rest units; 0.0 where the point lies on the surface


class Seats:
    """Find seats on one surface at rest.  Cost: O(T) elementwise for each."""

    def __init__(self, mesh: WingedEdgeMesh) -> None:
        self._mesh = mesh
        self._corners = mesh.points[mesh.fan.vertex]
        self._low = self._corners.min(axis=1)
        self._high = self._corners.max(axis=1)
        self._near = ON_SURFACE * float(np.ptp(mesh.points, axis=0).max())

    def find(self, point: Points) -> Seat:
        """Return the seat of a rest point, (3,)."""
        gap = np.maximum(np.maximum(self._low - point, point - self._high), 0.0)
        square = dot_rows(gap, gap)
        first = int(square.argmin())
        # the true distance to one triangle bounds the boxes worth a look
        reach = self._square(point, np.array([first]))[0]
        maybe = np.nonzero(square <= reach)[0]
        squares = self._square(point, maybe)
        offset = float(np.sqrt(squares.min()))
        best = maybe[int(squares.argmin())]
        face = int(self._mesh.fan.face[best])
        if offset > self._near:
            return Seat(Feature("face", face), offset)
        return Seat(self._lowest(point, face), 0.0)

    def _square(self, point: Points, triangles: NDArray[np.intp]) -> Points:
        a, b, c = (self._corners[triangles, k] for k in range(3))
        return point_triangle.closest(point[None], a, b, c).distance_sq

    def _lowest(self, point: Points, face: int) -> Feature:
        """Return the vertex, edge or face that a point of a face lies on."""
        mesh, near = self._mesh, self._near
        corners = mesh.face_vertices(face)
        away = mesh.points[corners] - point
        squares = dot_rows(away, away)
        if squares.min() <= near * near:
            return Feature("vertex", int(corners[int(squares.argmin())]))
        edges = mesh.face_edges(face)
        tail, tip = (mesh.points[mesh.edge_vertices[edges, k]] for k in range(2))
        squares = point_triangle.closest(point[None], tail, tip, tip).distance_sq
        if squares.min() <= near * near:
            return Feature("edge", int(edges[int(squares.argmin())]))
        return Feature("face", face)


def level_part(
    mesh: WingedEdgeMesh,
    points: Points,
    start: Feature,
    direction: tuple[float, float, float],
    drop: float,
) -> tuple[Feature, ...]:
    """Return the connected part around a feature on which height is constant.

    The part that ``PairState.parts_a`` lists, of the surface as it is now: along
    ``direction``, in the frame of ``points``, within ``drop``.  The feature alone where
    it is not level itself.  Cost: one ring per vertex of the part.
    """
    x, y, z = direction

    def height(v: int) -> float:
        p = points[v]
        return float(p[0] * x + p[1] * y + p[2] * z)

    for seed in _level_seeds(mesh, start, height, drop):
        level = height(seed)
        members, queue = {seed}, [seed]
        while queue:
            for w in mesh.vertex_vertices(queue.pop()).tolist():
                if w not in members and abs(height(w) - level) <= drop:
                    members.add(w)
                    queue.append(w)
        part = _part_of(mesh, members)
        if _covers(mesh, part, start):
            return part
    return (start,)


def _level_seeds(
    mesh: WingedEdgeMesh,
    start: Feature,
    height: Callable[[int], float],
    drop: float,
) -> list[int]:
    """List a vertex of each level face or edge at a feature; the vertex itself."""
    kind, index = start
    if kind == "vertex":
        return [index]
    found = []
    faces = [index] if kind == "face" else mesh.edge_faces[index].tolist()
    groups = [mesh.face_vertices(f).tolist() for f in faces]
    if kind == "edge":
        groups.append(mesh.edge_vertices[index].tolist())
    for vertices in groups:
        heights = [height(v) for v in vertices]
        if max(heights) - min(heights) <= drop:
            found.append(vertices[0])
    return found


def _part_of(mesh: WingedEdgeMesh, members: set[int]) -> tuple[Feature, ...]:
    """Name the faces all of whose corners are members, else the edges, else it."""
    if len(members) == 1:
        return (Feature("vertex", min(members)),)
    faces = {f for v in members for f in mesh.vertex_faces(v).tolist()}
    whole = [f for f in faces if members.issuperset(mesh.face_vertices(f).tolist())]
    if whole:
        return tuple(Feature("face", f) for f in sorted(whole))
    edges = {e for v in members for e in mesh.vertex_edges(v).tolist()}
    whole = [e for e in edges if members.issuperset(mesh.edge_vertices[e].tolist())]
    return tuple(Feature("edge", e) for e in sorted(whole))


def _covers(mesh: WingedEdgeMesh, part: tuple[Feature, ...], start: Feature) -> bool:
    """Say whether a feature lies in a part."""
    if start in part or start.kind == "vertex":
        return True
    if start.kind == "edge" and part[0].kind == "face":
        left, right = mesh.edge_faces[start.index].tolist()
        return Feature("face", left) in part or Feature("face", right) in part
    return False
