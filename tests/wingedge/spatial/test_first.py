from fractions import Fraction

import numpy as np
import pytest

from wingedge.primitives import segment_triangle
from wingedge.spatial.index import exact_time

TRIANGLE = np.array([[0.0, 0, 0], [3, 0, 0], [0, 3, 0]])


@pytest.mark.parametrize(
    ("start", "end", "time"),
    [
        ((1, 1, 1), (1, 1, -2), Fraction(1, 3)),
        ((1, 1, 0), (1, 1, 5), Fraction(0)),
        ((1, 1, 5), (1, 1, 0), Fraction(1)),
        ((-1, 1, 0), (6, 1, 0), Fraction(1, 7)),
        ((-2, 0, 0), (1, 0, 0), Fraction(2, 3)),
        ((1, 1, 0), (9, 9, 0), Fraction(0)),
        ((1, -1, 0), (1, -1, 0), None),
    ],
)
def test_times_are_fractions_also_in_the_plane(start, end, time):
    start, end = np.array(start, float), np.array(end, float)
    found = segment_triangle.hit(start, end, *TRIANGLE)
    assert bool(found.hit) == (time is not None)
    if time is not None:
        assert exact_time(float(found.t), start, end, TRIANGLE) == time


def test_the_time_on_a_triangle_of_no_area_is_that_of_its_longest_side():
    needle = np.array([[0.0, 0, 0], [1, 0, 0], [4, 0, 0]])
    start, end = np.array([2.0, -1, 0]), np.array([2.0, 6, 0])
    t = float(segment_triangle.hit(start, end, *needle).t)
    assert exact_time(t, start, end, needle) == Fraction(1, 7)


def test_the_rounded_time_is_that_of_the_primitive():
    rng = np.random.default_rng(0)
    start, end, *corners = rng.integers(-4, 5, (5, 500, 3)).astype(float)
    found = segment_triangle.hit(start, end, *corners)
    hits = np.flatnonzero(found.hit)
    assert len(hits) > 20
    for k in hits:
        exact = exact_time(
            float(found.t[k]), start[k], end[k], np.stack([c[k] for c in corners])
        )
        assert abs(float(exact) - found.t[k]) <= 6e-14
