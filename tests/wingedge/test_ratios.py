from fractions import Fraction  # of wingedge.exact, wingedge.signs

import numpy as np
import pytest

from wingedge.exact import (
    gap_square,
    integer_points,
    integers,
    ratios,
    segment_triangle_square,
    segment_weights,
    unit,
)
from wingedge.signs import sign


def halves(x, y):
    return x + y, x - y, x * 2


def test_numerators_are_divided_by_the_last_rounded_once_and_nothing_by_zero():
    plus, minus = ratios(halves, [2.0, 4], [1.0, -4])
    assert plus.tolist() == [0.75, 0]
    assert minus.tolist() == [0.25, 1]
    assert ratios(halves, [0.0, 1], [3.0, 1])[0].tolist() == [0, 1]
    x, y = 1.0 + 2.0**-52, 1.0
    assert ratios(share, [x], [y], within=1e-30)[0] == 2.0**-52 / (2 + 2.0**-52)

    def cubes(x, y):
        return x * x * x, -x * x * x, y * y * y

    large, small = ratios(cubes, [1e200], [1e-100])
    assert (large[0], small[0]) == (np.inf, -np.inf)


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1.0, 1e160, 2.0**1000])
def test_what_cancels_or_leaves_the_range_of_floats_is_still_right(size):
    """Squares of these lose every digit, vanish, or overflow."""

    def steep(x, y, z):
        return (x - y) * (x + y) - x * x + y * y + x * z, x * x

    (quotient,) = ratios(steep, [2.0**20 * size], [2.0**20 * size], [4.0 * size])
    assert quotient.tolist() == [2.0**-18]


def share(x, y):
    return x - y, x + y


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


def area(ax, ay, bx, by, cx, cy):
    return (ax - cx) * (by - cy) - (ay - cy) * (bx - cx)


def test_signs_of_floats_out_of_range_of_constants_and_of_one_query():
    for scale in [1e-320, 1e-200, 1e200, 1.7e308]:
        one, two = 1.0 * scale, 0.5 * scale
        assert sign(area, one, 0.0, 0.0, one, 0.0, 0.0) == 1
        assert sign(area, one, one, two, two, 0.0, 0.0) == 0
    assert sign(area, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0).shape == ()
    assert sign(area, np.ones((2, 1)), 0.0, 0.0, np.ones(3), 0.0, 0.0).shape == (2, 3)
    assert sign(lambda x: 2 * x * x - 1 - (1 - x), 0.75).tolist() == -1
    assert sign(lambda x: 1 - x - x + 3, 2.0).tolist() == 0


def test_numbers_are_counted_in_one_unit_and_squares_and_units_are_exact():
    assert integers(0.75, -2.0, 0.5) == [3, -8, 2]
    assert integers(5e-324, 1.0) == [1, 2**1074]
    assert integers(3.0) == [3]
    assert integer_points((0.5, 1, 2), (0, 0, -0.25)) == [(2, 4, 8), (0, 0, -1)]
    assert gap_square((1, 1, 3), [A, B, C], [Fraction(1, 3)] * 3) == Fraction(83, 9)
    assert segment_triangle_square((1, 1, 2), (1, 1, 3), [A, B, C]) == 4
    assert segment_triangle_square((-1, 2, -1), (-1, 2, 1), [A, B, C]) == 1
    assert segment_triangle_square((5, 4, -1), (5, 4, 1), [A, B, C]) == Fraction(25, 2)
    assert segment_triangle_square((-9, -1, 3), (9, -1, 3), [A, B, C]) == 10
    assert segment_triangle_square((-3, -3, -3), (-3, 3, -3), [A, A, A]) == 18
    assert segment_weights((9, 9, 9), A, A) == (1, 0)
    assert unit((3 * 10**400, -4 * 10**400, 0)) == [0.6, -0.8, 0]
    assert unit((0, 0, Fraction(-1, 10**400))) == [0, 0, -1]


A, B, C = (0, 0, 0), (4, 0, 0), (0, 4, 0)
