"""Group the coplanar faces of a convex hull, and bound what a mesh leaves open there.

After rounding, the triangles of a flat side of a body and those of the hull over it
have little in common but their plane; so planes are compared, within a tolerance.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.mesh import WingedEdgeMesh
from wingedge.tables import connected, ranges

Points = NDArray[np.float64]
Ids = NDArray[np.int32]
Longs = NDArray[np.int64]

FAT = 1e3  # a triangle this many tolerances wide has a plane that can be relied on


class CoplanarGroups(NamedTuple):
    """The flat parts of a hull, numbered from 0."""

    group: Longs  # (K,) of every hull face
    around: Longs  # (K, 4) its own, and those across its sides
    narrow_run: Longs  # (K,) run of narrow faces that it is in, -1 if wide
    normal: Points  # (G, 3) outward, unit
    anchor: Longs  # (G,) a vertex on each
    outer: NDArray[np.bool_]  # (3 K,) half-edges with another group beyond


def coplanar_groups(
    points: Points, faces: Ids, twin: Ids, tolerance: float
) -> CoplanarGroups:
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
    both = ~fat[here] & ~fat[there]
    group = connected(count, here[joined], there[joined])
    order = np.lexsort((-area, group))
    lead = order[np.searchsorted(group[order], np.arange(int(group.max()) + 1))]
    return CoplanarGroups(
        group,
        np.column_stack([group, group[there].reshape(-1, 3)]),
        np.where(fat, -1, connected(count, here[both], there[both])),
        normal[lead],
        np.asarray(faces[lead, 0], np.int64),
        group[here] != group[there],
    )


def located(points: Points, faces: Ids, twin: Ids, centre: Points) -> Ids:
    """Find the hull face that each vertex below the hull is seen through; else -1.

    From the centre, walking from face to face.
    """
    found = np.zeros(len(points), np.int32)
    found[faces] = -1
    moving = np.flatnonzero(found == 0)
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


def group_of_faces(
    mesh: WingedEdgeMesh,
    points: Points,
    faces: Ids,
    below: Ids,
    groups: CoplanarGroups,
    tolerance: float,
) -> Longs:
    """Find for every true face the group that all its corners lie on; else -1.

    ``below``: per vertex a hull face that it lies below, -1 for a vertex of the hull.
    """
    n_groups = len(groups.anchor)
    pairs = _on_groups(points, faces, below, groups, tolerance)
    sizes = np.diff(mesh.corners.start)
    face = np.repeat(np.arange(mesh.n_faces), sizes)
    row, group = _ranges(pairs, n_groups, mesh.corners.vertex)
    met, count = np.unique(face[row] * n_groups + group, return_counts=True)
    f, g = met // n_groups, met % n_groups
    full = count == sizes[f]
    f, g = f[full], g[full]
    normal = area_normals(mesh, points)
    along = (normal[f] * groups.normal[g]).sum(axis=1)
    order = np.lexsort((along, f))  # last of each face: the group it faces most
    f, g, along = f[order], g[order], along[order]
    outward = along >= -1e-9 * _length(normal[f])  # without area: any
    chosen = np.full(mesh.n_faces, -1)
    chosen[f[outward]] = g[outward]
    return chosen


def _on_groups(
    points: Points, faces: Ids, below: Ids, groups: CoplanarGroups, tolerance: float
) -> Longs:
    """List vertices with the groups that they lie on, as v G + g, in order.

    Looked at: for a vertex of the hull the groups around it and beyond the narrow faces
    around it; for another one those of the corners of the face that it lies below.
    """
    n_groups = len(groups.anchor)
    pairs = np.unique(faces.astype(np.int64) * n_groups + groups.group[:, None])
    narrow_run = np.flatnonzero(groups.narrow_run >= 0)
    if len(narrow_run):
        beside = np.unique(
            groups.narrow_run[narrow_run, None] * n_groups + groups.around[narrow_run]
        )
        row, group = _ranges(
            beside, n_groups, np.repeat(groups.narrow_run[narrow_run], 3)
        )
        met = faces[narrow_run].ravel().astype(np.int64)[row] * n_groups + group
        pairs = np.unique(np.concatenate([pairs, met]))
    hidden = np.flatnonzero(below >= 0)
    row, group = _ranges(pairs, n_groups, faces[below[hidden]].ravel())
    pairs = np.unique(np.concatenate([pairs, hidden[row // 3] * n_groups + group]))
    vertex, group = pairs // n_groups, pairs % n_groups
    off = points[vertex] - points[groups.anchor[group]]
    near = np.abs((off * groups.normal[group]).sum(axis=1)) <= tolerance
    found: Longs = pairs[near]
    return found


def _ranges(
    pairs: Longs, n_groups: int, vertices: NDArray[np.integer]
) -> tuple[Longs, Longs]:
    """Look up all groups of each vertex: rows of ``vertices``, and groups."""
    first = np.searchsorted(pairs, vertices.astype(np.int64) * n_groups)
    last = np.searchsorted(pairs, (vertices.astype(np.int64) + 1) * n_groups)
    many = last - first
    row = np.repeat(np.arange(len(vertices)), many)
    group: Longs = pairs[ranges(first, many)] % n_groups
    return row, group


def area_normals(mesh: WingedEdgeMesh, points: Points) -> Points:
    """Return the normals of all true faces, as long as twice their areas, (F, 3)."""
    a, b, c = (points[mesh.fan.vertex[:, k]] for k in range(3))
    n = np.cross(b - a, c - a)
    columns = [np.bincount(mesh.fan.face, n[:, k], mesh.n_faces) for k in range(3)]
    return np.stack(columns, axis=1)


def _length(v: Points) -> Points:
    out: Points = np.sqrt((v * v).sum(axis=1))
    return out


def twins_of(faces: Ids, size: int) -> Ids | None:
    """Find the other half of every half-edge, (3 K,); None if the faces do not close.

    Half-edge 3 k + s runs from corner s of face k to the next.
    """
    tail = faces.astype(np.int64).ravel()
    tip = faces[:, [1, 2, 0]].astype(np.int64).ravel()
    vertices = np.count_nonzero(np.bincount(tail, minlength=size))
    if len(faces) < 4 or vertices - len(tail) // 2 + len(faces) != 2 or len(faces) % 2:
        return None  # not one sphere
    key = np.minimum(tail, tip) * size + np.maximum(tail, tip)
    order = np.argsort(key)
    one, two = order[0::2], order[1::2]
    paired = (key[one] == key[two]) & (tail[one] == tip[two])
    if not paired.all() or (key[one[1:]] == key[one[:-1]]).any():
        return None
    twin = np.empty(len(tail), np.int32)
    twin[one], twin[two] = two, one
    return twin


def volumes(points: Points, triangles: NDArray[np.integer], about: Points) -> Points:
    """Return the signed volumes of the tetrahedra from a point to triangles."""
    a, b, c = (points[triangles[:, k]] - about for k in range(3))
    x = b[:, 1] * c[:, 2] - b[:, 2] * c[:, 1]
    y = b[:, 2] * c[:, 0] - b[:, 0] * c[:, 2]
    z = b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0]
    out: Points = (a[:, 0] * x + a[:, 1] * y + a[:, 2] * z) / 6.0
    return out


SHRINK = 1e-6  # a triangle that much smaller: edges along its sides do not cross it


class BoundaryLoops(NamedTuple):
    """Hold directed edges around the parts of groups that no true face covers.

    What is open lies on their left, as seen from outside.
    """

    tail: Longs
    tip: Longs
    group: Longs


def boundary_loops(
    mesh: WingedEdgeMesh,
    points: Points,
    faces: Ids,
    groups: CoplanarGroups,
    face_group: Longs,
    tolerance: float,
    ends: Longs,
) -> BoundaryLoops:
    """Find the outlines of the groups less those of the true faces on them.

    ``ends``: (E, 2) the true edges, vertices at one point by the lowest number.
    """
    size = len(points)
    tip = faces[:, [1, 2, 0]].ravel()[groups.outer].astype(np.int64)
    tail = faces.ravel()[groups.outer].astype(np.int64)
    hull = BoundaryLoops(tail, tip, groups.group.repeat(3)[groups.outer])
    here = face_group[mesh.edge_faces.ravel()]
    there = face_group[mesh.edge_faces[:, ::-1].ravel()]
    outer = (here >= 0) & (here != there)
    true = BoundaryLoops(ends.ravel()[outer], ends[:, ::-1].ravel()[outer], here[outer])
    hull = _split(points, hull, true, tolerance)
    whole, covered = ((r.group * size + r.tail) * size + r.tip for r in (hull, true))
    rest, turned = ~np.isin(whole, covered), ~np.isin(covered, whole)
    return BoundaryLoops(
        np.concatenate([hull.tail[rest], true.tip[turned]]),
        np.concatenate([hull.tip[rest], true.tail[turned]]),
        np.concatenate([hull.group[rest], true.group[turned]]),
    )


def _split(
    points: Points, hull: BoundaryLoops, true: BoundaryLoops, tolerance: float
) -> BoundaryLoops:
    """Split the outlines of groups at the true vertices that lie on them.

    Both halves of an edge alike, so at the vertices of the groups on its two sides.
    """
    size = len(points)
    forth = hull.tail * size + hull.tip
    loose = ~np.isin(true.tail * size + true.tip, forth)
    if not loose.any():
        return hull
    on: dict[int, list[int]] = {}
    for v, g in zip(true.tail[loose].tolist(), true.group[loose].tolist(), strict=True):
        on.setdefault(g, []).append(v)
    beyond = dict(zip(forth.tolist(), hull.group.tolist(), strict=True))
    rows: list[tuple[int, int, int]] = []
    for a, b, g in zip(*(column.tolist() for column in hull), strict=True):
        both = on.get(g, []) + on.get(beyond.get(b * size + a, g), [])
        maybe = np.array(sorted({*both} - {a, b}), np.int64)
        way = points[b] - points[a]
        off = points[maybe] - points[a]
        t = (off * way).sum(axis=1) / float((way * way).sum())
        off -= t[:, None] * way
        near = ((off * off).sum(axis=1) <= tolerance**2) & (t > 0.0) & (t < 1.0)
        stops = [a, *maybe[near][np.argsort(t[near])].tolist(), b]
        rows += [(i, j, g) for i, j in pairwise(stops)]
    table = np.array(rows, np.int64).reshape(-1, 3)
    return BoundaryLoops(table[:, 0], table[:, 1], table[:, 2])


def flatten(normal: Points) -> Points:
    """Return two axes across a normal, (2, 3), counter-clockwise about it."""
    first = np.zeros(3)
    first[int(np.abs(normal).argmin())] = 1.0
    u = np.cross(first, normal)
    u /= np.sqrt((u * u).sum())
    return np.stack([u, np.cross(normal, u)])


def crossing(corners: Points, tail: Points, tip: Points) -> NDArray[np.bool_]:
    """Say which segments cross the inside of a triangle, all in one plane.

    Segments along a side of it do not.
    """
    middle = corners.mean(axis=0)
    corners = middle + (1.0 - SHRINK) * (corners - middle)
    low, high = np.zeros(len(tail)), np.ones(len(tail))
    for k in range(3):
        side = corners[(k + 1) % 3] - corners[k]
        inside = (
            side[0] * (tail - corners[k])[:, 1] - side[1] * (tail - corners[k])[:, 0]
        )
        after = side[0] * (tip - corners[k])[:, 1] - side[1] * (tip - corners[k])[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = inside / (inside - after)
        low = np.where((inside < 0.0) & (after >= 0.0), np.maximum(low, t), low)
        high = np.where((inside >= 0.0) & (after < 0.0), np.minimum(high, t), high)
        high = np.where((inside < 0.0) & (after < 0.0), -1.0, high)
    crosses: NDArray[np.bool_] = low < high
    return crosses


def winds(tail: Points, tip: Points, at: Points) -> bool:
    """Say whether directed edges in a plane wind around a point."""
    return int(windings(tail, tip, at).sum()) != 0


def windings(tail: Points, tip: Points, at: Points) -> NDArray[np.int64]:
    """Say for each directed edge in a plane how it goes round a point.

    1 or -1 where it crosses the ray from the point along the first axis; else 0.
    """
    a, b = tail - at, tip - at
    up = (a[:, 1] <= 0.0) & (b[:, 1] > 0.0)
    down = (a[:, 1] > 0.0) & (b[:, 1] <= 0.0)
    left = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return (up & (left > 0.0)).astype(np.int64) - (down & (left < 0.0))
