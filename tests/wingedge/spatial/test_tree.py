import numpy as np
import pytest

from wingedge.spatial import BSPTree, Octree


def test_one_long_list_is_asked_by_few_queries_at_a_time():
    # 256 queries on 50 000 identical triangles would be 13 million pairs
    x = np.tile(np.eye(3)[None], (50_000, 1, 1))
    near = Octree(x).nearest(np.random.default_rng(0).normal(size=(30, 3)))
    assert (near.triangle == 0).all()


@pytest.mark.parametrize("kind", [Octree, BSPTree])
def test_trees_neither_become_lists_nor_divide_what_is_one(sets, kind):
    tree = kind(sets["ball"]())
    assert len(tree) > 300
    assert tree.nearest(tree.triangles[0, 0] * 1.1).tested < 60
    tree = kind(sets["grid"]())
    assert tree.nearest((3.2, 4.1, 0.5)).tested < 40
    line = np.zeros((100, 3, 3))
    line[:, 1, 0], line[:, 2, 0] = 1.0, 0.5
    for same in (sets["identical"](), sets["all one point"](), line):
        assert kind(same).nearest((9, 9, 9)).tested == 100 - 50 * (len(same) == 50)
    x = sets["collapsed"]()
    tree = kind(x)
    assert tree.nearest(x[:, 0]).distance.max() == 0.0
    rng = np.random.default_rng(0)
    small = rng.normal(size=(300, 1, 3)) * 1e-3 + rng.normal(size=(300, 3, 3)) * 1e-5
    tree = kind(np.concatenate([small, rng.normal(size=(5, 3, 3))]))
    assert tree.nearest(small[7, 0]).tested < 30


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
