"""When four moving points are in one plane, and how they are turned between."""

import numpy as np

from wingedge.primitives.moving_orientation import roots
from wingedge.signs import orientation

BASE = [(0.0, 0, 0), (1, 0, 0), (0, 1, 0)]


def test_a_corner_that_rises_through_the_plane_changes_the_sign_once():
    found = roots([*BASE, (0, 0, -1)], [*BASE, (0, 0, 2)])
    assert (found.found, found.at_start, found.at_end) == (1, -1, 1)
    assert found.lower[0] < 1 / 3 < found.upper[0]
    assert found.sign.tolist() == [-1, 1, 0, 0]
    assert np.isnan(found.lower[1:]).all()


def test_a_loss_that_heals_before_the_end_is_two_times():
    """The signs at 0 and 1 are the same: only between them is the hinge reflex."""
    before = [(0.0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, -3)]
    after = [(0.0, 0, -3), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert roots(before, after).found == 1
    start, end = np.random.default_rng(0).normal(size=(2, 4000, 4, 3))
    found = roots(start, end)
    healed = (found.found == 2) & (found.at_start == found.at_end)
    assert healed.sum() > 300
    assert (found.sign[healed, 1] == -found.at_start[healed]).all()
    for k, x in (("at_start", start), ("at_end", end)):
        truth = orientation(*(x[:, i].T for i in range(4)))
        assert (getattr(found, k) == truth).all()
    assert (found.lower < found.upper)[~np.isnan(found.lower)].all()
    t = (found.upper[:, 0] + found.lower[:, 1])[found.found == 2] / 2
    some = found.found == 2
    between = (1 - t)[:, None, None] * start[some] + t[:, None, None] * end[some]
    told = orientation(*(between[:, i].T for i in range(4)))
    assert (told == found.sign[some, 1]).mean() > 0.999, "to rounding of the positions"


def test_a_double_root_keeps_the_sign_and_three_that_are_one_change_it():
    start = [(1, 1, -1), (0, 0, 0), (4, 0, 0), (0, 4, 0)]
    end = [(1, 2, 14), (0, 0, 0), (4, 0, 0), (0, 4, 36)]
    found = roots(start, end)
    assert found.found == 1
    assert found.lower[0] < 1 / 3 < found.upper[0]
    assert found.sign[0] == found.sign[1] != 0
    corner = np.eye(3) * 1.0
    found = roots([(0.0, 0, 0), *corner], [(0.0, 0, 0), *-corner])
    assert (found.found, found.lower[0], found.upper[0]) == (1, 0.5, 0.5)
    assert found.sign[0] == -found.sign[1] != 0


def test_what_stays_in_one_plane_has_no_times_and_no_sign():
    flat = np.random.default_rng(0).integers(-9, 9, (2, 20, 4, 3)) * [1, 1, 0]
    found = roots(*flat)
    assert not found.found.any()
    assert not found.sign.any()
    assert not found.at_start.any()


def test_roots_at_the_ends_are_told_by_the_signs_there():
    found = roots([*BASE, (0, 0, 0)], [*BASE, (0, 0, 1)])
    assert (found.found, found.at_start, found.at_end) == (0, 0, 1)
    assert found.sign[0] == 1
