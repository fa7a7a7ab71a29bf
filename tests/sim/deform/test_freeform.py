from math import comb

import numpy as np
import pytest

from sim import deform
from sim.deform.fields import bernstein

POINTS = np.random.default_rng(2).uniform(0.0, 1.0, (200, 3))
BOX = {"low": (0.0, 0.0, 0.0), "high": (1.0, 1.0, 1.0)}
MATRIX = np.array([[0.2, 0.1, 0.0], [-0.3, 0.0, 0.4], [0.0, 0.5, -0.1]])


def places(*counts):
    """The rest places of control points in the unit cube, (l, m, n, 3)."""
    axes = [np.linspace(0.0, 1.0, n) if n > 1 else np.zeros(1) for n in counts]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def test_bernstein_polynomials_are_the_textbook_ones_and_carry_affinely():
    for n in [0, 1, 2, 5]:
        s = np.linspace(0.0, 1.0, 21)
        found = np.array(bernstein(n, s))
        expected = [comb(n, i) * s**i * (1 - s) ** (n - i) for i in range(n + 1)]
        assert np.abs(found - expected).max() < 1e-15
        assert np.abs(found.sum(axis=0) - 1.0).max() < 1e-15
    for counts in [(2, 2, 2), (4, 3, 2), (5, 5, 5)]:
        offsets = places(*counts) @ MATRIX.T + [1.0, 2.0, 3.0]
        points = deform.lattice(offsets, **BOX)(POINTS)
        expected = POINTS + POINTS @ MATRIX.T + [1.0, 2.0, 3.0]
        assert np.abs(points - expected).max() < 1e-14


def test_offsets_may_depend_on_time_and_the_box_is_that_of_the_rest_shape():
    offsets = np.zeros((2, 2, 2, 3))
    offsets[1, 1, 1] = (1.0, 1.0, 1.0)
    box = np.array([[-2.0, 3.0, 5.0], [-1.0, 4.0, 9.0]])
    assert deform.lattice(offsets)(box).tolist() == [[-2, 3, 5], [0, 5, 10]]
    offsets = np.zeros((2, 2, 2, 3))
    offsets[:, :, 1] = 1.0
    flat = POINTS * [1.0, 1.0, 0.0]
    assert np.array_equal(deform.lattice(offsets)(flat), flat)
    offsets = np.ones((2, 1, 3, 3))
    grown = deform.lattice(lambda t: t * offsets, amount=lambda t: 2.0 * t, **BOX)
    assert np.abs(grown(POINTS, 0.5) - (POINTS + 0.5)).max() < 1e-15


def test_outside_the_box_vertices_are_carried_kept_or_refused():
    offsets = np.zeros((2, 1, 1, 3))
    offsets[1, 0, 0] = (0.0, 0.0, 1.0)  # from 0 at x = 0 to 1 at x = 1
    points = np.array([[-3.0, 0.5, 0.5], [0.5, 0.5, 0.5], [1.5, 0.5, 0.5]])
    carry = deform.lattice(offsets, **BOX)(points)
    keep = deform.lattice(offsets, outside="keep", **BOX)(points)
    assert carry[:, 2].tolist() == [0.5, 1.0, 1.5]
    assert keep[:, 2].tolist() == [0.5, 1.0, 0.5]
    with pytest.raises(ValueError, match=r"vertex 0 at \[-3.0, 0.5, 0.5\] lies outs"):
        deform.lattice(offsets, outside="raise", **BOX)(points)
    assert deform.lattice(offsets, outside="raise", **BOX)(POINTS).shape == (200, 3)
