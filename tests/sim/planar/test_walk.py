from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sim.planar.walk import ahead, find, turn
from wingedge.primitives import disk_triangle

CLOCKWISE = ((0.0, 0.0), (0.8, 1.8), (2.4, 0.0))


def judged(points, triangles):
    """Regions and features by the primitive, which shares no code with the walk."""
    p, t = np.array(points), np.array(triangles)
    found = disk_triangle.meet(p, 0.0, t[:, 0], t[:, 1], t[:, 2])
    return list(zip(found.region.tolist(), found.feature.tolist(), strict=True))


def named(found):
    return found.region, disk_triangle.FEATURES[found.feature]


def samples(kind, rng, n=1500):
    if kind == "anywhere":
        return rng.normal(size=(n, 2)), rng.normal(size=(n, 3, 2))
    if kind == "on a lattice":
        p = rng.integers(-4, 5, (n, 2)).astype(float)
        return p, rng.integers(-3, 4, (n, 3, 2)).astype(float)
    if kind == "far from the origin":
        p, t = rng.integers(-4, 5, (n, 2)), rng.integers(-3, 4, (n, 3, 2))
        return p + 2.0**50, t + 2.0**50
    if kind == "denormal or huge":
        scale = 2.0 ** rng.choice([-1074, -1060, -600, 600, 1018], n)
        p, t = rng.integers(-4, 5, (n, 2)), rng.integers(-3, 4, (n, 3, 2))
        return p * scale[:, None], t * scale[:, None, None]
    p = rng.integers(-2, 3, (n, 2)) * rng.choice([1.0, 1e-9, 1e150], (n, 1))
    t = rng.integers(-2, 3, (n, 3, 2)) * rng.choice([1.0, 1e-9, 1e-170], (n, 3, 1))
    return p, t


KINDS = [
    "anywhere",
    "on a lattice",
    "far from the origin",
    "denormal or huge",
    "of many sizes at once",
]


@pytest.mark.parametrize("kind", KINDS)
def test_region_and_feature_are_those_of_the_primitive_whatever_came_before(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    points, triangles = samples(kind, rng)
    wanted = judged(points, triangles)
    region, feature = 7, -1
    for p, t, want in zip(points.tolist(), triangles.tolist(), wanted, strict=True):
        found = find(tuple(p), tuple(map(tuple, t)), region, feature)
        assert named(found) == want, (p, t, region, feature)
        region, feature = found.region or 7, found.feature


def test_a_walk_gives_the_same_from_everywhere_in_constant_steps():
    points = [tuple(p) for p in product((-1.0, 0.3, 0.8, 1.2, 3.0), repeat=2)]
    for p in points:
        cold = find(p, CLOCKWISE)
        for region, feature in product(range(1, 8), range(-1, 7)):
            warm = find(p, CLOCKWISE, region, feature)
            assert warm._replace(work=cold.work) == cold
    rng = np.random.default_rng(3)
    region, feature = 7, -1
    for p in rng.normal(size=(500, 2)).tolist():
        found = find((p[0], p[1]), CLOCKWISE, region, feature)
        assert found.work.steps == (found.region ^ region).bit_count()
        assert found.work.sides == 3
        assert found.work.edges <= 2
        region, feature = found.region, found.feature


def test_signs_beside_a_line_are_those_of_fractions_in_every_last_bit():
    # where floats alone are wrong in a fringe along it (Kettner et al. 2008)
    a, b = (17.300000000000001,) * 2, (24.00000000000005, 24.0000000000000517765)
    step = 2.0**-53
    (ax, ay), (bx, by) = (map(Fraction, point) for point in (a, b))
    turned = (a[0] - (b[1] - a[1]), a[1] + (b[0] - a[0]))
    wrong = 0
    for i, j in product(range(0, 256, 5), repeat=2):
        x, y = 0.5 + i * step, 0.5 + j * step
        want = (Fraction(x) - ax) * (by - ay) - (Fraction(y) - ay) * (bx - ax)
        assert turn((x, y), a, b) == (want > 0) - (want < 0)
        rounded = (x - a[0]) * (b[1] - a[1]) - (y - a[1]) * (b[0] - a[0])
        wrong += rounded * want < 0
        u, v = (Fraction(t) - Fraction(s) for s, t in zip(a, turned, strict=True))
        want = (Fraction(x) - ax) * u + (Fraction(y) - ay) * v
        assert ahead((x, y), a, turned) == (want > 0) - (want < 0)
    assert wrong > 0
