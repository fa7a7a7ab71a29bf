from fractions import Fraction

import numpy as np
import pytest

from wingedge.signs import sign


def area(ax, ay, bx, by, cx, cy):
    return (ax - cx) * (by - cy) - (ay - cy) * (bx - cx)


def test_a_sign_that_floats_get_wrong():
    """One point is a bit off the line through two others, one is on it."""
    off, on = np.nextafter(0.5, 1), 0.5
    columns = np.transpose([(0.5, y, 12.0, 12.0, 24.0, 24.0) for y in (off, on)])
    assert area(*columns).tolist() == [0, 0]
    assert sign(area, *columns).tolist() == [1, 0]


def test_signs_are_those_of_rational_arithmetic():
    rng = np.random.default_rng(1)
    direct = rng.normal(size=(6, 300))
    on_line = direct.copy()
    t = rng.normal(size=300)
    on_line[4] = direct[0] + t * (direct[2] - direct[0])
    on_line[5] = direct[1] + t * (direct[3] - direct[1])
    columns = np.concatenate([direct, on_line, np.round(direct)], axis=1)
    columns = columns * 2.0 ** rng.integers(-300, 300, size=900)
    found = sign(area, *columns)
    exact = [area(*map(Fraction, row)) for row in columns.T.tolist()]
    assert found.tolist() == [(x > 0) - (x < 0) for x in exact]
    floats = np.sign(area(*columns))
    assert (floats != found).any(), "too easy: floats alone would do"


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200, 1.7e308])
def test_floats_that_run_out_of_range(scale):
    one, two = 1.0 * scale, 0.5 * scale
    assert sign(area, one, 0.0, 0.0, one, 0.0, 0.0) == 1
    assert sign(area, one, one, two, two, 0.0, 0.0) == 0


def test_shapes_broadcast_and_one_query_has_no_axis():
    assert sign(area, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0).shape == ()
    assert sign(area, np.ones((2, 1)), 0.0, 0.0, np.ones(3), 0.0, 0.0).shape == (2, 3)


def test_constants_may_be_numbers():
    assert sign(lambda x: 2 * x * x - 1 - (1 - x), 0.75).tolist() == -1
    assert sign(lambda x: 1 - x - x + 3, 2.0).tolist() == 0
