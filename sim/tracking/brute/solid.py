"""Whether two surfaces of any shape overlap, and how deep their vertices lie."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.kernels import layout
from sim.kernels.overlap.penetration import BROKEN, hulls_frame, inner_radius
from sim.kernels.overlap.polytope import DISTANCE, FINAL, OPEN, PLANE, outward
from sim.kernels.surface.boxes import KEY, LEAF_A, LEAF_B, PIERCED, Tree
from sim.kernels.surface.inside import deepest_frame
from sim.kernels.surface.nearest import nearest_points
from sim.kernels.surface.search import nearest_frame
from sim.kernels.vector import HERE, back
from sim.result.answer import Vec
from sim.tracking.brute.axes import Axis
from sim.tracking.brute.nearest import BLOCK, Nearest
from sim.tracking.brute.surface import (
    Ids,
    Points,
    Surface,
    cross_rows,
    dot_rows,
    unit_rows,
)
from sim.tracking.buffers import Buffers
from wingedge.columns import columns
from wingedge.primitives import point_triangle, segment_triangle
from wingedge.signs import side

BESIDE = 1e-6  # per unit of size: an edge may enter this far beside a triangle


def depth_of_edges(a: Surface, b: Surface, off: float, size: float) -> float:
    """Return how deep edges of A run inside B, 0 where none does.

    An edge that enters through a rim or a corner, to rounding, pierces none of the
    triangles there beyond doubt, yet it is inside a moment later.  Every place where it
    may pass a triangle by more than ``off``, or beside one, divides it; the middles of
    its parts are asked.  Cost: O(E_a F_b), and O(F_b) for every part.
    """
    return depth_of(_middles(a, b, off, size), b)


def _middles(a: Surface, b: Surface, off: float, size: float) -> Points:
    """Divide the edges of A where they may pass through B; return the middles."""
    ends, corners = a.points[a.segments], b.points[b.triangles]
    found = []
    for i, t in _boxes_meet(ends, corners, off):
        tail, tip = ends[i, 0], ends[i, 1]
        one = dot_rows(tail - corners[t, 0], b.normals[t])
        two = dot_rows(tip - corners[t, 0], b.normals[t])
        apart = np.abs(one - two)
        passes = (np.maximum(np.abs(one), np.abs(two)) > off) & (apart > 0.0)
        share = np.clip(one[passes] / (one - two)[passes], 0.0, 1.0)
        i, t, tail, tip = i[passes], t[passes], tail[passes], tip[passes]
        at = tail + share[:, None] * (tip - tail)
        c = corners[t]
        near = point_triangle.closest(at, c[:, 0], c[:, 1], c[:, 2]).distance_sq
        kept = near <= (BESIDE * size) ** 2
        for edge in np.unique(i[kept]).tolist():
            cuts = np.unique([0.0, 1.0, *share[kept & (i == edge)].tolist()])
            half = 0.5 * (cuts[1:] + cuts[:-1])
            tail, tip = ends[edge]
            found.append(tail + half[:, None] * (tip - tail))
    return np.concatenate(found) if found else np.empty((0, 3))


def winding(point: Points, surface: Surface) -> int | None:
    """Count how often a surface winds around a point; None where no ray can tell.

    A ray runs along each axis in turn until one passes no triangle edge-on, to
    rounding.  Positive around the inside of a surface that looks outward.  Cost: O(F).
    """
    corners = surface.points[surface.triangles]
    gap = corners - point
    for i in (1, 2, 0):
        u, v = gap[:, :, i], gap[:, :, (i + 1) % 3]
        turns = _turns(u, v, 0, 1) + _turns(u, v, 1, 2) + _turns(u, v, 2, 0)
        met = np.flatnonzero(turns)
        a, b, c = (columns(corners[met, k]) for k in range(3))
        ahead = side(a, b, c, columns(point))
        if (ahead != 0.0).all():
            return int(turns[met][ahead * turns[met] > 0.0].sum())
    return None


def _turns(u: Points, v: Points, i: int, j: int) -> Ids:
    """Count how often sides of triangles pass the first half axis of a plane.

    A side of two triangles counts for both, with opposite signs, to the bit.
    """
    left = u[:, i] * v[:, j] - u[:, j] * v[:, i]
    rises = (v[:, i] <= 0.0) & (v[:, j] > 0.0) & (left > 0.0)
    falls = (v[:, i] > 0.0) & (v[:, j] <= 0.0) & (left < 0.0)
    out: Ids = rises.astype(np.int64) - falls
    return out


FOLDED = 1e-6  # per unit of distance: below this height a fold hides the side
PAD = 64.0 * 2.0**-52  # per unit of reach: distances this near are equal


class Deepest(NamedTuple):
    """The vertex of one body that lies deepest inside the other."""

    depth: float  # 0 where no vertex lies inside
    vertex: int
    triangle: int
    point: Vec  # on the surface of the other body
    at: Vec  # the vertex


class _Found(NamedTuple):
    """What of a surface is nearest to each of N points."""

    square: Points  # (N,) of the distance
    triangle: Ids  # (N,)
    point: Points  # (N, 3) on it
    weights: Points  # (N, 3) of its corners
    twofold: NDArray[np.bool_]  # (N,) another feature is as near


def surfaces_cross(a: Surface, b: Surface) -> bool:
    """Say whether an edge of one surface pierces a triangle of the other.

    Strictly beyond roundoff: exact touch is no crossing.
    """
    return _edges_pierce(a, b) or _edges_pierce(b, a)


def _edges_pierce(a: Surface, b: Surface) -> bool:
    ends, corners = a.points[a.segments], b.points[b.triangles]
    return any(
        segment_triangle.pierces(
            ends[i, 0], ends[i, 1], corners[t, 0], corners[t, 1], corners[t, 2]
        ).any()
        for i, t in _boxes_meet(ends, corners, 0.0)
    )


def _boxes_meet(s: Points, t: Points, off: float) -> Iterator[tuple[Ids, Ids]]:
    """Yield pairs whose boxes come within a distance along every axis, in blocks."""
    low, high = t.min(axis=1) - off, t.max(axis=1) + off
    rows = max(1, BLOCK // max(1, len(t)))
    for k in range(0, len(s), rows):
        part = s[k : k + rows]
        meet = np.ones((len(part), len(t)), bool)
        for axis in range(3):
            meet &= part[:, None, :, axis].min(axis=2) <= high[None, :, axis]
            meet &= part[:, None, :, axis].max(axis=2) >= low[None, :, axis]
        i, j = np.nonzero(meet)
        if len(i):
            yield i + k, j


def lies_inside(point: Vec, surface: Surface, depth: float = 0.0) -> bool:
    """Say whether a point lies inside a closed surface, deeper than ``depth``."""
    return depth_of(np.array([point]), surface) > depth


def depth_of(points: Points, surface: Surface) -> float:
    """Return how deep the deepest of some points lies inside; 0 where none does.

    By the sign of the angle-weighted pseudonormal at the nearest feature: Baerentzen
    and Aanaes (2005), DOI 10.1109/TVCG.2005.49; where two features are as near, or the
    surface is folded onto itself, by rays.  Cost: O(F) per point.
    """
    k, found = _deepest(points, surface)
    return float(np.sqrt(found.square[k])) if k >= 0 else 0.0


def _deepest(points: Points, surface: Surface) -> tuple[int, _Found]:
    """Find the first point that lies inside, the farthest ones first; -1 for none."""
    found = _nearest_points(points, surface)
    for k in np.argsort(-found.square, kind="stable").tolist():
        if found.square[k] > 0.0 and _is_inside(points[k], surface, found, k):
            return k, found
    return -1, found


def _is_inside(p: Points, surface: Surface, found: _Found, k: int) -> bool:
    """Say whether the k-th of some points lies inside."""
    gap = p - found.point[k]
    height = _height(gap, surface, int(found.triangle[k]), found.weights[k])
    least = FOLDED * float(np.sqrt(found.square[k]))
    if surface.collapsed or not (found.twofold[k] or abs(height) <= least):
        return height < 0.0
    turns = winding(p, surface)
    return height < 0.0 if turns is None else turns > 0


def _height(gap: Points, surface: Surface, triangle: int, weights: Points) -> float:
    """Return how far a point is along the normal of its nearest feature.

    ``gap`` leads there from the feature; the normal is as long as it comes.
    """
    at = surface.triangles[triangle][weights > 0.0]
    sharing = np.ones(len(surface.triangles), bool)
    for v in at.tolist():
        sharing &= (surface.triangles == v).any(axis=1)
    n = _pseudonormal(surface.points, surface.triangles[sharing], at)
    return float(gap[0] * n[0] + gap[1] * n[1] + gap[2] * n[2])


def _pseudonormal(points: Points, triangles: Ids, at: Ids) -> Points:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    n = unit_rows(cross_rows(b - a, c - a))
    if len(at) == 1:
        v = int(at[0])
        corner = (triangles == v).argmax(axis=1)
        rows = np.arange(len(triangles))
        u = unit_rows(points[triangles[rows, (corner + 1) % 3]] - points[v])
        w = unit_rows(points[triangles[rows, (corner + 2) % 3]] - points[v])
        angle = np.arccos(np.clip(dot_rows(u, w), -1.0, 1.0))
        n = n * angle[:, None]
    out: Points = n.sum(axis=0)
    return out


def deepest_vertex(a: Surface, b: Surface) -> Deepest:
    """Find the vertex of A deepest inside B; depth 0 where none lies inside.

    Only vertices within B's box can lie inside.  Cost: O(V_a F_b).
    """
    low, high = b.points.min(axis=0), b.points.max(axis=0)
    maybe = np.nonzero(((a.points >= low) & (a.points <= high)).all(axis=1))[0]
    k, found = _deepest(a.points[maybe], b)
    if k < 0:
        return Deepest(0.0, -1, -1, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    (px, py, pz), (x, y, z) = found.point[k].tolist(), a.points[maybe[k]].tolist()
    depth, triangle = float(np.sqrt(found.square[k])), int(found.triangle[k])
    return Deepest(depth, int(maybe[k]), triangle, (px, py, pz), (x, y, z))


def _nearest_points(points: Points, surface: Surface) -> _Found:
    """Find what of a surface is nearest to each of some points."""
    corners = surface.points[surface.triangles]
    u, v, w = corners[:, 0], corners[:, 1], corners[:, 2]
    square, triangle = np.empty(len(points)), np.empty(len(points), np.int64)
    at, weights = np.empty((len(points), 3)), np.empty((len(points), 3))
    twofold = np.zeros(len(points), bool)
    step = max(1, BLOCK // (8 * len(corners)))
    pad = PAD * max(float(abs(surface.points).max()), float(abs(points).max(initial=0)))
    for start in range(0, len(points), step):
        part = slice(start, start + step)
        hit = point_triangle.closest(points[part, None], u, v, w)
        k = hit.distance_sq.argmin(axis=1)
        rows = np.arange(len(k))
        square[part], triangle[part] = hit.distance_sq[rows, k], k
        at[part], weights[part] = hit.point[rows, k], hit.weights[rows, k]
        equal = hit.distance_sq <= ((np.sqrt(square[part]) + pad) ** 2)[:, None]
        for i in np.flatnonzero(equal.sum(axis=1) > 1).tolist():
            shared = surface.triangles[k[i]][hit.weights[i, k[i]] > 0.0]
            ties = surface.triangles[equal[i]]
            same = (ties[:, :, None] == shared).any(axis=1).all(axis=1)
            twofold[start + i] = not same.all()
    return _Found(square, triangle, at, weights, twofold)


def interiors_share(a: Surface, b: Surface, size: float) -> bool:
    """Say whether points just under A's triangles lie inside B, or the reverse.

    What the strict crossing test cannot see: bodies whose edges run exactly along
    each other's faces, up to two copies of one body in one place.  A collapsed body
    has nothing under its triangles: points on it must lie well inside the other.
    """
    for one, other in ((a, b), (b, a)):
        low, high = other.points.min(axis=0), other.points.max(axis=0)
        corners = one.points[one.triangles]
        u, w = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        n = unit_rows(cross_rows(u, w))
        middle = (corners[:, 0] + corners[:, 1] + corners[:, 2]) / 3.0
        if one.collapsed:
            ends = one.points[one.segments]
            for x, y, z in [*middle.tolist(), *ends.mean(axis=1).tolist()]:
                if lies_inside((x, y, z), other, 1e-9 * size):
                    return True
            continue
        under = middle - 1e-6 * size * n
        maybe = under[((under > low) & (under < high)).all(axis=1)]
        for x, y, z in maybe.tolist():
            if lies_inside((x, y, z), other) and lies_inside((x, y, z), one):
                return True
    return False


def deepest_vertices(
    buffers: Buffers, axis: Vec = (0.0, 0.0, 1.0)
) -> tuple[Deepest, Deepest]:
    """Find the vertex of each body deepest inside the other, A's first.

    What ``solid.deepest_vertex`` finds by comparing all.  Cost: O(V log F) about; far
    less along an axis of little overlap, beyond which no vertex lies inside.
    """
    trees, deep = buffers.trees.tables, buffers.trees.deep
    for k in range(3):
        deep.exit[k] = axis[k]
    buffers.call(deepest_frame, buffers.first, buffers.second, *trees, deep)
    found = []
    for k, tree in enumerate(trees[:2]):
        v = deep.vertex[k]
        if v < 0:
            nowhere = (0.0, 0.0, 0.0)
            found.append(Deepest(0.0, -1, -1, nowhere, nowhere))
            continue
        depth = float(np.sqrt(deep.depth[k]))
        x, y, z = (deep.exit[3 * k + i] for i in range(3))
        p, q, r = (tree.placed[3 * v + i] for i in range(3))
        found.append(Deepest(depth, v, deep.triangle[k], (x, y, z), (p, q, r)))
    return found[0], found[1]


def depth_of_hulls(buffers: Buffers) -> tuple[int, float, Vec]:
    """Return how the polytope of the hulls ended, the depth it proves, and its axis.

    Any axis bounds the signed distance from below, also the best of those that
    rounding left; that no better one exists needs the proof.  Where rounding tears the
    polytope, it is tried with twice the digits.
    """
    hull = buffers.workspace.hull
    ended = BROKEN
    for hull.filled[2] in (0, 1):
        if ended == BROKEN:
            sides = buffers.first, buffers.second
            ended = buffers.call(hulls_frame, *sides, buffers.workspace)
    hull.filled[2] = 0
    depth = inner_radius(hull)
    nearest = min(
        (f for f in range(hull.filled[1]) if hull.state[f] in (OPEN, FINAL)),
        key=lambda f: hull.planes[PLANE * f + DISTANCE],
        default=-1,
    )
    hull.filled[0] = 0
    return ended, depth, HERE if nearest < 0 else back(outward(hull, nearest))


def nearest_parted(buffers: Buffers, axis: Axis) -> Nearest | None:
    """Find the closest pair once B has moved along an axis; None where they meet."""
    n, gap = axis.normal, axis.gap
    pose = np.array(buffers.second.pose)
    for i in range(3):
        pose[4 * i + 3] -= gap * n[i]
    a, b, search = buffers.trees.tables
    moved = buffers.trees.elsewhere(buffers.second, pose)
    search.counts[LEAF_A] = a.leaf_of[axis.support_a]  # where hulls touch, or near it
    search.counts[LEAF_B] = b.leaf_of[axis.support_b]
    own = buffers.first, moved, buffers.workspace
    buffers.call(nearest_frame, *own, a, b, search)
    buffers.workspace.result.known = 0  # the parts named are those of other places
    if search.counts[PIERCED] == 1 or search.best[0] < 0:
        return None  # the search stopped there, or found them to share insides
    i, j, k, p, q, r = (search.best[m] for m in range(KEY))
    x, y = nearest_points(a, (i, j, k), b, (p, q, r))
    d = float(np.sqrt(sum((y[m] - x[m]) ** 2 for m in range(3))))
    return Nearest(d, x, y, held(a, (i, j, k), x), held(b, (p, q, r), y), -1, -1)


def held(tree: Tree, key: tuple[int, int, int], x: Vec) -> tuple[int, ...]:
    """Return the vertices of what holds a closest point: one alone that it lies on."""
    ids = tuple(v for v in key if v >= 0)
    for v in ids:
        corner = [tree.placed[3 * v + m] for m in range(3)]
        near = layout.TOUCH * max(map(abs, corner))
        if max(abs(c - p) for c, p in zip(corner, x, strict=True)) <= near:
            return (v,)
    return ids
