import numpy as np
import pytest

from wingedge.columns import columns
from wingedge.primitives.spheres import descent, discriminant, level, outward, roots


def vector(*x):
    return columns(np.array([x], dtype=float))


ORIGIN = vector(0, 0, 0)


def test_the_signs_of_a_line_and_a_point():
    start, tip = vector(-5, 3, 0), vector(1, 0, 0)
    for radius, sign in ((2, -1), (3, 0), (4, 1)):
        value = discriminant(*start, *ORIGIN, *tip, *ORIGIN, radius)
        assert np.sign(value) == sign
    assert level(*start, *ORIGIN, 5) == 9
    assert descent(*start, *ORIGIN, *ORIGIN, *tip) == 5
    assert descent(*ORIGIN, *start, *ORIGIN, *tip) == -5


@pytest.mark.parametrize("shift", [0.0, 2.0**-30, 0.5])
def test_the_roots_are_those_of_the_quadratic(shift):
    start = vector(-3, shift, 0)
    t, normal = roots([start, ORIGIN, vector(2, 0, 0), ORIGIN], np.ones(1))
    half = np.sqrt(1 - shift * shift)
    assert t[0] == pytest.approx([(3 - half) / 2, (3 + half) / 2], rel=1e-15)
    assert normal[0] == pytest.approx(np.array([(-half, shift, 0), (half, shift, 0)]))


def test_a_double_root_is_found_without_rounding():
    t, normal = roots([vector(-3, 1, 0), ORIGIN, vector(1, 0, 0), ORIGIN], np.ones(1))
    assert t.tolist() == [[3, 3]]
    assert normal.tolist() == [[[0, 1, 0], [0, 1, 0]]]


def test_what_is_outward_of_the_centre_itself_is_x():
    assert outward(vector(3, 4, 0), ORIGIN).tolist() == [[0.6, 0.8, 0]]
    assert outward(ORIGIN, ORIGIN).tolist() == [[1, 0, 0]]
    tiny = vector(3e-320, 4e-320, 0)
    assert outward(tiny, ORIGIN) == pytest.approx(np.array([[0.6, 0.8, 0]]), abs=1e-4)
