"""Small nodes are parted only where they are farther than the limit."""

from itertools import product

import numpy as np

from sim import Body, PairTracker, Pose
from sim.engine.bound import floats
from sim.kernels.segments import end_to_segment
from sim.kernels.surface.boxes import LIMIT, PAD
from sim.kernels.surface.nearest import ROUNDING, SMALL, are_far, leaves_below
from sim.kernels.surface.pairs import between, over_inside
from sim.kernels.surface.slab import fit
from sim.kernels.vector import HERE
from sim.tracking.buffers import make_view
from sim.tracking.tree import make_search, make_tree
from wingedge import shapes

N = (0.36, 0.48, 0.8)
ALL = -1e300


def fitted(mesh, origin=HERE, floor=ALL):
    """A tree with boxes over what reaches a height along N."""
    tree = make_tree(mesh)
    tree.heights[:] = floats(mesh.points @ np.array(N))
    fit(make_view(Body(mesh)), origin, floor, N, tree)
    return tree


def triangles(tree, node):
    """The placed triangles below a node."""
    begin, end = leaves_below(tree, node)
    ids = np.array(tree.triangle).reshape(-1, 3)
    ids = ids[tree.triangle_start[begin] : tree.triangle_start[end]]
    return np.array(tree.placed).reshape(-1, 3)[ids].tolist()


def gap(t, s):
    """The distance of two triangles: every vertex and every side of both."""
    t, s = ([tuple(p) for p in x] for x in (t, s))
    ways = []
    for i, j in product(range(3), range(3)):
        p, q = (t[i], t[(i + 1) % 3]), (s[j], s[(j + 1) % 3])
        ways.append(np.array(end_to_segment(*p, *q)[2]))
        meet, x, y = between(*p, *q)
        if meet:
            ways.append(np.subtract(y, x))
    for one, other in ((t, s), (s, t)):
        for x in one:
            over, foot = over_inside(x, *other)
            if over:
                ways.append(np.subtract(x, foot))
    return min(float(np.sqrt((w**2).sum())) for w in ways)


def test_nodes_that_are_parted_are_farther_than_the_limit():
    a, b = fitted(shapes.cup(5)), fitted(shapes.icosphere(1), (0.4, 0.9, 1.3))
    search = make_search(a, b)
    search.state[PAD] = ROUNDING * 3.0
    rng = np.random.default_rng(1)
    parted = near = 0
    for _ in range(60):
        i = int(rng.integers(a.leaves // SMALL - 1, 2 * a.leaves - 1))
        j = int(rng.integers(b.leaves // SMALL - 1, 2 * b.leaves - 1))
        d = min(gap(t, s) for t in triangles(a, i) for s in triangles(b, j))
        for more in (-1e-9, 1e-13, 1e-3):
            search.state[LIMIT] = (d * (1.0 + more)) ** 2
            assert more < 0.0 or not are_far(a, i, b, j, search)
        search.state[LIMIT] = (0.8 * d) ** 2
        parted += are_far(a, i, b, j, search)
        near += d > 0.0
    assert parted > 0.5 * near > 20


def test_leaves_of_fans_are_parted_across_their_length():
    """They are needles: the way between their middles parts 65 of these, not 72."""
    disc = shapes.cylinder(120, height=0.1)
    a, b = fitted(disc), fitted(disc, (0.3, 0.2, 0.1))
    search = make_search(a, b)
    search.state[PAD] = ROUNDING * 3.0
    rng = np.random.default_rng(2)
    parted = apart = 0
    for _ in range(80):
        i, j = rng.integers(a.leaves - 1, 2 * a.leaves - 1, 2).tolist()
        d = min(gap(t, s) for t in triangles(a, i) for s in triangles(b, j))
        search.state[LIMIT] = (d * (1.0 + 1e-13)) ** 2
        assert not are_far(a, i, b, j, search)
        search.state[LIMIT] = (0.3 * d) ** 2
        parted += are_far(a, i, b, j, search)
        apart += d > 1e-6
    assert parted > 0.9 * apart > 30


def test_few_leaves_are_tested_where_a_mirrored_cap_faces_a_ball():
    mesh = shapes.icosphere(3)
    a, b = Body(mesh), Body(mesh, pose=Pose.rigid((0, 0, 0, 1), (0.2, 0.1, 2.3)))
    points = a.points
    top = points[:, 2] > 0.8
    points[top, 2] = 1.6 - points[top, 2]
    state = PairTracker(a, b).update()
    assert state.proof == "search"
    # 1278 leaves of the two come within the distance with their boxes.
    assert 0 < state.work.faces < 300
