"""Build the arrays of a mesh from points and faces; check what needs no positions."""

from collections.abc import Callable, Sequence
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


Broken = tuple[str, str, int] | None  # what is wrong; the element: kind and number


def without_faces(polygons: Polygons) -> Broken:
    """Say that a mesh has no faces."""
    if len(polygons.start) < 2:
        return "the mesh has no faces; a body needs at least four", "", 0
    return None


def with_few_corners(polygons: Polygons) -> Broken:
    """Name a face of fewer than three corners."""
    count = np.diff(polygons.start)
    if count.min() >= 3:
        return None
    f = int(np.argmax(count < 3))
    return f"face {f} needs at least three corners, it has {count[f]}", "face", f


def with_a_repeat(polygons: Polygons) -> Broken:
    """Name a face that passes a vertex twice."""
    if np.diff(polygons.start).max() == 3 and (polygons.vertex != polygons.tip).all():
        return None
    first = first_alike(polygons.face * polygons.n_vertices + polygons.vertex)
    again = first != np.arange(len(first))
    if not again.any():
        return None
    corner = int(np.argmax(again))
    f, twice = int(polygons.face[corner]), polygons.vertex[corner]
    return f"face {f} passes vertex {twice} twice; list every corner once", "face", f


def unused(polygons: Polygons) -> Broken:
    """Name a vertex that belongs to no face."""
    count = np.bincount(polygons.vertex, minlength=polygons.n_vertices)
    alone = np.flatnonzero(count == 0)
    if not len(alone):
        return None
    v, more = int(alone[0]), f" (and {len(alone) - 1} more)" if len(alone) > 1 else ""
    said = f"vertex {v}{more} belongs to no face; remove it from the points"
    return said, "vertex", v


def without_two_faces(polygons: Polygons) -> Broken:
    """Name an edge with one face (open) or more than two (not a surface)."""
    count = np.bincount(polygons.edge)
    bad = np.flatnonzero(count != 2)
    if not len(bad):
        return None
    # an edge with too many faces explains the holes beside it, so it comes first
    e = int(bad[np.argmax(count[bad] > 2)])
    faces = [int(f) for f in polygons.face[polygons.edge == e]]
    more = f"; {len(bad) - 1} more edges are like it" if len(bad) > 1 else ""
    said = (
        f"has one face, {faces[0]}; the mesh must be closed: add the missing face or "
        "close the hole"
    )
    if count[e] > 2:
        said = (
            f"has {count[e]} faces, {listed(faces)}; every edge needs exactly two: "
            "remove the faces too many or split the body there"
        )
    return f"{polygons.edge_text(e)} {said}{more}", "edge", e


def walked_one_way(polygons: Polygons) -> Broken:
    """Name an edge along which both faces run in the same direction."""
    first = polygons.edge_first[polygons.edge]
    same = (polygons.side == 1) & (polygons.vertex == polygons.vertex[first])
    wrong = np.flatnonzero(np.bincount(polygons.edge[same], minlength=len(first)))
    if not len(wrong):
        return None
    e = int(wrong[0])
    faces = polygons.face[polygons.edge == e]
    both = np.concatenate([polygons.face[same], polygons.face[first[same]]])
    turned = faces[int(np.argmax(np.bincount(both)[faces]))]
    said = (
        f"{polygons.edge_text(e)} is walked in the same direction by faces "
        f"{listed(faces)}; reverse the corners of face {turned}, so that both are "
        "counter-clockwise seen from outside"
    )
    return said, "edge", e


def in_pieces(polygons: Polygons) -> Broken:
    """Name a face of another body than the first."""
    first = polygons.edge_first
    ends = polygons.vertex[first], polygons.tip[first]
    label = connected(polygons.n_vertices, *ends)
    if not label.any():
        return None
    vertex = int(np.argmax(label != label[0]))
    f = int(polygons.face[np.argmax(polygons.vertex == vertex)])
    said = (
        f"the mesh is in {label.max() + 1} pieces, face {f} is not connected to face "
        "0; make one mesh per piece"
    )
    return said, "face", f


def joining_fans(polygons: Polygons) -> Broken:
    """Name a vertex at which two sheets of the surface meet in a point."""
    # a corner and the corner reached over the edge that it leaves by share their fan
    n = len(polygons.vertex)
    first, again = polygons.edge_first[polygons.edge], np.flatnonzero(polygons.side)
    other = first.copy()
    other[first[again]] = again
    degree = np.bincount(polygons.vertex)
    begins = np.empty_like(degree)
    begins[polygons.vertex] = np.arange(n)
    _, ring = unroll(polygons.next[other], begins, degree)
    if np.bincount(ring, minlength=n).max() <= 1:
        return None
    label = connected(n, np.arange(n), polygons.next[other])
    fans = np.bincount(polygons.vertex[np.unique(label, return_index=True)[1]])
    v = int(np.argmax(fans > 1))
    said = f"vertex {v} joins {fans[v]} separate fans of faces"
    return f"{said}; give every fan its own vertex", "vertex", v


# in this order: each check may rely on the ones before it
TOPOLOGY: dict[str, Callable[[Polygons], Broken]] = {
    "not empty": without_faces,
    "three corners per face": with_few_corners,
    "no repeated vertex in a face": with_a_repeat,
    "no unused vertex": unused,
    "two faces per edge": without_two_faces,
    "consistent orientation": walked_one_way,
    "one component": in_pieces,
    "one fan of faces per vertex": joining_fans,
}


def check_topology(polygons: Polygons) -> None:
    """Check every invariant of `TOPOLOGY`, in order; MeshError names the first broken.

    Cost: a few sorts of the corners.
    """
    for invariant, find in TOPOLOGY.items():
        if broken := find(polygons):
            said, kind, number = broken
            raise MeshError(said, invariant, Feature(kind, number) if kind else None)


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
    face_edge = edge[start[:-1]].astype(np.int32)
    return Arrays(points, edge_vertices, edge_faces, edge_wings, vertex_edge, face_edge)


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
        at = f"face {face}, corner {bad[0] - start[face]}: vertex {flat[bad[0]]}"
        said = f"{at} does not exist; vertices are numbered 0 to {n_vertices - 1}"
        if flat.min() == 1 and flat.max() == n_vertices:
            said += "; these faces seem to count from 1, so subtract 1"
        raise MeshError(said, "indices in range", Feature("face", face))
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
