import numpy as np
from queries._exact import rational, triangle_sq

from wingedge.spatial import BruteForce


def exact(p, corners):
    return rational(p)[0], rational(*corners)


def test_no_triangle_is_nearer_than_the_nearest_one_in_rational_numbers(sets, places):
    for name in ("soup", "needles", "collapsed", "lattice"):
        x = sets[name]()[:60]
        index = BruteForce(x)
        for p in places(x, 4):
            near = index.nearest(p)
            truth = [triangle_sq(*exact(p, corners)) for corners in x]
            size = max(1.0, float(np.abs(p).max()))
            distance = float(min(truth)) ** 0.5
            assert abs(float(near.distance) - distance) <= 1e-14 * size, name
            assert abs(float(truth[near.triangle]) ** 0.5 - distance) <= 1e-14 * size


def test_within_and_near_are_what_they_say(sets, places):
    x = sets["soup"]()[:80]
    index = BruteForce(x)
    for p in places(x, 4):
        distances = [float(triangle_sq(*exact(p, corners))) ** 0.5 for corners in x]
        assert index.within(p, 0.4).tolist() == [
            k for k, distance in enumerate(distances) if distance <= 0.4
        ]
        low, high = p - 0.2, p + 0.3
        assert index.near(low, high).tolist() == [
            k
            for k, corners in enumerate(x)
            if all(
                min(corners[:, axis]) <= high[axis]
                and max(corners[:, axis]) >= low[axis]
                for axis in range(3)
            )
        ]


def test_a_batch_that_is_longer_than_one_round_keeps_its_order(sets):
    index = BruteForce(sets["soup"]())
    p = np.random.default_rng(0).uniform(-1, 1, (600, 3))
    near = index.nearest(p)
    assert near.triangle[[0, 299, 599]].tolist() == [
        int(index.nearest(p[k]).triangle) for k in (0, 299, 599)
    ]
