import numpy as np
import pytest

from wingedge.primitives.lines import Lines

TRIANGLE = np.array([(0.0, 0, 1), (4, 0, 1), (0, 4, 1)])[:, :, None]  # looks up


def column(*v):
    return np.array(v, dtype=float)[:, None]


@pytest.mark.parametrize("endless", [True, False])
def test_a_line_down_looks_against_a_triangle_that_looks_up(endless):
    other = column(0, 0, -4) if endless else column(1, 1, -1)
    line = Lines(column(1, 1, 3), other, endless)
    assert line.rises(TRIANGLE).tolist() == [-1]
    assert line.starts(TRIANGLE).tolist() == [1]
    assert line.crossing(TRIANGLE).tolist() == line.rough(TRIANGLE).tolist() == [0.5]
    assert line.at(np.array([0.5])).T.tolist() == [[1, 1, 1]]


def test_inside_of_a_triangle_seen_against_its_normal_all_turns_are_negative():
    corners = TRIANGLE.swapaxes(0, 1)
    beyond = np.roll(corners, -1, axis=1)
    down = Lines(column(1, 1, 3), column(0, 0, -1), True)
    assert down.turns(corners, beyond).T.tolist() == [[-1, -1, -1]]
    beside = Lines(column(1, -1, 3), column(0, 0, -1), True)
    assert beside.turns(corners, beyond).T.tolist() == [[1, -1, -1]]
    on_edge = Lines(column(1, 0, 3), column(0, 0, -1), True)
    assert on_edge.turns(corners, beyond).T.tolist() == [[0, -1, -1]]


def test_the_step_of_a_segment_is_not_rounded():
    # 1 + 2^-60 is no float: the rounded step would lie in the plane
    start = column(2.0**-60, 0, 0)
    line = Lines(start, column(1, 1, 0), False)
    wall = np.array([(0.0, 0, 0), (1, 1, 0), (0, 0, 1)])[:, :, None]
    assert line.step[0] == line.step[1]
    assert line.rises(wall).tolist() == [-1]
    assert line.starts(wall).tolist() == [1]
    assert line.ends(wall).tolist() == [0]
    assert line.crossing(wall).tolist() == [1.0]


def test_what_is_off_the_ends_counts_as_an_end():
    before = Lines(column(1, 1, 0), column(0, 0, -1), True)
    assert before.crossing(TRIANGLE).tolist() == [0.0]
    short = Lines(column(1, 1, 3), column(1, 1, 2), False)
    assert short.crossing(TRIANGLE).tolist() == [1.0]


def test_the_ends_of_a_segment_are_its_own_points_to_the_bit():
    rng = np.random.default_rng(0)
    line = Lines(*rng.normal(size=(2, 3, 50)), False)
    assert np.array_equal(line.at(np.zeros(50)), line.start)
    assert np.array_equal(line.at(np.ones(50)), line.other)
