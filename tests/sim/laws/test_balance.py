"""Energy where a body tips over an edge; the forces that hold one on a slope."""

import numpy as np
import pytest

from sim import Body, Pose, World, laws
from wingedge import shapes


@pytest.mark.parametrize(("dt", "most"), [(1 / 60, 6e-4), (1 / 240, 6e-5)])
def test_a_domino_that_tips_over_its_edge_lies_down_with_less_than_it_had(dt, most):
    """A step may gain a little: the potential of contacts is not convex there."""
    block = shapes.box((0.08, 0.24, 0.4))
    domino = Body(block, name="domino", pose=Pose(None, (0.0, 0.0, 0.2095)))
    plate, below = shapes.box((4.0, 4.0, 0.2)), Pose(None, (0.0, 0.0, -0.1))
    law = laws.Affine(
        fixed=["table"],
        kappa=1e7,
        friction=0.5,
        contact_distance=0.01,
        velocity={"domino": (0.8, 0.0, 0.0)},
        spin={"domino": (0.0, 4.0, 0.0)},
    )
    world = World([domino, Body(plate, name="table", pose=below)], law=law, dt=dt)
    world.step()
    energies = []
    for frame in world.run(round(0.6 / dt)):
        energies.append(sum(law.energies().values()))
        assert frame.pair("domino", "table").distance > 0.0
    assert np.diff(energies).max() <= most * energies[0]
    assert max(energies) == energies[0]
    assert world.poses[0, 0, 2] > 0.95  # it lies on its face
    assert energies[-1] > 0.1 * energies[0]


def test_what_holds_a_box_on_a_slope_is_its_weight_friction_included():
    """The force of the barrier alone is upright to the slope, and 3 % too small."""
    angle = np.radians(15.0)
    tilt = Pose.rigid([0.0, np.sin(angle / 2), 0.0, np.cos(angle / 2)])
    up = tilt.linear @ (0.0, 0.0, 1.01)
    box = Body(shapes.box(1.0), name="box", pose=Pose(tilt.linear, up))
    slope = Body(shapes.box((9.0, 9.0, 1.0)), name="slope", pose=tilt)
    law = laws.Affine(fixed=["slope"], friction=0.6, contact_distance=0.02)
    *_, frame = World([box, slope], law=law).run(120)
    (force,) = frame.law["contact_force"]
    assert frame.law["contact_bodies"].tolist() == [[0, 1]]
    assert force == pytest.approx([0.0, 0.0, -9810.0], abs=20.0)
    assert law.forces()["box"] == pytest.approx(-force, abs=1e-9)
