"""Build the arrays of a mesh from points and faces; check what needs no positions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.errors import MeshError
from wingedge.features import Feature
from wingedge.positions import as_points, check_coincident, check_finite
from wingedge.tables import (
    connected,
    first_alike,
    next_in_run,
    numbered,
    starts,
    unroll,
)

Indices = NDArray[np.int64]
LISTED = 8  # numbers that a message lists


@dataclass(frozen=True, eq=False)
class Polygons:
    """Corners ``start[f]:start[f + 1]`` of ``vertex`` are face f; C corners in all."""

    n_vertices: int
    start: Indices  # (F + 1,)
    vertex: Indices  # (C,)

    @cached_property
    def face(self) -> Indices:
        """Name the face of every corner, (C,)."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    @cached_property
    def next(self) -> Indices:
        """Find the next corner of the same face, (C,)."""
        return next_in_run(self.start)

    @cached_property
    def tip(self) -> Indices:
        """Name the vertex at the next corner, (C,)."""
        tip: Indices = self.vertex[self.next]
        return tip

    @cached_property
    def edge(self) -> Indices:
        """Number the edge leaving every corner by first appearance, (C,)."""
        return self._edges[0]

    @cached_property
    def edge_first(self) -> Indices:
        """Find the corner at which every edge first appears, (E,)."""
        return self._edges[1]

    @cached_property
    def side(self) -> Indices:
        """Tell left (0, the first appearance) from right (1), (C,)."""
        again = self.edge_first[self.edge] != np.arange(len(self.edge))
        return np.asarray(again, dtype=np.int64)

    @cached_property
    def _edges(self) -> tuple[Indices, Indices]:
        low, high = np.minimum(self.vertex, self.tip), np.maximum(self.vertex, self.tip)
        return numbered(low * self.n_vertices + high)

    def edge_text(self, e: int) -> str:
        """Name an edge and its ends for a message."""
        corner = self.edge_first[e]
        return f"edge {e} ({self.vertex[corner]} -> {self.tip[corner]})"


Faces = ArrayLike | Sequence[ArrayLike] | Polygons


def check_not_empty(polygons: Polygons) -> None:
    """Refuse a mesh without faces."""
    if len(polygons.start) < 2:
        raise MeshError(
            "the mesh has no faces; a body needs at least four", "not empty"
        )


def check_corners(polygons: Polygons) -> None:
    """Refuse faces of fewer than three corners."""
    count = np.diff(polygons.start)
    if count.min() < 3:
        face = int(np.argmax(count < 3))
        raise MeshError(
            f"face {face} needs at least three corners, it has {count[face]}",
            "three corners per face",
            Feature("face", face),
        )


def check_no_repeat(polygons: Polygons) -> None:
    """Refuse a face that passes a vertex twice."""
    if np.diff(polygons.start).max() == 3 and (polygons.vertex != polygons.tip).all():
        return
    first = first_alike(polygons.face * polygons.n_vertices + polygons.vertex)
    again = first != np.arange(len(first))
    if again.any():
        corner = int(np.argmax(again))
        face = int(polygons.face[corner])
        raise MeshError(
            f"face {face} passes vertex {polygons.vertex[corner]} twice; list every "
            "corner once",
            "no repeated vertex in a face",
            Feature("face", face),
        )


def check_all_used(polygons: Polygons) -> None:
    """Refuse vertices that belong to no face."""
    count = np.bincount(polygons.vertex, minlength=polygons.n_vertices)
    unused = np.flatnonzero(count == 0)
    if len(unused):
        more = f" (and {len(unused) - 1} more)" if len(unused) > 1 else ""
        raise MeshError(
            f"vertex {unused[0]}{more} belongs to no face; remove it from the points",
            "no unused vertex",
            Feature("vertex", int(unused[0])),
        )


def check_two_faces(polygons: Polygons) -> None:
    """Refuse edges with one face (open) or more than two (not a surface)."""
    count = np.bincount(polygons.edge)
    bad = np.flatnonzero(count != 2)
    if len(bad):
        # an edge with too many faces explains the holes beside it, so it comes first
        e = int(bad[np.argmax(count[bad] > 2)])
        faces = [int(f) for f in polygons.face[polygons.edge == e]]
        more = f"; {len(bad) - 1} more edges are like it" if len(bad) > 1 else ""
        if count[e] == 1:
            text = (
                f"has one face, {faces[0]}; the mesh must be closed: add the missing "
                f"face or close the hole{more}"
            )
        else:
            text = (
                f"has {count[e]} faces, {listed(faces)}; every edge needs exactly two: "
                f"remove the faces too many or split the body there{more}"
            )
        raise MeshError(
            f"{polygons.edge_text(e)} {text}", "two faces per edge", Feature("edge", e)
        )


def check_orientation(polygons: Polygons) -> None:
    """Refuse two faces that run along their common edge in the same direction."""
    first = polygons.edge_first[polygons.edge]
    same = (polygons.side == 1) & (polygons.vertex == polygons.vertex[first])
    wrong = np.flatnonzero(np.bincount(polygons.edge[same], minlength=len(first)))
    if len(wrong):
        e = int(wrong[0])
        faces = polygons.face[polygons.edge == e]
        clashes = np.bincount(
            np.concatenate([polygons.face[same], polygons.face[first[same]]])
        )
        turned = faces[int(np.argmax(clashes[faces]))]
        raise MeshError(
            f"{polygons.edge_text(e)} is walked in the same direction by faces "
            f"{listed(faces)}; reverse the corners of face {turned}, so that both are "
            "counter-clockwise seen from outside",
            "consistent orientation",
            Feature("edge", e),
        )


def check_one_component(polygons: Polygons) -> None:
    """Refuse several bodies in one mesh."""
    first = polygons.edge_first
    ends = polygons.vertex[first], polygons.tip[first]
    label = connected(polygons.n_vertices, *ends)
    count = int(label.max()) + 1
    if count > 1:
        vertex = int(np.argmax(label != label[0]))
        face = int(polygons.face[np.argmax(polygons.vertex == vertex)])
        raise MeshError(
            f"the mesh is in {count} pieces, face {face} is not connected to face 0; "
            "make one mesh per piece",
            "one component",
            Feature("face", face),
        )


def check_one_fan(polygons: Polygons) -> None:
    """Refuse a vertex at which two sheets of the surface meet in a point."""
    # a corner and the corner reached over the edge that it leaves by share their fan
    n = len(polygons.vertex)
    first, again = polygons.edge_first[polygons.edge], np.flatnonzero(polygons.side)
    other = first.copy()
    other[first[again]] = again
    degree = np.bincount(polygons.vertex)
    begins = np.empty_like(degree)
    begins[polygons.vertex] = np.arange(n)
    _, ring = unroll(polygons.next[other], begins, degree)
    if np.bincount(ring, minlength=n).max() > 1:
        label = connected(n, np.arange(n), polygons.next[other])
        fans = np.bincount(polygons.vertex[np.unique(label, return_index=True)[1]])
        vertex = int(np.argmax(fans > 1))
        raise MeshError(
            f"vertex {vertex} joins {fans[vertex]} separate fans of faces; give every "
            "fan its own vertex",
            "one fan of faces per vertex",
            Feature("vertex", vertex),
        )


# in this order: each check may rely on the ones before it
TOPOLOGY = {
    "not empty": check_not_empty,
    "three corners per face": check_corners,
    "no repeated vertex in a face": check_no_repeat,
    "no unused vertex": check_all_used,
    "two faces per edge": check_two_faces,
    "consistent orientation": check_orientation,
    "one component": check_one_component,
    "one fan of faces per vertex": check_one_fan,
}


def check_topology(polygons: Polygons) -> None:
    """Check every invariant of `TOPOLOGY`, in order; MeshError names the first broken.

    Cost: a few sorts of the corners.
    """
    for check in TOPOLOGY.values():
        check(polygons)


def listed(numbers: Sequence[int] | Indices) -> str:
    """Write numbers as in a sentence, the first few of them."""
    *head, last = [str(int(i)) for i in numbers[:LISTED]]
    if len(numbers) > LISTED:
        head, last = [*head, last], f"{len(numbers) - LISTED} more"
    return f"{', '.join(head)} and {last}" if head else last


Ints = NDArray[np.int32]


class Arrays(NamedTuple):
    """The arrays of a mesh, in the order of its constructor."""

    points: NDArray[np.float64]
    edge_vertices: Ints
    edge_faces: Ints
    edge_wings: Ints
    vertex_edge: Ints
    face_edge: Ints


def wing(points: ArrayLike, faces: Faces) -> Arrays:
    """Make the arrays of a `WingedEdgeMesh` from what the user gives.

    Raises MeshError if the faces are no closed, oriented, connected surface; TypeError
    or ValueError if the arguments are not arrays of the right kind and shape.
    """
    positions = as_points(points)
    polygons = as_polygons(faces, len(positions))
    try:
        check_topology(polygons)
    except MeshError:
        check_finite(positions)
        check_coincident(positions)  # the usual reason why faces do not meet
        raise
    first = polygons.edge_first
    ends = np.stack([polygons.vertex[first], polygons.tip[first]], axis=1)
    half = 2 * polygons.edge + polygons.side
    return linked(positions, ends.astype(np.int32), polygons.start, half)


def linked(
    points: NDArray[np.float64],
    edge_vertices: Ints,
    start: NDArray[np.integer],
    half: NDArray[np.integer],
) -> Arrays:
    """Link the five index arrays of faces that are given as half-edges."""
    n_edges = len(edge_vertices)
    edge, side, after = half >> 1, half & 1, next_in_run(start)
    edge_faces = np.empty((n_edges, 2), np.int32)
    edge_faces.ravel()[half] = np.repeat(np.arange(len(start) - 1), np.diff(start))
    edge_wings = np.empty((n_edges, 2, 2), np.int32)
    edge_wings.ravel()[4 * edge + 2 - side] = edge[after]
    edge_wings.ravel()[4 * edge[after] + 3 * side[after]] = edge
    vertex_edge = np.full(len(points), n_edges, np.int32)
    numbers = np.repeat(np.arange(n_edges, dtype=np.int32), 2)
    np.minimum.at(vertex_edge, edge_vertices.ravel(), numbers)
    return Arrays(
        points,
        edge_vertices,
        edge_faces,
        edge_wings,
        vertex_edge,
        edge[start[:-1]].astype(np.int32),
    )


def as_polygons(faces: Faces, n_vertices: int) -> Polygons:
    """Read faces as given by the user, (F, k) integers or ragged lists of integers.

    Raises TypeError if an index is no integer (bool, float and object arrays are
    refused); ValueError if the shape is not (F, k); MeshError if an index is out of
    range: naming the face and the corner.
    """
    count, flat = _flatten(faces)
    start = starts(count)
    bad = np.flatnonzero((flat < 0) | (flat >= n_vertices))
    if len(bad):
        face = int(np.searchsorted(start, bad[0], side="right")) - 1
        hint = ""
        if flat.min() == 1 and flat.max() == n_vertices:
            hint = "; these faces seem to count from 1, so subtract 1"
        raise MeshError(
            f"face {face}, corner {bad[0] - start[face]}: vertex {flat[bad[0]]} does "
            f"not exist; vertices are numbered 0 to {n_vertices - 1}{hint}",
            "indices in range",
            Feature("face", face),
        )
    return Polygons(n_vertices, start, flat.astype(np.int64))


def _flatten(faces: Faces) -> tuple[NDArray[np.int64], NDArray[np.integer]]:
    """Split faces into corners per face (F,) and all corners in one row."""
    if isinstance(faces, Polygons):
        return np.diff(faces.start), faces.vertex
    if isinstance(faces, np.ndarray):
        if faces.size == 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        if faces.dtype.kind not in "iu":
            raise TypeError(f"faces are of type {faces.dtype}; give integers")
        if faces.ndim != 2:
            raise ValueError(
                f"faces have shape {faces.shape}; give (F, k) integers or lists of them"
            )
        return np.full(faces.shape[0], faces.shape[1]), faces.ravel()
    try:
        rows = [list(face) for face in faces]  # type: ignore[union-attr,arg-type]
    except TypeError:
        raise TypeError(
            "faces must be a sequence of sequences of vertex numbers, one per face"
        ) from None
    row = list(chain.from_iterable(rows))
    for kind in set(map(type, row)):
        if not issubclass(kind, int | np.integer) or kind is bool:
            raise TypeError(f"faces hold {kind.__name__} values; give integers")
    count = np.array([len(r) for r in rows], dtype=np.int64)
    try:
        return count, np.array(row, dtype=np.int64)
    except OverflowError:
        raise ValueError("faces hold numbers beyond 64 bits; give integers") from None
