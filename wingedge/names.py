"""What the parts of a cover are called in the numbers of the mesh that it covers."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wingedge.cover import Cover
from wingedge.mesh import WingedEdgeMesh
from wingedge.plains import area_normals
from wingedge.pockets import Compared, compared
from wingedge.positions import extent
from wingedge.rims import true_faces

Points = NDArray[np.float64]

LEVEL = 1e-12  # of the size: what a level part may be off by


class Names:
    """Name the vertices, edges and faces of a cover's mesh.

    A face of the cover that lies on true faces is called by those, an edge along true
    edges likewise; what is left is a lid.  Lids are numbered beyond the mesh: the half-
    edges of the cover after the edges, its faces after the faces.

    Parameters
    ----------
    cover : Cover
    hull : WingedEdgeMesh
        Its mesh; its vertices and faces are numbered as ``cover.vertices``, ``faces``.

    Notes
    -----
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
        return self._by_plain(number)

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
                if high <= self._tolerance and self._outward(f, normal):
                    some = True
                    if np.isin(corners, ring).all():
                        return int(f)
            if not some:
                return None
        return -1

    def _outward(self, f: int, normal: Points) -> bool:
        return float(self._normals[f] @ normal) >= 0.0

    @cached_property
    def _normals(self) -> Points:
        return area_normals(self._cover.outward, self._cover.points)

    @cached_property
    def _compared(self) -> tuple[Compared, NDArray[np.int32]]:
        both = compared(*self._cover.described, self._tolerance)
        found = true_faces(
            both.mesh, both.points, both.faces, both.plains, both.face_plain, both.rim
        )
        return both, found

    def _by_plain(self, number: int) -> tuple[int, ...]:
        both, found = self._compared
        if found[number] < 0:
            return (both.mesh.n_faces + number,)
        g = both.plains.plain[number]
        if (both.rim.plain == g).any():
            return (int(found[number]),)
        return tuple(np.flatnonzero(both.face_plain == g).tolist())
