import numpy as np
import pytest

from sim import Body, Recording, RecordingError, World, deform, exhaustive, motion
from sim.compound import Compound, CompoundState
from wingedge import Feature, shapes


@pytest.fixture
def make(in_pieces):
    """A ball that falls into a cup that is squashed, beside a table."""

    def world(*, surface: bool = True, **options) -> World:
        pieces, mesh = in_pieces("U")
        cup = Compound(pieces, mesh if surface else None, name="cup")
        ball = Body(shapes.icosphere(1, 0.4), name="ball")
        table = Body(shapes.box((9.0, 1.0, 9.0)), name="table")
        return World(
            [cup, ball, table],
            motion={
                "ball": motion.linear((0.0, 6.0, 0.0), start=(1.5, -2.0, 0.5)),
                "table": lambda t: motion.linear((0, 0, 0), start=(0, 4.5, 0))(t),
            },
            deform={"cup": deform.squash(lambda t: 0.1 * t, axis=2)},
            **options,
        )

    return world


def test_frames_report_compounds_beside_bodies(make):
    world = make()
    for frame in world.run(25):
        if frame.index % 6:
            continue
        state = frame.pair("cup", "ball")
        plain = frame.pair("ball", "table")
        assert isinstance(state, CompoundState)
        assert not isinstance(plain, CompoundState)
        cup, ball = world.body("cup"), world.body("ball")
        truth = min(exhaustive(p, ball).distance for p in cup.pieces)
        if truth > 0.0:
            assert state.distance == pytest.approx(truth, abs=1e-13)
        assert frame.pair("ball", "cup").feature_b == state.feature_a
    snapshot = frame.body("cup")
    assert snapshot.mesh is world.body("cup").mesh
    assert (snapshot.points == world.body("cup").positions).all()


@pytest.mark.parametrize("surface", [True, False])
def test_events_tell_the_story_in_the_numbers_of_the_surface(make, surface):
    events = [e for f in make(surface=surface).run(60) for e in f.events]
    story = [e for e in events if {e.a, e.b} == {"cup", "ball"}]
    assert [e.kind for e in story][:2] == ["begin", "penetrate"]
    begin = story[0].after.feature_a
    mesh = story[0].state.a.mesh
    floor = mesh.points[mesh.face_vertices(begin.index), 1]
    assert begin.kind == "face"
    assert (floor == 2.0).all()  # the floor of the cup, between its legs


def test_threads_give_the_same_answers(make):
    one, many = make(), make(threads=3)
    one.body("cup").points[0] += 0.01  # an open compound: settled in every frame
    many.body("cup").points[0] += 0.01
    for frame, other in zip(one.run(12), many.run(12), strict=True):
        assert [s.numbers for s in frame.pairs] == [s.numbers for s in other.pairs]


def test_a_margin_sees_the_pieces_where_they_stand_out_of_the_surface():
    inner = shapes.box(1.0)
    outer = shapes.box(3.0)
    bulky = Compound([outer], inner, name="bulky")
    wall = Body(shapes.box(1.0), name="wall")
    world = World(
        [bulky, wall],
        motion={"wall": motion.linear((0, 0, 0), start=(2.1, 0, 0))},
        margin=0.2,
    )
    (state,) = world.step().pairs
    assert state.distance == pytest.approx(0.1)
    assert state.feature_a.kind == "face"
    assert state.offset_a == 1.0


def test_a_script_error_names_the_compound_and_the_frame(in_pieces):
    pieces, mesh = in_pieces("L")
    bad = World(
        [Compound(pieces, mesh, name="jelly")],
        deform={"jelly": lambda rest, t: rest[:3]},
    )
    with pytest.raises(ValueError, match="'jelly', frame 0: deform returned"):
        bad.step()


def numbers(frame):
    return [(s.a.name, s.b.name, s.regime, s.numbers) for s in frame.pairs]


@pytest.mark.parametrize("surface", [True, False])
def test_a_recording_keeps_what_was_answered_for_a_compound(make, tmp_path, surface):
    path = tmp_path / "run.vtkhdf"
    world = make(surface=surface)
    world.body("cup").points[0] += 0.01
    with world.record(path):
        frames = list(world.run(40))
    with Recording.open(path) as recording:
        for frame, expected in zip(recording, frames, strict=True):
            assert numbers(frame) == numbers(expected)
            assert frame.events == expected.events
        cup = recording[-1].pair("cup", "ball").a
        assert isinstance(cup, Compound)
        assert (cup.surface is not None) == surface
        assert (cup.piece_points() == world.body("cup").piece_points()).all()
        assert recording.replay().digest == recording.digest


def test_a_recording_of_compounds_is_resumed_to_the_bit(make, tmp_path):
    whole, parts = tmp_path / "whole.vtkhdf", tmp_path / "parts.vtkhdf"
    for path, cuts in ((whole, [40]), (parts, [23, 17])):
        for frames in cuts:
            world = make()
            with world.record(path, resume=True):
                assert len(list(world.run(frames))) == frames
    with Recording.open(whole) as one, Recording.open(parts) as other:
        assert [event.kind for event in one.events]
        assert one.digest == other.digest


def test_a_compound_with_its_surface_does_not_go_on_for_one_without(block, tmp_path):
    """One piece that is its own surface: the meshes are the same."""
    box = shapes.box()

    def world(surface):
        return World([Compound([box], surface, name="c"), Body(box, name="b")])

    path = tmp_path / "run.vtkhdf"
    with world(box).record(path, resume=True):
        pass
    with (
        pytest.raises(RecordingError, match="body 'c' was made with other options"),
        world(None).record(path, resume=True),
    ):
        pass


def test_a_state_answers_for_its_own_frame_for_ever(in_pieces):
    pieces, mesh = in_pieces("plus")
    plus = Compound(pieces, mesh, name="plus")
    ball = Body(shapes.icosphere(1, 0.4), name="ball")
    world = World(
        [plus, ball], motion={"ball": motion.linear((0, 0, 0), start=(1.5, 1.5, 2.0))}
    )
    early, asked = world.step().pairs[0], world.step().pairs[0]
    known = asked.numbers
    plus.points = np.flip(plus.mesh.points, axis=1)[::-1] * 3.0
    assert early.numbers._replace(work=known.work) == known
    assert early.feature_a.kind == "face"
    assert early.nearest.state.a is plus.pieces[early.piece_a]
    assert isinstance(early.feature_b, Feature)


def test_positions_of_compounds_are_given_together_with_those_of_bodies(make):
    one, two = make(), make()
    one.hold("cup"), two.hold("cup")
    for k in range(4):
        one.points = new = (1.0 + 0.01 * k) * one.points
        ends = np.cumsum([body.mesh.n_vertices for body in two.bodies])
        for body, part in zip(two.bodies, np.split(new, ends[:-1]), strict=True):
            body.points = part
        frames = one.step(), two.step()
        assert numbers(frames[0]) == numbers(frames[1])
        assert np.concatenate([b.points for b in frames[0].bodies]).tolist() == (
            one.points.tolist()
        )
