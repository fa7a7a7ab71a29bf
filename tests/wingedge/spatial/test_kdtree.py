import numpy as np

from wingedge.spatial import KDTree


def test_one_large_triangle_does_not_widen_the_search_for_small_ones(sets):
    small = sets["soup"]() * 0.999
    large = np.array([[[-9.0, -9, -3], [9, -9, -3], [0, 9, -3]]])
    rng = np.random.default_rng(0)
    p = rng.uniform(-1, 1, (50, 3))
    alone = KDTree(small).nearest(p)
    both = KDTree(np.concatenate([large, small])).nearest(p)
    assert (both.triangle == alone.triangle + 1).all()
    assert both.tested.mean() <= alone.tested.mean() + 1


def test_a_segment_longer_than_its_row_of_balls_misses_nothing(sets):
    x = sets["soup"](), 0.001 * sets["soup"]()
    tree = KDTree(np.concatenate(x))
    assert tree.first_hit(x[1][0].mean(axis=0) + 1e3, x[1][0].mean(axis=0)).t <= 1.0
