from math import cos, pi, sin  # of sim.deform.sections

import numpy as np
import pytest

from sim import deform
from wingedge import shapes

BAR = shapes.grid_box((2, 2, 16), (0.4, 0.4, 2.0))
SPINE = np.array([[0.0, 0.0, z] for z in np.linspace(-1.0, 1.0, 401)])


def section(points, z):
    """The vertices of the bar that lie at height z at rest."""
    return points[np.abs(BAR.points[:, 2] - z) < 1e-12]


def test_a_twist_turns_the_high_end_by_its_angle_about_any_axis():
    for angle in [0.3, pi / 2, -1.0, 9.0]:
        points = deform.twist(angle)(BAR.points)
        x, y, z = section(BAR.points, 1.0).T
        turned = [x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle), z]
        assert np.abs(section(points, 1.0) - np.array(turned).T).max() < 1e-15
        assert np.array_equal(section(points, -1.0), section(BAR.points, -1.0))
    for axis in [0, 1, 2]:
        turned = np.roll(BAR.points, axis - 2, axis=1)
        points = deform.twist(0.7, axis=axis)(turned)
        assert np.array_equal(
            points, np.roll(deform.twist(0.7)(BAR.points), axis - 2, 1)
        )
    for make in [deform.taper, deform.twist, deform.bend]:
        flat = BAR.points * [1.0, 1.0, 0.0]
        assert np.array_equal(make(0.9)(flat), flat)


@pytest.mark.parametrize("angle", [1e-12, 0.4, pi, 1.5 * pi, 2.0 * pi, -2.0])
def test_a_bend_keeps_the_length_of_its_middle_line_and_makes_an_arc(angle):
    arc = deform.bend(angle)(SPINE)
    steps = np.sqrt((np.diff(arc, axis=0) ** 2).sum(axis=1))
    assert steps.sum() == pytest.approx(2.0, rel=2e-5)
    assert np.ptp(steps) < 1e-13
    radius = 2.0 / angle
    if abs(radius) < 1e3:
        from_centre = arc - np.array([radius, 0.0, -1.0])
        lengths = np.sqrt((from_centre**2).sum(axis=1))
        assert np.abs(lengths - abs(radius)).max() < 1e-13
    assert arc[0].tolist() == [0.0, 0.0, -1.0]
