"""From points and faces as users write them to the arrays of a winged-edge mesh."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.errors import MeshError
from wingedge.features import Feature
from wingedge.positions import as_points, check_coincident, check_finite
from wingedge.topology import Polygons, check_topology

Ints = NDArray[np.int32]


class Arrays(NamedTuple):
    """The arrays of a mesh, in the order of its constructor."""

    points: NDArray[np.float64]
    edge_vertices: Ints
    edge_faces: Ints
    edge_wings: Ints
    vertex_edge: Ints
    face_edge: Ints


def wing(points: ArrayLike, faces: ArrayLike | Sequence[ArrayLike]) -> Arrays:
    """Make the arrays of a `WingedEdgeMesh` from what the user gives.

    Raises
    ------
    MeshError
        If the faces are no closed, oriented, connected surface.
    TypeError, ValueError
        If the arguments are not arrays of the right kind and shape.
    """
    positions = as_points(points)
    polygons = as_polygons(faces, len(positions))
    try:
        check_topology(polygons)
    except MeshError:
        check_finite(positions)
        check_coincident(positions)  # the usual reason why faces do not meet
        raise
    return wings(positions, polygons)


def wings(points: NDArray[np.float64], polygons: Polygons) -> Arrays:
    """Link the five index arrays of polygons that passed `check_topology`."""
    first, edge, side = polygons.edge_first, polygons.edge, polygons.side
    n_edges = len(first)
    edge_vertices = np.stack([polygons.vertex[first], polygons.tip[first]], axis=1)
    edge_faces = np.empty((n_edges, 2), dtype=np.int32)
    edge_faces[edge, side] = polygons.face
    edge_wings = np.empty((n_edges, 2, 2), dtype=np.int32)
    edge_wings[edge, 1 - side, side] = edge[polygons.next]
    edge_wings[edge[polygons.next], side[polygons.next], side[polygons.next]] = edge
    vertex_edge = np.full(polygons.n_vertices, n_edges, dtype=np.int32)
    np.minimum.at(vertex_edge, polygons.vertex, edge)
    return Arrays(
        points,
        edge_vertices.astype(np.int32),
        edge_faces,
        edge_wings,
        vertex_edge,
        edge[polygons.start[:-1]].astype(np.int32),
    )


def as_polygons(faces: ArrayLike | Sequence[ArrayLike], n_vertices: int) -> Polygons:
    """Read faces as given by the user, (F, k) integers or ragged lists of integers.

    Raises
    ------
    TypeError
        If an index is no integer (bool, float and object arrays are refused).
    ValueError
        If the shape is not (F, k).
    MeshError
        If an index is out of range: naming the face and the corner.
    """
    count, flat = _flatten(faces)
    start = np.zeros(len(count) + 1, dtype=np.int64)
    np.cumsum(count, out=start[1:])
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


def _flatten(
    faces: ArrayLike | Sequence[ArrayLike],
) -> tuple[NDArray[np.int64], NDArray[np.integer]]:
    """Split faces into corners per face (F,) and all corners in one row."""
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
