import numpy as np
import pytest

from sim import Body, Pose, Recording, World
from sim.story.compare import first_difference
from viewer.drawing.camera import View
from viewer.window.controls import seen_axes
from viewer.window.hands import outcome, sliding
from viewer.window.sheets import LETTERS, sheet
from wingedge import Feature, shapes


def handled(hands):
    hands.choose("box")
    for step in ((0.2, 0.0, -0.08), (0.0, 0.1, -0.04), (0.3, 0.0, 0.0)):
        hands.shift(step)
        hands.work()
    hands.turn((0.0, 0.0, 1.0), 30.0)
    hands.work()
    hands.let_go()
    for _ in range(3):
        hands.timeline.step()


def test_a_recorded_session_replays_to_the_same_bits(hands):
    first = len(hands.timeline.source)
    path = hands.record()
    assert hands.said == f"recording: {path.name}"
    handled(hands)
    source = hands.timeline.source
    frames = [source[k] for k in range(first, len(source))]
    assert hands.record() == path
    assert hands.said == f"recorded: {path.name}"
    handled(hands)  # no longer recorded
    with Recording.open(path) as recording:
        assert len(recording) == len(frames)
        assert first_difference(recording, recording.rerun()) is None
        assert recording.replay().digest == recording.digest
        for mine, stored in zip(frames, recording, strict=True):
            assert [str(e) for e in mine.events] == [str(e) for e in stored.events]
            for body in mine.bodies:
                other = stored.body(body.name)
                assert other.pose == body.pose
                assert other.points.tobytes() == body.points.tobytes()


def test_sessions_are_numbered_and_replace_nothing(hands, tmp_path):
    (tmp_path / "session-2.vtkhdf").write_text("mine")
    for name in ("session-1.vtkhdf", "session-3.vtkhdf"):
        assert hands.record().name == name
        handled(hands)
        hands.end_session()
    assert (tmp_path / "session-2.vtkhdf").read_text() == "mine"


def test_what_cannot_be_recorded_is_told(hands, tmp_path):
    with hands.world.record(tmp_path / "a.vtkhdf"):
        assert hands.record() is None
    assert hands.said.startswith("not recorded: the world is being recorded already")
    hands.folder = tmp_path / "gone"
    assert hands.record() is None
    assert hands.said.startswith("not recorded: there is no folder")


def test_three_axes_point_as_they_are_seen_x_from_the_front_right():
    view = View(np.array([0.5, -9.0, 2.0]), np.zeros(3), np.array([0.0, 0.0, 1.0]))
    right, up, near = seen_axes(view)
    assert right.tolist() == [1.0, 0.0, 0.0]
    assert up.tolist() == [0.0, 0.0, 1.0]
    assert near.tolist() == [0.0, -1.0, 0.0]


def words(hands):
    return [line.words for line in sheet(hands, hands.timeline.frame)]


def test_nothing_chosen_or_a_feature_that_is_gone_says_nothing(hands):
    assert words(hands) == []
    hands.shift((1.0, 0.0, 0.0))
    assert words(hands) == ["choose a body first: Tab"]
    hands.choose("box", Feature("vertex", 99))
    assert "v99 is gone" in words(hands)


def test_a_chosen_body_says_where_it_is_and_a_held_one_that_it_is(hands):
    hands.choose("box")
    assert words(hands) == ["box, chosen", "at -1  0  1.1"]
    hands.shift((0.5, 0.0, 0.0))
    hands.work()
    assert words(hands) == ["box, held", "at -0.5  0  1.1"]


@pytest.mark.parametrize(("kind", "letter"), [("vertex", "v"), ("face", "f")])
def test_a_feature_says_its_numbers_neighbours_and_why(hands, kind, letter):
    hands.choose("box", Feature(kind, 0))
    told = words(hands)
    assert f"{kind} {letter}0" in told
    assert any(line.startswith("beside it e") for line in told)
    assert any("closest to table" in line for line in told)
    assert all(len(line) <= LETTERS for line in told)


def test_a_long_sheet_loses_numbers_before_reasons(hands):
    """A picked face pushed the story out of the panel."""
    hands.choose("table", Feature("face", 0))
    told, room = words(hands), 7
    beside = next(k for k, line in enumerate(told) if line.startswith("beside it e"))
    assert any("closest to box" in line for line in told[:beside])
    assert all(line.startswith("  ") for line in told[-4:])
    lines = sheet(hands, hands.timeline.frame, room)
    assert [line.words for line in lines] == [*told[: room - 1], "…"]
    assert sheet(hands, hands.timeline.frame, len(told))[-1].words == told[-1]


def above(z, x=0.0):
    return Pose(None, (x, 0.0, z))


@pytest.fixture
def box():
    return Body(shapes.box(), name="box", pose=above(2.0))


@pytest.fixture
def floor():
    return Body(shapes.box((4.0, 4.0, 1.0)), name="floor")


def test_a_body_rests_on_what_is_below_unless_the_world_ignores_it(box, floor):
    drag = sliding(box, World([box, floor])).move_to(above(0.5))
    assert outcome(drag).startswith("slide: floor F")
    assert 0.99 < box.pose.translation[2] < 1.02
    # It stood in the way of the hand, while no contact of it was ever told.
    world = World([box, floor], ignore=[("floor", "box")])
    assert outcome(sliding(box, world).move_to(above(0.5))) == "free"
    assert box.pose.translation[2] == 0.5
