from fractions import Fraction

import numpy as np

from wingedge.spatial import BruteForce


def exact_square(p, corners):
    """The squared distance of a point from a triangle, in rational numbers."""

    def sub(u, v):
        return [x - y for x, y in zip(u, v, strict=True)]

    def dot(u, v):
        return sum(x * y for x, y in zip(u, v, strict=True))

    def cross(u, v):
        return [u[k - 2] * v[k - 1] - u[k - 1] * v[k - 2] for k in range(3)]

    p, a, b, c = ([Fraction(float(x)) for x in v] for v in (p, *corners))
    found = []
    for u, v in ((a, b), (b, c), (c, a)):
        d, r = sub(v, u), sub(p, u)
        t = min(max(dot(r, d) / dot(d, d), 0), 1) if any(d) else 0
        gap = [x - t * y for x, y in zip(r, d, strict=True)]
        found.append(dot(gap, gap))
    n = cross(sub(b, a), sub(c, a))
    sides = [dot(cross(sub(v, u), sub(p, u)), n) for u, v in ((a, b), (b, c), (c, a))]
    if any(n) and min(sides) >= 0:
        found.append(dot(sub(p, a), n) ** 2 / dot(n, n))
    return min(found)


def test_no_triangle_is_nearer_than_the_nearest_one_in_rational_numbers(sets, places):
    for name in ("soup", "needles", "collapsed", "lattice"):
        x = sets[name]()[:60]
        index = BruteForce(x)
        for p in places(x, 4):
            near = index.nearest(p)
            truth = [exact_square(p, corners) for corners in x]
            size = max(1.0, float(np.abs(p).max()))
            distance = float(min(truth)) ** 0.5
            assert abs(float(near.distance) - distance) <= 1e-14 * size, name
            assert abs(float(truth[near.triangle]) ** 0.5 - distance) <= 1e-14 * size


def test_within_and_near_are_what_they_say(sets, places):
    x = sets["soup"]()[:80]
    index = BruteForce(x)
    for p in places(x, 4):
        distances = [float(exact_square(p, corners)) ** 0.5 for corners in x]
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


def test_nothing_is_kept_beside_the_triangles(sets):
    assert BruteForce(sets["soup"]()).nbytes == 0
