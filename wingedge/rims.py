"""The rims of what a mesh leaves open in the flat parts of its hull."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.mesh import WingedEdgeMesh
from wingedge.plains import Ids, Longs, Plains, Points

SHRINK = 1e-6  # a triangle that much smaller: edges along its sides do not cross it


class Rim(NamedTuple):
    """Directed edges around the parts of plains that no true face covers.

    What is open lies on their left, as seen from outside.
    """

    tail: Longs
    tip: Longs
    plain: Longs


def rim_of(
    mesh: WingedEdgeMesh,
    points: Points,
    faces: Ids,
    plains: Plains,
    face_plain: Longs,
    tolerance: float,
    ends: Longs,
) -> Rim:
    """Find them: the outlines of the plains less those of the true faces on them.

    ``ends``: (E, 2) the true edges, vertices at one point by the lowest number.
    """
    size = len(points)
    tip = faces[:, [1, 2, 0]].ravel()[plains.outer].astype(np.int64)
    tail = faces.ravel()[plains.outer].astype(np.int64)
    hull = Rim(tail, tip, plains.plain.repeat(3)[plains.outer])
    here = face_plain[mesh.edge_faces.ravel()]
    there = face_plain[mesh.edge_faces[:, ::-1].ravel()]
    outer = (here >= 0) & (here != there)
    true = Rim(ends.ravel()[outer], ends[:, ::-1].ravel()[outer], here[outer])
    hull = _split(points, hull, true, tolerance)
    whole, covered = ((r.plain * size + r.tail) * size + r.tip for r in (hull, true))
    rest, turned = ~np.isin(whole, covered), ~np.isin(covered, whole)
    return Rim(
        np.concatenate([hull.tail[rest], true.tip[turned]]),
        np.concatenate([hull.tip[rest], true.tail[turned]]),
        np.concatenate([hull.plain[rest], true.plain[turned]]),
    )


def _split(points: Points, hull: Rim, true: Rim, tolerance: float) -> Rim:
    """Split the outlines of plains at the true vertices that lie on them.

    Both halves of an edge alike, so at the vertices of the plains on its two sides.
    """
    size = len(points)
    forth = hull.tail * size + hull.tip
    loose = ~np.isin(true.tail * size + true.tip, forth)
    if not loose.any():
        return hull
    on: dict[int, list[int]] = {}
    for v, g in zip(true.tail[loose].tolist(), true.plain[loose].tolist(), strict=True):
        on.setdefault(g, []).append(v)
    beyond = dict(zip(forth.tolist(), hull.plain.tolist(), strict=True))
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
    return Rim(table[:, 0], table[:, 1], table[:, 2])


def true_faces(
    mesh: WingedEdgeMesh,
    points: Points,
    faces: Ids,
    plains: Plains,
    face_plain: Longs,
    rim: Rim,
) -> Ids:
    """Find for every hull face the true face below its middle; -1 for a lid.

    A lid is a hull face that true faces do not cover, or not all of it.
    """
    found = np.full(len(faces), -1, np.int32)
    by_plain = np.argsort(face_plain, kind="stable")
    start = np.searchsorted(face_plain[by_plain], np.arange(len(plains.anchor) + 1))
    many = np.diff(start)
    plain = plains.plain
    simple = (many[plain] == 1) & ~np.isin(plain, rim.plain)
    found[simple] = by_plain[start[plain[simple]]]
    rest = np.flatnonzero(~simple & (many[plain] > 0))
    last, flat, tail, tip = -1, points, points, points
    for k in rest[np.argsort(plain[rest], kind="stable")].tolist():
        g = int(plain[k])
        if g != last:
            last, flat = g, points @ flatten(plains.normal[g]).T
            edges = rim.plain == g
            tail, tip = flat[rim.tail[edges]], flat[rim.tip[edges]]
        if crossing(flat[faces[k]], tail, tip).any():
            continue
        mine = by_plain[start[g] : start[g + 1]]
        middle = flat[faces[k]].mean(axis=0)
        found[k] = _below(mesh, flat, mine, middle)
        if found[k] < 0 and not winds(tail, tip, middle):
            # Narrow, its middle on a side: the face with most of its corners.
            shared = [np.isin(faces[k], mesh.face_vertices(f)).sum() for f in mine]
            found[k] = mine[int(np.argmax(shared))]
    return found


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
    a, b = tail - at, tip - at
    up = (a[:, 1] <= 0.0) & (b[:, 1] > 0.0)
    down = (a[:, 1] > 0.0) & (b[:, 1] <= 0.0)
    left = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return int((up & (left > 0.0)).sum()) != int((down & (left < 0.0)).sum())


def _below(mesh: WingedEdgeMesh, flat: Points, among: Longs, at: Points) -> int:
    """Find the true face that a point of their plane lies in; -1 for none."""
    for f in among.tolist():
        start = mesh.corners.start
        ring = flat[mesh.corners.vertex[start[f] : start[f + 1]]]
        if winds(ring, np.roll(ring, -1, axis=0), at):
            return int(f)
    return -1
