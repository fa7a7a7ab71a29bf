from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from queries._exact import least

from wingedge.primitives import segment_triangle
from wingedge.spatial import BSPTree, Octree
from wingedge.spatial.triangles import SLACK, Box, entries, exact_time, gaps


def test_one_long_list_is_asked_by_few_queries_at_a_time():
    # 256 queries on 50 000 identical triangles would be 13 million pairs
    x = np.tile(np.eye(3)[None], (50_000, 1, 1))
    near = Octree(x).nearest(np.random.default_rng(0).normal(size=(30, 3)))
    assert (near.triangle == 0).all()


FIRST, BOX = np.array([0]), Box(np.array([[0.0, 0, 0]]), np.array([[2.0, 3, 4]]))


def test_gaps_are_distances_to_the_box_and_times_those_of_the_longest_side():
    for p, gap in [
        ((1, 1, 1), 0),
        ((2, 3, 4), 0),
        ((5, 3, 4), 3),
        ((-3, -4, 2), 5),
        ((4, 6, 10), 7),
    ]:
        assert max(0, gaps(np.array([p], float), FIRST, BOX)[0]) == gap
    needle = np.array([[0.0, 0, 0], [1, 0, 0], [4, 0, 0]])
    start, end = np.array([2.0, -1, 0]), np.array([2.0, 6, 0])
    t = float(segment_triangle.hit(start, end, *needle).t)
    assert exact_time(t, start, end, needle) == Fraction(1, 7)


def test_segments_enter_where_they_should():
    for start, end, t in [
        ((-2, 1, 1), (2, 1, 1), 0.5),
        ((1, 1, 1), (9, 9, 9), 0.0),
        ((-2, 1, 1), (-1, 1, 1), np.inf),
        ((-1, 9, 1), (3, 9, 1), np.inf),
        ((2, 3, 4), (2, 3, 4), 0.0),
        ((2, 3, 5), (2, 3, 5), np.inf),
        ((-1, 3, 4), (1, 3, 4), 0.5),
        ((4, 0, 0), (2, 0, 0), 1.0),
    ]:
        start, end = np.array([start], float), np.array([end], float)
        found = entries(start, end, np.array([9 * SLACK]), FIRST, BOX)
        assert found[0] == pytest.approx(t, abs=1e-12)
        assert not found[0] > t


coordinate = st.floats(-1, 1) | st.sampled_from([0.0, -0.0, 1e-310, 5e-324, 1 / 3, 0.1])


@given(arrays(float, (4, 3), elements=coordinate))
@settings(max_examples=300, deadline=None)
def test_no_segment_misses_a_box_that_it_meets(x):
    low, high = np.minimum(x[0], x[1]), np.maximum(x[0], x[1])
    enter, leave = Fraction(0), Fraction(1)
    for a, b, c, d in zip(
        *(map(Fraction, v) for v in (*x[2:], low, high)), strict=True
    ):
        if a == b:
            if not c <= a <= d:
                leave = Fraction(-1)
        else:
            times = sorted(((c - a) / (b - a), (d - a) / (b - a)))
            enter, leave = max(enter, times[0]), min(leave, times[1])
    box = Box(low[None], high[None])
    found = entries(x[2:3], x[3:], np.array([SLACK]), FIRST, box)[0]
    if enter <= leave:
        assert found <= enter
    else:
        assert found == np.inf or found <= 1


def test_no_triangle_is_nearer_than_the_nearest_one_in_rational_numbers(sets, places):
    for name in ("soup", "needles", "collapsed", "lattice"):
        x = sets[name]()[:60]
        index = Octree(x)
        for p in places(x, 4):
            near = index.nearest(p)
            truth = [least([p], corners)[0] for corners in x]
            size = max(1.0, float(np.abs(p).max()))
            distance = float(min(truth)) ** 0.5
            assert abs(float(near.distance) - distance) <= 1e-14 * size, name
            assert abs(float(truth[near.triangle]) ** 0.5 - distance) <= 1e-14 * size


def test_a_batch_that_is_longer_than_one_round_keeps_its_order(sets):
    index = Octree(sets["soup"]())
    p = np.random.default_rng(0).uniform(-1, 1, (600, 3))
    near = index.nearest(p)
    assert near.triangle[[0, 299, 599]].tolist() == [
        int(index.nearest(p[k]).triangle) for k in (0, 299, 599)
    ]


def test_trees_neither_become_lists_nor_divide_what_is_one(sets):
    x = sets["ball"]()
    tree = BSPTree(x, capacity=8)
    assert len(x) > 300
    assert tree.depth <= 12
    assert tree.nearest(x[0, 0] * 1.1).tested < 60
    x = sets["grid"]()
    tree = BSPTree(x)
    assert tree.n_nodes > 30
    assert tree.nearest((3.2, 4.1, 0.5)).tested < 40
    for name in ("identical", "all one point"):
        assert BSPTree(sets[name]()).n_nodes == 1, name
    x = sets["collapsed"]()
    tree = BSPTree(x)
    assert tree.n_nodes > 30
    assert tree.nearest(x[:, 0]).distance.max() == 0.0


def test_oblique_walls_are_divided_by_their_own_planes_where_an_octree_fails():
    # long parallel needles at an angle to all axes: their boxes are all alike
    rng = np.random.default_rng(1)
    at = rng.normal(size=(400, 3))
    thin = 0.01 * rng.normal(size=(400, 3))
    x = np.stack([at - 3, at + thin, at + 3], axis=1)
    p = rng.normal(size=(50, 3))
    planes, cubes = BSPTree(x).nearest(p), Octree(x).nearest(p)
    assert (planes.triangle == cubes.triangle).all()
    assert planes.tested.mean() < 0.25 * cubes.tested.mean()


TRIANGLE = np.array([[0.0, 0, 0], [3, 0, 0], [0, 3, 0]])


def test_times_are_fractions_also_in_the_plane():
    for start, end, time in [
        ((1, 1, 1), (1, 1, -2), Fraction(1, 3)),
        ((1, 1, 0), (1, 1, 5), Fraction(0)),
        ((1, 1, 5), (1, 1, 0), Fraction(1)),
        ((-1, 1, 0), (6, 1, 0), Fraction(1, 7)),
        ((-2, 0, 0), (1, 0, 0), Fraction(2, 3)),
        ((1, 1, 0), (9, 9, 0), Fraction(0)),
        ((1, -1, 0), (1, -1, 0), None),
    ]:
        start, end = np.array(start, float), np.array(end, float)
        found = segment_triangle.hit(start, end, *TRIANGLE)
        assert bool(found.hit) == (time is not None)
        if time is not None:
            assert exact_time(float(found.t), start, end, TRIANGLE) == time


def test_the_rounded_time_is_that_of_the_primitive():
    rng = np.random.default_rng(0)
    start, end, *corners = rng.integers(-4, 5, (5, 500, 3)).astype(float)
    found = segment_triangle.hit(start, end, *corners)
    hits = np.flatnonzero(found.hit)
    assert len(hits) > 20
    for k in hits:
        exact = exact_time(
            float(found.t[k]), start[k], end[k], np.stack([c[k] for c in corners])
        )
        assert abs(float(exact) - found.t[k]) <= 6e-14


def test_large_triangles_and_long_segments_neither_widen_a_search_nor_miss(sets):
    small = sets["soup"]() * 0.999
    large = np.array([[[-9.0, -9, -3], [9, -9, -3], [0, 9, -3]]])
    rng = np.random.default_rng(0)
    p = rng.uniform(-1, 1, (50, 3))
    alone = Octree(small).nearest(p)
    both = Octree(np.concatenate([large, small])).nearest(p)
    assert (both.triangle == alone.triangle + 1).all()
    assert both.tested.mean() <= alone.tested.mean() + 1
    x = sets["soup"](), 0.001 * sets["soup"]()
    tree = Octree(np.concatenate(x))
    assert tree.first_hit(x[1][0].mean(axis=0) + 1e3, x[1][0].mean(axis=0)).t <= 1.0


def test_cells_are_divided_where_it_helps_and_nowhere_else(sets):
    for name in ("identical", "all one point"):
        x = np.tile(sets[name](), (5, 1, 1))
        tree = Octree(x, max_depth=60)
        assert tree.n_nodes == 1, name
    x = np.zeros((100, 3, 3))
    x[:, 1, 0], x[:, 2, 0] = 1.0, 0.5
    tree = Octree(x)
    assert tree.n_nodes == 1
    rng = np.random.default_rng(0)
    small = rng.normal(size=(300, 1, 3)) * 1e-3 + rng.normal(size=(300, 3, 3)) * 1e-5
    tree = Octree(np.concatenate([small, rng.normal(size=(5, 3, 3))]))
    assert tree.nearest(small[7, 0]).tested < 30


def test_capacity_and_depth_are_limits_that_make_sense(sets, places):
    for capacity in [1, 5, 40]:
        x = sets["soup"]()
        tree, flat = (
            Octree(x, capacity=capacity),
            Octree(x, capacity=capacity, max_depth=2),
        )
        assert flat.depth == 2
        assert flat.n_nodes <= 1 + 8 + 64
        p = places(x, 20)
        assert (tree.nearest(p).triangle == flat.nearest(p).triangle).all()
    with pytest.raises(ValueError, match="got 0 and 16"):
        Octree([], capacity=0)
    with pytest.raises(ValueError, match="got 12 and -1"):
        Octree([], max_depth=-1)
