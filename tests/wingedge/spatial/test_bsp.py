import numpy as np

from wingedge.spatial import BSPTree, Octree


def test_a_convex_body_makes_a_tree_and_not_a_list(sets):
    x = sets["ball"]()
    tree = BSPTree(x, capacity=8)
    assert len(x) > 300
    assert tree.depth <= 12
    assert tree.nearest(x[0, 0] * 1.1).tested < 60


def test_coplanar_triangles_are_divided_across_their_plane(sets):
    x = sets["grid"]()
    tree = BSPTree(x)
    assert tree.n_nodes > 30
    assert tree.nearest((3.2, 4.1, 0.5)).tested < 40


def test_identical_triangles_stay_in_one_node(sets):
    for name in ("identical", "all one point"):
        assert BSPTree(sets[name]()).n_nodes == 1, name


def test_triangles_of_no_area_give_no_plane_and_are_found(sets):
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


def test_a_straddling_triangle_is_found_from_both_sides():
    rng = np.random.default_rng(2)
    small = 0.02 * rng.normal(size=(60, 3, 3)) + 0.2 * rng.normal(size=(60, 1, 3))
    left, right = small + np.array([-1.0, 0, 0]), small + np.array([1.0, 0, 0])
    across = np.array([[[-2.0, 0, 1.5], [2, -1, 1.5], [2, 1, 1.5]]])
    tree = BSPTree(np.concatenate([left, right, across]), capacity=8)
    assert tree.depth >= 2
    for x in (-1.0, 1.0):
        assert tree.nearest((x, 0, 1.6)).triangle == 120
        assert tree.first_hit((x, 0, 2), (x, 0, 1.3)).triangle == 120
