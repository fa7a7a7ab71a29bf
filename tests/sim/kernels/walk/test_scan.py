import struct  # of sim.kernels.walk.support

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engine.bound import floats
from sim.kernels.walk.support import (
    beyond,
    beyond_each,
    rise,
    rise_each,
    scan,
    scan_each,
)
from sim.kernels.workspace import Result

AXIS = (1.0, 0.0, 0.0)


def both(points, d):
    flat = floats(np.ascontiguousarray(points, float))
    told = []
    for function in (scan_each, scan):
        result = Result()
        top, best = function(flat, len(points), d, result)
        assert type(top) is int
        assert type(best) is float
        told.append((top, struct.pack("d", best), result.nan_sum == 0.0))
    return told


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 63, 64, 65, 1000])
@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_the_scan_has_the_bits_of_the_kernel(count, scale):
    rng = np.random.default_rng(count)
    for _ in range(10):
        points = scale * rng.normal(size=(count, 3))
        each, fast = both(points, tuple(rng.normal(size=3).tolist()))
        assert each == fast
        assert each[2]


def test_of_equals_the_first_wins_negative_zeros_included():
    for x in [
        [1.0, 1.0, 1.0],
        [0.0, 2.0, 2.0, 1.0, 2.0],
        [0.0, -0.0, 0.0],
        [-0.0, 0.0, -0.0],
        [-1.0, -0.0, 0.0],
        [1.0, 1.0 + 2.0**-52, 1.0],
        [5e-324, 0.0, 1e-323],
        [-1e308, 1e308, 1e308],
    ]:
        points = np.zeros((len(x), 3))
        points[:, 0] = x
        for d in (AXIS, (-1.0, 0.0, 0.0), (1.0, -0.0, 0.0), (0.0, 0.0, 0.0)):
            each, fast = both(points, d)
            assert each[:2] == fast[:2]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("vertex", [0, 3, 6])
@pytest.mark.parametrize("d", [AXIS, (-1.0, 0.5, 0.0)])
def test_a_coordinate_that_is_not_finite_cannot_pass_unseen(bad, vertex, d):
    points = np.random.default_rng(1).normal(size=(7, 3))
    points[vertex, 0] = bad
    each, fast = both(points, d)
    assert not each[2]
    assert not fast[2]


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    st.lists(
        st.tuples(
            *[st.floats(-4.0, 4.0, width=16) | st.sampled_from([np.inf, -np.inf])] * 3
        ),
        min_size=1,
        max_size=12,
    ),
    st.floats(-4.0, 4.0, width=16),
)
def test_what_reaches_a_height_is_counted_alike(points, floor):
    flat, d = floats(np.array(points)), (1.0, 0.5, 0.25)
    top = floor + 1.0
    told = {count(flat, len(points), d, floor, top) for count in (rise_each, rise)}
    high = [x + 0.5 * y + 0.25 * z for x, y, z in points]
    beyond = sum(not -np.inf < h <= top for h in high)
    assert told == {(sum(h >= floor for h in high), beyond)}


@pytest.mark.parametrize("odd", [0.0, 1e30, -1.1e30, np.inf, -np.inf, np.nan])
def test_coordinates_beyond_a_limit_are_counted_and_what_is_no_number(odd):
    points = np.random.default_rng(1).normal(size=(9, 3))
    points[4, 1] = odd
    found = {count(floats(points), 9, 1e30) for count in (beyond_each, beyond)}
    assert found == {0 if abs(odd) <= 1e30 else 1}
