"""The convex cover of a mesh: its hull, linked with the true surface."""

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from wingedge.mesh import WingedEdgeMesh
from wingedge.mirror import mirrored

if TYPE_CHECKING:
    from wingedge.pockets import Link

Points = NDArray[np.float64]
Ids = NDArray[np.int32]
TRIFLE = 1e-9  # of the cover's volume: below it a body is not inside-out, but folded
_Kind = TypeVar("_Kind", bound=np.generic)


class Pocket(NamedTuple):
    """A part of the cover's inside that the body does not fill, and what bounds it.

    ``depth`` is that of the deepest point of its faces: the most, over all of them, of
    the least distance to the planes of its lids [length unit of the input].  Under one
    lid that is at a vertex; in a groove that is open at its ends, or a bore, inside an
    edge or a face.  Exact but for rounding.
    """

    faces: tuple[int, ...]  # true faces that lie below the cover here
    lids: tuple[int, ...]  # cover faces that close it; a lid may close two pockets
    depth: float  # of the deepest point of its faces below its lids
    volume: float
    deepest: int  # the deepest vertex, which may be less deep
    point: tuple[float, float, float]  # the deepest point, body frame


class Cover:
    """The convex hull of a body's points, with the mesh's own vertex numbers.

    A value: it answers for the positions that it was made of, for ever.  Made by
    ``body.cover()``.  What is not asked for is not computed.

    Attributes
    ----------
    source : WingedEdgeMesh
        The mesh that is covered.
    points : (V, 3) float64
        The positions of all its vertices, body frame, read-only.
    repaired_by : {"kept", "flips", "hull"}
        What it took after the cover before: nothing, local changes, or a new hull.

    Notes
    -----
    ``faces``, ``vertices``, ``volume`` and ``mesh`` say what the hull is, as exactly as
    the positions do.  ``true_face``, ``lids``, ``on_cover`` and ``pockets`` compare it
    with the true surface within the tolerance of `wingedge.convexity`, 1e-9 of the
    size and what rounding leaves.
    """

    def __init__(
        self,
        source: WingedEdgeMesh,
        points: Points,
        faces: Ids,
        place: Ids,
        repaired_by: str,
    ) -> None:
        self.source = source
        self.points = points
        self.points.setflags(write=False)
        self.repaired_by = repaired_by
        self._given = faces
        self._place = place  # per vertex off the cover: -1 - a face near it

    @cached_property
    def _order(self) -> tuple[Ids, Ids]:
        """Turn every face to its lowest vertex, and sort: faces, and old places."""
        given = self._given
        first = given.argmin(axis=1)
        rows = np.arange(len(given))
        turned = np.stack([given[rows, (first + k) % 3] for k in range(3)], axis=1)
        order = np.lexsort(turned.T[::-1])
        return _frozen(turned[order]), _frozen(order.astype(np.int32))

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
        return _frozen(np.unique(self._given))

    @cached_property
    def volume(self) -> float:
        """The volume inside."""
        return float(volumes(self.points, self.faces, self.centre).sum())

    @cached_property
    def centre(self) -> Points:
        """The mean of the vertices of the hull, a point inside."""
        return _frozen(self.points[self.vertices].mean(axis=0))

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
    def _link(self) -> "Link":
        from wingedge.pockets import link

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


def twins_of(faces: Ids, size: int) -> Ids | None:
    """Find the other half of every half-edge, (3 K,); None if the faces do not close.

    Half-edge 3 k + s runs from corner s of face k to the next.
    """
    tail = faces.astype(np.int64).ravel()
    tip = faces[:, [1, 2, 0]].astype(np.int64).ravel()
    forth, back = tail * size + tip, tip * size + tail
    order = np.argsort(forth, kind="stable")
    place = np.searchsorted(forth[order], back)
    sorted_forth = forth[order]
    if len(faces) < 4 or (sorted_forth[1:] == sorted_forth[:-1]).any():
        return None
    found = np.append(sorted_forth, -1)[place] == back
    if not found.all():
        return None
    vertices = len(np.unique(tail))
    if vertices - len(tail) // 2 + len(faces) != 2:
        return None  # not one sphere
    twin: Ids = order[place].astype(np.int32)
    return twin


def volumes(points: Points, triangles: NDArray[np.integer], about: Points) -> Points:
    """Return the signed volumes of the tetrahedra from a point to triangles."""
    a, b, c = (points[triangles[:, k]] - about for k in range(3))
    x = b[:, 1] * c[:, 2] - b[:, 2] * c[:, 1]
    y = b[:, 2] * c[:, 0] - b[:, 0] * c[:, 2]
    z = b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0]
    out: Points = (a[:, 0] * x + a[:, 1] * y + a[:, 2] * z) / 6.0
    return out


def _frozen(array: NDArray[_Kind]) -> NDArray[_Kind]:
    array.setflags(write=False)
    return array
