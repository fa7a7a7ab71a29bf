from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wingedge.spatial.triangles import SLACK, entries, gaps

LOW, HIGH = np.array([[0.0, 0, 0]]), np.array([[2.0, 3, 4]])


@pytest.mark.parametrize(
    ("p", "gap"),
    [((1, 1, 1), 0), ((2, 3, 4), 0), ((5, 3, 4), 3), ((-3, -4, 2), 5), ((4, 6, 10), 7)],
)
def test_gaps_are_distances_to_the_box(p, gap):
    assert gaps(np.array([p], float), LOW, HIGH).tolist() == [gap]


@pytest.mark.parametrize(
    ("start", "end", "t"),
    [
        ((-2, 1, 1), (2, 1, 1), 0.5),
        ((1, 1, 1), (9, 9, 9), 0.0),
        ((-2, 1, 1), (-1, 1, 1), np.inf),
        ((-1, 9, 1), (3, 9, 1), np.inf),
        ((2, 3, 4), (2, 3, 4), 0.0),
        ((2, 3, 5), (2, 3, 5), np.inf),
        ((-1, 3, 4), (1, 3, 4), 0.5),
        ((4, 0, 0), (2, 0, 0), 1.0),
    ],
)
def test_segments_enter_where_they_should(start, end, t):
    start, end = np.array([start], float), np.array([end], float)
    found = entries(start, end, LOW, HIGH, np.array([9 * SLACK]))
    assert found[0] == pytest.approx(t, abs=1e-12)
    assert not found[0] > t


coordinate = st.floats(-1, 1) | st.sampled_from([0.0, -0.0, 1e-310, 5e-324, 1 / 3, 0.1])


@given(arrays(float, (4, 3), elements=coordinate))
@settings(max_examples=300, deadline=None)
def test_no_segment_misses_a_box_that_it_meets(x):
    low, high = np.minimum(x[0], x[1]), np.maximum(x[0], x[1])
    enter, leave = Fraction(0), Fraction(1)
    for a, b, c, d in zip(
        *(map(Fraction, v) for v in (*x[2:], low, high)), strict=True
    ):
        if a == b:
            if not c <= a <= d:
                leave = Fraction(-1)
        else:
            times = sorted(((c - a) / (b - a), (d - a) / (b - a)))
            enter, leave = max(enter, times[0]), min(leave, times[1])
    found = entries(x[2:3], x[3:], low[None], high[None], np.array([SLACK]))[0]
    if enter <= leave:
        assert found <= enter
    else:
        assert found == np.inf or found <= 1
