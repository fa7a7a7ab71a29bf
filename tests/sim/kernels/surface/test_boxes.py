import numpy as np
import pytest

from sim import Body, Pose
from sim.engine.bound import floats, ints
from sim.kernels.surface.active_leaves import NOWHERE, fit, reach_along
from sim.kernels.surface.boxes import (
    BOX,
    apart_squared,
    are_parted,
    near_leaves,
    nests,
    place_all,
    refit,
    turn_all,
)
from sim.kernels.vector import HERE
from sim.tracking.tree import make_search, make_tree
from sim.tracking.views import make_view
from wingedge import shapes

POSE = Pose.rigid((0.1, 0.2, 0.3, 1.0), (0.0, 0.0, 0.0))
N = (0.36, 0.48, 0.8)


def boxed(mesh, origin=HERE):
    body = Body(mesh, pose=POSE)
    tree = make_tree(mesh)
    place_all(floats(body._points), floats(body.transform), origin, tree)
    turn_all(tree, N)
    refit(tree)
    return tree


def box_of(tree, node):
    return np.array(tree.boxes[BOX * node : BOX * node + BOX]).reshape(2, 3)


def leaf_points(tree, leaf):
    ids = tree.triangle[
        3 * tree.triangle_start[leaf] : 3 * tree.triangle_start[leaf + 1]
    ]
    return np.array(tree.turned).reshape(-1, 3)[list(ids)]


@pytest.mark.parametrize("name", ["box", "cup", "ring", "icosphere"])
def test_boxes_hold_their_triangles_tightly(name):
    tree = boxed(dict(shapes.zoo(non_convex=True))[name])
    inner = tree.leaves - 1
    for leaf in range(tree.leaves):
        points = leaf_points(tree, leaf)
        assert np.array_equal(
            box_of(tree, inner + leaf), [points.min(axis=0), points.max(axis=0)]
        )
    for node in range(inner):
        one, two = box_of(tree, 2 * node + 1), box_of(tree, 2 * node + 2)
        assert np.array_equal(
            box_of(tree, node), [np.minimum(one, two)[0], np.maximum(one, two)[1]]
        )


def test_near_leaves_lists_every_pair_of_leaves_within_the_limit():
    a, b = boxed(shapes.gear(5)), boxed(shapes.cup(7), (0.9, 0.2, 0.4))
    stack = make_search(a, b).stack
    found = ints(np.zeros(2 * 4096, np.int32))
    count = near_leaves(a, b, 0.2, 0.0, stack, found, 4096)
    listed = set(zip(found[0 : 2 * count : 2], found[1 : 2 * count : 2], strict=True))
    expected = {
        (i, j)
        for i in range(a.leaves)
        for j in range(b.leaves)
        if apart_squared(
            a.boxes, BOX * (a.leaves - 1 + i), b.boxes, BOX * (b.leaves - 1 + j), 0.0
        )
        <= 0.04
    }
    assert 0 < len(expected) < a.leaves * b.leaves
    assert listed == expected
    assert count == len(expected)
    assert near_leaves(a, b, 0.2, 0.0, stack, found, count - 1) == -1


@pytest.mark.parametrize("again", [1, 2])
def test_only_leaves_that_reach_a_height_wake_and_have_the_same_boxes(again):
    mesh = shapes.icosphere(2)
    body, tree = Body(mesh), make_tree(mesh)
    side = make_view(body)
    whole = make_tree(mesh)
    place_all(side.points, side.pose, HERE, whole)
    turn_all(whole, N)
    refit(whole)
    for floor in (0.2, 0.7)[:again]:
        high, reach = reach_along(side, HERE, N, tree)
        fit(side, HERE, floor, N, tree)
    heights = mesh.points @ np.array(N)
    assert high == pytest.approx(heights.max(), abs=1e-15)
    assert reach >= np.abs(mesh.points).max()
    awake = [leaf_points(whole, k)[:, 0].max() >= floor for k in range(tree.leaves)]
    assert 0 < sum(awake) < tree.leaves
    for leaf in range(tree.leaves):
        node = tree.leaves - 1 + leaf
        if awake[leaf]:
            assert np.array_equal(box_of(tree, node), box_of(whole, node))
            assert tree.awake[node] == 1
        else:
            assert tree.awake[node] == 0
            if tree.awake[(node - 1) // 2] == 1:
                assert box_of(tree, node)[0, 0] == NOWHERE


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_heights_never_pass_what_is_not_finite(bad):
    mesh = shapes.box()
    points = mesh.points.copy()
    points[3, 1] = bad
    side = make_view(Body(mesh))._replace(points=floats(points))
    for found in reach_along(side, HERE, (0.0, 0.0, 1.0), make_tree(mesh)):
        assert found != found


def test_bodies_are_parted_by_a_plane_across_a_vector_or_not():
    for gap, parted in [(0.25, True), (1e-12, True), (-0.1, False)]:
        mesh = shapes.u_block()
        a, b = make_tree(mesh), make_tree(mesh)
        points = floats(Body(mesh)._points)
        pose = floats(Body(mesh).transform)
        place_all(points, pose, HERE, a)
        place_all(points, pose, (0.0, 1.0 + gap, 0.0), b)
        assert are_parted(a, b, (0.0, 1.0, 0.0), 1e-15) == bool(parted)
        assert not are_parted(a, b, (0.0, -1.0, 0.0), 1e-15)
        assert not nests(a, b, 1e-15)
        assert nests(a, a, 1e-15)
