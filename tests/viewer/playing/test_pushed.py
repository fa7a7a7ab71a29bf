import pytest

from sim import scenes
from viewer.playing.pushed import Pushed
from viewer.playing.timeline import Timeline


@pytest.fixture
def frames():
    return list(scenes.load("demo").run(45))


def test_what_is_handed_over_is_there_in_order(frames):
    source = Pushed()
    assert len(source) == 0
    assert not source.extend()
    for frame in frames:
        source.append(frame)
    assert [source[k] for k in range(len(source))] == frames
    assert source.dt == frames[-1].time - frames[-2].time
    assert source.events() == [(k, e) for k, f in enumerate(frames) for e in f.events]
    with pytest.raises(IndexError, match="frame 45 is not there; frames 0 to 44 are"):
        source[45]


def test_the_oldest_are_let_go_of_where_there_is_no_room(frames):
    weight = sum(body.points.nbytes for body in frames[0].bodies)
    source = Pushed(keep_bytes=10 * weight)
    for frame in frames:
        source.append(frame)
    assert 0 < source.first < len(source) == 45
    assert source[44] is frames[44]
    assert all(k >= source.first for k, _ in source.events())
    tight = Pushed(keep_bytes=1)
    tight.append(frames[0])
    assert tight[0] is frames[0]


def test_events_can_be_given_instead(frames):
    source = Pushed()
    events = frames[37].events
    source.append(frames[0], events)
    assert [event for _, event in source.events()] == list(events)
    source.append(frames[37], ())
    assert len(source.events()) == len(events)


def test_a_timeline_goes_on_when_more_is_handed_over(frames):
    source = Pushed()
    source.append(frames[0])
    line = Timeline(source)
    assert not line.at_end
    source.append(frames[1])
    line.step_forward()
    assert line.frame is frames[1]
    line.step_forward()
    assert line.frame is frames[1]
