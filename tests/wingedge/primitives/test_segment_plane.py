import numpy as np
import pytest

from wingedge.primitives.segment_plane import hit, plane

A, B, C = (1.0, 1, 2), (5.0, 1, 2), (1.0, 5, 2)
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


CASES = {
    "above": ((0, 0, 5), (9, 9, 3), "A", None),
    "below": ((0, 0, -5), (9, 9, -3), "A", None),
    "through": ((0, 0, 6), (4, 4, -2), "C", 0.5),
    "from below": ((0, 0, -2), (4, 4, 6), "C", 0.5),
    "ends on it": ((0, 0, 3), (1, 1, 2), "B", 1),
    "starts on it": ((0, 0, 2), (1, 1, 9), "B", 0),
    "in it": ((0, 0, 2), (9, 9, 2), "B", 0),
    "parallel": ((0, 0, 3), (9, 9, 3), "A", None),
    "a point on it": ((7, 8, 2), (7, 8, 2), "B", 0),
    "a point above": ((7, 8, 3), (7, 8, 3), "A", None),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("stretch", [1, -1, 4])
def test_cases_heights_and_the_first_point(name, stretch):
    start, end, case, t = CASES[name]
    answer = hit(start, end, np.multiply(UP, stretch), 2 * stretch)
    assert (answer.case, answer.hit) == (case, t is not None)
    assert answer.start_height == stretch * (start[2] - 2)
    assert answer.end_height == stretch * (end[2] - 2)
    if t is None:
        assert np.isnan([answer.t, *answer.point]).all()
    else:
        assert answer.t == t
        assert answer.point.tolist() == [
            x + t * (y - x) for x, y in zip(start, end, strict=True)
        ]


def test_a_height_whose_digits_all_cancel_still_has_its_sign():
    """0.1 x 3 - 0.3 is 5.6e-17 in floats and -2.8e-17 in truth for these numbers."""
    normal, offset = (0.1, 0, 0), 0.1 * 3
    answer = hit((3, 0, 0), (4, 0, 0), normal, offset)
    assert 0.1 * 3 - offset == 0
    assert answer.start_height == -(2.0**-55)
    assert answer.case == "C"
