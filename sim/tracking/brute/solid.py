"""Whether two surfaces of any shape overlap, how deep, and a short way to part them.

Where a body is not convex the hulls' penetration may be many times too deep.  B is
moved along the hulls' axis, and along the ways on which the deepest vertices leave, or
the normals beside where edges cross, to where a search of both surfaces shows them
apart, and back to where they touch.
"""

from operator import is_
from typing import NamedTuple

import numpy as np

from sim.engine.bound import floats, ints
from sim.kernels import layout
from sim.kernels.overlap.penetration import BROKEN, hulls_frame, inner_radius
from sim.kernels.overlap.polytope import DISTANCE, FINAL, OPEN, PLANE, outward
from sim.kernels.surface.inside import Deep, deepest_frame
from sim.kernels.surface.nearest import nearest_points
from sim.kernels.surface.search import meeting_frame, true_frame
from sim.kernels.surface.ties import pair_of
from sim.kernels.vector import HERE, along, back, cross, dot, minus, point, unit
from sim.kernels.workspace import Tree
from sim.result.answer import Vec
from sim.tracking.brute.axes import Axis
from sim.tracking.brute.nearest import Nearest
from sim.tracking.buffers import Buffers, Tables


class Deepest(NamedTuple):
    """The vertex of one body that lies deepest inside the other."""

    depth: float  # 0 where no vertex lies inside
    vertex: int
    triangle: int
    point: Vec  # on the surface of the other body
    at: Vec  # the vertex


def solids_meet(buffers: Buffers) -> bool:
    """Say whether two bodies share some of their insides, beyond rounding."""
    assert buffers.trees
    meet = buffers.call(meeting_frame, *buffers.tables) == 1
    buffers.workspace.result.known = 0
    return meet


def deepest_vertices(
    buffers: Buffers, axis: Vec = (0.0, 0.0, 1.0)
) -> tuple[Deepest, Deepest]:
    """Find the vertex of each body deepest inside the other, A's first.

    Cost: O(V log F) about; far less along an axis of little overlap.
    """
    trees, ids = buffers.trees, ints(np.zeros(4, np.int32))
    way = floats(np.array([*axis, 0.0, 0.0, 0.0]))
    deep = Deep(floats(np.zeros(2)), ids[:2], ids[2:], way)
    buffers.call(deepest_frame, buffers.first, buffers.second, *trees, deep)
    found = [Deepest(0.0, -1, -1, HERE, HERE)] * 2
    for k, tree in enumerate(trees[:2]):
        if (v := deep.vertex[k]) >= 0:
            depth, at = float(np.sqrt(deep.depth[k])), point(tree.placed, v)
            found[k] = Deepest(depth, v, deep.triangle[k], point(deep.exit, k), at)
    return found[0], found[1]


def depth_of_hulls(buffers: Buffers) -> tuple[int, float, list[Vec]]:
    """Return how the polytope of the hulls ended, the depth it proves, and its axes.

    The best first, then those that tie with it: bounds from below whatever is proven.
    Where rounding tears the polytope, it is tried with twice the digits.
    """
    hull = buffers.workspace.hull
    ended = BROKEN
    for hull.filled[2] in (0, 1):
        if ended == BROKEN:
            ended = buffers.call(hulls_frame, *buffers.tables)
    hull.filled[2] = 0
    faces = [f for f in range(hull.filled[1]) if hull.state[f] in (OPEN, FINAL)]
    faces.sort(key=lambda f: hull.planes[PLANE * f + DISTANCE])
    depth = inner_radius(hull)
    reach = np.abs(np.asarray(hull.points)[: 3 * hull.filled[0]]).max(initial=0.0)
    level = depth + layout.TOUCH * float(reach)
    tied = [f for f in faces if hull.planes[PLANE * f + DISTANCE] <= level]
    hull.filled[0] = 0
    return ended, depth, [back(outward(hull, f)) for f in tied or faces[:1]]


def _to_move(buffers: Buffers) -> Tables:
    """Lay out bodies with poses of their own, to write; once while they are those."""
    if not all(map(is_, buffers.tables, buffers.moved[0])):
        (one, two, pair), (x, y) = buffers.tables, map(floats, np.zeros((2, 12)))
        own = pair._replace(search=pair.search._replace(pair_only=1))
        moved = one._replace(pose=x), two._replace(pose=y), own
        buffers.moved = buffers.tables, moved
    return buffers.moved[1]


def nearest_parted(buffers: Buffers, axis: Axis) -> Nearest | None:
    """Find the closest pair once B has moved along an axis; None where they meet."""
    a, b, search = buffers.trees
    still, moved, _ = tables = _to_move(buffers)
    here, there = np.asarray(still.pose), np.asarray(moved.pose)
    here[:], there[:] = buffers.first.pose, buffers.second.pose
    here[3::4], there[3::4] = 0.0, buffers.origin() - axis.gap * np.array(axis.normal)
    search.state.leaf_a = a.leaf_of[axis.support_a]  # where hulls touch, or near it
    search.state.leaf_b = b.leaf_of[axis.support_b]
    status = buffers.call(true_frame, *tables)
    buffers.workspace.result.known = 0  # the parts named are those of other places
    if status == layout.OVERLAP or search.best[0] < 0:
        return None  # the search stopped there, or found them to share insides
    ids_a, ids_b = pair_of(search.best, 0)
    x, y = nearest_points(a, b, search.best, 0)
    d = float(np.sqrt(sum((y[m] - x[m]) ** 2 for m in range(3))))
    return Nearest(d, x, y, held(a, ids_a, x), held(b, ids_b, y), -1, -1)


def held(tree: Tree, key: tuple[int, int, int], x: Vec) -> tuple[int, ...]:
    """Return the vertices of what holds a closest point: one alone that it lies on."""
    ids = tuple(v for v in key if v >= 0)
    for v in ids:
        corner = point(tree.placed, v)
        near = layout.TOUCH * max(map(abs, corner))
        if max(abs(c - p) for c, p in zip(corner, x, strict=True)) <= near:
            return (v,)
    return ids


FIRST = 1.0 / 64.0  # of the hulls' penetration: the shortest shift that is tried
STEPS = 12  # back to the touch, at most: each ends a face's part of the way
APART = 1e-12  # per unit of size: of surfaces nearer than that a search is not sure
SHALLOW = 1e-4  # per unit of size: where hulls overlap by less, theirs is the way
SAVED = 1e-3  # a way that is shorter by no more than this part is none


class Parting(NamedTuple):
    """Where two surfaces touch once B has moved along a direction."""

    shift: float
    normal: Vec
    pair: Nearest  # the closest places there
    unique: bool | None  # whether no others are as near; None: not known


def shortest_parting(
    buffers: Buffers, axis: Axis, in_b: Deepest, in_a: Deepest, size: float
) -> Parting | None:
    """Return the shortest way to part that is found, if shorter than the axis."""
    least, most = max(in_a.depth, in_b.depth), -axis.gap
    least = least if least <= most else 0.0  # what crosses itself has no inside
    if most <= SHALLOW * size or least >= most - SAVED * most:
        return None  # the deepest vertex leaves no shorter way
    ways = []
    if in_b.depth > 0.0:  # a vertex of A leaves B: B goes the other way
        ways.append(back(unit(minus(in_b.point, in_b.at))))
    if in_a.depth > 0.0:
        ways.append(unit(minus(in_a.point, in_a.at)))
    ways = [*(ways or _across(buffers, axis)), axis.normal]
    found: Parting | None = None
    shift = max(least, most * FIRST)
    while found is None and shift < 2.0 * most:
        for way in ways:
            last = axis._replace(normal=way, gap=-min(shift, most))
            free = None if way == HERE else _parted(buffers, last, size)
            if free is not None:
                parting = _touching(buffers, axis, free, least, size)
                if parting.shift < most - SAVED * most:
                    found, most = parting, parting.shift
        shift *= 2.0
    return found


def _parted(buffers: Buffers, axis: Axis, size: float) -> Parting | None:
    """Move B along an axis by its gap; None where the surfaces may meet there."""
    pair = nearest_parted(buffers, axis)
    if pair is None or pair.distance <= APART * size:
        return None
    alone = buffers.trees[2].state.ties <= 1
    return Parting(-axis.gap, axis.normal, pair, alone)


def _across(buffers: Buffers, axis: Axis) -> list[Vec]:
    """List the normals of the triangles beside a place where the surfaces cross."""
    nearest_parted(buffers, axis._replace(gap=0.0))
    one, two, search = buffers.trees
    beside, ways = ((one, search.state.here_a), (two, search.state.here_b)), []
    for (tree, leaf), sign in zip(beside, (1.0, -1.0), strict=True):
        for t in range(tree.triangle_start[leaf], tree.triangle_start[leaf + 1]):
            p, q, r = (point(tree.placed, tree.triangle[3 * t + k]) for k in range(3))
            ways.append(along(HERE, sign, unit(cross(minus(q, p), minus(r, p)))))
    return list(dict.fromkeys(ways))


def _touching(
    buffers: Buffers, axis: Axis, free: Parting, least: float, size: float
) -> Parting:
    """Move B back to where the surfaces touch; they are apart wherever it ends."""
    near = 4.0 * APART * size
    for _ in range(STEPS):
        d, way = free.pair.distance, free.normal
        if d <= near:
            break
        across = unit(minus(free.pair.point_b, free.pair.point_a))
        # As far as the plane between the closest places; else as is free for sure.
        for step in (d / max(dot(across, way), 0.01), d):
            shift = max(free.shift - step + 0.5 * near, least)
            nearer = _parted(buffers, axis._replace(normal=way, gap=-shift), size)
            if nearer is not None:
                free = nearer
                break
        else:
            break
    return free
