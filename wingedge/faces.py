"""Check faces: area, plane, convexity, and whether they touch or cross each other."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import (
    Vector,
    at,
    columns,
    cross,
    direction,
    dot,
    gather,
    length,
    quotient,
    rows,
    subtract,
)
from wingedge.errors import MeshError
from wingedge.features import Feature
from wingedge.geometry import face_sums, fan_corners, fan_normals
from wingedge.positions import BodyExtent, Positions
from wingedge.tables import MeshTables, next_in_run, ranges, starts


class CheckedPositions(NamedTuple):
    """Positions to check, with their mesh and tolerances."""

    mesh: MeshTables
    points: Positions  # (V, 3) as given: for messages
    local: Positions  # (V, 3) about the centre
    extent: BodyExtent
    planar: float  # length by which corners may leave the plane of their polygon
    normals: Vector  # (T,) twice the vector areas of the triangles of the fans


def check_zero_area(surface: CheckedPositions) -> None:
    """Refuse faces whose corners lie on a line (or at one place)."""
    mesh, noise = surface.mesh, surface.extent.noise
    start, vertex = mesh.corners
    face = _face_of_corner(mesh)
    corners = gather(surface.local, vertex)
    spokes = subtract(corners, at(corners, start[face]))
    reach = dot(spokes, spokes)
    longest = np.maximum.reduceat(reach, start[:-1])
    at_end = np.flatnonzero(reach == longest[face])
    far = at_end[np.flatnonzero(np.diff(face[at_end], prepend=-1))]
    base = at(spokes, far[face])
    away = quotient(length(cross(base, spokes)), length(base))
    width = np.maximum.reduceat(away, start[:-1])
    bad = np.flatnonzero(width <= noise)
    if len(bad):
        f = int(bad[0])
        said = f"face {f} {_corners(mesh, f)} has no area, its corners lie on a line"
        remedy = "remove it and join its neighbours"
        raise MeshError(f"{said}; {remedy}", "no zero area", Feature("face", f))


def check_planar(
    surface: CheckedPositions,
    remedy: str = "pass triangulate=True, or raise planar_tolerance",
) -> None:
    """Refuse polygons with corners off their plane."""
    mesh = surface.mesh
    start, vertex = mesh.corners
    count = np.diff(start)
    if count.max() == 3:
        return
    face = _face_of_corner(mesh)
    corners = gather(surface.local, vertex)
    normal = direction(face_sums(mesh, surface.normals))
    middle = tuple(np.add.reduceat(column, start[:-1]) / count for column in corners)
    x, y, z = middle
    height = np.abs(dot(subtract(corners, at((x, y, z), face)), at(normal, face)))
    worst = int(height.argmax())
    if height[worst] > surface.planar:
        f = int(face[worst])
        raise MeshError(
            f"face {f} is not planar: vertex {vertex[worst]} is {height[worst]:.3g} "
            f"off its plane, {surface.planar:.3g} is allowed; {remedy}",
            "planar faces",
            Feature("face", f),
        )


def corner_turns(
    surface: CheckedPositions,
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Find polygons that do not go round once, and a concave corner of each, or -1."""
    mesh = surface.mesh
    start, vertex = mesh.corners
    face = _face_of_corner(mesh)
    corners = gather(surface.local, vertex)
    after = next_in_run(start)
    before = np.argsort(after)
    arrive = subtract(corners, at(corners, before))
    leave = at(arrive, after)
    turn = cross(arrive, leave)
    total = face_sums(mesh, surface.normals)
    plain = np.add.reduceat(length(turn), start[:-1])
    sine = dot(turn, at(direction(total), face))
    angle = np.arctan2(sine, dot(arrive, leave))
    turns = np.add.reduceat(angle, start[:-1]) / (2 * np.pi)
    crossing = (np.rint(turns) != 1) | (length(total) <= 1e-9 * plain)
    longer = np.maximum(length(arrive), length(leave))
    beyond = -quotient(sine, longer)  # how far a corner's neighbour is outside
    reflex = beyond > 1e-9 * surface.extent.size + surface.extent.noise
    named = np.maximum.reduceat(np.where(reflex, vertex, -1), start[:-1])
    return crossing, named.astype(np.int64)


def check_convex_faces(surface: CheckedPositions) -> None:
    """Refuse polygons with a reflex corner, and those that cross themselves."""
    if np.diff(surface.mesh.corners.start).max() == 3:
        return
    crossing, reflex = corner_turns(surface)
    bad = np.flatnonzero(crossing | (reflex >= 0))
    if len(bad):
        f = int(bad[0])
        refuse_polygon(surface.mesh, f, -1 if crossing[f] else reflex[f])


def refuse_polygon(mesh: MeshTables, f: int, reflex: int = -1) -> None:
    """Say at which vertex a face is concave, or that it crosses itself."""
    trouble = "crosses itself, like a bow-tie or a star; reorder its corners"
    if reflex >= 0:
        trouble = f"is not convex at vertex {reflex}; split it into convex faces"
        trouble += ", or pass triangulate=True"
    said = f"face {f} {_corners(mesh, f)} {trouble}"
    raise MeshError(said, "convex faces", Feature("face", f))


def _face_of_corner(mesh: MeshTables) -> NDArray[np.int64]:
    return np.repeat(np.arange(mesh.n_faces), np.diff(mesh.corners.start))


def _corners(mesh: MeshTables, f: int) -> str:
    """Name the corners of a face for a message, at most eight."""
    corners = mesh.face_vertices(f).tolist()
    more = ", ..." if len(corners) > 8 else ""
    return f"({', '.join(map(str, corners[:8]))}{more})"


Indices = NDArray[np.int64]

NAME = "no self-touch"
AT_ONCE = 2**17  # pairs looked at together: bounds the memory to some 100 MB


def check_touching(mesh: MeshTables, local: Positions, noise: float) -> None:
    """Refuse faces that cross, faces without a common vertex that touch, and folds.

    ``local`` (V, 3) about the centre; what is closer than ``noise`` touches. Cost: a
    sweep over boxes, then O(1) per overlapping pair.
    """
    _check_folds(mesh, local, noise)
    by_corner = np.array(fan_corners(mesh, local))
    corners = by_corner.transpose(2, 0, 1).copy()  # (T, 3, 3)
    low, high = by_corner.min(axis=0).T - noise, by_corner.max(axis=0).T + noise
    vertex, face = mesh.fan.vertex.T.copy(), mesh.fan.face
    known = np.sort(_face_of_corner(mesh) * mesh.n_vertices + mesh.corners.vertex)
    for i, j in overlapping(low, high):
        # what shares an edge only meets beyond it when folded, which was looked at
        shared = np.zeros(len(i), np.int8)
        for ours in vertex[:, i]:
            shared += np.logical_or.reduce([ours == theirs for theirs in vertex[:, j]])
        other = (shared < 2) & (face[i] != face[j])
        i, j = _not_parted(corners, vertex, i[other], j[other], noise)
        _report(mesh, i, j, _cross(corners[i], corners[j]), "cross")
        apart = ~_share_vertex(mesh, known, face[i], face[j])
        i, j = i[apart], j[apart]
        closest = distance_sq(corners[i], corners[j])
        _report(mesh, i, j, closest <= noise * noise, "touch")


def overlapping(low: Positions, high: Positions) -> Iterator[tuple[Indices, Indices]]:
    """Yield the pairs i, j of boxes (n, 3) that overlap, each once, in chunks.

    A sweep along the longest axis within cells across the others: sorted, box i can
    only meet those that start before it ends. Cost: O(n log n + pairs in a cell).
    """
    n = len(low)
    main, *across = np.argsort(low.min(axis=0) - high.max(axis=0), kind="stable")
    order = np.argsort(low[:, main], kind="stable")
    low, high = low[order].T.copy(), high[order].T.copy()
    reach = np.searchsorted(low[main], high[main], side="right")
    low, high = low[across], high[across]
    base = low.min(axis=1)[:, None]
    spread = high.max(axis=1)[:, None] - base
    width = np.maximum(2 * (high - low).mean(axis=1)[:, None], spread / 512)
    width[width == 0] = 1.0
    copies = np.array([9 * n])
    while copies.sum() > 8 * n:  # until the boxes lie in few cells each
        first = ((low - base) / width).astype(np.int64)
        wide = ((high - base) / width).astype(np.int64) - first + 1
        copies, width = wide[0] * wide[1], 2 * width
    box = np.repeat(np.arange(n), copies)
    nth = ranges(0 * copies, copies)
    cell = (first[0][box] + nth // wide[1][box]) * 1024
    cell += first[1][box] + nth % wide[1][box]
    cell, box = np.divmod(np.sort(cell * n + box), n)
    ends = np.searchsorted(cell * n + box, cell * n + reach[box])
    count = ends - np.arange(len(box)) - 1
    before = starts(count)
    at = 0
    while at < len(box):
        upto = int(np.searchsorted(before, before[at] + AT_ONCE, side="right")) - 1
        upto = max(upto, at + 1)
        some = np.arange(at, upto)
        row, partner = np.repeat(some, count[some]), ranges(some + 1, count[some])
        i, j = box[row], box[partner]
        for k in (1, 0):
            meet = (low[k][i] <= high[k][j]) & (low[k][j] <= high[k][i])
            i, j, row = i[meet], j[meet], row[meet]
        # a pair that meets in several cells counts in the first that both reach
        both = np.maximum(first[:, i], first[:, j])
        meet = both[0] * 1024 + both[1] == cell[row]
        yield order[i[meet]], order[j[meet]]
        at = upto


def _check_folds(mesh: MeshTables, local: Positions, noise: float) -> None:
    """Refuse two faces that lie on each other from their common edge on."""
    # of all triangles of a face: the first one may be without area, its corners in line
    normals = direction(face_sums(mesh, fan_normals(mesh, local)))
    opposite = dot(*(at(normals, faces) for faces in mesh.edge_faces.T))
    for e in np.flatnonzero(opposite < -1 + 1e-12):
        f, g = mesh.edge_faces[e]
        tail = local[mesh.edge_vertices[e, 0]]
        plane = rows(at(normals, f))
        height = np.abs((local[mesh.face_vertices(int(g))] - tail) @ plane).max()
        if height <= noise:
            said = f"faces {f} and {g} are folded onto each other at edge {e}"
            remedy = "open the fold or remove both"
            raise MeshError(f"{said}; {remedy}", NAME, Feature("edge", int(e)))


def _not_parted(
    corners: Positions, vertex: NDArray[np.int32], i: Indices, j: Indices, noise: float
) -> tuple[Indices, Indices]:
    """Drop pairs of triangles (T, 3, 3) that one of their own planes parts clearly.

    Looked at: the plane of each triangle, and those across it along its sides. Where
    they share a corner, ``vertex`` (3, T), this lies on the plane.
    """
    for side in range(-1, 3):
        for turn in (1, -1):
            first, second = (i, j)[::turn]
            one = [columns(corners[first, k]) for k in range(3)]
            sides = [subtract(one[k - 2], one[k]) for k in range(3)]
            axis = cross(sides[0], sides[1])
            axis = axis if side < 0 else cross(sides[side], axis)
            own, other = (
                [dot(axis, subtract(columns(corners[x, k]), one[0])) for k in range(3)]
                for x in (first, second)
            )
            clear = 8 * noise * length(axis)  # rounding takes less than half
            shared = (vertex[:, second, None] == vertex[:, first].T).any(axis=2)
            reach = np.where(shared, -clear, clear)
            above = other - np.maximum.reduce(own) > reach
            below = np.minimum.reduce(own) - other > reach
            near = ~(above.all(axis=0) | below.all(axis=0))
            i, j = i[near], j[near]
    return i, j


def _cross(one: Positions, two: Positions) -> NDArray[np.bool_]:
    """Tell which pairs of triangles (n, 3, 3) have an edge through the other."""
    from wingedge.primitives.segment_triangle import pierces  # few bodies need them

    crossing = np.zeros(len(one), dtype=bool)
    for edges, flat in ((one, two), (two, one)):
        for k in range(3):
            ends = edges[:, k], edges[:, k - 1]
            crossing |= pierces(*ends, *flat.swapaxes(0, 1))
    return crossing


def distance_sq(one: Positions, two: Positions) -> Positions:
    """Find the squared distance of pairs of triangles (n, 3, 3) that do not cross.

    The least of their corners from the other, and of edges (Ericson 2005, 5.1.10).
    """
    from wingedge import primitives

    square = [
        primitives.point_triangle.closest(p[:, k], *q.swapaxes(0, 1)).distance_sq
        for p, q in ((one, two), (two, one))
        for k in range(3)
    ]
    around = [[columns(side[:, k]) for k in (0, 1, 2, 0)] for side in (one, two)]
    square += [  # ends of edges are among the corners
        primitives.segment_segment.perpendicular(*a, *b)[-1]
        for a in pairwise(around[0])
        for b in pairwise(around[1])
    ]
    least: Positions = np.minimum.reduce(square)
    return least


def _share_vertex(
    mesh: MeshTables, known: Indices, f: NDArray[np.int32], g: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Tell which pairs of faces have a vertex in common; ``known``: face, vertex."""
    start, vertex = mesh.corners
    count = np.diff(start)[f]
    pair, corner = np.repeat(np.arange(len(f)), count), ranges(start[f], count)
    key = g[pair].astype(np.int64) * mesh.n_vertices + vertex[corner]
    here = known[np.searchsorted(known[:-1], key)] == key
    return np.bincount(pair[here], minlength=len(f)) > 0


def _report(
    mesh: MeshTables, i: Indices, j: Indices, bad: NDArray[np.bool_], verb: str
) -> None:
    if bad.any():
        faces = np.stack([mesh.fan.face[i[bad]], mesh.fan.face[j[bad]]], axis=1)
        f, g = min(sorted(pair) for pair in faces.tolist())
        remedy = "move them apart, so that the surface meets itself nowhere"
        said = f"faces {f} and {g} {verb} each other; {remedy}"
        raise MeshError(said, NAME, Feature("face", f))
