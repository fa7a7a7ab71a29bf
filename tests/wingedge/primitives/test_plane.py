import numpy as np
import pytest

from wingedge.primitives.plane import (
    ahead,
    near_piece,
    near_segment,
    on_segment,
    side,
    sign_where,
)


def at(*coordinates):
    return tuple(np.asarray(x, dtype=float) for x in coordinates)


ORIGIN, EAST = at(0, 0), at(4, 0)


@pytest.mark.parametrize(("x", "expected"), [(-1, -1), (0, 0), (9, 1)])
def test_ahead_is_beyond_the_first_point_toward_the_second(x, expected):
    assert ahead(at(x, 7), ORIGIN, EAST) == expected
    assert ahead(at(x, 7), ORIGIN, ORIGIN) == 0


def test_near_counts_what_is_exactly_as_far_away():
    p = at([2, -3, 7, 2], [5, 4, 4, -5])
    assert near_segment(p, ORIGIN, EAST, 5.0).all()
    assert not near_segment(p, ORIGIN, EAST, np.nextafter(5, 0)).any()


def test_near_a_piece_is_near_its_end_or_its_line():
    p = at([-99, -99, -3], [5, 5, 4])
    at_end, r = np.array([False, True, True]), np.full(3, 5.0)
    a, b = (tuple(np.full(3, float(x)) for x in end) for end in (ORIGIN, EAST))
    assert near_piece(at_end, p, a, b, r).tolist() == [True, False, True]


def test_a_sign_is_found_only_where_it_is_asked_for():
    asked = []

    def root(x):
        asked.append(x)
        return x * x - 4

    found = sign_where(np.array([1, 0, 1], bool), root, np.array([1.0, 2.0, 3.0]))
    assert found.tolist() == [-1, 0, 1]
    assert len(asked) == 1, "an exact zero was looked for in vain"
    assert sign_where(np.True_, root, np.array(5.0)).tolist() == 1
    assert sign_where(np.False_, root, np.array(5.0)).tolist() == 0


def test_near_a_segment_of_no_length_is_near_its_point():
    assert near_segment(at([3, 4], [4, 4]), ORIGIN, ORIGIN, 5.0).tolist() == [1, 0]


def test_on_a_segment_that_has_no_length_is_at_its_point():
    p = at([0, 1, -1], [0, 1, 0])
    assert on_segment(p, ORIGIN, ORIGIN, side(p, ORIGIN, ORIGIN)).tolist() == [1, 0, 0]


def test_on_a_segment_includes_its_ends():
    p = at([0, 2, 4, 5, -1, 2], [0, 0, 0, 0, 0, 1])
    found = on_segment(p, ORIGIN, EAST, side(p, ORIGIN, EAST))
    assert found.tolist() == [1, 1, 1, 0, 0, 0]
