"""Compute normals, areas, volumes from positions: on demand, never kept.

Every function takes a mesh and optionally current positions ``points`` (V, 3), body
frame; None means the rest positions. All work relative to a local origin first, so the
digits that positions have far from the origin are not lost twice. A polygon that leaves
its plane is the fan of triangles from its first corner. Each raises ValueError or
TypeError when ``points`` is not a finite (V, 3) array, and costs O(E).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import (
    Vector,
    add,
    at,
    blocks,
    columns,
    cross,
    direction,
    dot,
    gather,
    length,
    rows,
    subtract,
)
from wingedge.positions import (
    EPS,
    LARGEST,
    as_points,
    check_magnitude,
    extent,
    refuse_masked,
)
from wingedge.tables import MeshTables

Array = NDArray[np.float64]
Triangles = tuple[Vector, Vector, Vector]

__all__ = [
    "area",
    "centroid",
    "edge_lengths",
    "face_areas",
    "face_normals",
    "planes",
    "size",
    "volume",
]


def face_normals(mesh: MeshTables, points: ArrayLike | None = None) -> Array:
    """Return the outward unit normals, (F, 3); zero for a face of no area.

    Newell's: the vector area of the polygon, whatever its shape.
    """
    _, normals, _ = _triangles(mesh, points)
    return rows(direction(face_sums(mesh, normals)))


def face_areas(mesh: MeshTables, points: ArrayLike | None = None) -> Array:
    """Return the areas of the faces, (F,) [length unit squared]."""
    _, normals, _ = _triangles(mesh, points)
    return np.bincount(mesh.fan.face, weights=length(normals)) / 2


def planes(mesh: MeshTables, points: ArrayLike | None = None) -> Array:
    """Return plane coefficients [a, b, c, d] of the faces, (F, 4).

    ``a x + b y + c z + d`` is the signed distance of (x, y, z), positive outside; the
    plane passes through the face's first corner.
    """
    corners, normals, centre = _triangles(mesh, points)
    unit = direction(face_sums(mesh, normals))
    first = mesh.corners.start[:-1] - 2 * np.arange(mesh.n_faces)
    anchor = add(at(corners[0], first), columns(centre))
    return np.concatenate([rows(unit), -dot(unit, anchor)[:, None]], axis=1)


def edge_lengths(mesh: MeshTables, points: ArrayLike | None = None) -> Array:
    """Return the lengths of the edges, (E,)."""
    tail, tip = mesh.edge_vertices.T
    positions = positions_of(mesh, points)
    return length(subtract(gather(positions, tip), gather(positions, tail)))


def size(mesh: MeshTables, points: ArrayLike | None = None) -> float:
    """Return the largest extent about the centre: half the longest box side."""
    return extent(positions_of(mesh, points)).size


def area(mesh: MeshTables, points: ArrayLike | None = None) -> float:
    """Return the area of the surface [length unit squared]."""
    return float(face_areas(mesh, points).sum())


def volume(mesh: MeshTables, points: ArrayLike | None = None) -> float:
    """Return the enclosed volume; negative for a body that is inside-out."""
    corners, normals, _ = _triangles(mesh, points)
    return float(dot(corners[0], normals).sum()) / 6


def centroid(mesh: MeshTables, points: ArrayLike | None = None) -> Array:
    """Return the centre of mass of the enclosed volume, (3,).

    For a body without volume: the centre of mass of its surface.
    """
    corners, normals, centre = _triangles(mesh, points)
    middle = rows(add(add(corners[0], corners[1]), corners[2]))
    weights, share = dot(corners[0], normals), 4
    if is_flat(corners, normals):
        weights, share = length(normals), 3
    total = float(weights.sum())
    if total == 0:
        return centre
    mean: Array = (weights[:, None] * middle).sum(axis=0) / (share * total)
    return centre + mean


def positions_of(
    mesh: MeshTables, points: ArrayLike | None, *, any_size: bool = False
) -> Array:
    """Take the positions given for a mesh, or its rest positions, checked; not a copy.

    ``any_size``: for whoever scales them before taking powers.

    Raises ValueError if the shape is not (V, 3) or a coordinate is not finite, or too
    large for its powers, naming the vertex; TypeError if they are not real numbers.
    """
    if points is None:
        return mesh.points
    given = shaped(points, mesh.points.shape)
    if not any_size and np.abs(given).max() > LARGEST:
        check_magnitude(given, extent(given))
    return given


def shaped(points: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Take positions of a mesh of this shape, finite; not a copy."""
    refuse_masked(points, "points")
    is_plain = isinstance(points, np.ndarray) and points.dtype == np.float64
    given: Array = np.asarray(points if is_plain else as_points(points))
    if given.shape != shape:
        raise ValueError(f"points have shape {given.shape}; this mesh needs {shape}")
    finite = np.isfinite(given)
    if not finite.all():
        v = int(np.argmin(finite.all(axis=1)))
        place = given[v].tolist()
        raise ValueError(f"vertex {v} is at {place}; give finite coordinates")
    return given


def fan_corners(
    mesh: MeshTables, positions: Array, some: slice = slice(None)
) -> Triangles:
    """Gather the corners of fan triangles, three times (T,) columns."""
    corners = gather(positions, mesh.fan.vertex[some].T)
    return at(corners, 0), at(corners, 1), at(corners, 2)


def fan_normals(mesh: MeshTables, positions: Array) -> Vector:
    """Find twice the vector area of every fan triangle, (T,) columns."""
    normals = np.empty((3, len(mesh.fan.face)))
    positions = np.asfortranarray(positions)
    for some in blocks(len(mesh.fan.face)):
        a, b, c = fan_corners(mesh, positions, some)
        normals[:, some] = cross(subtract(b, a), subtract(c, a))
    return normals[0], normals[1], normals[2]


def face_sums(mesh: MeshTables, per_triangle: Vector) -> Vector:
    """Sum what the triangles of every fan have, (T,) to (F,) columns."""
    if len(mesh.fan.face) == mesh.n_faces:
        return per_triangle
    first = mesh.corners.start[:-1] - 2 * np.arange(mesh.n_faces)
    x, y, z = (np.add.reduceat(column, first) for column in per_triangle)
    return x, y, z


def is_flat(corners: Triangles, normals: Vector) -> bool:
    """Tell whether the volume of fan triangles is no more than rounding of its terms.

    ``corners`` about a local origin, ``normals`` twice the vector areas.
    """
    reach = max(float(np.abs(x).max()) for x in corners[0])
    terms = reach * float(length(normals).sum())
    return abs(float(dot(corners[0], normals).sum())) <= 24 * EPS * terms


def _triangles(
    mesh: MeshTables, points: ArrayLike | None
) -> tuple[Triangles, Vector, Array]:
    """Gather the fan about the local origin, twice its vector areas, and the origin."""
    positions = positions_of(mesh, points)
    centre = extent(positions).centre
    local = np.asfortranarray(positions - centre)
    return fan_corners(mesh, local), fan_normals(mesh, local), centre
