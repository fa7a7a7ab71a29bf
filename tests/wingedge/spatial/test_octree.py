import numpy as np
import pytest

from wingedge.spatial import Octree


def test_identical_triangles_are_not_divided_without_end(sets):
    for name in ("identical", "all one point"):
        x = np.tile(sets[name](), (5, 1, 1))
        tree = Octree(x, max_depth=60)
        assert tree.n_nodes <= 61, name
        assert tree.nbytes < 100_000, name


def test_long_triangles_along_an_axis_are_not_multiplied():
    # each depth halves the length, and shortens no list: 2^16 copies otherwise
    x = np.zeros((100, 3, 3))
    x[:, 1, 0], x[:, 2, 0] = 1.0, 0.5
    tree = Octree(x)
    assert tree.n_nodes == 1
    assert tree.nbytes < 2_000


def test_a_small_cluster_is_divided_from_the_rest():
    rng = np.random.default_rng(0)
    small = rng.normal(size=(300, 1, 3)) * 1e-3 + rng.normal(size=(300, 3, 3)) * 1e-5
    tree = Octree(np.concatenate([small, rng.normal(size=(5, 3, 3))]))
    assert tree.depth >= 8
    assert tree.nearest(small[7, 0]).tested < 30


@pytest.mark.parametrize("capacity", [1, 5, 40])
def test_capacity_and_depth_are_limits(sets, places, capacity):
    x = sets["soup"]()
    tree, flat = Octree(x, capacity=capacity), Octree(x, capacity=capacity, max_depth=2)
    assert flat.depth == 2
    assert flat.n_nodes <= 1 + 8 + 64
    p = places(x, 20)
    assert (tree.nearest(p).triangle == flat.nearest(p).triangle).all()


def test_limits_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="got 0 and 16"):
        Octree([], capacity=0)
    with pytest.raises(ValueError, match="got 12 and -1"):
        Octree([], max_depth=-1)
