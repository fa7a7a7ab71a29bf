import numpy as np

from wingedge.primitives.point_segment import closest


def test_segments_of_no_length_and_distances_near_long_ones_keep_their_digits():
    for p in [(3, 4), (0, 0), (-1, -1)]:
        found = closest(p, (0, 0), (0, 0))
        assert (found.t, found.point.tolist()) == (0, [0, 0])
        assert found.distance == np.hypot(*p)
    # The difference of squares that the article takes is 1e-4 off, or negative.
    found = closest((1e8, 1e-3), (0, 0), (3e8, 0))
    assert found.distance == 1e-3
    found = closest((-1e300, 0), (5e-324, 0), (1e300, 1e300))
    assert found.point.tolist() == [5e-324, 0]


def test_the_plane_is_space_of_height_0_and_scales_by_every_bit():
    p, a, b = np.random.default_rng(3).normal(size=(3, 200, 3))
    near, far = closest(p, a, b), closest(p * 64, a * 64, b * 64)
    assert (far.point == near.point * 64).all()
    assert (far.t == near.t).all()
    assert (far.distance == near.distance * 64).all()
    flat = np.random.default_rng(4).normal(size=(3, 200, 2))
    space = np.concatenate([flat, np.zeros((3, 200, 1))], axis=2)
    two, three = closest(*flat), closest(*space)
    assert (two.point == three.point[:, :2]).all()
    assert (two.distance == three.distance).all()
