import numpy as np
import pytest

from wingedge.spatial import BSPTree, Octree


@pytest.mark.parametrize("kind", [Octree, BSPTree])
def test_every_triangle_is_reached_from_the_root(kind, triangles):
    tree = kind(triangles, capacity=3)
    found = [tree.within(corners[0], 0.0) for corners in triangles[:40]]
    assert [k in hits for k, hits in enumerate(found)] == [True] * len(found)
    if len(triangles):
        low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
        assert tree.near(low, high).tolist() == list(range(len(triangles)))


@pytest.mark.parametrize("kind", [Octree, BSPTree])
def test_copies_are_bounded(kind, triangles):
    tree = kind(triangles)
    assert tree.nbytes <= 400 + 1500 * len(triangles)


def test_one_long_list_is_asked_by_few_queries_at_a_time():
    # 256 queries on 50 000 identical triangles would be 13 million pairs
    x = np.tile(np.eye(3)[None], (50_000, 1, 1))
    near = Octree(x).nearest(np.random.default_rng(0).normal(size=(30, 3)))
    assert (near.triangle == 0).all()
