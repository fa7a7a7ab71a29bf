from fractions import Fraction  # of sim.kernels.vector
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.kernels.vector import (
    EXACTLY_PARALLEL,
    along,
    crossing,
    dot,
    end_to_segment,
    minus,
    miss_each_other,
    perpendicular,
)
from wingedge.exact import point_segment_square, segment_segment_square

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
ORIGIN = (0.0, 0.0, 0.0)


def exact(*points):
    return [tuple(Fraction(x) for x in p) for p in points]


def closest(p0, p1, q0, q1):
    """Combine the two kernels as ``between_lines`` does."""
    met, s, _, w, _ = crossing(p0, q0, minus(p1, p0), minus(q1, q0))
    if not met:
        s, _, w = end_to_segment(p0, p1, q0, q1)
    return s, w


def check(p0, p1, q0, q1, slack):
    s, w = closest(p0, p1, q0, q1)
    size = max(abs(x) for p in (p0, p1, q0, q1) for x in p)
    truth = sqrt(segment_segment_square(*exact(p0, p1, q0, q1)))
    assert abs(sqrt(dot(w, w)) - truth) <= slack * size
    assert 0.0 <= s <= 1.0
    q = along(along(p0, s, minus(p1, p0)), 1.0, w)
    off = sqrt(point_segment_square(*exact(q, q0, q1)))
    assert off <= slack * size


def test_a_crossing_knows_the_squared_sine_of_the_directions():
    for d, e, square in [
        (X, Y, 1.0),
        (X, (3.0, 0.0, 0.0), 0.0),
        (X, (-2.0, 0.0, 0.0), 0.0),
        (X, (1.0, 1.0, 0.0), 0.5),
        ((2.0, 0.0, 0.0), (1.0, 0.0, -1.0), 0.5),
        (X, ORIGIN, 0.0),
        (ORIGIN, Y, 0.0),
        (ORIGIN, ORIGIN, 0.0),
    ]:
        assert crossing(ORIGIN, Z, d, e)[4] == square
        assert crossing(ORIGIN, Z, e, d)[4] == square


@pytest.mark.parametrize("end", [0.0, 1.0])
def test_a_point_beside_an_end_keeps_the_digits_of_the_way(end):
    """1e-14 inside the end of a segment of length 1e6, at distance 1e-3."""
    inward = 2.0**-40 if end == 0.0 else -(2.0**-40)
    p0, p1 = (0.0, 0.0, 0.0), (2.0**20, 0.0, 0.0)
    x = (end * 2.0**20 + inward, 2.0**-10, 0.0)
    t, way = perpendicular(x, p0, p1)
    assert way == (0.0, 2.0**-10, 0.0)
    assert 0.0 < t < 1.0 or (end == 1.0 and t == 1.0)


@pytest.mark.parametrize("angle", [2.0**-10, 2.0**-20, 2.0**-30, 2.0**-40])
def test_nearly_parallel_lines_keep_the_digits_of_the_distance(angle):
    """The textbook determinant loses the square of the angle."""
    d, e = (2.0, 0.0, 0.0), (2.0, 2.0 * angle, 0.0)
    met, s, _, way, sine = crossing((-1.0, 0.0, 0.0), (-1.0, -angle, 0.25), d, e)
    assert met
    assert s == pytest.approx(0.5, abs=1e-4)
    assert way[2] == 0.25
    assert abs(way[1]) <= 1e-15
    assert sine == pytest.approx(angle * angle, rel=1e-5)


def test_below_rounding_an_angle_is_none_and_an_end_above_an_inside_wins():
    e = (1.0, 2.0 * sqrt(EXACTLY_PARALLEL), 0.0)
    assert crossing(ORIGIN, (0.0, -0.5 * e[1], 1.0), X, e)[0]
    e = (1.0, 0.5 * sqrt(EXACTLY_PARALLEL), 0.0)
    assert not crossing(ORIGIN, (0.0, -0.5 * e[1], 1.0), X, e)[0]
    long, short = (ORIGIN, (4.0, 0.0, 0.0)), ((0.0, 2.0, 0.0), (2.0, 2.0, 0.0))
    # Ends above ends are as near as the end at (2, 2), which lies above an inside.
    assert end_to_segment(*long, *short) == (0.5, 1.0, (0.0, 2.0, 0.0))
    assert end_to_segment(*short, *long) == (1.0, 0.5, (0.0, -2.0, 0.0))


def test_an_inner_foot_wins_among_ends_as_near_and_not_against_a_nearer_one():
    for part in [1e-15, -1e-15]:
        raised = (0.0, 2.0 + part, 0.0), (2.0, 2.0, 0.0)
        assert end_to_segment(ORIGIN, (4.0, 0.0, 0.0), *raised)[0] == pytest.approx(0.5)
    for part in [1e-9, -1e-9]:
        s, _, _ = end_to_segment(
            ORIGIN, (4.0, 0.0, 0.0), (0.0, 2.0 + part, 0.0), (2.0, 2.0, 0.0)
        )
        assert s == pytest.approx(0.5 if part > 0.0 else 0.0, abs=1e-8)


GRID = st.integers(-4, 4).map(float)
POINT = st.tuples(GRID, GRID, GRID)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(POINT, POINT, POINT, POINT)
def test_segments_on_a_grid_equal_exact_arithmetic(p0, p1, q0, q1):
    check(p0, p1, q0, q1, slack=1e-14)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(POINT, POINT, POINT)
def test_a_point_and_a_segment_equal_exact_arithmetic(x, p0, p1):
    t, way = perpendicular(x, p0, p1)
    truth = point_segment_square(*exact(x, p0, p1))
    assert dot(way, way) == pytest.approx(float(truth), rel=1e-14, abs=1e-28)
    assert 0.0 <= t <= 1.0


def test_no_segments_that_come_closest_inside_both_are_passed_over():
    """Skew, nearly parallel, short and long, meeting at ends: the quick look agrees."""
    rng = np.random.default_rng(5)
    met = passed = 0
    for k in range(20000):
        p, d, q = rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-3.0, 3.0, (3, 1))
        e = d * rng.uniform(-2.0, 2.0) + 10.0 ** rng.uniform(-16.0, 2.0) * rng.normal(
            size=3
        )
        if k % 3:  # a point of one beside a point of the other, often at an end
            s, t = rng.choice([0.0, 1e-15, 0.3, 1.0 - 1e-15, 1.0], 2)
            q = p + s * d - t * e + 10.0 ** rng.uniform(-12.0, 1.0) * np.cross(d, e)
        lines = [tuple(x.tolist()) for x in (p, d, q, e)]
        meet, s, _, w, _ = crossing(lines[0], lines[2], lines[1], lines[3])
        t = (p + s * d + w - q) @ e
        inside = meet and 0.0 < s < 1.0 and 0.0 < t < e @ e
        beside = miss_each_other(*lines[1::2], tuple((q - p).tolist()))
        assert not (inside and beside)
        met, passed = met + inside, passed + beside
    assert met > 1000
    assert passed > 3000
