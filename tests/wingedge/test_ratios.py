import numpy as np
import pytest

from wingedge.ratios import ratios


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
