"""Check every invariant of a mesh by name: the links of its arrays, then positions."""

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge import faces
from wingedge.build import TOPOLOGY, Polygons, check_topology, linked, wing
from wingedge.columns import at, columns, cross, direction, dot, gather, length, rows
from wingedge.convex import convexity
from wingedge.errors import MeshError
from wingedge.features import Feature
from wingedge.geometry import face_sums, fan_normals
from wingedge.positions import (
    EPS,
    Positions,
    as_points,
    check_coincident,
    check_finite,
    check_magnitude,
    extent,
)
from wingedge.tables import MeshTables, next_in_run, starts

Mesh = TypeVar("Mesh", bound=MeshTables)


def check_links(mesh: MeshTables) -> None:
    """Check shapes and ranges, and that linking the faces anew gives the same arrays.

    Raises MeshError under the names "indices in range" and "linked arrays".
    """
    _check_ranges(mesh)
    _check_starts(mesh)
    start, half = mesh._face_rings
    after = next_in_run(start)
    ends, met = mesh.edge_vertices.ravel(), np.bincount(half, minlength=len(half))
    broken = (met[half] != 1) | (ends[half[after]] != ends[half ^ 1])
    if broken.any():
        f = int(np.searchsorted(start, np.argmax(broken), side="right")) - 1
        _refuse(f"the walk around face {f} misses some of its edges", "face", f)
    made = linked(mesh.points, mesh.edge_vertices, start, half)
    wrong = (made.edge_faces != mesh.edge_faces).any(axis=1)
    wrong |= (made.edge_wings != mesh.edge_wings).any(axis=(1, 2))
    if wrong.any():
        e = int(np.argmax(wrong))
        here, there = mesh.edge_wings[e].tolist(), made.edge_wings[e].tolist()
        said = f"edge_wings[{e}] is {here}, but its faces go on by {there}"
        _refuse(said, "edge", e)


def _refuse(said: str, kind: str, row: int, name: str = "linked arrays") -> NoReturn:
    element = Feature(kind, row) if kind else None
    raise MeshError(f"{said}; build the mesh with from_faces", name, element)


def _check_ranges(mesh: MeshTables) -> None:
    v, e, f = mesh.n_vertices, mesh.n_edges, mesh.n_faces
    wanted = {
        "points": ((v, 3), 0, ""),
        "edge_vertices": ((e, 2), v, "edge"),
        "edge_faces": ((e, 2), f, "edge"),
        "edge_wings": ((e, 2, 2), e, "edge"),
        "vertex_edge": ((v,), e, "vertex"),
        "face_edge": ((f,), e, "face"),
    }
    for name, (shape, bound, kind) in wanted.items():
        array: NDArray[np.int32] = getattr(mesh, name)
        if array.shape != shape:
            _refuse(f"{name} has shape {array.shape}, it must be {shape}", "", 0)
        wrong = ((array < 0) | (array >= bound)).reshape(len(array), -1).any(axis=1)
        if kind and wrong.any():
            row = int(np.argmax(wrong))
            said = f"{name}[{row}] is {array[row].tolist()}, beyond 0 to {bound - 1}"
            _refuse(said, kind, row, "indices in range")


def _check_starts(mesh: MeshTables) -> None:
    for kind, first, pairs in (
        ("vertex", mesh.vertex_edge, mesh.edge_vertices),
        ("face", mesh.face_edge, mesh.edge_faces),
    ):
        away = (pairs[first] != np.arange(len(first))[:, None]).all(axis=1)
        if away.any():
            row = int(np.argmax(away))
            at = f"edge {first[row]}, which is not at {kind} {row}"
            _refuse(f"{kind}_edge[{row}] is {at}", kind, row)


def validate(
    mesh: MeshTables,
    points: ArrayLike | None = None,
    *,
    planar_tolerance: float | None = None,
) -> None:
    """Check every invariant in `INVARIANTS`, in order; return nothing when all hold.

    Raises MeshError for the first invariant that is broken: ``.invariant`` is its name,
    ``.element`` the vertex, edge or face; TypeError, ValueError if ``points`` is not a
    real (V, 3) array.

    Cost: O(E) sorts and gathers. Only a body that is not convex has its faces compared
    with each other: 0.8 s for 100 000 faces.

    Parameters: ``points`` (V, 3): current positions to judge instead of the rest
    positions, body frame; ``planar_tolerance``: how far corners may leave the plane of
    their polygon, relative to the size; None means what the mesh was built with.
    """
    check_links(mesh)
    start, vertex = mesh.corners
    check_topology(Polygons(mesh.n_vertices, start.astype(int), vertex.astype(int)))
    positions = mesh.points if points is None else as_points(points)
    if positions.shape != mesh.points.shape:
        raise ValueError(
            f"points have shape {positions.shape}; this mesh needs {mesh.points.shape}"
        )
    check_positions(mesh, positions, planar_tolerance)


def check_positions(
    mesh: MeshTables, positions: Positions, planar_tolerance: float | None = None
) -> None:
    """Check the invariants of positions alone, on a mesh whose topology is sound."""
    surface = positions_to_check(mesh, positions, planar_tolerance)
    for check in _POSITIONS:
        check(surface)


def check_flatness(mesh: MeshTables, positions: Positions) -> None:
    """Refuse positions at which a polygon leaves its plane."""
    remedy = 'use Body(..., flatness="fan"), or a mesh of triangles'
    faces.check_planar(positions_to_check(mesh, positions), remedy)


def positions_to_check(
    mesh: MeshTables, positions: Positions, planar_tolerance: float | None = None
) -> faces.CheckedPositions:
    """Measure positions for the checks; refuse what is no number, or too large."""
    if planar_tolerance is None:
        planar_tolerance = mesh.planar_tolerance
    check_finite(positions)
    about = extent(positions)
    check_magnitude(positions, about)
    planar = planar_tolerance * about.size + about.noise
    local = np.asfortranarray(positions - about.centre)
    normals = fan_normals(mesh, local)
    return faces.CheckedPositions(mesh, positions, local, about, planar, normals)


def check_flat(surface: faces.CheckedPositions) -> None:
    """Refuse bodies without thickness over the plane of their largest triangle."""
    largest = length(surface.normals).argmax()
    normal = direction(at(surface.normals, largest))
    heights = dot(columns(surface.local), normal)
    thickness = float(heights.max() - heights.min())
    if thickness <= surface.extent.noise:
        raise MeshError(
            f"the mesh is flat, {thickness:.3g} thick; give the body a volume",
            "positive volume",
        )


def check_outward(surface: faces.CheckedPositions) -> None:
    """Refuse bodies that are inside-out, as a whole or in part."""
    first = gather(surface.local, surface.mesh.fan.vertex[:, 0])
    inside = float(dot(first, surface.normals).sum()) / 6
    nothing = surface.extent.noise * float(length(surface.normals).sum()) / 2
    doubt = len(surface.mesh.fan.vertex) * EPS * surface.extent.size**3
    if inside <= nothing and abs(inside) <= 64 * doubt:  # as of a needle of 1e-10
        inside, nothing = _exact_volume(surface), 0.0
    if inside <= nothing:
        how = "inside-out" if inside < -nothing else "inside-out in part"
        raise MeshError(
            f"the mesh is {how}, its volume is {inside:.6g}; reverse the corners of "
            "its faces, so that they are counter-clockwise seen from outside",
            "positive volume",
        )


def _exact_volume(surface: faces.CheckedPositions) -> float:
    """Return the volume without rounding: products of long edges have none of it."""
    from fractions import Fraction  # here: few bodies need it

    from wingedge import signs

    whole = [[Fraction(x) for x in point] for point in surface.points.tolist()]
    total = Fraction(0)
    for a, b, c in surface.mesh.fan.vertex.tolist():
        total += signs.volume(*whole[0], *whole[a], *whole[b], *whole[c])
    return float(total / 6)


def check_self_touch(surface: faces.CheckedPositions) -> None:
    """Refuse surfaces that touch, cross or fold onto themselves."""
    if not convexity(surface.mesh, surface.local).is_convex():
        faces.check_touching(surface.mesh, surface.local, surface.extent.noise)


# in this order: the better explanation of a trouble comes first
_POSITIONS: tuple[Callable[[faces.CheckedPositions], None], ...] = (
    check_flat,
    lambda surface: check_coincident(surface.points),
    faces.check_zero_area,
    faces.check_convex_faces,
    faces.check_planar,
    check_outward,
    check_self_touch,
)

INVARIANTS: tuple[str, ...] = (
    *("indices in range", "linked arrays", *TOPOLOGY, "finite", "sane magnitude"),
    *("positive volume", "no self-touch", "no zero area"),
    *("convex faces", "planar faces"),
)


def cut(mesh: Mesh, everything: bool) -> Mesh:
    """Cut polygons that are not convex into triangles, or ``everything``.

    Convex ones into the fans from their first corners, others by clipping ears in the
    plane of their vector area, the roundest first.  ``source_faces`` are the numbers
    before.  Raises MeshError for a polygon that is not simple, naming it.
    """
    start, vertex = mesh.corners
    count = np.diff(start)
    if count.max() == 3:
        return mesh
    surface = positions_to_check(mesh, mesh.points)
    check_coincident(mesh.points)
    faces.check_zero_area(surface)
    crossing, reflex = faces.corner_turns(surface)
    chosen = (reflex >= 0) | crossing
    if everything:  # triangles in a fan must have an area
        flat = length(surface.normals) <= surface.extent.noise * surface.extent.size
        chosen[mesh.fan.face[flat]] = True
    chosen &= count > 3
    source = np.arange(len(count), dtype=np.int32)
    if chosen.any():
        rings = np.split(vertex, start[1:-1])
        normal = rows(direction(face_sums(mesh, surface.normals)))
        for f in np.flatnonzero(chosen).tolist():
            ears = [] if crossing[f] else _ears(surface, rings[f], normal[f])
            if not ears:
                faces.refuse_polygon(mesh, f)
            rings[f] = rings[f][np.ravel(ears)]
        times = np.where(chosen, count - 2, 1)
        source = np.repeat(source, times)
        first = starts(np.repeat(np.where(chosen, 3, count), times))
        corner = np.concatenate(rings).astype(np.int64)
        polygons = Polygons(mesh.n_vertices, first, corner)
        mesh = replace(mesh, **wing(mesh.points, polygons)._asdict())
    elif not everything:
        return mesh
    if everything:
        source = source[mesh.fan.face]
        mesh = replace(mesh, **wing(mesh.points, mesh.fan.vertex)._asdict())
    return replace(mesh, source_faces=source)


def _ears(
    surface: faces.CheckedPositions, ring: NDArray[np.integer], normal: Positions
) -> list[NDArray[np.int64]]:
    """Cut a polygon into triangles; into none if that fails, as it then meets itself.

    Each is a corner and those beside it, with no other corner in it or within rounding
    of it.  A simple polygon has one; of those within rounding, the exact test decides.
    """
    axis = np.zeros(3)
    axis[np.argmin(np.abs(normal))] = 1.0
    n, p = columns(normal), columns(surface.local[ring])
    u = direction(cross(n, columns(axis)))
    x = np.stack([dot(p, u), dot(p, cross(n, u))], axis=1)
    for noise in (surface.extent.noise, 0.0):
        left, worth, ears = np.arange(len(ring)), np.zeros(len(ring)), []
        while len(left) > 3:
            if not worth.any():  # a corner may have been in the way that is not now
                worth = np.array([_ear(x, left, k, noise) for k in range(len(left))])
            k = int(worth.argmax())
            if not worth[k]:
                break
            ears.append(left.take([k - 1, k, k + 1], mode="wrap"))
            left, worth = np.delete(left, k), np.delete(worth, k)
            for beside in (k - 1, k % len(left)):
                worth[beside] = _ear(x, left, beside, noise)
        if len(left) == 3 and worth.any():
            return [*ears, left]
    return []


def _ear(x: Positions, ring: NDArray[np.int64], k: int, noise: float) -> float:
    """Return how round the triangle at a corner is; 0 if it cannot be cut off."""
    own = np.arange(k - 1, k + 2) % len(ring)
    triangle = x[ring[own]]
    side = triangle[[1, 2, 0]] - triangle
    size = np.sqrt((side * side).sum(axis=1))
    area = float(side[0, 0] * side[1, 1] - side[0, 1] * side[1, 0])
    longest = float(size.max())
    if area <= noise * longest:
        return 0.0
    to = x[ring][:, None] - triangle
    left = side[:, 0] * to[:, :, 1] - side[:, 1] * to[:, :, 0]
    inside = (left >= -noise * size).all(axis=1)
    inside[own] = False
    return 0.0 if inside.any() else area / longest**2
