"""A world whose bodies lie where hands can reach them."""

import pytest

from sim import Body, Pose, World
from viewer.sources import RunningWorld
from viewer.timeline import Timeline
from viewer.window.hands import Hands
from wingedge import shapes


def sinking(t):
    return Pose.rigid(None, (1.6, 0.0, 2.0 - t))


@pytest.fixture
def world():
    """A box 0.1 above a table, and a ball that sinks beside it."""
    box = Body(shapes.box(), name="box", pose=Pose(None, (-1.0, 0.0, 1.1)))
    table = Body(shapes.grid_box((4, 4, 1), (6.0, 6.0, 1.0)), name="table")
    ball = Body(shapes.icosphere(1), name="ball")
    return World([box, table, ball], motion={"ball": sinking}, dt=0.1)


@pytest.fixture
def hands(world, tmp_path):
    """Hands on that world, paused at its first frame."""
    timeline = Timeline(RunningWorld(world))
    timeline.pause()
    return Hands(timeline, tmp_path)
