"""The oracle that places bodies exactly where float64 would lose digits."""

import numpy as np
import pytest
from stories.centred import centred, loses_digits

from sim import Body, Pose, exhaustive
from wingedge import shapes

SHIFT = np.array([1e6, -1e6, 1e6])


def far_from_its_origin(gap: float) -> tuple[Body, Body]:
    """A body beside one whose points lie 1e6 from its own origin."""
    a, b = Body(shapes.tetrahedron()), Body(shapes.random_hull(3, 12))
    turn = Pose.rigid((0.1, 0.2, 0.3, 1.0)).linear
    b.points = b.mesh.points + SHIFT
    b.pose = Pose(turn, np.array([2.0, 0.1, 0.2]) - turn @ SHIFT)
    d = exhaustive(a, b)
    b.pose = Pose(turn, b.pose.translation - (d.distance - gap) * d.normal)
    return a, b


def test_bodies_placed_exactly_are_as_far_apart_as_rationals_say():
    for gap in [0.3, 1e-6, -1e-3]:
        a, b = far_from_its_origin(gap)
        truth = exhaustive(a, b, rational=True).distance
        assert loses_digits(a, b)
        assert exhaustive(*centred(a, b)).distance == pytest.approx(truth, abs=4e-15)
        assert abs(exhaustive(a, b).distance - truth) > 1e-13
    a, b = Body(shapes.box()), Body(shapes.prism(5))
    for at in ((1.5, 0.0, 0.0), (0.0, 0.0, 0.0)):
        b.pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), at)
        assert not loses_digits(a, b)
    a.pose = Pose(None, SHIFT)
    b.pose = Pose(None, SHIFT + 2.0)
    assert not loses_digits(a, b), "a translation that both have is taken off first"
