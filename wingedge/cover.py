"""Link the convex hull of a mesh with its true surface, and name the hull's parts.

After rounding, the triangles of a flat side of a body and those of the hull over it
have little in common but their plane; so planes are compared, within a tolerance.
"""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge import registry
from wingedge.build import wing
from wingedge.columns import columns, cross, direction, dot, length, rows
from wingedge.geometry import face_sums, fan_normals
from wingedge.hull import twins_of
from wingedge.mesh import WingedEdgeMesh, mirrored
from wingedge.positions import BodyExtent, extent, lowest_at
from wingedge.tables import connected, frozen

Points = NDArray[np.float64]
Ids = NDArray[np.int32]
Mask = NDArray[np.bool_]
TOLERANCE = 1e-9  # of the size, as in ``wingedge.convexity``
LEVEL = 1e-12  # of the size: what a level part may be off by
TRIFLE = 1e-9  # of the cover's volume: below it a body is not inside-out, but folded
FAT = 1e3  # a triangle so many tolerances wide: rounding may cross a narrower one
WIDE = 1e-3  # of its longest side: a narrower triangle knows its plane less well
SHRINK = 1e-6  # a triangle that much smaller: edges along its sides do not cross it


class Pocket(NamedTuple):
    """A part of the cover's inside that the body does not fill, and what bounds it.

    ``depth``: the most, over the corners and middles of its edges and faces, of the
    least distance to the planes of its lids [length unit of the input].
    """

    faces: tuple[int, ...]  # true faces that lie below the cover here
    lids: tuple[int, ...]  # cover faces at its rim; a lid may close two pockets
    depth: float


class Cover:
    """The convex hull of a body's points, with the mesh's own vertex numbers.

    A value: it answers for the positions that it was made of, for ever.  Made by
    ``body.cover()``.  What is not asked for is not computed.

    ``faces``, ``vertices``, ``volume`` and ``mesh`` say what the hull is, as Qhull sees
    it: a point may lie some 1e-15 of the size beyond.  ``true_face``, ``lids``,
    ``on_cover`` and ``pockets`` compare it with the true surface within the tolerance
    of `wingedge.convexity`, 1e-9 of the size and what rounding leaves.

    Attributes
    ----------
    source : WingedEdgeMesh
        The mesh that is covered.
    points : (V, 3) float64
        The positions of all its vertices, body frame, read-only.
    faces : (K, 3) int32
        The triangles in numbers of the mesh, outward, in order; the lowest vertex
        first.  A flat part of the hull is the fan from its lowest vertex.
    """

    if not TYPE_CHECKING:
        __getattr__ = registry.attributes("wingedge.cover.Cover")

    def __init__(self, source: WingedEdgeMesh, points: Points, faces: Ids) -> None:
        self.source = source
        self.points = frozen(points)
        self.faces = frozen(faces)
        self._known: dict[tuple[int, int], tuple[int, ...]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Cover, (self.source, self.points, self.faces)

    @cached_property
    def vertices(self) -> Ids:
        """The vertices of the hull, in order; points inside a flat part are none."""
        return frozen(np.unique(self.faces))

    @cached_property
    def volume(self) -> float:
        """The volume inside."""
        return float(volumes(self.points, self.faces, self.centre).sum())

    @cached_property
    def centre(self) -> Points:
        """The mean of the vertices of the hull, a point inside."""
        return frozen(self.points[self.vertices].mean(axis=0))

    def mesh(self) -> WingedEdgeMesh:
        """Build the hull as a mesh of triangles.

        Its ``source_vertices`` are the numbers in the covered mesh; face k is
        ``faces[k]``.
        """
        mesh = WingedEdgeMesh.from_faces(self.points[self.vertices], self._corners)
        return replace(mesh, source_vertices=self.vertices)

    @property
    def _corners(self) -> Ids:
        return np.searchsorted(self.vertices, self.faces).astype(np.int32)

    @cached_property
    def hull(self) -> WingedEdgeMesh:
        """The mesh of the hull as it is, narrow faces and all, which nothing checks."""
        return WingedEdgeMesh(*wing(self.points[self.vertices], self._corners))

    @cached_property
    def outward(self) -> WingedEdgeMesh:
        """The mesh with its faces outward: ``source``, or its mirror if inside-out.

        The same solid seen from inside has the same pockets; all numbers are kept.
        """
        volume = volumes(self.points, self.source.fan.vertex, self.centre).sum()
        return mirrored(self.source) if volume < -TRIFLE * self.volume else self.source

    @cached_property
    def _planes(self) -> tuple[Points, Points]:
        """The unit normals of the cover's faces, and twice their areas, (K,)."""
        a, b, c = (self.points[self.faces[:, k]] for k in range(3))
        normal = columns(np.cross(b - a, c - a))
        return rows(direction(normal)), length(normal)

    def _leads(self, tolerance: float) -> Ids:
        """Find for every face the largest that leads to it in one plane, (K,)."""
        points, faces, (normal, area) = self.points, self.faces, self._planes
        twin = twins_of(faces, len(points))
        if twin is None:
            raise ValueError("the faces of a cover must close")
        beside, own = twin.reshape(-1, 3) // 3, np.arange(len(faces))
        apex = points[faces[:, [2, 0, 1]]] - points[faces[beside, 0]]
        high = np.abs((apex * normal[beside]).sum(axis=2))
        reach = np.where(high <= tolerance, area[beside], 0.0)
        best = beside[own, reach.argmax(axis=1)]
        onward = np.where(reach.max(axis=1) > area, best, own)
        while (onward[onward] != onward).any():
            onward = onward[onward]
        away = points[faces] - points[faces[onward, 0]][:, None]
        high = np.abs((away * normal[onward][:, None]).sum(axis=2)).max(axis=1)
        return np.where(high <= tolerance, onward, own).astype(np.int32)

    @cached_property
    def _normals(self) -> Points:
        return rows(face_sums(self.outward, fan_normals(self.outward, self.points)))

    @cached_property
    def _same(self) -> Ids:
        """The triangle of the mesh that is the same as each cover face, (K,), or -1."""
        count, lowest = len(self.points), lowest_at(self.points)

        def keys(triangles: NDArray[np.integer]) -> NDArray[np.int64]:
            turn = (triangles.argmin(axis=1)[:, None] + np.arange(3)) % 3
            a, b, c = np.take_along_axis(triangles, turn, axis=1).T.astype(np.int64)
            key: NDArray[np.int64] = (a * count + b) * count + c
            return key

        corner, face = self.outward.fan
        alone = np.bincount(face)[face] == 1
        corner, face = corner[alone], face[alone]
        if len(face) == 0:
            return np.full(len(self.faces), -1, np.int32)
        order = np.argsort(known := keys(lowest[corner]), kind="stable")
        wanted = keys(self.faces)
        at = order[np.searchsorted(known[order[:-1]], wanted)]
        same = np.where(known[at] == wanted, face[at], -1)
        return same.astype(np.int32)

    def _below(self, number: int, lead: int, tolerance: float) -> tuple[Ids, int, bool]:
        """List the true faces in the plane of a cover face, which is that of ``lead``.

        Also which is below its middle; -1 for a lid: they do not cover it, or not all
        of it; and whether they cover whatever the hull has in that plane.
        """
        mesh, points, (normals, areas) = self.outward, self.points, self._planes
        corners = points[self.faces[number]]
        normal = normals[lead]
        on = np.abs((points - points[self.faces[lead, 0]]) @ normal) <= tolerance
        start, vertex = mesh.corners
        flat = np.logical_and.reduceat(on[vertex], start[:-1])
        flat &= self._normals @ normal >= 0.0
        flat_faces = np.flatnonzero(flat).astype(np.int32)
        if len(flat_faces) == 0:
            return flat_faces, -1, False
        hull = areas[on[self.faces].all(axis=1) & (normals @ normal >= 0.0)].sum()
        area = length(columns(self._normals[flat_faces])).sum()
        whole = bool(abs(hull - area) <= 2.0 * tolerance * self._about.size)
        long = length(columns(corners - corners[[1, 2, 0]])).max()
        if not whole and areas[number] > FAT * tolerance * long:
            rim = points[mesh.edge_vertices[flat[mesh.edge_faces].sum(axis=1) == 1]]
            if crossing(corners, normal, rim).any():
                return flat_faces, -1, False
        fan = np.flatnonzero(flat[mesh.fan.face])
        a, b, c = (points[mesh.fan.vertex[fan, k]] for k in range(3))
        middle = corners.mean(axis=0)
        inside = np.full(len(fan), np.inf)
        for p, q in ((a, b), (b, c), (c, a)):
            off = (np.cross(normal, q - p) * (middle - p)).sum(axis=1)
            wide = length(columns(q - p))
            inside = np.minimum(inside, off / np.where(wide > 0.0, wide, 1.0))
        best = int(inside.argmax())
        covered = whole or inside[best] >= -tolerance
        return flat_faces, int(mesh.fan.face[fan[best]]) if covered else -1, whole

    @cached_property
    def _linked(self) -> tuple[Ids, Mask, Ids, float]:
        """The ``true_face``, which faces lie on the cover, leads, and the tolerance."""
        found, on = self._same.copy(), np.zeros(self.source.n_faces, bool)
        on[found[found >= 0]] = True
        tolerance = TOLERANCE * self._about.size + self._about.noise
        lead = self._leads(tolerance)
        for k in np.flatnonzero(found < 0).tolist():
            flat, found[k], _ = self._below(k, int(lead[k]), tolerance)
            on[flat] = True
        return found, on, lead, tolerance

    @property
    def true_face(self) -> Ids:
        """The face of the mesh that each cover face belongs to, (K,); -1 for a lid.

        A cover face of a flat part may span several: the one below its middle.

        Cost: sorts, and O(V) for each cover face with other corners than true ones.
        """
        return frozen(self._linked[0])

    @cached_property
    def lids(self) -> Ids:
        """The cover faces that are not all true surface."""
        return frozen(np.flatnonzero(self.true_face < 0).astype(np.int32))

    @property
    def on_cover(self) -> Mask:
        """Which faces of the mesh lie on the cover, (F,); the others are in pockets.

        A face does if all its vertices lie within the tolerance of one cover plane.
        """
        on = np.full(self.source.n_faces, True)
        for pocket in self.pockets:
            on[list(pocket.faces)] = False
        return frozen(on)

    @cached_property
    def pockets(self) -> tuple[Pocket, ...]:
        """What the body does not fill, by the lowest face number.

        True faces off the cover that share edges are of one.  Layers thinner than the
        tolerance are no pockets.
        """
        mesh, points, (normals, _) = self.outward, self.points, self._planes
        _, on, lead, tolerance = self._linked
        off = ~on
        left, right = mesh.edge_faces[off[mesh.edge_faces].all(axis=1)].T
        part = np.where(off, connected(mesh.n_faces, left, right), -1)
        pockets = list[Pocket]()
        for number in np.unique(part[off]).tolist():
            mine = part == number
            edges = mesh.edge_vertices[mine[mesh.edge_faces].any(axis=1)]
            fans = mesh.fan.vertex[mine[mesh.fan.face]]
            held = np.isin(self.faces[self.lids], fans).sum(axis=1) > 1
            rim = points[mesh.edge_vertices[mine[mesh.edge_faces].sum(axis=1) == 1]]
            for k in np.flatnonzero(~held).tolist():
                corners, n = points[self.faces[self.lids[k]]], normals[self.lids[k]]
                level = (np.abs((rim - corners[0]) @ n) <= tolerance).all(axis=1)
                held[k] = crossing(corners, n, rim[level]).any()
            middles = (points[some].mean(axis=1) for some in (edges, fans))
            at = np.concatenate([points[np.unique(fans)], *middles])
            least = np.full(len(at), np.inf)
            for k in np.unique(lead[self.lids[held]]).tolist():
                least = np.minimum(least, (points[self.faces[k, 0]] - at) @ normals[k])
            depth = float(least.max())
            if held.any() and depth > tolerance:
                own = tuple(np.flatnonzero(mine).tolist())
                pockets.append(Pocket(own, tuple(self.lids[held].tolist()), depth))
        return tuple(pockets)

    @cached_property
    def _about(self) -> BodyExtent:
        return extent(self.points)

    @property
    def _tolerance(self) -> float:
        return LEVEL * self._about.size + self._about.noise

    @cached_property
    def _level(self) -> Ids:
        return self._leads(self._tolerance)

    def lies_on(self, dimension: int, number: int) -> tuple[int, ...]:
        """Return the numbers of what a vertex, edge or face of ``hull`` lies on.

        A face on true faces is called by those, an edge along true edges likewise; what
        is left is a lid.  Ascending; lids are numbered beyond the mesh: the half-edges
        of the cover after the edges, its faces after the faces.

        Within 1e-12 of the size and what rounding leaves, so that a point of the hull
        lies on what it is said to lie on.  Cost: the rings of a few vertices, once;
        where true faces meet in one plane, O(V) once.
        """
        if dimension == 0:
            return (int(self.vertices[number]),)
        known, part = self._known, (dimension, number)
        if part not in known:
            known[part] = (self._edges, self._faces)[dimension - 1](number)
        return known[part]

    def _edges(self, number: int) -> tuple[int, ...]:
        mesh = self.source
        ends = self.vertices[self.hull.edge_vertices[number]].tolist()
        tail, tip = min(ends), max(ends)
        if chain := self._chain(tail, tip):
            return tuple(sorted(chain))
        half = (self.faces == tail) & (self.faces[:, [1, 2, 0]] == tip)
        return (mesh.n_edges + int(np.flatnonzero(half)[0]),)

    def _chain(self, tail: int, tip: int) -> list[int]:
        """Follow true edges straight from one vertex to another; empty if none lead."""
        mesh, points = self.source, self.points
        way = points[tip] - points[tail]
        reach = float(np.sqrt((way * way).sum()))
        start = mesh.star.start
        at, far, edges = tail, 0.0, list[int]()
        while at != tip:
            ring = slice(start[at], start[at + 1])
            off = points[mesh.star.vertex[ring]] - points[tail]
            t = (off * way).sum(axis=1) / reach
            off -= (t / reach)[:, None] * way
            beside = np.sqrt((off * off).sum(axis=1))
            good = (beside <= self._tolerance) & (t > far)
            good &= (t < reach) | (mesh.star.vertex[ring] == tip)
            if not good.any():
                return []
            k = int(np.flatnonzero(good)[t[good].argmin()])
            at, far = int(mesh.star.vertex[ring][k]), float(t[k])
            edges.append(int(mesh.star.edge[ring][k]))
        return edges

    def _faces(self, number: int) -> tuple[int, ...]:
        mesh, points, corners = self.outward, self.points, self.faces[number]
        for f in mesh.vertex_faces(int(corners[0])).tolist():
            if set(mesh.face_vertices(f).tolist()) == set(corners.tolist()):
                return (int(f),)
        sides = points[corners] - points[corners[[1, 2, 0]]]
        wide = self._planes[1][number] > WIDE * (sides * sides).sum(axis=1).max()
        lead = number if wide else int(self._level[number])
        faces, below, whole = self._below(number, lead, self._tolerance)
        if below < 0:
            return (self.source.n_faces + number,)
        if not whole:  # those below its inside
            own = np.isin(mesh.edge_faces, faces).any(axis=1)
            normal, edges = self._planes[0][lead], points[mesh.edge_vertices[own]]
            crossed = mesh.edge_faces[own][crossing(points[corners], normal, edges)]
            faces = np.intersect1d(faces, [*crossed.ravel(), below])
        return tuple(faces.tolist())

    def __repr__(self) -> str:
        counts = f"{len(self.vertices)} of {len(self.points)} vertices"
        return f"Cover({counts}, {len(self.faces)} faces)"


def volumes(points: Points, triangles: NDArray[np.integer], about: Points) -> Points:
    """Return the signed volumes of the tetrahedra from a point to triangles."""
    a, b, c = (columns(points[triangles[:, k]] - about) for k in range(3))
    return dot(a, cross(b, c)) / 6.0


def crossing(corners: Points, normal: Points, segments: Points) -> Mask:
    """Say which segments (n, 2, 3) cross the inside of a triangle, all in one plane.

    Segments along a side of it do not.
    """
    middle = corners.mean(axis=0)
    corners = middle + (1.0 - SHRINK) * (corners - middle)
    low, high = np.zeros(len(segments)), np.ones(len(segments))
    for k in range(3):
        inward = np.cross(normal, corners[(k + 1) % 3] - corners[k])
        here, there = ((segments - corners[k]) @ inward).T
        with np.errstate(divide="ignore", invalid="ignore"):
            t = here / (here - there)
        enters = np.where(there < 0.0, np.inf, np.maximum(low, t))
        low = np.where(here < 0.0, enters, low)
        high = np.where((here >= 0.0) & (there < 0.0), np.minimum(high, t), high)
    crosses: Mask = low < high
    return crosses
