"""Link the convex hull of a mesh with its true surface, and name the hull's parts."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wingedge.coplanar import area_normals, volumes
from wingedge.mesh import WingedEdgeMesh, mirrored
from wingedge.pockets import (
    HullComparison,
    Link,
    Pocket,
    compare_with_hull,
    link,
    true_faces,
)
from wingedge.positions import extent
from wingedge.tables import frozen

Points = NDArray[np.float64]
Ids = NDArray[np.int32]
TRIFLE = 1e-9  # of the cover's volume: below it a body is not inside-out, but folded


class Cover:
    """The convex hull of a body's points, with the mesh's own vertex numbers.

    A value: it answers for the positions that it was made of, for ever.  Made by
    ``body.cover()``.  What is not asked for is not computed.

    ``faces``, ``vertices``, ``volume`` and ``mesh`` say what the hull is, as exactly as
    the positions do.  ``true_face``, ``lids``, ``on_cover`` and ``pockets`` compare it
    with the true surface within the tolerance of `wingedge.convexity`, 1e-9 of the
    size and what rounding leaves.

    Attributes
    ----------
    source : WingedEdgeMesh
        The mesh that is covered.
    points : (V, 3) float64
        The positions of all its vertices, body frame, read-only.
    repaired_by : {"kept", "flips", "hull"}
        What it took after the cover before: nothing, local changes, or a new hull.
    """

    def __init__(
        self,
        source: WingedEdgeMesh,
        points: Points,
        faces: Ids,
        place: Ids,
        repaired_by: str,
        before: "Cover | None" = None,
    ) -> None:
        self.source = source
        self.points = points
        self.points.setflags(write=False)
        self.repaired_by = repaired_by
        self._given = faces
        self._place = place  # per vertex off the cover: -1 - a face near it
        if before is not None and np.array_equal(before._given, faces):
            for name in ("_order", "vertices"):  # of the same faces, where known
                if name in vars(before):
                    vars(self)[name] = vars(before)[name]

    @cached_property
    def _order(self) -> tuple[Ids, Ids]:
        """Turn every face to its lowest vertex, and sort: faces, and old places."""
        given = self._given
        first = given.argmin(axis=1)
        rows = np.arange(len(given))
        turned = np.stack([given[rows, (first + k) % 3] for k in range(3)], axis=1)
        order = np.lexsort(turned.T[::-1])
        return frozen(turned[order]), frozen(order.astype(np.int32))

    @property
    def faces(self) -> Ids:
        """The triangles, (K, 3) vertex numbers, outward; the lowest vertex first.

        In order of their corners, so that they do not depend on the repair.  A flat
        part of the hull is the fan from its lowest vertex.
        """
        return self._order[0]

    @cached_property
    def vertices(self) -> Ids:
        """The vertices of the hull, in order; points inside a flat part are none."""
        return frozen(np.unique(self._given))

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

        number = np.zeros(len(self.points), np.int32)
        number[self.vertices] = np.arange(len(self.vertices))
        mesh = WingedEdgeMesh.from_faces(self.points[self.vertices], number[self.faces])
        return replace(mesh, source_vertices=self.vertices)

    @property
    def described(self) -> tuple[WingedEdgeMesh, Points, Ids, Ids, Points]:
        """Mesh, points, faces, a face near each hidden vertex, and centre."""
        faces, order = self._order
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order), dtype=np.int32)
        near = np.clip(-1 - self._place, 0, len(order) - 1)
        below = np.where(self._place < 0, rank[near], -1)
        return self.outward, self.points, faces, below, self.centre

    @cached_property
    def outward(self) -> WingedEdgeMesh:
        """The mesh with its faces outward: ``source``, or its mirror if inside-out.

        The same solid seen from inside has the same pockets; all numbers are kept.
        """
        volume = volumes(self.points, self.source.fan.vertex, self.centre).sum()
        return mirrored(self.source) if volume < -TRIFLE * self.volume else self.source

    @cached_property
    def _link(self) -> Link:
        return link(*self.described)

    @property
    def true_face(self) -> Ids:
        """The face of the mesh that each cover face belongs to, (K,); -1 for a lid.

        A cover face of a flat part may span several: the one below its middle.
        """
        return self._link.true_face

    @property
    def lids(self) -> Ids:
        """The cover faces that are not all true surface."""
        return self._link.lids

    @property
    def on_cover(self) -> NDArray[np.bool_]:
        """Which faces of the mesh lie on the cover, (F,); the others are in pockets.

        A face does if all its vertices lie within the tolerance of one cover plane.
        """
        return self._link.on_cover

    @property
    def pockets(self) -> tuple[Pocket, ...]:
        """What the body does not fill, by the lowest face number.

        Their volumes sum to what the cover has more than the mesh, but for layers
        thinner than the tolerance, which are no pockets: what these leave out is less
        than the tolerance times the area of the surface.  The volume of the mesh is
        that inside its triangles, positive for an inside-out body too; where a body
        overlaps itself it counts as often as the surface winds round it, so that the
        sum may then be negative.
        """
        return self._link.pockets

    def __repr__(self) -> str:
        return (
            f"Cover({len(self.vertices)} of {len(self.points)} vertices, "
            f"{len(self._given)} faces, repaired by {self.repaired_by!r})"
        )


LEVEL = 1e-12  # of the size: what a level part may be off by


class HullNames:
    """Name the vertices, edges and faces of a cover's mesh.

    A face of the cover that lies on true faces is called by those, an edge along true
    edges likewise; what is left is a lid.  Lids are numbered beyond the mesh: the half-
    edges of the cover after the edges, its faces after the faces.

    Parameters: ``hull``: its mesh; its vertices and faces are numbered as
    ``cover.vertices``, ``faces``.

    Within 1e-12 of the size and what rounding leaves, so that a point of the hull lies
    on what it is said to lie on.  Cost: the rings of a few vertices, once; where true
    faces meet in one plane, O(V) once.
    """

    def __init__(self, cover: Cover, hull: WingedEdgeMesh) -> None:
        self._cover = cover
        self._hull = hull

    @cached_property
    def _tolerance(self) -> float:
        about = extent(self._cover.points)
        return LEVEL * about.size + about.noise

    def of(self, dimension: int, number: int) -> tuple[int, ...]:
        """Return the numbers of what a part of the cover lies on, ascending."""
        if dimension == 0:
            return (int(self._cover.vertices[number]),)
        return self._edge(number) if dimension == 1 else self._face(number)

    def _edge(self, number: int) -> tuple[int, ...]:
        mesh = self._cover.source
        ends = self._cover.vertices[self._hull.edge_vertices[number]].tolist()
        tail, tip = min(ends), max(ends)
        chain = self._chain(tail, tip)
        if chain:
            return tuple(sorted(chain))
        faces = self._cover.faces
        for k in np.flatnonzero((faces == tail).any(axis=1)).tolist():
            corners = faces[k].tolist()
            for s in range(3):
                if corners[s] == tail and corners[(s + 1) % 3] == tip:
                    return (mesh.n_edges + 3 * k + s,)
        raise ValueError("the cover has no such edge")

    def _chain(self, tail: int, tip: int) -> list[int]:
        """Follow true edges straight from one vertex to another; empty if none lead."""
        mesh, points = self._cover.source, self._cover.points
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

    def _face(self, number: int) -> tuple[int, ...]:
        mesh = self._cover.source
        corners = self._cover.faces[number]
        level = self._level_around(corners)
        if level is None:
            return (mesh.n_faces + number,)
        if level >= 0:
            return (level,)
        both, found = self._comparison
        if found[number] < 0:
            return (mesh.n_faces + number,)
        g = both.groups.group[number]
        if (both.boundary.group == g).any():
            return (int(found[number]),)
        return tuple(np.flatnonzero(both.face_group == g).tolist())

    def _level_around(self, corners: NDArray[np.int32]) -> int | None:
        """Return a true face with all these corners in their plane, or None for a lid.

        -1 where that is not all there is to say: there are true faces in the plane at
        every corner, none of them with all three.
        """
        mesh, points = self._cover.source, self._cover.points
        a, b, c = points[corners]
        normal = np.cross(b - a, c - a)
        area = float(np.sqrt((normal * normal).sum()))
        sides = max(float(((q - p) ** 2).sum()) for p, q in ((a, b), (b, c), (c, a)))
        if area <= 1e-6 * sides:
            return -1  # too narrow to have a plane of its own
        normal /= area
        start = mesh.star.start
        for v in corners.tolist():
            some = False
            for f in mesh.star.face[start[v] : start[v + 1]].tolist():
                ring = mesh.face_vertices(f)
                high = np.abs((points[ring] - a) @ normal).max()
                if high <= self._tolerance and self._normals[f] @ normal >= 0.0:
                    some = True
                    if np.isin(corners, ring).all():
                        return int(f)
            if not some:
                return None
        return -1

    @cached_property
    def _normals(self) -> Points:
        return area_normals(self._cover.outward, self._cover.points)

    @cached_property
    def _comparison(self) -> tuple[HullComparison, NDArray[np.int32]]:
        both = compare_with_hull(*self._cover.described, self._tolerance)
        return both, true_faces(both)
