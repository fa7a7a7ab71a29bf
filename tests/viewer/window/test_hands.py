import numpy as np  # of viewer.window.hands, viewer.window.handling
import pytest

from sim import Body, Pose, Recording, World, exhaustive, laws
from viewer.sources import RunningWorld, StoredFrames
from viewer.timeline import Timeline
from viewer.window.hands import NO_WORLD, Hands, turned
from wingedge import shapes

DOWN = (0.0, 0.0, -0.15)


def shift(hands, step):
    """Move the chosen body by a step."""
    pose = Pose() if hands.body is None else hands.body.pose
    hands.move_to(Pose(None, step) @ pose)


@pytest.fixture
def stacked():
    """Hands on three boxes that stand on the ground by a law, paused."""
    boxes = [
        Body(shapes.box(1.0), name=f"box{k}", pose=Pose(None, (0, 0, 0.52 + 1.02 * k)))
        for k in range(3)
    ]
    ground = Body(
        shapes.box((9.0, 9.0, 1.0)), name="ground", pose=Pose(None, (0, 0, -0.5))
    )
    law = laws.Affine(fixed=["ground"], friction=0.5, contact_distance=0.02)
    timeline = Timeline(RunningWorld(World([*boxes, ground], law=law)))
    timeline.step(10)
    return Hands(timeline)


def newest(hands):
    source = hands.timeline.source
    return source[len(source) - 1]


def test_a_drag_while_paused_makes_a_frame_with_new_answers(hands, world):
    before = hands.timeline.frame.pair("box", "table")
    hands.choose("box")
    shift(hands, DOWN)
    assert hands.work()
    frame = hands.timeline.frame
    assert frame is newest(hands)
    assert frame.index == 1
    state = frame.pair("box", "table")
    assert (before.regime, state.regime) == ("separated", "penetrating")
    assert state.distance == exhaustive(world.body("box"), world.body("table")).distance
    assert [event.kind for event in frame.events] == ["begin", "penetrate"]
    assert hands.holds
    assert not hands.work(), "what is done is done once"


def test_a_scripted_body_goes_on_where_it_was_when_it_is_let_go(hands, world):
    for _ in range(3):
        hands.timeline.step()
    hands.choose("ball")
    shift(hands, (2.0, 0.0, 0.0))
    hands.work()
    assert hands.timeline.frame.body("ball").pose.translation[0] == 3.6
    hands.let_go()
    assert world.held == ()
    assert hands.chosen is None
    hands.timeline.step()
    assert hands.timeline.frame.body("ball").pose == Pose.rigid(
        None, (1.6, 0.0, 2.0 - 4 * 0.1)
    )


def test_a_turn_is_about_the_middle_of_the_body(hands, world):
    hands.choose("box")
    middle = world.body("box").pose.apply(hands.middle())
    hands.move_to(turned(world.body("box").pose, hands.middle(), (0.0, 0.0, 2.0), 90.0))
    hands.work()
    pose = hands.timeline.frame.body("box").pose
    np.testing.assert_allclose(pose.apply(hands.middle()), middle, atol=1e-15)
    wanted = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    np.testing.assert_allclose(pose.linear, wanted, atol=1e-15)


def test_what_was_recorded_can_be_read_but_not_moved(world):
    hands = Hands(Timeline(StoredFrames(list(world.run(3)))))
    hands.next()
    assert hands.chosen == "box"
    for act in (
        lambda: shift(hands, DOWN),
        lambda: hands.deform(twist=5.0),
        hands.put_back,
    ):
        hands.said = ""
        act()
        assert hands.said == NO_WORLD
    assert not hands.work()


def test_without_a_body_it_is_said_how_to_choose_one(hands):
    shift(hands, DOWN)
    assert hands.said == "choose a body first: Tab"
    assert not hands.work()
    hands.let_go()
    assert hands.chosen is None


def test_a_body_slides_along_the_table_instead_of_passing_through(hands, world):
    hands.choose("box")
    hands.flip_slides()
    assert hands.slides
    for _ in range(4):
        shift(hands, (0.1, 0.0, -0.2))
        hands.work()
        state = hands.timeline.frame.pair("box", "table")
        assert state.distance > 0.0
    pose = hands.timeline.frame.body("box").pose
    assert pose.translation[0] == pytest.approx(-0.6)
    assert state.regime == "contact"
    assert hands.said == "slide"
    hands.flip_slides()
    shift(hands, DOWN)
    hands.work()
    assert hands.timeline.frame.pair("box", "table").regime == "penetrating"


@pytest.mark.parametrize("playing", [False, True])
def test_where_a_law_moves_bodies_they_answer_a_push(stacked, playing):
    """One that grew into another ended a run, pushed while paused the next step."""
    hands, timeline = stacked, stacked.timeline
    if playing:
        timeline.play()
    low = timeline.frame.body("box0").pose.translation[2]
    hands.choose("box1")
    for _ in range(8):
        shift(hands, (0.0, 0.0, -0.01))
        hands.work()
        assert hands.said == ""
    frame = timeline.frame
    assert frame is newest(hands)
    assert all(pair.distance > 0.0 for pair in frame.pairs)
    assert frame.body("box0").pose.translation[2] < low - 0.01  # pressed flatter
    hands.let_go()
    timeline.step(3)
    assert timeline.trouble is None


def test_a_body_goes_back_to_where_it_was_taken(hands, world):
    pose = world.body("box").pose
    hands.choose("box")
    hands.put_back()
    assert hands.said == "nothing was done to it yet"
    shift(hands, DOWN)
    hands.work()
    hands.put_back()
    hands.work()
    assert hands.timeline.frame.body("box").pose == pose


def test_what_a_law_refuses_is_told_and_undone_and_the_run_goes_on(stacked):
    hands = stacked
    before = hands.world.body("box1").pose
    hands.choose("box1")
    shift(hands, (0.0, 0.0, -1.1))  # through the box below, into the ground
    hands.work()
    assert "'box1' and 'ground' would touch, and no law moves them" in hands.said
    assert np.array_equal(hands.world.body("box1").pose.matrix, before.matrix)
    hands.flip_slides()
    assert hands.said == "bodies push each other: a law moves them"
    hands.let_go()
    hands.timeline.step(3)
    assert hands.timeline.trouble is None


def test_what_hands_do_is_recorded_and_replays_to_the_same_bits(hands, world, tmp_path):
    first = len(hands.timeline.source)
    with world.record(tmp_path / "mine.vtkhdf"):
        hands.choose("box")
        for step in ((0.2, 0.0, -0.08), (0.0, 0.1, -0.04), (0.3, 0.0, 0.0)):
            shift(hands, step)
            hands.work()
        hands.let_go()
        hands.timeline.step(3)
    source = hands.timeline.source
    frames = [source[k] for k in range(first, len(source))]
    with Recording.open(tmp_path / "mine.vtkhdf") as recording:
        assert recording.replay().digest == recording.digest
        for mine, stored in zip(frames, recording, strict=True):
            assert list(map(str, mine.events)) == list(map(str, stored.events))
            for body in mine.bodies:
                other = stored.body(body.name)
                assert other.pose == body.pose
                assert other.points.tobytes() == body.points.tobytes()
