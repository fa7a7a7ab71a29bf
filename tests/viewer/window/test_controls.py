import pytest

from sim import Body, World
from viewer.sources import source_of
from viewer.timeline import Timeline
from viewer.window.controls import Controls
from wingedge import shapes


def lost(rest, t):
    if t > 0.05:
        raise RuntimeError("lost my way")
    return rest


@pytest.fixture
def world():
    return World([Body(shapes.box(), name="box")], deform={"box": lost})


def ticks(controls):
    """Let time go on until something is over; tell what was to be drawn anew."""
    told = []
    for _ in range(10):
        controls.stale = False
        told.append(controls.tick())
        if not controls.timeline.playing:
            break
    return told


def test_trouble_of_a_script_is_to_be_drawn_at_once(world):
    """The window went on saying that it plays, until somebody touched it."""
    controls = Controls(Timeline(source_of(world), speed=1e9))
    assert all(ticks(controls))
    assert "lost my way" in str(controls.timeline.trouble)
    controls.stale = False
    assert not controls.tick()


def test_the_end_of_what_is_stored_is_drawn_at_once_and_nothing_anew_after(world):
    frames = list(World([Body(shapes.box(), name="box")]).run(3))
    controls = Controls(Timeline(source_of(frames), speed=1e9))
    assert ticks(controls) == [True, True, True]
    assert not controls.timeline.playing
    controls = Controls(Timeline(source_of(world)))
    controls.timeline.pause()
    controls.stale = False
    assert not controls.tick()


def test_a_damaged_frame_is_to_be_drawn_at_once(damaged):
    frames = damaged(World([Body(shapes.box(), name="box")]).run(4))
    controls = Controls(Timeline(source_of(frames), speed=1e9))
    assert ticks(controls) == [True, True]
    assert "frame 2" in str(controls.timeline.trouble)
