from fractions import Fraction

import pytest

from wingedge.exact import (
    first_common,
    gap_square,
    integer_points,
    integers,
    segment_parameter,
    segment_triangle_square,
    triangle_weights,
    unit,
)


def test_numbers_are_counted_in_one_unit():
    assert integers(0.75, -2.0, 0.5) == [3, -8, 2]
    assert integers(5e-324, 1.0) == [1, 2**1074]
    assert integers(3.0) == [3]
    assert integer_points((0.5, 1, 2), (0, 0, -0.25)) == [(2, 4, 8), (0, 0, -1)]


CASES = {
    "crossing": ((0, 0, 0), (4, 0, 0), (1, -1, 0), (1, 3, 0), (0.25, 0.25)),
    "end on inside": ((0, 0, 0), (4, 0, 0), (4, -1, 0), (4, 1, 0), (1, 0.5)),
    "ends": ((0, 0, 0), (4, 0, 0), (4, 0, 0), (4, 1, 0), (1, 0)),
    "beside": ((0, 0, 0), (4, 0, 0), (5, -1, 0), (5, 1, 0), None),
    "above": ((0, 0, 0), (4, 0, 0), (1, -1, 1), (1, 1, 1), None),
    "overlapping": ((0, 0, 0), (4, 0, 0), (2, 0, 0), (9, 0, 0), (0.5, 0)),
    "overlapping back": ((0, 0, 0), (4, 0, 0), (9, 0, 0), (1, 0, 0), (0.25, 1)),
    "from within": ((0, 0, 0), (4, 0, 0), (-1, 0, 0), (3, 0, 0), (0, 0.25)),
    "end to end in line": ((0, 0, 0), (4, 0, 0), (4, 0, 0), (9, 0, 0), (1, 0)),
    "in line apart": ((0, 0, 0), (4, 0, 0), (5, 0, 0), (9, 0, 0), None),
    "in line behind": ((0, 0, 0), (4, 0, 0), (-5, 0, 0), (-1, 0, 0), None),
    "parallel": ((0, 0, 0), (4, 0, 0), (0, 1, 0), (4, 1, 0), None),
    "onto a point": ((0, 0, 0), (4, 0, 0), (1, 0, 0), (1, 0, 0), (0.25, 0)),
    "past a point": ((0, 0, 0), (4, 0, 0), (1, 1, 0), (1, 1, 0), None),
    "a point on it": ((1, 0, 0), (1, 0, 0), (0, 0, 0), (4, 0, 0), (0, 0.25)),
    "a point off it": ((1, 1, 0), (1, 1, 0), (0, 0, 0), (4, 0, 0), None),
    "a point in line": ((5, 0, 0), (5, 0, 0), (0, 0, 0), (4, 0, 0), None),
    "one point": ((1, 1, 0), (1, 1, 0), (1, 1, 0), (1, 1, 0), (0, 0)),
    "two points": ((1, 1, 0), (1, 1, 0), (1, 1, 1), (1, 1, 1), None),
}


@pytest.mark.parametrize("name", CASES)
def test_the_first_point_of_a_segment_on_another(name):
    *points, expected = CASES[name]
    truth = None if expected is None else tuple(map(Fraction, expected))
    assert first_common(*points) == truth


A, B, C = (0, 0, 0), (4, 0, 0), (0, 4, 0)


@pytest.mark.parametrize(
    ("p", "weights"),
    [
        ((1, 1, 3), (2, 1, 1)),
        ((2, -3, 4), (2, 2, 0)),
        ((4, 4, 1), (0, 2, 2)),
        ((-1, 1, 0), (3, 0, 1)),
        ((-1, -1, 0), (4, 0, 0)),
        ((9, -1, 0), (0, 4, 0)),
        ((0, 9, 1), (0, 0, 4)),
    ],
)
def test_the_weights_of_the_point_of_a_triangle_nearest_to_another(p, weights):
    assert triangle_weights(p, A, B, C) == [Fraction(w, 4) for w in weights]


def test_squared_distances_are_exact():
    assert gap_square((1, 1, 3), [A, B, C], [Fraction(1, 3)] * 3) == Fraction(83, 9)
    assert segment_triangle_square((1, 1, 2), (1, 1, 3), [A, B, C]) == 4
    assert segment_triangle_square((-1, 2, -1), (-1, 2, 1), [A, B, C]) == 1
    assert segment_triangle_square((5, 4, -1), (5, 4, 1), [A, B, C]) == Fraction(25, 2)
    assert segment_triangle_square((-9, -1, 3), (9, -1, 3), [A, B, C]) == 10
    assert segment_triangle_square((-3, -3, -3), (-3, 3, -3), [A, A, A]) == 18
    assert segment_parameter((9, 9, 9), A, A) == 0


def test_unit_vectors_of_any_size():
    assert unit((3 * 10**400, -4 * 10**400, 0)) == [0.6, -0.8, 0]
    assert unit((0, 0, Fraction(-1, 10**400))) == [0, 0, -1]
