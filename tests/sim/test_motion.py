from math import pi  # of sim.motion

import numpy as np
import pytest

from sim import Pose, motion

TIMES = [-1.0, 0.0, 0.25, 0.5, 1.0, 1.75, 4.0]


def test_still_stays_press_comes_back_and_a_slanted_turn_is_of_the_textbook():
    pose = Pose(None, (1.0, 2.0, 3.0))
    assert all(motion.still(pose)(t) == pose for t in TIMES)
    assert motion.still()(3.0) == Pose.identity()
    press = motion.press((0.0, 0.0, 2.0), (0.0, 0.0, 1.0), down=1.0, hold=0.5, up=2.0)
    heights = [press(t).translation[2] for t in (0.0, 0.5, 1.0, 1.2, 1.5, 2.5, 3.5)]
    assert heights == [2.0, 1.5, 1.0, 1.0, 1.0, 1.5, 2.0]
    pose = motion.turn((1.0, 1.0, 1.0), lambda t: 2.0 * pi / 3.0)(0.0)
    cycle = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    assert np.abs(pose.linear - cycle).max() <= 1e-15


@pytest.mark.parametrize("smooth", [False, True])
def test_waypoints_are_met_exactly_and_stay_outside_their_times(smooth):
    points = [(0.1, 0.2, 0.3), (1.0, -1.0, 0.7), (0.1, 5.0, 0.0)]
    way = motion.waypoints((0.0, 0.3, 0.9), points, smooth=smooth)
    for t, point in zip((0.0, 0.3, 0.9), points, strict=True):
        assert way(t).translation.tolist() == list(point)
    assert way(-9.0) == way(0.0)
    assert way(9.0) == way(0.9)
    assert np.array_equal(way(0.5).linear, np.eye(3))


def test_stack_does_the_first_motion_first_and_time_may_come_in_any_order():
    turn, move = motion.spin((0, 0, 1), pi), motion.linear((1.0, 0.0, 0.0))
    after = motion.stack(turn, move)(0.5)
    assert after.apply([1.0, 0.0, 0.0]) == pytest.approx([0.5, 1.0, 0.0])
    before = motion.stack(move, turn)(0.5)
    assert before.apply([1.0, 0.0, 0.0]) == pytest.approx([0.0, 1.5, 0.0])
    script = motion.stack(
        motion.spin((1.0, 2.0, 3.0), 2.0), motion.press((0, 0, 1), (0, 0, 0))
    )
    forward = [script(t) for t in TIMES]
    backward = [script(t) for t in reversed(TIMES)]
    assert forward == backward[::-1]
