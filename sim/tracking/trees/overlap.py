"""What the trees know of two bodies that overlap and are not convex."""

import numpy as np

from sim.contact import Vec
from sim.engine.bound import Bound
from sim.kernels import layout
from sim.kernels.overlap.penetration import CLOSED, hulls_frame
from sim.kernels.overlap.polytope import DISTANCE, FINAL, OPEN, PLANE, outward
from sim.kernels.surface.inside import Deep, deepest_frame
from sim.kernels.surface.nearest import nearest_points
from sim.kernels.surface.search import true_frame
from sim.kernels.surface.tree import Tree
from sim.kernels.surface.tree_search import KEY, PIERCED
from sim.kernels.vector import back
from sim.tracking.brute.nearest import Nearest
from sim.tracking.brute.solid import Deepest
from sim.tracking.buffers import Buffers, floats, ints


def deepest_vertices(
    buffers: Buffers, axis: Vec = (0.0, 0.0, 1.0)
) -> tuple[Deepest, Deepest]:
    """Find the vertex of each body deepest inside the other, A's first.

    What ``solid.deepest_vertex`` finds by comparing all.  Cost: O(V log F) about; far
    less along an axis of little overlap, beyond which no vertex lies inside.
    """
    deep = Deep(
        floats(np.zeros(2)),
        ints(np.zeros(2, np.int32)),
        ints(np.zeros(2, np.int32)),
        floats(np.array([*axis, 0.0, 0.0, 0.0])),
    )
    trees = buffers.trees.tables
    Bound(deepest_frame)(buffers.first, buffers.second, *trees, deep)
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


def axis_of_hulls(buffers: Buffers) -> Vec | None:
    """Return the axis along which the hulls overlap least, from their polytope.

    None where it ran out of room, or found no inside.
    """
    hull = buffers.workspace.hull
    ended = Bound(hulls_frame)(buffers.first, buffers.second, buffers.workspace)
    nearest = min(
        (f for f in range(hull.filled[1]) if hull.state[f] in (OPEN, FINAL)),
        key=lambda f: hull.planes[PLANE * f + DISTANCE],
        default=-1,
    )
    hull.filled[0] = 0
    if ended != CLOSED or nearest < 0:
        return None
    return back(outward(hull, nearest))


def nearest_parted(buffers: Buffers, n: Vec, gap: float) -> Nearest | None:
    """Find the closest pair once B has moved along an axis; None where they meet."""
    pose = np.array(buffers.second.pose)
    for i in range(3):
        pose[4 * i + 3] -= gap * n[i]
    a, b, search = buffers.trees.tables
    moved = buffers.second._replace(pose=floats(pose))
    Bound(true_frame)(buffers.first, moved, buffers.workspace, a, b, search)
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
