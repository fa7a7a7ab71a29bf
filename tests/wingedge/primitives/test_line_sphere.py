import numpy as np  # of wingedge.primitives.line_sphere
import pytest

from wingedge.primitives.line_sphere import hit

ORIGIN = (0.0, 0, 0)


def test_digits_are_kept_near_a_root_beyond_the_floats_and_at_a_tiny_sphere():
    # From 1e-12 outside, -b - sqrt(d) keeps four of them.
    answer = hit((-1 - 2.0**-40, 0, 0), (1, 0, 0), ORIGIN, 1)
    assert answer.t[0] == pytest.approx(2.0**-40, rel=1e-15)
    assert answer.t[1] == 2 + 2.0**-40
    answer = hit((-5, 0, 0), (5e-324, 0, 0), ORIGIN, 1)
    assert answer.t.tolist() == [np.inf, np.inf]
    assert answer.point[:, 0].tolist() == [-1, 1]
    answer = hit((-1, 0, 0), (1, 1e-20, 0), ORIGIN, 2e-20)
    slope = np.sqrt(0.75)
    assert answer.normal[0] == pytest.approx([-slope, 0.5, 0])
    assert answer.normal[1] == pytest.approx([slope, 0.5, 0])


def test_a_line_of_no_direction_on_the_surface_has_the_normal_there():
    answer = hit((0, -1, 0), (0, 0, 0), ORIGIN, 1)
    assert (answer.n_points, answer.t[0]) == (1, 0)
    assert answer.normal[0].tolist() == [0, -1, 0]
