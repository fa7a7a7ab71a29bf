import numpy as np  # of wingedge.primitives.segment_plane, wingedge.primitives.plane
import pytest

from wingedge.primitives.segment_plane import hit, plane

UP = (0, 0, 1)


@pytest.mark.parametrize("width", [1.0, 2.0**-20, 2.0**-52, 1e-300, 5e-324])
def test_the_normal_of_a_needle_is_right_to_the_last_digits(width):
    """From 2^-52 on, rounding leaves nothing of the products of its edges."""
    tail, tip = np.array([0.1, 0.3, 0.7]), np.array([2.1, 5.3, 3.7])
    corners = (0, 0, 0), tip - tail, (tip - tail) / 2 + np.array([0, 0, 0.0])
    corners[2][2] += width
    normal = plane(*corners).normal
    truth = np.cross(corners[1], UP)
    if corners[2][2] != corners[1][2] / 2:
        assert normal == pytest.approx(truth / np.linalg.norm(truth), abs=1e-11)
    else:
        assert normal.tolist() == [0, 0, 0]


def test_a_height_whose_digits_all_cancel_still_has_its_sign():
    """0.1 x 3 - 0.3 is 5.6e-17 in floats and -2.8e-17 in truth for these numbers."""
    normal, offset = (0.1, 0, 0), 0.1 * 3
    answer = hit((3, 0, 0), (4, 0, 0), normal, offset)
    assert 0.1 * 3 - offset == 0
    assert answer.start_height == -(2.0**-55)
    assert answer.case == "C"
