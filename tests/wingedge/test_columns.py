from fractions import Fraction

import numpy as np
import pytest

from wingedge import columns as c


def test_what_has_no_direction_and_a_quotient_by_zero_are_zero():
    unit = c.rows(c.direction(c.columns([[0.0, 0, 0], [0, -2, 0]])))
    assert unit.tolist() == [[0, 0, 0], [0, -1, 0]]
    assert c.quotient(np.array([1.0, 0, 6]), np.array([0.0, 0, 2])).tolist() == [
        0,
        0,
        3,
    ]


def test_foot_stays_on_the_segment_to_the_bit_at_its_end():
    for p, t, point, square in [
        ((1, 1, 0), 0.5, (1, 0, 0), 1),
        ((-3, 0, 4), 0, (0, 0, 0), 25),
        ((5, 0, 0), 1, (2, 0, 0), 9),
    ]:
        start, end = c.columns([[0, 0, 0]]), c.columns([[2, 0, 0]])
        at, near, found = c.foot(c.columns([p]), start, end)
        assert (at[0], tuple(c.rows(near)[0]), found[0]) == (t, point, square)
    start, end = c.columns([[0.1, 0.2, 0.3]]), c.columns([[0.7, 1 / 3, 0.9]])
    _, near, _ = c.foot(c.columns([[5.0, 5, 5]]), start, end)
    assert c.rows(near)[0].tolist() == [0.7, 1 / 3, 0.9]


def test_a_circle_is_exact_on_the_axes_and_even_within_rounding():
    x, y = c.circle(8).T
    assert x[[0, 2, 4, 6]].tolist() == [1, 0, -1, 0]
    assert y[[0, 2, 4, 6]].tolist() == [0, 1, 0, -1]
    for n in (5, 7, 24):
        x, y = c.circle(n).T
        assert (x[1:] == x[:0:-1]).all()
        assert (y[1:] == -y[:0:-1]).all()
    for n in [3, 5, 6, 12, 24, 1000]:
        for x, y in c.circle(n).tolist()[: n // 2]:
            assert abs(float(Fraction(x) ** 2 + Fraction(y) ** 2 - 1)) < 4.5e-16
        x, y = c.circle(n).T
        steps = np.hypot(np.roll(x, -1) - x, np.roll(y, -1) - y)
        assert steps == pytest.approx(2 * np.sin(np.pi / n), abs=5e-16)
