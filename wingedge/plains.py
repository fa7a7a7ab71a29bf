"""The flat parts of a convex hull, and which faces of a mesh lie on them.

After rounding, the triangles of a flat side of a body and those of the hull over it
have little in common but their plane; so planes are compared, within a tolerance.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.connected import connected
from wingedge.mesh import WingedEdgeMesh

Points = NDArray[np.float64]
Ids = NDArray[np.int32]
Longs = NDArray[np.int64]

FAT = 1e3  # a triangle this many tolerances wide has a plane that can be relied on


class Plains(NamedTuple):
    """The flat parts of a hull, numbered from 0."""

    plain: Longs  # (K,) of every hull face
    around: Longs  # (K, 4) its own, and those across its sides
    seam: Longs  # (K,) number of the run of narrow faces that it is in, -1 if wide
    normal: Points  # (G, 3) outward, unit
    anchor: Longs  # (G,) a vertex on each
    outer: NDArray[np.bool_]  # (3 K,) half-edges with another plain beyond


def plains_of(points: Points, faces: Ids, twin: Ids, tolerance: float) -> Plains:
    """Join the triangles of a hull that lie in one plane within tolerance.

    A triangle too narrow to have a plane of its own joins one neighbour at most, the
    largest that it lies in the plane of, so that it bridges no edge.
    """
    count = len(faces)
    a, b, c = (points[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    area = _length(normal)
    normal /= np.where(area > 0.0, area, 1.0)[:, None]
    side = np.maximum(np.maximum(_length(b - a), _length(c - b)), _length(a - c))
    fat = area > FAT * tolerance * side
    half = np.arange(3 * count)
    here, there = half // 3, twin // 3
    apex = points[faces[there, (twin % 3 + 2) % 3]]
    level = np.abs(((apex - a[here]) * normal[here]).sum(axis=1)) <= tolerance
    joined = level & level[twin] & fat[here] & fat[there]
    # Narrow: its corner lies in the neighbour's plane; the largest neighbour wins.
    reach = np.where(level[twin] & ~fat[here], area[there], -1.0).reshape(-1, 3)
    best = reach.argmax(axis=1) + 3 * np.arange(count)
    joined[best[reach.max(axis=1) >= 0.0]] = True
    plain = connected(count, here[joined], there[joined])
    order = np.lexsort((-area, plain))
    lead = order[np.searchsorted(plain[order], np.arange(int(plain.max()) + 1))]
    return Plains(
        plain,
        np.column_stack([plain, plain[there].reshape(-1, 3)]),
        _seams(~fat, here, there),
        normal[lead],
        np.asarray(faces[lead, 0], np.int64),
        plain[here] != plain[there],
    )


def _seams(narrow: NDArray[np.bool_], here: Longs, there: Ids) -> Longs:
    """Count the connected runs of narrow faces off; -1 for the others."""
    both = narrow[here] & narrow[there]
    part = connected(len(narrow), here[both], there[both])
    return np.where(narrow, part, -1)


def located(points: Points, faces: Ids, twin: Ids, near: Ids, centre: Points) -> Ids:
    """Find the hull face that each vertex below the hull is seen through.

    From the centre, walking from the face given for it; -1 stays -1.
    """
    found = near.copy()
    moving = np.flatnonzero(near >= 0)
    seen = points - centre
    for _ in range(len(faces)):
        if len(moving) == 0:
            break
        corners = seen[faces[found[moving]]]
        target = seen[moving]
        left = np.cross(corners, corners[:, [1, 2, 0]])
        beside = (left * target[:, None, :]).sum(axis=2)
        scale = np.abs(left).max(axis=2) * np.abs(target).max(axis=1)[:, None]
        beside /= np.where(scale > 0.0, scale, 1.0)
        worst = beside.argmin(axis=1)
        beyond = beside[np.arange(len(moving)), worst] < -1e-12
        moving, worst = moving[beyond], worst[beyond]
        found[moving] = twin[3 * found[moving] + worst] // 3
    return found


def plain_of_faces(
    mesh: WingedEdgeMesh,
    points: Points,
    faces: Ids,
    below: Ids,
    plains: Plains,
    tolerance: float,
) -> Longs:
    """Find for every true face the plain that all its corners lie on; else -1.

    ``below``: per vertex a hull face that it lies below, -1 for a vertex of the hull.
    """
    groups = len(plains.anchor)
    pairs = _on_plains(points, faces, below, plains, tolerance)
    sizes = np.diff(mesh.corners.start)
    face = np.repeat(np.arange(mesh.n_faces), sizes)
    row, plain = _ranges(pairs, groups, mesh.corners.vertex)
    met, count = np.unique(face[row] * groups + plain, return_counts=True)
    f, g = met // groups, met % groups
    full = count == sizes[f]
    f, g = f[full], g[full]
    normal = area_normals(mesh, points)
    along = (normal[f] * plains.normal[g]).sum(axis=1)
    order = np.lexsort((along, f))  # last of each face: the plain it faces most
    f, g, along = f[order], g[order], along[order]
    outward = along >= -1e-9 * _length(normal[f])  # without area: any
    chosen = np.full(mesh.n_faces, -1)
    chosen[f[outward]] = g[outward]
    return chosen


def _on_plains(
    points: Points, faces: Ids, below: Ids, plains: Plains, tolerance: float
) -> Longs:
    """List vertices with the plains that they lie on, as v G + g, in order.

    Looked at: for a vertex of the hull the plains around it and beyond the narrow faces
    around it; for another one those of the corners of the face that it lies below.
    """
    groups = len(plains.anchor)
    pairs = np.unique(faces.astype(np.int64) * groups + plains.plain[:, None])
    seam = np.flatnonzero(plains.seam >= 0)
    if len(seam):
        beside = np.unique(plains.seam[seam, None] * groups + plains.around[seam])
        row, plain = _ranges(beside, groups, np.repeat(plains.seam[seam], 3))
        met = faces[seam].ravel().astype(np.int64)[row] * groups + plain
        pairs = np.unique(np.concatenate([pairs, met]))
    hidden = np.flatnonzero(below >= 0)
    row, plain = _ranges(pairs, groups, faces[below[hidden]].ravel())
    pairs = np.unique(np.concatenate([pairs, hidden[row // 3] * groups + plain]))
    vertex, plain = pairs // groups, pairs % groups
    off = points[vertex] - points[plains.anchor[plain]]
    near = np.abs((off * plains.normal[plain]).sum(axis=1)) <= tolerance
    found: Longs = pairs[near]
    return found


def _ranges(
    pairs: Longs, groups: int, vertices: NDArray[np.integer]
) -> tuple[Longs, Longs]:
    """Look up all plains of each vertex: rows of ``vertices``, and plains."""
    first = np.searchsorted(pairs, vertices.astype(np.int64) * groups)
    last = np.searchsorted(pairs, (vertices.astype(np.int64) + 1) * groups)
    many = last - first
    row = np.repeat(np.arange(len(vertices)), many)
    place = np.arange(len(row)) - np.repeat(np.cumsum(many) - many, many)
    plain: Longs = pairs[first[row] + place] % groups
    return row, plain


def area_normals(mesh: WingedEdgeMesh, points: Points) -> Points:
    """Return the normals of all true faces, as long as twice their areas, (F, 3)."""
    a, b, c = (points[mesh.fan.vertex[:, k]] for k in range(3))
    n = np.cross(b - a, c - a)
    columns = [np.bincount(mesh.fan.face, n[:, k], mesh.n_faces) for k in range(3)]
    return np.stack(columns, axis=1)


def _length(v: Points) -> Points:
    out: Points = np.sqrt((v * v).sum(axis=1))
    return out
