"""sim.between.times, sim.between.moves: when events happened in worlds, and brushes."""

from dataclasses import replace

import numpy as np
import pytest

from sim import Body, Event, Pose, Recording, World, motion, set_engine
from sim.story.testing.script import parse_script
from wingedge import shapes


def line(start, end, frames):
    """Go straight from one place to another in so many frames of a sixtieth."""
    start, end = map(np.array, (start, end))
    return motion.linear(tuple((end - start) / frames * 60), start=tuple(start))


def crowd(seed, count=12, **options):
    rng = np.random.default_rng(seed)
    bodies, ways = [], {}
    for k in range(count):
        mesh = [shapes.box(), shapes.icosphere(1), shapes.prism()][k % 3]
        bodies.append(Body(mesh, name=f"b{k}"))
        ways[f"b{k}"] = line(rng.normal(size=3) * 4, rng.normal(size=3) * 4, 6)
    return World(bodies, motion=ways, between=True, **options)


def test_a_world_says_when_a_contact_began_and_ended():
    box = Body(shapes.box(), name="box")  # from -0.5 to 0.5
    other = Body(shapes.box(), name="other")
    way = line((3.3, 0, 0), (-3.3, 0, 0), 11)  # 0.6 a frame
    world = World([box, other], motion={"other": way}, between=True)
    found = {e.kind: e for f in world.run(12) for e in f.events if e.kind != "change"}
    assert list(found) == ["begin", "penetrate", "separate", "end"]
    places = {"begin": 1.001, "penetrate": 1.0, "separate": -1.0, "end": -1.002}
    for kind, x in places.items():
        event = found[kind]
        frames = (3.3 - x) / 0.6
        lower, upper = event.when
        assert lower - 1e-12 <= frames - (event.frame - 1) <= upper + 1e-12, kind
        assert 0 < upper - lower <= 1e-9
        assert event.time == pytest.approx(frames / 60, abs=1e-10)


@pytest.mark.parametrize("margin", [None, 0.25])
def test_a_body_that_flies_through_another_between_two_frames_brushes_it(margin):
    """With a margin the pair is reported in neither frame."""
    wall = Body(shapes.box((0.1, 9.0, 9.0)), name="wall")
    ball = Body(shapes.icosphere(1), name="ball")
    way = line((8, 0.1, 0.2), (-8, 0.1, 0.2), 2.5)
    world = World([wall, ball], motion={"ball": way}, between=True, margin=margin)
    events = [e for frame in world.run(4) for e in frame.events]
    assert [e.kind for e in events] == ["brush"]
    (brush,) = events
    assert brush.frame == 2
    assert brush.when[1] - brush.when[0] <= 1e-9
    assert brush.contact == -1
    line_of = str(brush)
    assert line_of.startswith("2 brush wall/ball ")
    assert str(Event.parse(line_of)) == line_of


def of_frames(events):
    """Leave out what began and was over between frames."""
    return [(str(e), e.contact) for e in events if e.kind != "brush"]


@pytest.mark.parametrize("way", ["pose", "points"])
@pytest.mark.parametrize("engine", ["compiled", "python"])
def test_a_rod_that_only_turns_brushes_what_its_ends_pass(way, engine, engine_kept):
    """Far in both frames, and no translation: what counts is how far vertices go."""
    set_engine(engine)
    quarter = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])

    def turned(rest, t):
        return rest @ (quarter.T if round(t * 60) % 2 else np.eye(3))

    rod = Body(shapes.box((10.0, 0.2, 0.2)), name="rod")
    ball = Body(
        shapes.box((0.2, 0.2, 0.2)), name="ball", pose=Pose(None, (2.4, 2.4, 0))
    )
    aside = Body(ball.mesh, name="aside", pose=Pose(None, (2.9, 2.9, 0)))
    scripts = {"deform": {"rod": turned}}
    if way == "pose":
        scripts = {"motion": {"rod": lambda t: Pose(turned(np.eye(3), t).T)}}
    world = World([rod, ball, aside], between=True, margin=9.0, **scripts)
    told = [str(e).split()[:3] for f in world.run(4) for e in f.events]
    brushes = [line for line in told if "brush" in line]
    assert brushes == [[str(k), "brush", "rod/ball"] for k in (1, 2, 3)]


def test_without_it_a_story_is_of_frames_alone():
    one, two = crowd(3), crowd(3)
    two._times = None
    for frame, other in zip(one.run(6), two.run(6), strict=True):
        assert of_frames(frame.events) == of_frames(other.events)
        assert all(e.when is None and e.time is None for e in other.events)
        assert frame.index == 0 or all(e.when is not None for e in frame.events)


def test_a_margin_changes_no_event_and_no_time_of_many_bodies():
    for seed in (0, 3):
        worlds = crowd(seed, 9), crowd(seed, 9, margin=0.3)
        one, two = ([e for f in w.run(7) for e in f.events] for w in worlds)
        assert [(str(e), e.when) for e in one] == [(str(e), e.when) for e in two]


def test_a_pair_that_is_ignored_or_made_of_pieces_has_no_brush():
    wall = Body(shapes.box((0.1, 9.0, 9.0)), name="wall")
    ball = Body(shapes.icosphere(1), name="ball")
    way = line((8, 0.1, 0.2), (-8, 0.1, 0.2), 2.5)
    options = {"between": True, "ignore": [("ball", "wall")]}
    world = World([wall, ball], motion={"ball": way}, **options)
    assert not [e for frame in world.run(4) for e in frame.events]


def test_a_recording_says_when_as_its_world_did(tmp_path):
    world = crowd(1)
    with world.record(tmp_path / "run.vtkhdf"):
        told = [e for frame in world.run(6) for e in frame.events]
    recording = Recording.open(tmp_path / "run.vtkhdf")
    again = [e for frame in recording.timed() for e in frame.events]
    assert [(str(e), e.when, e.time) for e in again] == [
        (str(e), e.when, e.time) for e in told
    ]
    assert recording.story_digest == recording.replay().story_digest
    assert of_frames(recording.events) == of_frames(told)


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("begin box/other @0.8317+-1e-4", ""),
        ("begin box/other @0.8317", ""),
        ("begin box/other @0.5+-0.1", "it happens @0.83"),
        ("begin box/other", ""),
    ],
)
def test_a_time_can_be_expected(text, clause):
    box, other = Body(shapes.box(), name="box"), Body(shapes.box(), name="other")
    way = line((3.3, 0, 0), (-3.3, 0, 0), 11)
    world = World([box, other], motion={"other": way}, between=True)
    (event,) = [e for f in world.run(5) for e in f.events if e.kind == "begin"]
    (step,) = parse_script(text)
    assert step.unlike(event)[1].startswith(clause)
    assert bool(step.unlike(event)[1]) == bool(clause)
    (plain,) = parse_script("begin @0.5")
    assert "between=True" in plain.unlike(replace(event, when=None))[1]


def test_a_time_that_is_none_is_refused():
    with pytest.raises(ValueError, match="'begin a/b @soon' cannot be read"):
        parse_script("begin a/b @soon")


def test_a_jump_on_purpose_brushes_nothing_and_a_recording_knows_it(tmp_path):
    start, end = Pose(None, (3.0, 0.0, 23.0)), Pose(None, (3.0, 0.0, -23.0))
    kinds, recorded = [], []
    for k, word in enumerate([None, 3, 2]):
        table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
        bullet = Body(shapes.box((0.2, 0.2, 0.2)), name="bullet")
        bodies = [table, bullet]
        scripts = {"bullet": lambda t: start if t < 0.05 else end}
        world = World(bodies, motion=scripts, between=True)
        path = tmp_path / f"{k}.vtkhdf"
        with world.record(path):
            told = []
            for index in range(6):
                if index == word:
                    world.cut("bullet")
                told += world.step().events
        kinds.append([event.kind for event in told])
        with Recording.open(path) as recording:
            cuts = [frame.cut for frame in recording]
            again = [frame.cut for frame in recording.replay()]
            timed = [e.kind for frame in recording.timed() for e in frame.events]
        assert timed == kinds[-1]
        assert again == cuts
        recorded.append([index for index, names in enumerate(cuts) if names])
    assert kinds == [["brush"], [], ["brush"]]
    assert recorded == [[], [3], [2]]
    with pytest.raises(KeyError, match="no body 'ball'"):
        world.cut("ball")


def test_a_jump_that_was_said_before_a_recording_is_resumed_is_one(tmp_path):
    """It was remembered for frame 0, which is never stepped again: a brush was told."""
    heights = [Pose(None, (0.0, 0.0, 2.0)), Pose(None, (0.0, 0.0, -2.0))]
    path = tmp_path / "run.vtkhdf"
    for k, height in enumerate(heights):
        table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
        world = World([table, Body(shapes.box(0.2), name="bullet")], between=True)
        world.body("bullet").pose = height
        if k:
            world.cut("bullet")
        with world.record(path, resume=bool(k)):
            world.body("bullet").pose = height
            frame = world.step()
    assert (frame.index, frame.cut, list(frame.events)) == (1, ("bullet",), [])


def test_a_frame_that_was_not_taken_is_forgotten():
    """The next one but one was told to have begun where its bodies had been."""
    wall = Body(shapes.box((0.1, 9.0, 9.0)), name="wall")
    ball = Body(shapes.icosphere(1), name="ball", pose=Pose(None, (8.0, 0.1, 0.2)))
    world = World([wall, ball], between=True)
    world.step()
    times, timed = world._times, world._times.timed

    def interrupted(frame, told):
        timed(frame, told)
        raise KeyboardInterrupt

    times.timed = interrupted
    ball.pose = Pose(None, (-8.0, 0.1, 0.2))
    with pytest.raises(KeyboardInterrupt):
        world.step()
    times.timed = timed
    for x in (8.0, 7.0):
        ball.pose = Pose(None, (x, 0.1, 0.2))
        assert not [*world.step().events]
