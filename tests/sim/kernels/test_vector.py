from fractions import Fraction  # of sim.kernels.vector

import numpy as np
import pytest

from sim.engine.bound import floats
from sim.kernels.vector import along, back, cross, dot, length, minus, place, pull, unit

SHEAR = np.array([[2.0, 0.5, 0.0], [0.0, 1.0, -0.25], [4.0, 0.0, 1.0]])
SCALES = [2.0**-1000, 2.0**-500, 1.0, 2.0**500, 2.0**1000]


def pose_of(linear, translation=(np.nan, np.nan, np.nan)):
    """The translation is not read: a NaN there must not show."""
    return floats(np.column_stack([linear, translation]))


def test_lengths_directions_and_products_have_textbook_values_at_every_scale():
    assert dot((1.0, 2.0, 3.0), (4.0, -5.0, 6.0)) == 12.0
    assert cross((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)) == (-3.0, 6.0, -3.0)
    assert minus((1.0, 2.0, 3.0), (4.0, 6.0, 9.0)) == (-3.0, -4.0, -6.0)
    assert back((1.0, -2.0, 3.0)) == (-1.0, 2.0, -3.0)
    assert along((1.0, 2.0, 3.0), 2.0, (0.5, -1.0, 4.0)) == (2.0, 0.0, 11.0)
    for zero in (0.0, -0.0):
        assert unit((zero, zero, zero)) == (0.0, 0.0, 0.0)
        assert length((zero, zero, zero)) == 0.0
    for scale in SCALES:
        v = (2.0 * scale, -3.0 * scale, 6.0 * scale)
        assert length(v) == 7.0 * scale
        assert unit(v) == unit((2.0, -3.0, 6.0))


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_an_axis_keeps_its_bits_whichever_component_is_largest(axis, sign):
    v = [0.0, 0.0, 0.0]
    v[axis] = sign * 0.3
    assert unit(tuple(v))[axis] == sign
    assert length(tuple(v)) == 0.3


def test_a_pulled_direction_measures_the_same_height_in_the_body_frame():
    rng = np.random.default_rng(3)
    for _ in range(20):
        p, n = rng.integers(-64, 64, (2, 3)) / 8.0
        pose = pose_of(SHEAR)
        world = place(floats(np.array([p])), pose, (0.0, 0.0, 0.0), 0)
        exact = sum(Fraction(a) * Fraction(b) for a, b in zip(world, n, strict=True))
        assert dot(tuple(p), pull(pose, tuple(n))) == exact
