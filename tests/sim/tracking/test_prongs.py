import numpy as np  # of sim.kernels.closest.level_parts, sim.kernels.closest.outline
import pytest
from stories.notched import off_parts

from sim import Body, PairTracker, Pose, closest
from wingedge import shapes

TURNS = [(0.0, 0.0, 0.0, 1.0), (0.3, -0.2, 0.5, 0.7)]


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("mesh", [shapes.needle(1.0, 20.0), shapes.icosphere(1, 0.4)])
def test_a_tip_in_one_prong_is_named_with_that_prong(mesh, turn):
    """The ends of both are level: it was the lower number, wherever the tip was."""
    world = Pose.rigid(turn)
    fork = Body(shapes.u_block(3.0), name="fork", pose=world)
    tip = Body(mesh, name="tip")
    upright = Pose.rigid((1.0, 0.0, 0.0, 1.0))
    low = (mesh.points @ upright.linear.T)[:, 1].min()
    ends = {-1: 12, 1: 8}
    tracker = PairTracker(tip, fork)
    for x in (-1.2, -1.0, -0.8, 0.8, 1.0, 1.2, -1.1, 1.1):
        at = np.array([x, 1.45 - low, 0.07])
        tip.pose = Pose(world.linear @ upright.linear, world.linear @ at)
        state = tracker.update()
        assert state.distance == pytest.approx(-0.05)
        assert state.feature_b.index == ends[int(np.sign(x))]
        assert state.feature_b == closest(tip, fork).feature_b
        assert off_parts(tip, state.parts_a, state.point_a) < 1e-12
        assert off_parts(fork, state.parts_b, state.point_b) < 1e-12


@pytest.mark.parametrize("turn", TURNS)
def test_a_plate_pressed_into_both_prongs_stays_on_the_one_that_it_began_on(turn):
    """Which of two level prongs is named is history's to decide, not rounding's."""
    world = Pose.rigid(turn)
    fork = Body(shapes.u_block(3.0), name="fork", pose=world)
    plate = Body(shapes.box((1.5, 0.5, 1.5)), name="plate")
    tracker = PairTracker(plate, fork)
    for end, begin in ((8, 1.0), (12, -1.0)):
        tracker.reset()
        # On one prong alone, then over both, and along them.
        for k, x in enumerate(begin * np.linspace(1.0, 0.0, 12)):
            at = world.linear @ np.array([x, 1.7, 0.01 * k])
            wide = np.diag([1.0 if k < 2 else 2.0, 1.0, 1.0])
            plate.pose = Pose(world.linear @ wide, at)
            state = tracker.update()
            assert state.distance == pytest.approx(-0.05)
            assert (state.kind, state.feature_b.index) == ("FF", end)
            assert off_parts(fork, state.parts_b, state.point_b) < 1e-12
