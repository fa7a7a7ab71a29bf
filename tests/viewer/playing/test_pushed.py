import pytest

from sim import scenes
from viewer.sources import PushedFrames
from viewer.timeline import Timeline


@pytest.fixture
def frames():
    return list(scenes.load("demo").run(45))


def test_what_is_handed_over_is_there_in_order(frames):
    source = PushedFrames()
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


def test_events_can_be_given_instead(frames):
    source = PushedFrames()
    events = frames[37].events
    source.append(frames[0], events)
    assert [event for _, event in source.events()] == list(events)
    source.append(frames[37], ())
    assert len(source.events()) == len(events)


def test_a_timeline_goes_on_when_more_is_handed_over(frames):
    source = PushedFrames()
    source.append(frames[0])
    line = Timeline(source)
    assert not line.at_end
    source.append(frames[1])
    line.step_forward()
    assert line.frame is frames[1]
    line.step_forward()
    assert line.frame is frames[1]


def test_in_the_end_a_timeline_stands_still_and_can_be_played_again(frames):
    source = PushedFrames()
    for frame in frames[:3]:
        source.append(frame)
    now = [0.0]
    line = Timeline(source, clock=lambda: now[0])
    line.to_end()
    source.end()
    now[0] += 1.0
    assert not line.tick()
    assert line.at_end
    assert not line.playing
    line.play()
    assert line.frame is frames[0]


def test_what_went_wrong_is_told_after_the_last_frame(frames):
    source = PushedFrames()
    source.append(frames[0])
    now = [0.0]
    line = Timeline(source, clock=lambda: now[0])
    error = RuntimeError("lost")
    source.end(error)
    assert line.trouble is None
    now[0] += 1.0
    assert line.tick()
    assert line.trouble is error
    assert not line.playing
    assert line.frame is frames[0]


def test_a_timeline_says_how_long_it_waits(frames):
    now = [0.0]
    source = PushedFrames()
    source.append(frames[0])
    line = Timeline(source, clock=lambda: now[0], speed=2.0)
    assert line.pause_left == pytest.approx(1 / 120)
    now[0] += 1 / 240
    assert line.pause_left == pytest.approx(1 / 240)
    now[0] += 1.0
    assert line.pause_left == 0.0
