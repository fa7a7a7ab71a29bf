"""Link the convex hull of a mesh with its true surface, and name the hull's parts."""

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wingedge import registry
from wingedge.build import wing
from wingedge.columns import rows
from wingedge.coplanar import normals_of, volumes
from wingedge.geometry import face_sums, fan_normals
from wingedge.mesh import WingedEdgeMesh, mirrored
from wingedge.pockets import HullComparison, Pocket
from wingedge.positions import extent
from wingedge.tables import frozen

Points = NDArray[np.float64]
Ids = NDArray[np.int32]
TOLERANCE = 1e-9  # of the size, as in ``wingedge.convexity``
LEVEL = 1e-12  # of the size: what a level part may be off by
TRIFLE = 1e-9  # of the cover's volume: below it a body is not inside-out, but folded


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
        from dataclasses import replace

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

    def _compared(self, share: float) -> HullComparison:
        args = self.outward, self.points, self.faces, self.centre
        return HullComparison(*args, share)

    @cached_property
    def _within(self) -> HullComparison:
        return self._compared(TOLERANCE)

    @cached_property
    def true_face(self) -> Ids:
        """The face of the mesh that each cover face belongs to, (K,); -1 for a lid.

        A cover face of a flat part may span several: the one below its middle.
        """
        return frozen(self._within.true_faces(np.arange(len(self.faces))))

    @cached_property
    def lids(self) -> Ids:
        """The cover faces that are not all true surface."""
        return frozen(np.flatnonzero(self.true_face < 0).astype(np.int32))

    @cached_property
    def _pockets(self) -> tuple[tuple[Pocket, ...], NDArray[np.bool_]]:
        return self._within.pockets(self.lids)

    @property
    def on_cover(self) -> NDArray[np.bool_]:
        """Which faces of the mesh lie on the cover, (F,); the others are in pockets.

        A face does if all its vertices lie within the tolerance of one cover plane.
        """
        return frozen(~self._pockets[1])

    @property
    def pockets(self) -> tuple[Pocket, ...]:
        """What the body does not fill, by the lowest face number.

        Layers thinner than the tolerance are no pockets.
        """
        return self._pockets[0]

    @cached_property
    def _level(self) -> HullComparison:
        return self._compared(LEVEL)

    @cached_property
    def _tolerance(self) -> float:
        about = extent(self.points)
        return LEVEL * about.size + about.noise

    def lies_on(self, dimension: int, number: int) -> tuple[int, ...]:
        """Return the numbers of what a vertex, edge or face of ``hull`` lies on.

        A face on true faces is called by those, an edge along true edges likewise; what
        is left is a lid.  Ascending; lids are numbered beyond the mesh: the half-edges
        of the cover after the edges, its faces after the faces.

        Within 1e-12 of the size and what rounding leaves, so that a point of the hull
        lies on what it is said to lie on.  Cost: the rings of a few vertices, once;
        where true faces meet in one plane, O(V) once.
        """
        known, part = self._known, (dimension, number)
        if part not in known:
            ways = self._vertices, self._edges, self._faces
            known[part] = ways[dimension](number)
        return known[part]

    @cached_property
    def _known(self) -> dict[tuple[int, int], tuple[int, ...]]:
        return {}

    def _vertices(self, number: int) -> tuple[int, ...]:
        return (int(self.vertices[number]),)

    def _edges(self, number: int) -> tuple[int, ...]:
        mesh = self.source
        ends = self.vertices[self.hull.edge_vertices[number]].tolist()
        tail, tip = min(ends), max(ends)
        chain = self._chain(tail, tip)
        if chain:
            return tuple(sorted(chain))
        half = (self.faces == tail) & (self.faces[:, [1, 2, 0]] == tip)
        return (mesh.n_edges + int(np.flatnonzero(half)[0]),)

    def _chain(self, tail: int, tip: int) -> list[int]:
        """Follow true edges straight from one vertex to another; empty if none lead."""
        mesh, points = self.source, self.points
        way = points[tip] - points[tail]
        length = float(np.sqrt((way * way).sum()))
        start = mesh.star.start
        at, far, found = tail, 0.0, list[int]()
        while at != tip:
            ring = slice(start[at], start[at + 1])
            off = points[mesh.star.vertex[ring]] - points[tail]
            t = (off * way).sum(axis=1) / length
            off -= (t / length)[:, None] * way
            beside = np.sqrt((off * off).sum(axis=1))
            good = (beside <= self._tolerance) & (t > far)
            good &= (t < length) | (mesh.star.vertex[ring] == tip)
            if not good.any():
                return []
            k = int(np.flatnonzero(good)[t[good].argmin()])
            at, far = int(mesh.star.vertex[ring][k]), float(t[k])
            found.append(int(mesh.star.edge[ring][k]))
        return found

    def _faces(self, number: int) -> tuple[int, ...]:
        mesh = self.source
        level = self._level_around(number)
        if level is None:
            return (mesh.n_faces + number,)
        if level >= 0:
            return (level,)
        both = self._level
        g = both.groups.group[number]
        below: NDArray[np.integer] = np.flatnonzero(both.face_group == g)
        if both.is_open[g]:
            below = both.true_faces(np.array([number]))
        if len(below) == 0 or below[0] < 0:
            return (mesh.n_faces + number,)
        return tuple(below.tolist())

    def _level_around(self, number: int) -> int | None:
        """Return a true face in its plane with all its corners, or None for a lid.

        -1 where that is not all there is to say: there are true faces in the plane at
        every corner, none of them with all three.
        """
        mesh, points = self.source, self.points
        corners = self.faces[number].tolist()
        normal = self._planes[number]
        if not normal.any():
            return -1  # too narrow to have a plane of its own
        start = mesh.star.start
        for v in corners:
            some = False
            for f in mesh.star.face[start[v] : start[v + 1]].tolist():
                ring = mesh.face_vertices(f)
                high = np.abs((points[ring] - points[corners[0]]) @ normal).max()
                if high <= self._tolerance and self._normals[f] @ normal >= 0.0:
                    some = True
                    if {*corners} <= {*ring.tolist()}:
                        return int(f)
            if not some:
                return None
        return -1

    @cached_property
    def _planes(self) -> Points:
        """The unit normals of the faces, (K, 3); 0 where one is too narrow for it."""
        a, b, c = (self.points[self.faces[:, k]] for k in range(3))
        normal = normals_of(self.points, self.faces)
        area = np.sqrt((normal * normal).sum(axis=1))
        sides = np.max(
            [((q - p) ** 2).sum(axis=1) for p, q in pairwise((a, b, c, a))], 0
        )
        wide = (area > 1e-6 * sides)[:, None]
        return np.where(wide, normal / np.where(wide, area[:, None], 1.0), 0.0)

    @cached_property
    def _normals(self) -> Points:
        return rows(face_sums(self.outward, fan_normals(self.outward, self.points)))

    def __repr__(self) -> str:
        return (
            f"Cover({len(self.vertices)} of {len(self.points)} vertices, "
            f"{len(self.faces)} faces)"
        )
