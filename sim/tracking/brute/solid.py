"""Whether two surfaces of any shape overlap, and how deep their vertices lie."""

from typing import NamedTuple

import numpy as np

from sim.engine.bound import floats
from sim.kernels import layout
from sim.kernels.overlap.penetration import BROKEN, hulls_frame, inner_radius
from sim.kernels.overlap.polytope import DISTANCE, FINAL, OPEN, PLANE, outward
from sim.kernels.surface.boxes import KEY, LEAF_A, LEAF_B, Tree
from sim.kernels.surface.inside import deepest_frame
from sim.kernels.surface.nearest import nearest_points
from sim.kernels.surface.search import meeting_frame, nearest_frame
from sim.kernels.vector import back
from sim.result.answer import Vec
from sim.tracking.brute.axes import Axis
from sim.tracking.brute.nearest import Nearest
from sim.tracking.buffers import Buffers


class Deepest(NamedTuple):
    """The vertex of one body that lies deepest inside the other."""

    depth: float  # 0 where no vertex lies inside
    vertex: int
    triangle: int
    point: Vec  # on the surface of the other body
    at: Vec  # the vertex


def solids_meet(buffers: Buffers) -> bool:
    """Say whether two bodies share some of their insides, beyond rounding."""
    tables = buffers.first, buffers.second, buffers.workspace, *buffers.trees.tables
    meet = buffers.call(meeting_frame, *tables) == 1
    buffers.workspace.result.known = 0
    return meet


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
    moved = buffers.second._replace(pose=floats(pose))
    search.counts[LEAF_A] = a.leaf_of[axis.support_a]  # where hulls touch, or near it
    search.counts[LEAF_B] = b.leaf_of[axis.support_b]
    own = buffers.first, moved, buffers.workspace
    status = buffers.call(nearest_frame, *own, a, b, search)
    buffers.workspace.result.known = 0  # the parts named are those of other places
    if status == layout.OVERLAP or search.best[0] < 0:
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
