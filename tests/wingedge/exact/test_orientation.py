from fractions import Fraction

import numpy as np
import pytest

from wingedge.signs import orientation


def exact(a, b, c, d):
    a, b, c, d = ([Fraction(float(x)) for x in v] for v in (a, b, c, d))
    u, v, w = ([x - y for x, y in zip(p, a, strict=True)] for p in (b, c, d))
    value = sum(w[k] * (u[k - 2] * v[k - 1] - u[k - 1] * v[k - 2]) for k in range(3))
    return (value > 0) - (value < 0)


def test_above_a_triangle_its_corners_run_counter_clockwise():
    a, b, c = np.eye(3)
    assert orientation(a, b, c, np.ones(3)) == 1
    assert orientation(a, b, c, np.zeros(3)) == -1
    assert orientation(a, c, b, np.ones(3)) == -1
    assert orientation(a, b, c, np.array([2.0, -1.0, 0.0])) == 0


@pytest.mark.parametrize("scale", [1.0, 1e-110, 1e-300, 1e-320, 1e120, 1e300])
def test_signs_are_those_of_rational_arithmetic_at_every_size(scale):
    rng = np.random.default_rng(3)
    a, b, c = rng.normal(size=(3, 3, 60))
    s, t = rng.uniform(-1, 2, size=(2, 60))
    d = a + s * (b - a) + t * (c - a)  # in the plane, but for rounding
    d = d + rng.normal(size=(3, 60)) * 10.0 ** rng.uniform(-18, -10, 60)
    a, b, c, d = (x * scale for x in (a, b, c, d))
    found = orientation(a, b, c, d)
    assert found.tolist() == [
        exact(*(x[:, k] for x in (a, b, c, d))) for k in range(60)
    ]


def test_shapes_broadcast():
    a, b, c = np.eye(3)[:, :, None, None]
    d = np.ones((3, 2, 5))
    assert orientation(a, b, c, d).tolist() == [[1] * 5] * 2
