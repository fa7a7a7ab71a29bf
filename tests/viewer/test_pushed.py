import numpy as np  # of viewer.sources, viewer.timeline
import pytest

from sim import Body, Pose, closest, scenes
from viewer.sources import PushedFrames, frame_of, whole_run
from viewer.timeline import Timeline
from wingedge import shapes


def test_what_is_handed_over_is_there_in_order():
    frames, source = list(scenes.load("demo").run(45)), PushedFrames()
    source.append(frames[0])
    assert not source.extend()
    line = Timeline(source)
    assert not line.at_end
    for frame in frames[1:]:
        source.append(frame)
        line.step()
        assert line.frame is frame
    line.step()
    assert line.frame is frames[-1]
    assert [source[k] for k in range(len(source))] == frames
    assert source.dt == frames[-1].time - frames[-2].time
    assert source.events() == [(k, e) for k, f in enumerate(frames) for e in f.events]
    with pytest.raises(IndexError, match="frame 45 is not there; frames 0 to 44 are"):
        source[45]


def test_a_run_for_a_file_has_all_frames_and_keeps_positions_that_change_on_a_disk():
    source = whole_run(scenes.load("demo"), 9, "movie")
    for k, frame in enumerate(scenes.load("demo").run(9)):
        for was, body in zip(frame.bodies, source[k].bodies, strict=True):
            assert type(body.points) is np.memmap
            np.testing.assert_array_equal(was.points, body.points)
    assert source[0].body("table").points is source[8].body("table").points


@pytest.fixture
def pair():
    a = Body(shapes.box(1.0), name="a")
    return a, Body(shapes.box(1.0), name="b", pose=Pose.rigid(None, (1.5, 0.0, 0.0)))


def test_an_answer_is_shown_with_its_two_bodies_each_once(pair):
    state = closest(*pair)
    frame = frame_of(state)
    assert frame.pairs == (state,)
    assert [body.name for body in frame.bodies] == ["a", "b"]
    assert frame.body("b").world_points()[:, 0].min() == 1.0
    frame = frame_of([*pair, closest(*pair)])
    assert [body.name for body in frame.bodies] == ["a", "b"]
    frame = frame_of(pair[0])
    assert frame_of(frame) is frame


def test_meshes_get_names():
    box = Body(shapes.box(1.0), name="c")
    frame = frame_of([shapes.box(1.0), shapes.icosphere(1), box])
    assert [body.name for body in frame.bodies] == ["mesh", "mesh1", "c"]
