from fractions import Fraction  # of sim.kernels.exact

import numpy as np
import pytest
from queries._exact import height, rational

from sim.engine.bound import floats
from sim.kernels.exact import (
    Expansion,
    add_product,
    fine_side,
    grow,
    two_product,
    two_sum,
)


@pytest.fixture
def expansion():
    return Expansion(floats(np.zeros(18)), floats(np.zeros(256)))


def exact_side(points):
    above = height(*rational(*points))
    return (above > 0) - (above < 0)


def float_side(points):
    a, b, c, d = points
    height = float(np.dot(np.cross(b - a, c - a), d - a))
    return (height > 0.0) - (height < 0.0)


def as_tuples(points):
    return [tuple(p.tolist()) for p in points]


def test_sums_and_products_lose_nothing():
    for a, b in [(1.0, 2.0**-60), (1e200, 1.0), (0.1, 0.3), (-7, 7)]:
        for pair, truth in (
            (two_sum(a, b), Fraction(a) + Fraction(b)),
            (two_product(a, b), Fraction(a) * Fraction(b)),
        ):
            assert sum(map(Fraction, pair)) == truth


def test_an_expansion_keeps_every_term():
    rng = np.random.default_rng(3)
    sums = floats(np.zeros(256))
    n, total = 0, Fraction(0)
    for _ in range(20):
        x, y, z = (rng.normal(size=3) * 10.0 ** rng.integers(-12, 12, 3)).tolist()
        n = add_product(sums, n, x, y, z)
        total += Fraction(x) * Fraction(y) * Fraction(z)
        n = grow(sums, n, x)
        total += Fraction(x)
    assert sum(Fraction(sums[k]) for k in range(n)) == total
    assert n < 60
    while n > 0:
        n = grow(sums, n, -sums[n - 1])


def on_a_plane(rng, far):
    """Four points of one plane, but for rounding."""
    frame = rng.normal(size=(2, 3))
    return far + rng.normal(size=(4, 2)) @ frame


@pytest.mark.parametrize(("far", "least"), [(0.0, 10), (1.0, 10), (1e6, 0)])
def test_the_sign_is_that_of_rationals_where_floats_are_wrong(far, least, expansion):
    rng = np.random.default_rng(11)
    wrong = 0
    for _ in range(300):
        points = on_a_plane(rng, far)
        truth = exact_side(points)
        wrong += float_side(points) != truth
        assert fine_side(*as_tuples(points), expansion) == truth
    assert wrong >= least  # else this tests nothing


def test_grids_lines_and_one_unit_in_the_last_place_decide_exactly(expansion):
    rng = np.random.default_rng(5)
    for _ in range(200):
        points = 0.1 * rng.integers(-4, 5, (4, 3))
        points[3] = points[0] + (points[1] - points[0]) + (points[2] - points[0])
        truth = exact_side(points)
        assert fine_side(*as_tuples(points), expansion) == truth
    a, b, c = (0.1, 0.1, 0.1), (1.1, 0.1, 0.1), (0.1, 1.1, 0.1)
    for step, side in ((np.inf, 1), (-np.inf, -1)):
        d = (0.37, 0.29, float(np.nextafter(0.1, step)))
        assert fine_side(a, b, c, d, expansion) == side
    assert fine_side(a, b, c, (0.37, 0.29, 0.1), expansion) == 0
    a, b, c = (0.1, 0.2, 0.3), (0.2, 0.4, 0.6), (0.4, 0.8, 1.2)
    assert fine_side(a, b, c, (5.0, -1.0, 2.0), expansion) == exact_side(
        np.array([a, b, c, (5.0, -1.0, 2.0)])
    )
    assert fine_side(a, a, c, (5.0, -1.0, 2.0), expansion) == 0
