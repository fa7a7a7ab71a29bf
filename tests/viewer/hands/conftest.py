"""Hands on a world whose bodies lie where they can reach them."""

import pytest

from viewer.sources import RunningWorld
from viewer.timeline import Timeline
from viewer.window.hands import Hands


@pytest.fixture
def hands(world):
    """Hands on that world, paused at its first frame."""
    timeline = Timeline(RunningWorld(world))
    timeline.pause()
    return Hands(timeline)
