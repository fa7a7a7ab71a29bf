"""Two segments that go straight from one place to another."""

from fractions import Fraction

import numpy as np
import pytest

from wingedge.primitives import moving_point_triangle
from wingedge.primitives.moving_segment_segment import hit

CELL = 2.0**-40
X = (0, 0, 0), (4, 0, 0)
POINT = (1, 0, 0), (1, 0, 0)


def y(x, z, low=-1, high=2):
    return (x, low, z), (x, high, z)


# name: one segment and the other at the start, at the end; when they first meet
CASES = {
    "crossing": (X, y(1, 1), X, y(1, -2), "1/3"),
    "beside": (X, y(5, 1), X, y(5, -2), None),
    "not down to it": (X, y(1, 3), X, y(1, 1), None),
    "touching at the end": (X, y(1, 1), X, y(1, 0), 1),
    "leaving at the start": (X, y(1, 0), X, y(1, 1), 0),
    "at an end of one": (X, y(4, 1), X, y(4, -1), "1/2"),
    "at ends of both": (X, y(4, 1, 0), X, y(4, -1, 0), "1/2"),
    "past both ends by the least": (X, y(4, 1, 5e-324), X, y(4, -1, 5e-324), None),
    "one vertex of both": (X, ((4, 0, 0), (4, 1, 1)), X, ((9, 0, 0), (4, 1, 1)), 0),
    "in one plane": (X, ((5, -1, 0), (5, 1, 0)), X, ((2, -1, 0), (2, 1, 0)), "1/3"),
    "in one plane, passing": (X, ((5, 1, 0), (5, 2, 0)), X, y(0, 0, 1), None),
    "resting": (X, y(1, 0), X, y(1, 0), 0),
    "resting beside": (X, y(1, 0, 1), X, y(1, 0, 1), None),
    "parallel, through": (
        X,
        ((1, 1, 0), (6, 1, 0)),
        X,
        ((1, -2, 0), (6, -2, 0)),
        "1/3",
    ),
    "parallel, beside": (X, ((5, 1, 0), (6, 1, 0)), X, ((5, -2, 0), (6, -2, 0)), None),
    "on one line": (X, ((7, 0, 0), (6, 0, 0)), X, ((1, 0, 0), (0, 0, 0)), "1/3"),
    "on one line, apart": (X, ((7, 0, 0), (6, 0, 0)), X, ((9, 0, 0), (5, 0, 0)), None),
    "a point and a segment": (X, ((1, 1, 0),) * 2, X, ((1, -2, 0),) * 2, "1/3"),
    "two points": (POINT, ((0, 0, 1),) * 2, POINT, ((4, 0, -3),) * 2, "1/4"),
    "two points that pass": (POINT, ((0, 0, 1),) * 2, POINT, ((4, 0, -2),) * 2, None),
    # parallel at 1/2 only, as they turn past each other on one line
    "on one line for a moment": (
        X,
        ((5, -1, 0), (8, 1, 1)),
        X,
        ((-1, 1, 0), (2, -1, -1)),
        "1/2",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_first_time_is_in_the_cell_or_there_is_none(case):
    *places, when = case
    start, end = np.array(places, dtype=float).reshape(2, 4, 3)
    for turn in ([0, 1, 2, 3], [1, 0, 2, 3], [2, 3, 0, 1], [3, 2, 1, 0]):
        found = hit(start[turn], end[turn])
        assert found.hit == (when is not None)
        if when is not None:
            time = Fraction(when)
            assert found.lower <= time <= found.upper
            on_grid = (time * 2**40).denominator == 1
            assert found.upper - found.lower == (0 if on_grid else CELL)


def test_a_segment_of_no_length_is_a_point_and_meets_a_triangle_of_no_area_alike():
    rng = np.random.default_rng(3)
    start, end = rng.integers(-1, 2, (2, 2000, 4, 3)).astype(float)
    start[:, 1], end[:, 1] = start[:, 0], end[:, 0]
    found = hit(start, end)
    start[:, 1], end[:, 1] = start[:, 2], end[:, 2]
    assert 100 < found.hit.sum() < 1900
    for one, other in zip(found, moving_point_triangle.hit(start, end), strict=True):
        np.testing.assert_array_equal(one, other)
