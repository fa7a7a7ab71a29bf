"""Energy that a step makes of nothing is taken out; momentum stays."""

import numpy as np
import pytest

from sim import Body, Pose, World, laws
from sim.laws.balance import Moment, without_excess
from sim.laws.bulk import Bulk
from sim.laws.contacts import ContactSet
from sim.laws.shapes import times
from wingedge import shapes

NO_WEIGHT = np.zeros(3)


@pytest.mark.parametrize("dt", [1 / 60, 1 / 240])
def test_a_domino_that_tips_over_its_edge_gains_nothing(dt):
    """It rose by 5e-4 a step: the potential of contacts is not convex there."""
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
    assert np.diff(energies).max() <= 1e-9 * energies[0]
    assert world.poses[0, 0, 2] > 0.95  # it lies on its face
    assert energies[-1] > 0.1 * energies[0]


def moments(seed, slower):
    """Return three bodies, two of which touch, that are faster after a step."""
    rng = np.random.default_rng(seed)
    bodies = [Body(shapes.box(size), name=str(size)) for size in (1.0, 0.7, 0.5)]
    q = np.array([np.eye(3, 4)] * 3) + 0.1 * rng.normal(size=(3, 3, 4))
    v = rng.normal(size=(3, 3, 4))
    v[2] = 0.0
    one, x, none = np.ones(1), np.ones((1, 4)), np.zeros((2, 0), np.intp)
    touch = ContactSet(np.array([0]), np.array([1]), x, x, np.ones((1, 3)), none)
    then, now = (Moment(q, s * v, touch, [], one, one) for s in (slower, 1.0))
    return Bulk(bodies, 1.0, 1.0), then, now


def kinetic(bulk, v):
    return 0.5 * (v * times(v, bulk.mass)).sum()


def momenta(bulk, q, v):
    """Return linear and angular momentum of bodies, (4, 3)."""
    linear = times(v, bulk.mass)[:, :, 3].sum(axis=0)
    both = times(times(q, bulk.mass), v.transpose(0, 2, 1)).sum(axis=0)
    return np.vstack([linear, both - both.T])


@pytest.mark.parametrize("seed", range(4))
def test_a_group_that_touches_nothing_else_keeps_its_momentum(seed):
    bulk, then, now = moments(seed, 0.99)
    free, led = np.array([True, True, False]), np.zeros(3, bool)
    v = without_excess(bulk, NO_WEIGHT, (then, now), free, led)
    before, after, kept = (kinetic(bulk, x) for x in (then.v, now.v, v))
    assert after > 1.01 * before
    assert kept == pytest.approx(before, rel=1e-14)
    momentum = momenta(bulk, now.q, now.v)
    assert momenta(bulk, now.q, v) == pytest.approx(momentum, abs=1e-14)
    assert np.abs(momentum[1:] - momenta(bulk, now.q, then.v)[1:]).max() > 1e-3
    # where more has come than the motion within the group holds, its whole is rigid
    still = then._replace(v=0.0 * then.v)
    v = without_excess(bulk, NO_WEIGHT, (still, now), free, led)
    assert momenta(bulk, now.q, v) == pytest.approx(momentum, abs=1e-14)
    spin = v[:2, :, :3] @ np.linalg.inv(now.q[:2, :, :3])
    assert spin[0] == pytest.approx(spin[1], abs=1e-12)
    assert spin[0] == pytest.approx(-spin[0].T, abs=1e-12)


@pytest.mark.parametrize(
    ("standing", "kept"), [(True, 0.99), (False, 1.0)], ids=["stands", "is led"]
)
def test_a_group_on_a_body_that_stands_or_is_led(standing, kept):
    """Of a body that stands, all motion counts; one that is led does work."""
    bulk, then, now = moments(1, 0.99)
    free, led = np.array([True, False, False]), np.array([False, not standing, False])
    for m in (then, now):
        m.v[1] = 0.0
    v = without_excess(bulk, NO_WEIGHT, (then, now), free, led)
    assert v[0] == pytest.approx(kept * now.v[0], rel=1e-12)


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
