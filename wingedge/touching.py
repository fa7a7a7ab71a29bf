"""Whether a surface touches or crosses itself; asked of bodies that are not convex."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import columns, cross, direction, dot, length, rows, subtract
from wingedge.errors import MeshError
from wingedge.features import Feature
from wingedge.geometry import face_sums, fan_corners
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import Positions
from wingedge.primitives import point_triangle, segment_segment, segment_triangle

Indices = NDArray[np.int64]

NAME = "no self-touch"
AT_ONCE = 2**20  # pairs looked at together: bounds the memory to some 100 MB


def check_touching(mesh: WingedEdgeMesh, local: Positions, noise: float) -> None:
    """Refuse faces that cross, faces without a common vertex that touch, and folds.

    ``local`` (V, 3) about the centre; what is closer than ``noise`` touches. Cost: a
    sweep over boxes, then O(1) per overlapping pair.
    """
    _check_folds(mesh, local, noise)
    corners = np.stack([rows(c) for c in fan_corners(mesh, local)], axis=1)  # (T, 3, 3)
    low, high = corners.min(axis=1) - noise, corners.max(axis=1) + noise
    vertex, face = mesh.fan
    for i, j in overlapping(low, high):
        # what shares an edge only meets beyond it when folded, which was looked at
        common = vertex[i][:, :, None] == vertex[j][:, None, :]
        other = (face[i] != face[j]) & (common.sum(axis=(1, 2)) < 2)
        i, j, common = i[other], j[other], common[other]
        near = _reaches(corners[i], corners[j], common.any(axis=1), noise)
        i, j, common = i[near], j[near], common[near]
        near = _reaches(corners[j], corners[i], common.any(axis=2), noise)
        i, j = i[near], j[near]
        _report(mesh, i, j, _cross(corners[i], corners[j]), "cross")
        apart = ~_share_vertex(mesh, face[i], face[j])
        i, j = i[apart], j[apart]
        closest = distance_sq(corners[i], corners[j])
        _report(mesh, i, j, closest <= noise * noise, "touch")


def overlapping(low: Positions, high: Positions) -> Iterator[tuple[Indices, Indices]]:
    """Yield the pairs i, j of boxes (n, 3) that overlap, each once, in chunks.

    A sweep along the longest axis within slabs across the second: sorted, box i can
    only meet those that start before it ends. Cost: O(n log n + pairs in a slab).
    """
    spread = high.max(axis=0) - low.min(axis=0)
    main, second, _ = np.argsort(-spread, kind="stable")
    base = float(low[:, second].min())
    typical = float((high - low)[:, second].mean())
    n_slabs = int(np.clip(spread[second] / (2 * typical), 1, 512)) if typical else 1
    width = spread[second] / n_slabs or 1.0
    slab_of = ((low[:, second] - base) / width).astype(np.int64)
    slab_end = ((high[:, second] - base) / width).astype(np.int64)
    copies = slab_end - slab_of + 1
    box = np.repeat(np.arange(len(low)), copies)
    slab = slab_of[box] + np.arange(len(box)) - (np.cumsum(copies) - copies)[box]
    order = np.lexsort((low[box, main], slab))
    box, slab = box[order], slab[order]
    first = np.searchsorted(slab, np.arange(slab[-1] + 2))
    ends = np.empty(len(box), dtype=np.int64)
    for s in range(len(first) - 1):
        here = slice(first[s], first[s + 1])
        starts = low[box[here], main]
        ends[here] = first[s] + np.searchsorted(
            starts, high[box[here], main], side="right"
        )
    count = ends - np.arange(len(box)) - 1
    before = np.concatenate([[0], np.cumsum(count)])
    at = 0
    while at < len(box):
        upto = int(np.searchsorted(before, before[at] + AT_ONCE, side="right")) - 1
        upto = max(upto, at + 1)
        row = np.repeat(np.arange(at, upto), count[at:upto])
        partner = row + 1 + np.arange(len(row)) - (before[row] - before[at])
        i, j = box[row], box[partner]
        meet = ((low[i] <= high[j]) & (low[j] <= high[i])).all(axis=1)
        # a pair that meets in several slabs counts in the first that both reach
        meet &= slab[row] == np.maximum(slab_of[i], slab_of[j])
        yield i[meet], j[meet]
        at = upto


def _check_folds(mesh: WingedEdgeMesh, local: Positions, noise: float) -> None:
    """Refuse two faces that lie on each other from their common edge on."""
    a, b, c = fan_corners(mesh, local)
    # of all triangles of a face: the first one may be without area, its corners in line
    x, y, z = direction(face_sums(mesh, cross(subtract(b, a), subtract(c, a))))
    left, right = mesh.edge_faces.T
    opposite = x[left] * x[right] + y[left] * y[right] + z[left] * z[right]
    for e in np.flatnonzero(opposite < -1 + 1e-12):
        f, g = mesh.edge_faces[e]
        tail = local[mesh.edge_vertices[e, 0]]
        plane = np.array([x[left[e]], y[left[e]], z[left[e]]])
        height = np.abs((local[mesh.face_vertices(int(g))] - tail) @ plane).max()
        if height <= noise:
            raise MeshError(
                f"faces {f} and {g} are folded onto each other at edge {e}; open the "
                "fold or remove both",
                NAME,
                Feature("edge", int(e)),
            )


def _reaches(
    flat: Positions, other: Positions, common: NDArray[np.bool_], noise: float
) -> NDArray[np.bool_]:
    """Tell which triangles (n, 3, 3) reach the planes of their partners.

    Corners that both have (``common``, (n, 3), of ``other``) do not count.
    """
    a, b, c = (columns(flat[:, k]) for k in range(3))
    normal = cross(subtract(b, a), subtract(c, a))
    slack = noise * length(normal)
    above = np.ones(len(flat), dtype=bool)
    below = np.ones(len(flat), dtype=bool)
    for k in range(3):
        height = dot(normal, subtract(columns(other[:, k]), a))
        above &= (height > slack) | common[:, k]
        below &= (height < -slack) | common[:, k]
    return ~(above | below)


def _cross(one: Positions, two: Positions) -> NDArray[np.bool_]:
    """Tell which pairs of triangles (n, 3, 3) have an edge through the other."""
    crossing = np.zeros(len(one), dtype=bool)
    for edges, flat in ((one, two), (two, one)):
        for k in range(3):
            crossing |= segment_triangle.pierces(
                edges[:, k], edges[:, k - 1], flat[:, 0], flat[:, 1], flat[:, 2]
            )
    return crossing


def distance_sq(one: Positions, two: Positions) -> Positions:
    """Find the squared distance of pairs of triangles (n, 3, 3) that do not cross."""
    best = np.full(len(one), np.inf)
    for points, flat in ((one, two), (two, one)):
        for k in range(3):
            near = point_triangle.closest(
                points[:, k], flat[:, 0], flat[:, 1], flat[:, 2]
            )
            best = np.minimum(best, near.distance_sq)
    for k in range(3):
        for m in range(3):
            pair = segment_segment.closest(
                one[:, k], one[:, k - 1], two[:, m], two[:, m - 1]
            )
            best = np.minimum(best, pair.distance_sq)
    return best


def _share_vertex(
    mesh: WingedEdgeMesh, f: NDArray[np.int32], g: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Tell which pairs of faces have a vertex in common."""
    if mesh.n_faces == len(mesh.fan.face):
        triangles = mesh.fan.vertex
        equal = triangles[f][:, :, None] == triangles[g][:, None, :]
        shared: NDArray[np.bool_] = equal.any(axis=(1, 2))
        return shared
    corners = [set(mesh.face_vertices(k).tolist()) for k in range(mesh.n_faces)]
    return np.array(
        [not corners[a].isdisjoint(corners[b]) for a, b in zip(f, g, strict=True)],
        dtype=bool,
    )


def _report(
    mesh: WingedEdgeMesh, i: Indices, j: Indices, bad: NDArray[np.bool_], verb: str
) -> None:
    if bad.any():
        faces = np.stack([mesh.fan.face[i[bad]], mesh.fan.face[j[bad]]], axis=1)
        f, g = min(sorted(pair) for pair in faces.tolist())
        raise MeshError(
            f"faces {f} and {g} {verb} each other; move them apart, so that the "
            "surface meets itself nowhere",
            NAME,
            Feature("face", f),
        )
