from fractions import Fraction

import numpy as np
import pytest

from wingedge.quotients import ratio


def difference(x, y):
    return x - y


def reach(x, y):
    return x + y


def test_a_quotient_of_cancelling_differences_is_rounded_once():
    x, y = 1.0 + 2.0**-52, 1.0
    assert ratio(difference, reach, x, y, within=1e-30) == 2.0**-52 / (2 + 2.0**-52)


@pytest.mark.parametrize("within", [1e-3, 1e-13, 1e-20])
def test_every_quotient_is_within_what_was_asked(within):
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, 200))
    y = x * (1 + rng.choice([-1, 1], 200) * 10.0 ** rng.uniform(-15, 0, 200))

    def bottom(x, y, z):
        return (x - y) * z

    def top(x, y, z):
        return x * z - y

    given = ratio(top, bottom, x, y, z, within=within)
    for k in range(200):
        a, b, c = (Fraction(float(v[k])) for v in (x, y, z))
        true = top(a, b, c) / bottom(a, b, c)
        assert abs(float(given[k]) - true) <= within + abs(true) * Fraction(2) ** -52


def test_shapes_broadcast_and_one_quotient_is_a_number():
    assert ratio(difference, reach, [[1.0], [3.0]], [1.0, 2.0], within=0).shape == (
        2,
        2,
    )
    assert ratio(difference, reach, 3.0, 1.0, within=1.0).shape == ()


def test_what_overflows_on_the_way_is_computed_without():
    def square(x, y):
        return x * x * y

    huge, tiny = 1e200, 1e-200
    assert ratio(square, square, huge, 1.0, within=1e-9) == 1.0
    assert ratio(square, square, tiny, 1.0, within=1e-9) == 1.0


def test_a_quotient_beyond_all_floats_is_infinite():
    def tiny(x, y):
        return y * y * y

    def huge(x, y):
        return x * x

    assert ratio(huge, tiny, 1e200, 1e-100, within=1.0) == np.inf
    assert ratio(lambda x, y: -huge(x, y), tiny, 1e200, 1e-100, within=1.0) == -np.inf
