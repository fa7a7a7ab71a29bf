import numpy as np
import pytest

from wingedge.primitives.point_line import side


def test_right_of_a_line_that_goes_up_is_positive():
    for p, expected in [((1, 0), 1), ((-1, 0), -1), ((0, 5), 0), ((0, 0), 0)]:
        assert side(p, (0, 0), (0, 2)) == expected
        assert side(p, (0, 2), (0, 0)) == -expected


def test_a_side_that_floats_get_wrong_and_no_line_at_all():
    # Half a bit off the line through (12, 12) and (24, 24) rounds to 0.
    p = [(0.5, np.nextafter(0.5, 1)), (0.5, 0.5), (0.5, np.nextafter(0.5, 0))]
    assert side(p, (12, 12), (24, 24)).tolist() == [-1, 0, 1]
    (x, y), a, b = p[0], 12.0, 24.0
    assert (x - a) * (b - a) - (y - a) * (b - a) == 0
    assert side([(1, 2), (0, 0), (-3, 1)], (0, 0), (0, 0)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("scale", [5e-324, 1e-200, 1e200, 1e308])
def test_coordinates_at_both_ends_of_the_floats(scale):
    assert side((scale, 0), (0, 0), (0, scale)) == 1
    assert side((scale, scale), (0, 0), (-scale, -scale)) == 0
