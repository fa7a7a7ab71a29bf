import pytest

from sim import scenes
from viewer.sources import PushedFrames
from viewer.timeline import Timeline


@pytest.fixture
def frames():
    return list(scenes.load("demo").run(45))


@pytest.fixture
def source(frames):
    made = PushedFrames()
    made.append(frames[0])
    return made


def test_what_is_handed_over_is_there_in_order(frames, source):
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


def test_the_oldest_are_let_go_of_where_there_is_no_room(frames):
    weight = sum(body.points.nbytes for body in frames[0].bodies)
    source = PushedFrames(keep_bytes=10 * weight)
    event = next(event for frame in frames for event in frame.events)
    for frame in frames:
        source.append(frame, [event])
    assert 0 < source.first < len(source) == 45
    assert [k for k, _ in source.events()] == list(range(source.first, 45))
    assert source[44] is frames[44]
    tight = PushedFrames(keep_bytes=1)
    tight.append(frames[0])
    assert tight[0] is frames[0]
