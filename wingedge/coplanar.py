"""Group the coplanar triangles of a convex hull; tell where points and edges are there.

After rounding, the triangles of a flat side of a body and those of the hull over it
have little in common but their plane; so planes are compared, within a tolerance.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import columns, cross, dot, length
from wingedge.tables import connected

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


def coplanar_groups(
    points: Points, faces: Ids, twin: Ids, tolerance: float
) -> CoplanarGroups:
    """Join the triangles of a hull that lie in one plane within tolerance.

    A triangle too narrow to have a plane of its own joins one neighbour at most, the
    largest that it lies in the plane of, so that it bridges no edge.
    """
    count = len(faces)
    a, b, c = (points[faces[:, k]] for k in range(3))
    normal = normals_of(points, faces)
    area = length(columns(normal))
    normal /= np.where(area > 0.0, area, 1.0)[:, None]
    side = np.maximum.reduce([length(columns(v)) for v in (b - a, c - b, a - c)])
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
    )


def located(seen: Points, faces: Ids, twin: Ids, target: Points, first: Ids) -> Ids:
    """Find the hull face that each of several points is seen through, from the origin.

    Walking from face to face; ``first`` of them.
    """
    found = first.copy()
    moving = np.arange(len(target))
    for _ in range(len(faces)):
        if len(moving) == 0:
            break
        corners = seen[faces[found[moving]]]
        aim = target[moving]
        left = np.cross(corners, corners[:, [1, 2, 0]])
        beside = (left * aim[:, None, :]).sum(axis=2)
        scale = np.abs(left).max(axis=2) * np.abs(aim).max(axis=1)[:, None]
        beside /= np.where(scale > 0.0, scale, 1.0)
        worst = beside.argmin(axis=1)
        beyond = beside[np.arange(len(moving)), worst] < -1e-12
        moving, worst = moving[beyond], worst[beyond]
        found[moving] = twin[3 * found[moving] + worst] // 3
    return found


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


def normals_of(points: Points, triangles: NDArray[np.integer]) -> Points:
    """Return twice the vector areas of triangles, (K, 3)."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    normals: Points = np.cross(b - a, c - a)
    return normals


def volumes(points: Points, triangles: NDArray[np.integer], about: Points) -> Points:
    """Return the signed volumes of the tetrahedra from a point to triangles."""
    a, b, c = (columns(points[triangles[:, k]] - about) for k in range(3))
    return dot(a, cross(b, c)) / 6.0


SHRINK = 1e-6  # a triangle that much smaller: edges along its sides do not cross it


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


def windings(tail: Points, tip: Points, at: Points) -> NDArray[np.int64]:
    """Say for each directed edge in a plane how it goes round a point.

    1 or -1 where it crosses the ray from the point along the first axis; else 0.
    """
    a, b = tail - at, tip - at
    up = (a[:, 1] <= 0.0) & (b[:, 1] > 0.0)
    down = (a[:, 1] > 0.0) & (b[:, 1] <= 0.0)
    left = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return (up & (left > 0.0)).astype(np.int64) - (down & (left < 0.0))
