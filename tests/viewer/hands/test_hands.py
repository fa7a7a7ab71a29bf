import numpy as np
import pytest

from sim import Body, Pose, World, exhaustive, laws
from viewer.sources import RunningWorld, StoredFrames
from viewer.timeline import Timeline
from viewer.window.hands import NO_WORLD, Hands, Moulding
from wingedge import shapes

DOWN = (0.0, 0.0, -0.15)


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
    hands.shift(DOWN)
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


def test_while_playing_the_next_frame_has_what_was_done(hands, world):
    hands.timeline.play()
    hands.choose("box")
    hands.shift(DOWN)
    assert hands.work()
    assert len(hands.timeline.source) == 1
    hands.timeline.source.extend()
    frame = newest(hands)
    assert frame.body("box").pose.translation[2] == pytest.approx(0.95)
    assert frame.body("ball").pose.translation[2] == pytest.approx(1.9)


def test_a_scripted_body_goes_on_where_it_was_when_it_is_let_go(hands, world):
    for _ in range(3):
        hands.timeline.step()
    hands.choose("ball")
    hands.shift((2.0, 0.0, 0.0))
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
    hands.turn((0.0, 0.0, 2.0), 90.0)
    hands.work()
    pose = hands.timeline.frame.body("box").pose
    np.testing.assert_allclose(pose.apply(hands.middle()), middle, atol=1e-15)
    wanted = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    np.testing.assert_allclose(pose.linear, wanted, atol=1e-15)


def test_a_mould_changes_the_shape_and_its_reset_gives_every_bit_back(hands, world):
    rest = world.body("box").mesh.points
    hands.choose("box")
    hands.remould(squash=0.25)
    hands.remould(twist=30.0)
    assert hands.mould == Moulding(0.25, 30.0, 0.0)
    hands.work()
    points = hands.timeline.frame.body("box").points
    assert np.ptp(points[:, 2]) == pytest.approx(0.75)
    assert hands.timeline.frame.pair("box", "table").distance == pytest.approx(0.225)
    hands.put_back()
    hands.work()
    assert (hands.timeline.frame.body("box").points == rest).all()
    assert hands.mould == Moulding()


def test_the_amounts_are_there_when_a_body_is_taken_again(hands):
    hands.choose("box")
    hands.remould(squash=0.5)
    hands.work()
    hands.let_go()
    hands.choose("box")
    assert hands.mould == Moulding(squash=0.5)
    hands.remould(squash=0.25)
    hands.work()
    points = hands.timeline.frame.body("box").points
    assert np.ptp(points[:, 2]) == pytest.approx(0.75), "of the shape at rest"


@pytest.mark.parametrize(
    "amounts", [{"squash": float("nan")}, {"squash": 1.5}, {"bend": 1e300}]
)
def test_an_amount_that_makes_no_body_is_told_and_undone(hands, world, amounts):
    hands.choose("box")
    hands.remould(squash=0.25)
    hands.work()
    shape, count = world.body("box").positions.copy(), len(hands.timeline.source)
    hands.remould(**amounts)
    assert hands.work()
    assert hands.said.startswith("not done: ")
    assert hands.mould == Moulding(squash=0.25)
    assert (world.body("box").positions == shape).all()
    assert len(hands.timeline.source) == count
    assert hands.timeline.source.trouble is None
    hands.shift((0.5, 0.0, 0.0))
    hands.work()
    assert hands.said == ""
    assert len(hands.timeline.source) == count + 1


def test_what_was_recorded_can_be_read_but_not_moved(world):
    hands = Hands(Timeline(StoredFrames(list(world.run(3)))))
    hands.next()
    assert hands.chosen == "box"
    for act in (
        lambda: hands.shift(DOWN),
        lambda: hands.turn((0, 0, 1), 5.0),
        lambda: hands.remould(squash=0.5),
        hands.put_back,
    ):
        hands.said = ""
        act()
        assert hands.said == NO_WORLD
    assert not hands.work()
    assert hands.save() is None
    assert "recorded already" in hands.said


def test_without_a_body_it_is_said_how_to_choose_one(hands):
    hands.shift(DOWN)
    assert hands.said == "choose a body first: Tab"
    assert not hands.work()
    hands.let_go()
    assert hands.chosen is None


def test_after_the_last_frame_that_was_asked_for_hands_go_on(world):
    timeline = Timeline(RunningWorld(world, 2))
    while timeline.source.extend():
        pass
    timeline.pause()
    hands = Hands(timeline)
    hands.choose("box")
    for _ in range(3):
        hands.shift(DOWN)
        hands.work()
    assert len(timeline.source) == 5
    assert timeline.source.ended


def test_a_body_slides_along_the_table_instead_of_passing_through(hands, world):
    hands.choose("box")
    hands.flip_slides()
    assert hands.slides
    for _ in range(4):
        hands.shift((0.1, 0.0, -0.2))
        hands.work()
        state = hands.timeline.frame.pair("box", "table")
        assert state.distance > 0.0
    pose = hands.timeline.frame.body("box").pose
    assert pose.translation[0] == pytest.approx(-0.6)
    assert state.regime == "contact"
    assert hands.said.startswith("slide: table F")
    hands.flip_slides()
    hands.shift(DOWN)
    hands.work()
    assert hands.timeline.frame.pair("box", "table").regime == "penetrating"


@pytest.mark.parametrize("playing", [False, True])
@pytest.mark.parametrize("mould", [False, True])
def test_where_a_law_moves_bodies_they_answer_a_push_and_a_mould(
    stacked, playing, mould
):
    """One that grew into another ended a run, pushed while paused the next step."""
    hands, timeline = stacked, stacked.timeline
    if playing:
        timeline.play()
    low, high = (timeline.frame.body(f"box{k}").pose.translation[2] for k in (0, 2))
    hands.choose("box1")
    if mould:
        hands.remould(squash=-0.1)  # grows by more than the gap: in several frames
    for _ in range(8):
        if not mould:
            hands.shift((0.0, 0.0, -0.01))
        hands.work()
        assert hands.said == ""
    assert hands.mould.squash == (-0.1 if mould else 0.0)
    frame = timeline.frame
    assert frame is newest(hands)
    assert all(pair.distance > 0.0 for pair in frame.pairs)
    assert frame.body("box0").pose.translation[2] < low - 0.01  # pressed flatter
    assert (frame.body("box2").pose.translation[2] > high) == mould
    hands.let_go()
    timeline.step(3)
    assert timeline.trouble is None


def test_what_a_law_refuses_is_told_and_undone_and_the_run_goes_on(stacked):
    hands = stacked
    before = hands.world.body("box1").pose
    hands.choose("box1")
    hands.shift((0.0, 0.0, -1.1))  # through the box below, into the ground
    hands.work()
    assert "'box1' and 'ground' would touch, and no law moves them" in hands.said
    assert np.array_equal(hands.world.body("box1").pose.matrix, before.matrix)
    hands.flip_slides()
    assert hands.said == "bodies push each other: a law moves them"
    hands.let_go()
    hands.timeline.step(3)
    assert hands.timeline.trouble is None


@pytest.mark.parametrize("amount", [{"bend": 180.0}, {"squash": 1.0}, {"squash": 2.0}])
def test_a_mould_that_makes_no_body_is_undone_where_there_is_a_law_too(stacked, amount):
    """A part of it was made, and that of a squash of 1 in ever more frames."""
    hands, count = stacked, stacked.world.index
    hands.choose("box2")
    hands.remould(**amount)
    assert hands.work()
    assert hands.said.startswith("not done: ")
    assert not hands.work()
    assert hands.mould == Moulding()
    assert hands.world.index == count
