from fractions import Fraction

import pytest

from wingedge.whole import first_common, whole, whole_points


def test_numbers_are_counted_in_one_unit():
    assert whole(0.75, -2.0, 0.5) == [3, -8, 2]
    assert whole(5e-324, 1.0) == [1, 2**1074]
    assert whole(3.0) == [3]
    assert whole_points((0.5, 1, 2), (0, 0, -0.25)) == [(2, 4, 8), (0, 0, -1)]


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
