"""The invariants of faces: area, plane, convexity; all faces at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import (
    Vector,
    at,
    cross,
    direction,
    dot,
    gather,
    length,
    quotient,
    subtract,
)
from wingedge.errors import MeshError
from wingedge.features import Feature
from wingedge.geometry import face_sums, fan_corners
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import Extent, Positions


class Surface(NamedTuple):
    """What the checks of positions look at."""

    mesh: WingedEdgeMesh
    points: Positions  # (V, 3) as given: for messages
    local: Positions  # (V, 3) about the centre
    extent: Extent
    planar: float  # length by which corners may leave the plane of their polygon


def check_zero_area(surface: Surface) -> None:
    """Refuse faces whose corners lie on a line (or at one place)."""
    mesh, noise = surface.mesh, surface.extent.noise
    start, vertex = mesh.corners
    face = _face_of_corner(mesh)
    corners = gather(surface.local, vertex)
    spokes = subtract(corners, at(corners, start[face]))
    reach = dot(spokes, spokes)
    far = np.zeros(mesh.n_faces, dtype=np.int64)
    longest = np.maximum.reduceat(reach, start[:-1])
    at_end = np.flatnonzero(reach == longest[face])
    far[face[at_end][::-1]] = at_end[::-1]
    base = at(spokes, far[face])
    away = quotient(length(cross(base, spokes)), length(base))
    width = np.maximum.reduceat(away, start[:-1])
    bad = np.flatnonzero(width <= noise)
    if len(bad):
        f = int(bad[0])
        raise MeshError(
            f"face {f} {_corners(mesh, f)} has no area, its corners lie on a line; "
            "remove it and join its neighbours",
            "no zero area",
            Feature("face", f),
        )


def check_fan_areas(surface: Surface) -> None:
    """Refuse polygons whose fan from the first corner has a triangle of no area."""
    a, b, c = fan_corners(surface.mesh, surface.local)
    sides = subtract(b, a), subtract(c, b), subtract(a, c)
    longest = np.maximum.reduce([length(side) for side in sides])
    height = quotient(length(cross(sides[0], sides[1])), longest)
    bad = np.flatnonzero(height <= surface.extent.noise)
    if len(bad):
        f = int(surface.mesh.fan.face[bad[0]])
        corners = surface.mesh.fan.vertex[bad[0]].tolist()
        raise MeshError(
            f"face {f} cannot be split into triangles from its first corner, since "
            f"vertices {corners[0]}, {corners[1]} and {corners[2]} lie on a line; "
            "begin it at another corner",
            "no zero area",
            Feature("face", f),
        )


def check_planar(surface: Surface) -> None:
    """Refuse polygons with corners off their plane."""
    mesh = surface.mesh
    start, vertex = mesh.corners
    count = np.diff(start)
    if count.max() == 3:
        return
    face = _face_of_corner(mesh)
    corners = gather(surface.local, vertex)
    normal = direction(_newell(surface))
    middle = tuple(np.add.reduceat(column, start[:-1]) / count for column in corners)
    x, y, z = middle
    height = np.abs(dot(subtract(corners, at((x, y, z), face)), at(normal, face)))
    worst = int(height.argmax())
    if height[worst] > surface.planar:
        f = int(face[worst])
        raise MeshError(
            f"face {f} is not planar: vertex {vertex[worst]} is {height[worst]:.3g} "
            f"off its plane, {surface.planar:.3g} is allowed; pass triangulate=True, "
            "or raise planar_tolerance",
            "planar faces",
            Feature("face", f),
        )


def check_convex_faces(surface: Surface) -> None:
    """Refuse polygons with a reflex corner, and those that cross themselves."""
    mesh = surface.mesh
    start, vertex = mesh.corners
    if np.diff(start).max() == 3:
        return
    face = _face_of_corner(mesh)
    corners = gather(surface.local, vertex)
    n = len(vertex)
    after = np.arange(1, n + 1)
    after[start[1:] - 1] = start[:-1]
    before = np.empty(n, dtype=np.int64)
    before[after] = np.arange(n)
    arrive = subtract(corners, at(corners, before))
    leave = at(arrive, after)
    turn = cross(arrive, leave)
    total = _newell(surface)
    plain = np.add.reduceat(length(turn), start[:-1])
    sine = dot(turn, at(direction(total), face))
    angle = np.arctan2(sine, dot(arrive, leave))
    turns = np.add.reduceat(angle, start[:-1]) / (2 * np.pi)
    crossing = (np.rint(turns) != 1) | (length(total) <= 1e-9 * plain)
    longer = np.maximum(length(arrive), length(leave))
    beyond = -quotient(sine, longer)  # how far a corner's neighbour is outside
    reflex = beyond > 1e-9 * surface.extent.size + surface.extent.noise
    bad = crossing | np.logical_or.reduceat(reflex, start[:-1])
    if bad.any():
        f = int(np.argmax(bad))
        if crossing[f]:
            trouble = "crosses itself, like a bow-tie or a star; reorder its corners"
        else:
            corner = start[f] + int(np.argmax(beyond[start[f] : start[f + 1]]))
            trouble = (
                f"is not convex at vertex {vertex[corner]}; split it into convex faces"
            )
        raise MeshError(
            f"face {f} {_corners(mesh, f)} {trouble}",
            "convex faces",
            Feature("face", f),
        )


def _newell(surface: Surface) -> Vector:
    """Find twice the vector area of every face, (F,) columns."""
    a, b, c = fan_corners(surface.mesh, surface.local)
    return face_sums(surface.mesh, cross(subtract(b, a), subtract(c, a)))


def _face_of_corner(mesh: WingedEdgeMesh) -> NDArray[np.int64]:
    return np.repeat(np.arange(mesh.n_faces), np.diff(mesh.corners.start))


def _corners(mesh: WingedEdgeMesh, f: int) -> str:
    """Name the corners of a face for a message, at most eight."""
    corners = mesh.face_vertices(f).tolist()
    more = ", ..." if len(corners) > 8 else ""
    return f"({', '.join(map(str, corners[:8]))}{more})"
