"""Where a point of a piece lies on the surface that the piece is a part of.

Asked at rest, so that it depends on ids and weights alone and nothing goes stale.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.tracking.brute.surface import cross_rows, dot_rows, unit_rows
from wingedge import Feature, WingedEdgeMesh
from wingedge.primitives import point_triangle

Float = np.float64
Points = NDArray[Float]
Ids = NDArray[np.intp]
BLOCK = 1 << 18  # point-triangle pairs that are measured at once
FLAT = 1e-6  # a triangle lower than this, per unit of its length, spans no plane


class Binding(NamedTuple):
    """What the N vertices of all pieces follow.

    ``rest[v] + sum_k weights[v, k] (x[ids[v, k]] - surface_rest[ids[v, k]])``: at rest
    that is their place to the bit.
    """

    vertex: Ids  # (N,) the surface vertex at the same place, else -1
    loose: Ids  # (M,) the vertices at no surface vertex
    ids: Ids  # (M, 4) surface vertices
    weights: Points  # (M, 4) sum 1; some may be negative

    def place(self, rest: Points, surface_rest: Points, surface: Points) -> Points:
        """Return where the vertices are, (N, 3), for positions of the surface."""
        out: Points = np.where(
            self.vertex[:, None] >= 0, surface[self.vertex], rest
        ).astype(Float)
        step = surface - surface_rest
        moved = rest[self.loose]
        for k in range(4):
            moved = moved + self.weights[:, k, None] * step[self.ids[:, k]]
        out[self.loose] = moved
        return out

    def only(self, ids: Ids) -> "Binding":
        """Return what some vertices follow, ascending."""
        loose = np.nonzero(self.vertex[ids] < 0)[0]
        rows = np.searchsorted(self.loose, ids[loose])
        return Binding(self.vertex[ids], loose, self.ids[rows], self.weights[rows])


def bind(points: Points, surface: WingedEdgeMesh) -> Binding:
    """Bind the rest positions of pieces, (N, 3), to a surface.

    Cost: O(M T), 0.2 us per pair of a loose vertex and a triangle; done once.
    """
    place = {p: v for v, p in reversed(list(enumerate(map(tuple, surface.points))))}
    vertex = np.array([place.get(tuple(p), -1) for p in points], np.intp)
    loose = np.nonzero(vertex < 0)[0]
    corners = np.zeros((len(loose), 4), np.intp)
    triangles = _solid_triangles(surface)
    if len(loose):
        near = triangles[nearest_triangles(points[loose], surface.points[triangles])]
        corners[:, :3] = near
        corners[:, 3] = _off_plane(near, surface.points)
    weights = _affine_weights(points[loose], surface.points[corners])
    return Binding(vertex, loose, corners, weights)


def follow_all(count: int) -> Binding:
    """Bind pieces without a surface: the vertices are their own surface."""
    none = np.zeros((0, 4))
    return Binding(np.arange(count), np.arange(0), none.astype(np.intp), none)


def nearest_triangles(points: Points, corners: Points) -> Ids:
    """Find the triangle, (T, 3, 3), nearest to each point; the lowest among equals."""
    found = np.zeros(len(points), np.intp)
    rows = max(1, BLOCK // len(corners))
    a, b, c = (corners[None, :, k] for k in range(3))
    for k in range(0, len(points), rows):
        part = points[k : k + rows, None]
        hit = point_triangle.closest(part, a, b, c)
        found[k : k + rows] = hit.distance_sq.argmin(axis=1)
    return found


def _solid_triangles(surface: WingedEdgeMesh) -> Ids:
    """List the triangles that span a plane; all of them where none does."""
    every = surface.fan.vertex.astype(np.intp)
    a, b, c = (surface.points[every[:, k]] for k in range(3))
    n = cross_rows(b - a, c - a)
    longest = np.maximum(dot_rows(b - a, b - a), dot_rows(c - a, c - a))
    longest = np.maximum(longest, dot_rows(c - b, c - b))
    good = dot_rows(n, n) > FLAT * FLAT * longest * longest
    return every[good] if good.any() else every


def _off_plane(triangles: Ids, points: Points) -> Ids:
    """Choose for each triangle the vertex farthest from its plane."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    n = unit_rows(cross_rows(b - a, c - a))
    found = np.zeros(len(triangles), np.intp)
    for k in range(len(triangles)):
        x, y, z = n[k].tolist()
        d = points - a[k]
        found[k] = np.abs(d[:, 0] * x + d[:, 1] * y + d[:, 2] * z).argmax()
    return found


def _affine_weights(p: Points, corners: Points) -> Points:
    """Return the weights of four corners, (M, 4, 3), that give a point."""
    a, b, c, d = (corners[:, k] for k in range(4))
    e, f, g, q = b - a, c - a, d - a, p - a
    volume = dot_rows(cross_rows(e, f), g)
    volume = np.where(volume != 0.0, volume, 1.0)  # a flat surface: nothing to follow
    wb = dot_rows(cross_rows(q, f), g) / volume
    wc = dot_rows(cross_rows(e, q), g) / volume
    wd = dot_rows(cross_rows(e, f), q) / volume
    return np.stack([1.0 - wb - wc - wd, wb, wc, wd], axis=1)


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
    mesh: WingedEdgeMesh, start: Feature, height: Callable[[int], float], drop: float
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
