import numpy as np
import pytest

from wingedge.primitives.arguments import exponent, shift, unit


def test_the_exponent_bounds_every_column_row_by_row():
    k = exponent(np.array([1.0, 0.0, -8.0]), np.array([0.25, 0.0, 7.5]))
    assert k.tolist() == [1, 0, 4]


@pytest.mark.parametrize("x", [5e-324, 1e-310, 1.0, 1.7e308])
def test_shifting_there_and_back_keeps_every_bit(x):
    k = exponent(np.array(x))
    (small,) = shift([np.array(x)], -k)
    assert 0.5 <= small < 1
    assert shift([small], k)[0] == x


def test_what_is_too_large_becomes_infinite_and_what_is_too_small_0():
    assert shift([np.array([1.0, -1.0])], np.array(3000))[0].tolist() == [
        np.inf,
        -np.inf,
    ]
    assert shift([np.array(1.0)], np.array(-3000))[0] == 0


@pytest.mark.parametrize("length", [2.0**-1070, 1.0, 2.0**1020])
def test_a_direction_of_any_length_becomes_one_of_length_1(length):
    x, y = unit((np.array([3.0, 0.0]) * length, np.array([-4.0, 7.0]) * length))
    assert (x.tolist(), y.tolist()) == ([0.6, 0.0], [-0.8, 1.0])
