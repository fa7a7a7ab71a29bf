from fractions import Fraction

import numpy as np
import pytest

from wingedge.exact import ratios


def halves(x, y):
    return x + y, x - y, x * 2


def test_each_numerator_is_divided_by_the_last():
    plus, minus = ratios(halves, [2.0, 4], [1.0, -4])
    assert plus.tolist() == [0.75, 0]
    assert minus.tolist() == [0.25, 1]


def test_where_the_denominator_is_zero_the_quotient_is_zero():
    assert ratios(halves, [0.0, 1], [3.0, 1])[0].tolist() == [0, 1]


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1.0, 1e160, 2.0**1000])
def test_what_cancels_or_leaves_the_range_of_floats_is_still_right(size):
    """Squares of these lose every digit, vanish, or overflow."""

    def steep(x, y, z):
        return (x - y) * (x + y) - x * x + y * y + x * z, x * x

    (quotient,) = ratios(steep, [2.0**20 * size], [2.0**20 * size], [4.0 * size])
    assert quotient.tolist() == [2.0**-18]


def test_quotients_are_within_what_is_promised():
    rng = np.random.default_rng(0)
    x = rng.normal(size=20_000)
    y = x * (1 + rng.normal(size=20_000) * 10.0 ** rng.uniform(-16, 0, 20_000))

    def close(x, y):
        return x * x - y * y, (x - y) * x

    (quotient,) = ratios(close, x, y)
    apart = x != y
    truth = (x.astype(np.longdouble) + y) / x
    off = np.abs(quotient - truth)[apart]
    assert off.max() <= 2.0**-44 * np.abs(truth[apart]).max()
    assert (quotient[~apart] == 0).all()


def share(x, y):
    return x - y, x + y


def test_a_quotient_of_cancelling_differences_is_rounded_once():
    x, y = 1.0 + 2.0**-52, 1.0
    assert ratios(share, [x], [y], within=1e-30)[0] == 2.0**-52 / (2 + 2.0**-52)


@pytest.mark.parametrize("within", [1e-3, 1e-13, 1e-20])
def test_every_quotient_is_within_what_was_asked(within):
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, 200))
    y = x * (1 + rng.choice([-1, 1], 200) * 10.0 ** rng.uniform(-15, 0, 200))

    def steep(x, y, z):
        return x * z - y * y, (x - y) * z

    (given,) = ratios(steep, x, y, z, within=within)
    for k in range(200):
        top, bottom = steep(*(Fraction(float(v[k])) for v in (x, y, z)))
        true = top / bottom
        assert abs(float(given[k]) - true) <= within + abs(true) * Fraction(2) ** -52


def test_a_quotient_beyond_all_floats_is_infinite():
    def cubes(x, y):
        return x * x * x, -x * x * x, y * y * y

    large, small = ratios(cubes, [1e200], [1e-100])
    assert (large[0], small[0]) == (np.inf, -np.inf)


def test_a_denominator_that_rounds_to_zero_is_no_zero():
    """Infinity by infinity once passed as certain, with a tolerance of one's own.

    Found by nearly coplanar triangles, whose common segment ended elsewhere.
    """

    def thin(x, y, z):
        return x * x, x * y + z * z

    x, y, z = 1.0 + 2.0**-30, 2.0**-30 - 1.0, 1.0
    assert thin(x, y, z)[1] == 0
    (quotient,) = ratios(thin, [x], [y], [z], within=2.0**-45)
    assert quotient[0] == float(Fraction(x) ** 2 * 2**60)
