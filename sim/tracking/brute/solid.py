"""Whether two surfaces of any shape overlap, and how deep their vertices lie."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sim.kernels import layout
from sim.kernels.overlap.penetration import BROKEN, hulls_frame, inner_radius
from sim.kernels.overlap.polytope import DISTANCE, FINAL, OPEN, PLANE, outward
from sim.kernels.surface.boxes import (
    KEY,
    LEAF_A,
    LEAF_B,
    PIERCED,
    Tree,
    TreeSearch,
    refit,
)
from sim.kernels.surface.inside import INFINITE, PAD, deepest_frame, nearest_to
from sim.kernels.surface.nearest import nearest_points
from sim.kernels.surface.piercing import orientation
from sim.kernels.surface.search import nearest_frame
from sim.kernels.surface.winding import side_of
from sim.kernels.vector import back, minus, put, unit
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
from wingedge.primitives import point_triangle, segment_triangle

Tables = tuple[Tree, Tree, TreeSearch]
BESIDE = 1e-6  # per unit of size: an edge may enter this far beside a triangle


def depth_of_edges(
    a: Surface, b: Surface, off: float, size: float, tree: Tree, room: TreeSearch
) -> float:
    """Return how deep edges of A run inside B, 0 where none does.

    An edge that enters through a rim or a corner, to rounding, pierces none of the
    triangles there beyond doubt, yet it is inside a moment later.  Every place where it
    may pass a triangle by more than ``off``, or beside one, divides it; the middles of
    its parts are asked.  ``tree`` is B's.  Cost: O(E_a F_b).
    """
    middles = _middles(a, b, off, size)
    return float(depths_of(middles, b, tree, room).max(initial=0.0))


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


class Deepest(NamedTuple):
    """The vertex of one body that lies deepest inside the other."""

    depth: float  # 0 where no vertex lies inside
    vertex: int
    triangle: int
    point: Vec  # on the surface of the other body
    at: Vec  # the vertex


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


def depths_of(points: Points, surface: Surface, tree: Tree, room: TreeSearch) -> Points:
    """Return how deep points lie inside a closed surface, 0 outside, by its tree.

    By the side of the nearest feature; where two are as near, or it is folded, by rays.
    Of a collapsed surface each sheet has an inside.
    """
    np.asarray(tree.placed)[:-3] = np.asarray(tree.turned)[:-3] = surface.points.ravel()
    refit(tree)
    sense = 1 if surface.collapsed else orientation(tree)
    reach = max(abs(surface.points).max(), abs(points).max(initial=0.0))
    found = np.zeros(len(points))
    for k, (x, y, z) in enumerate(points.tolist()):
        put(tree.placed, 3 * tree.size, (x, y, z))
        put(tree.turned, 3 * tree.size, (x, y, z))
        square, _, ids, at, twofold = nearest_to(
            tree, tree.size, tree, -1.0, INFINITE, PAD * float(reach), room
        )
        n = unit(minus(at, (x, y, z)))
        twofold = twofold and not surface.collapsed
        if square > 0.0 and side_of(tree, sense, ids, n, (x, y, z), twofold) == -1:
            found[k] = np.sqrt(square)
    return found


def interiors_share(a: Surface, b: Surface, trees: Tables, size: float) -> bool:
    """Say whether points just under A's triangles lie inside B, or the reverse.

    What the strict crossing test cannot see: bodies whose edges run exactly along
    each other's faces, up to two copies of one body in one place.  A collapsed body
    has nothing under its triangles: points on it must lie well inside the other.
    """
    tree_a, tree_b, room = trees
    for one, own, other, tree in ((a, tree_a, b, tree_b), (b, tree_b, a, tree_a)):
        low, high = other.points.min(axis=0), other.points.max(axis=0)
        corners = one.points[one.triangles]
        u, w = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        n = unit_rows(cross_rows(u, w))
        middle = (corners[:, 0] + corners[:, 1] + corners[:, 2]) / 3.0
        if one.collapsed:
            on = np.concatenate([middle, one.points[one.segments].mean(axis=1)])
            if (depths_of(on, other, tree, room) > 1e-9 * size).any():
                return True
            continue
        under = middle - 1e-6 * size * n
        maybe = under[((under > low) & (under < high)).all(axis=1)]
        maybe = maybe[depths_of(maybe, other, tree, room) > 0.0]
        if (depths_of(maybe, one, own, room) > 0.0).any():
            return True
    return False


def deepest_vertices(
    buffers: Buffers, axis: Vec = (0.0, 0.0, 1.0)
) -> tuple[Deepest, Deepest]:
    """Find the vertex of each body deepest inside the other, A's first.

    Cost: O(V log F) about; far less along an axis of little overlap, beyond which no
    vertex lies inside.
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


def depth_of_hulls(buffers: Buffers) -> tuple[int, float, list[Vec]]:
    """Return how the polytope of the hulls ended, the depth it proves, and its axes.

    The best first, then those that tie with it.  Any axis bounds the signed distance
    from below, also the best of those that rounding left; that no better one exists
    needs the proof.  Where rounding tears the polytope, it is tried with twice the
    digits.
    """
    hull = buffers.workspace.hull
    ended = BROKEN
    for hull.filled[2] in (0, 1):
        if ended == BROKEN:
            sides = buffers.first, buffers.second
            ended = buffers.call(hulls_frame, *sides, buffers.workspace)
    hull.filled[2] = 0
    faces = [f for f in range(hull.filled[1]) if hull.state[f] in (OPEN, FINAL)]
    faces.sort(key=lambda f: hull.planes[PLANE * f + DISTANCE])
    depth = inner_radius(hull)
    reach = np.abs(np.asarray(hull.points)[: 3 * hull.filled[0]]).max(initial=0.0)
    level = depth + layout.TOUCH * float(reach)
    tied = [f for f in faces if hull.planes[PLANE * f + DISTANCE] <= level]
    hull.filled[0] = 0
    return ended, depth, [back(outward(hull, f)) for f in tied or faces[:1]]


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
