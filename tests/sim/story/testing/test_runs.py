from pathlib import Path

import pytest

from sim import Recording, Story, scenes
from sim.story.testing.golden import run_of
from sim.story.testing.pictures import frame_of


def test_a_world_runs_on_and_a_frame_is_found_by_its_number():
    world = scenes.load("press")
    assert [frame.index for frame in run_of(world, 3)] == [0, 1, 2]
    assert [frame.index for frame in run_of(world, 2)] == [3, 4]
    assert [frame.index for frame in run_of(world.run(4), 2)] == [5, 6]
    assert run_of(world, 0) == []
    world = scenes.load("press")
    world.step()
    run = run_of(world, 3)
    assert [frame_of(run, n).index for n in (1, 3, None)] == [1, 3, 3]
    assert [frame_of(run, n) for n in (0, 4)] == [None, None]
    assert frame_of([], None) is None
    assert frame_of(Story.of(run), 1) is None


def test_a_story_and_a_whole_recording_are_as_given(tmp_path):
    world = scenes.load("press")
    with world.record(tmp_path / "run.vtkhdf"):
        story = Story.of(world.run(3))
    assert run_of(story) is story
    with Recording.open(tmp_path / "run.vtkhdf") as recording:
        assert run_of(recording) is recording
        assert [frame.index for frame in run_of(recording, 2)] == [0, 1]
        assert frame_of(recording, 2).index == 2


def test_frames_are_whole_numbers_and_the_name_of_a_file_is_no_run():
    for frames, error, words in [
        (-1, ValueError, "must be 0 or more"),
        (True, TypeError, "a whole number"),
    ]:
        with pytest.raises(error, match=words):
            run_of(iter([]), frames)
    for name in ["run.vtkhdf", Path("run.story")]:
        with pytest.raises(
            TypeError, match=r"a Recording, as of Recording.open\(path\)"
        ):
            run_of(name)
