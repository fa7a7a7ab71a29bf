from dataclasses import replace  # of viewer.timeline

import pytest

from sim import Body, Recording, World, motion
from viewer.sources import RunningWorld, StoredFrames, source_of
from viewer.timeline import Timeline, words_of
from viewer.window.keys import Controls
from wingedge import shapes


@pytest.fixture
def running(clock, falling):
    return Timeline(RunningWorld(falling()), clock=clock)


@pytest.fixture
def stored(tmp_path, clock, falling):
    world = falling()
    with world.record(tmp_path / "fall.vtkhdf"):
        list(world.run(20))
    with Recording.open(tmp_path / "fall.vtkhdf") as recording:
        yield Timeline(StoredFrames(recording), clock=clock)


def play_to(timeline, clock, seconds):
    shown = []
    while clock.now < seconds:
        clock.now += 0.01
        if timeline.tick():
            shown.append(timeline.frame.index)
    return shown


def test_a_slow_frame_delays_and_never_skips(running, clock):
    clock.now = 5.0
    assert running.tick()
    assert running.frame.index == 1
    assert running.tick(), "what is late is shown at once ..."
    assert not running.tick(), "... but not made up for"


@pytest.mark.parametrize(("speed", "last"), [(1.0, 5), (2.0, 10), (0.5, 2)])
def test_frames_come_at_their_own_time_and_speed_is_times_real_time(
    running, clock, speed, last
):
    running.speed = speed
    assert play_to(running, clock, 0.52) == [*range(1, last + 1)]


def test_pause_step_and_go_on(running, clock):
    running.toggle()
    assert play_to(running, clock, 0.5) == []
    assert running.step(3)
    assert running.frame.index == 3
    assert running.step(-1)
    assert running.frame.index == 2
    running.toggle()
    assert play_to(running, clock, 1.05) == [3, 4, 5, 6, 7]
    assert len(running.source) == 8, "what was shown is shown again, not made again"


def test_jumps_go_to_the_frames_where_something_happened(stored):
    places = stored.event_places()
    assert len(places) >= 2
    for k in places:
        stored.next_event()
        assert stored.position == k
        assert stored.frame.events
    stored.next_event()
    assert stored.position == 19
    for k in reversed(places[:-1] if places[-1] == 19 else places):
        stored.next_event(-1)
        assert stored.position == k
    stored.next_event(-1)
    assert stored.position == 0


def test_events_of_a_recording_that_began_midway_are_placed_by_its_own_frames(
    tmp_path, falling
):
    world = falling()
    list(world.run(5))
    with world.record(tmp_path / "late.vtkhdf"):
        list(world.run(10))
    with Recording.open(tmp_path / "late.vtkhdf") as recording:
        source = StoredFrames(recording)
        for k, event in source.events():
            assert event in source[k].events
        assert source.events()


def test_a_recording_ends_and_begins_again_when_it_is_played_or_loops(stored, clock):
    assert play_to(stored, clock, 5.0)[-1] == 19
    assert not stored.playing
    stored.play()
    assert stored.position == 0, "play at the end begins again"
    stored.loop = True
    shown = play_to(stored, clock, 10.0)
    assert shown.count(0) >= 1
    assert stored.playing


def test_old_frames_are_let_go_and_memory_stays_flat(falling):
    swell = lambda rest, t: rest * (1 + t / 1000)  # noqa: E731
    source = RunningWorld(falling(deform={"ball": swell}), keep_bytes=40_000)
    for _ in range(100):
        source.extend()
    assert len(source) == 100
    assert 2 < len(source) - source.first < 20
    assert source[source.first].index == source.first
    with pytest.raises(IndexError, match="frame 0 is not there"):
        source[0]
    assert all(k >= source.first for k, _ in source.events())
    timeline = Timeline(source)
    assert timeline.position == source.first


def test_what_a_script_raises_ends_the_play_and_names_the_frame(clock, falling):
    def breaks(rest, t):
        if t > 0.35:
            raise RuntimeError("my own mistake")
        return rest

    timeline = Timeline(RunningWorld(falling(deform={"ball": breaks})), clock=clock)
    assert play_to(timeline, clock, 3.0) == [1, 2, 3]
    assert not timeline.playing
    assert str(timeline.trouble) == "my own mistake"
    assert timeline.trouble.__notes__ == [
        "raised by deform['ball'] for frame 4, time 0.4",
        "in frame 4 of a world that was watched",
    ]
    assert timeline.step(-1)
    assert timeline.frame.index == 2
    assert timeline.trouble is None, "the frames before are still there"


def test_a_damaged_frame_leaves_the_last_one_and_its_sentence(clock, falling, damaged):
    frames = damaged(falling().run(4))
    timeline = Timeline(StoredFrames(frames), clock=clock)
    timeline.seek(3)
    assert timeline.before is None
    assert (timeline.frame.index, timeline.trouble) == (3, None)
    frames.error = ValueError("of any kind")
    timeline.seek(1)
    assert not timeline.step()
    assert timeline.frame.index == 1
    assert timeline.trouble is frames.error
    assert timeline.step()
    assert (timeline.frame.index, timeline.trouble) == (3, None)


def test_an_empty_source_has_no_frame_and_a_body_is_no_source(clock, falling):
    timeline = Timeline(StoredFrames([]), clock=clock)
    assert timeline.frame is None
    assert not timeline.tick()
    assert not timeline.next_event()
    assert not timeline.seek(0)
    with pytest.raises(TypeError, match="a Body has no frames"):
        source_of(Body(shapes.box((1, 1, 1)), name="box"))
    assert len(source_of(falling().step())) == 1


def test_timed_events_say_when_in_their_frame():
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    bullet = Body(shapes.box((0.2, 0.2, 0.2)), name="bullet")
    shot = motion.linear((0.0, 0.0, -600.0), start=(3.0, 0.0, 23.0))
    world = World([table, bullet], motion={"bullet": shot}, between=True)
    timeline = Timeline(source_of(list(world.run(5))))
    (brush,) = (event for _, event in timeline.source.events())
    assert timeline.event_places() == [3]
    assert words_of(brush) == "3@0.240 brush table/bullet FF f1 f0"
    assert words_of(replace(brush, when=None)) == str(brush)
    assert words_of(replace(brush, when=(0.0, 1.0))) == str(brush)


def test_the_end_of_what_is_stored_is_drawn_at_once_and_nothing_anew_after(falling):
    controls = Controls(Timeline(source_of(list(falling().run(3))), speed=1e9))
    told = []
    for _ in range(5):
        controls.stale = False
        told.append(controls.tick())
    assert told == [True, True, True, False, False]
    assert not controls.timeline.playing
