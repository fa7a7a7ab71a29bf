import numpy as np
import pytest

from sim import Body, PairTracker, Pose, exhaustive, verify
from sim.compound import Compound, CompoundTracker
from wingedge import Feature, convex_hull, shapes

OTHERS = {"box": shapes.box((0.3, 0.4, 0.5)), "hull": shapes.random_hull(3, 20)}


@pytest.fixture(params=OTHERS)
def other(request) -> Body:
    return Body(OTHERS[request.param], name="other")


def same(one, two) -> bool:
    return one.numbers._replace(work=None) == two.numbers._replace(work=None)


def test_the_answer_is_the_least_over_all_pairs_of_pieces(flat, other, scattered):
    tracker = CompoundTracker(flat, other)
    apart = 0
    for _ in scattered(flat, other, 5):
        state = tracker.update()
        truths = [exhaustive(piece, other) for piece in flat.pieces]
        least = min(truths, key=lambda truth: truth.distance)
        if least.distance > 0.0:
            apart += 1
            size = max(state.size, least.size)
            assert abs(state.distance - least.distance) <= (
                1e-9 * least.distance + 1e-13 * size
            )
            assert state.certified
            assert state.lower <= least.upper
            assert least.lower <= state.upper
    assert apart > 2


def test_two_compounds_meet_piece_by_piece(in_pieces):
    a = Compound(*in_pieces("U"), name="a")
    b = Compound(*in_pieces("plus"), name="b")
    tracker = CompoundTracker(a, b)
    for k in range(0, 12, 4):
        b.pose = Pose.rigid((0.1 * k, 0.3, 0.2, 1.0), (3.4 - 0.1 * k, 0.3 * k, 1.1))
        state = tracker.update()
        truth = min(exhaustive(p, q).distance for p in a.pieces for q in b.pieces)
        assert truth > 0.0
        assert abs(state.distance - truth) <= 1e-9 * truth + 1e-13 * state.size
        assert state.certified


def test_exact_pieces_answer_as_the_true_surface_does(flat, other, scattered):
    tracker, surface = CompoundTracker(flat, other), PairTracker(flat.surface, other)
    apart = alike = 0
    for _ in scattered(flat, other, 14):
        state, truth = tracker.update(), surface.update()
        if truth.distance > 0.0:
            apart += 1
            assert abs(state.distance - truth.distance) <= 1e-12
            assert state.certified
            assert state.offset_a == state.offset_b == 0.0
            if truth.unique:
                # A level part may go on beyond the piece, and a piece knows its own.
                assert state.kind == truth.kind
                assert set(truth.parts_a) & set(state.parts_a)
                assert state.parts_b == truth.parts_b
                alike += state.feature_a == truth.feature_a
                assert np.abs(state.point_a - truth.point_a).max() <= 1e-12
        else:
            assert state.distance <= 0.0
            assert state.lower <= truth.upper + 1e-12
            assert truth.lower <= state.upper + 1e-12
            # never a worse bound than the hulls, which is all that a surface has
            assert state.lower >= truth.lower - 1e-12
            assert state.upper <= truth.upper + 1e-12
    assert apart > 6
    assert alike > 0.5 * apart


def test_warm_is_cold_and_b_against_a_is_the_mirror(flat, other, scattered):
    tracker, mirror = CompoundTracker(flat, other), CompoundTracker(other, flat)
    for _ in scattered(flat, other, 6):
        state = tracker.update()
        cold = CompoundTracker(flat, other).update()
        turned = mirror.update().swapped()
        assert (state.distance, state.feature_a) == (cold.distance, cold.feature_a)
        if state.unique and state.distance > 0.0:
            assert same(state, cold)
            assert same(state, turned)
        assert (state.lower, state.upper) == (turned.lower, turned.upper)
        assert (state.piece_a, state.piece_b) == (turned.piece_a, turned.piece_b)


def test_a_compound_is_its_mirror_and_forgets_its_regime_when_reset(in_pieces):
    a = Compound(*in_pieces("L"), name="a")
    b = Compound(*in_pieces("L"), name="b", pose=Pose.rigid(None, (3.5, 0.0, 0.0)))
    one, two = CompoundTracker(a, b).update(), CompoundTracker(b, a).update()
    assert same(one, two.swapped())
    assert one.distance == 0.5
    a = Compound(*in_pieces("L"), name="a")
    b = Body(shapes.box(1.0), name="b", pose=Pose.rigid(None, (0.5, 3.5, 0.5)))
    tracker = CompoundTracker(a, b)
    assert tracker.update().regime == "contact"
    b.pose = Pose.rigid(None, (0.5, 3.5 + 1.5e-3, 0.5))
    assert tracker.update().regime == "contact"
    tracker.reset()
    assert tracker.state is None
    assert tracker.update().regime == "separated"


def test_only_near_pieces_are_looked_at(in_pieces):
    ring = Compound(*in_pieces("ring"), name="ring")
    ball = Body(shapes.icosphere(1, 0.1), name="ball")
    ball.pose = Pose.rigid(None, (4.0, 0.5, 0.5))
    tracker = CompoundTracker(ring, ball)
    state = tracker.update()
    assert state.distance == pytest.approx(0.9)
    assert list(tracker._pairing.trackers) == [
        (0, 0)
    ]  # the row at y = 0 of four pieces


def test_two_places_of_contact_are_not_one_closest_point(in_pieces):
    table = Compound(*in_pieces("U"), name="table")  # two legs along -y
    floor = Body(shapes.box((9.0, 1.0, 9.0)), name="floor")
    floor.pose = Pose.rigid(None, (1.5, -0.5 - 2.0**-11, 0.5))
    state = CompoundTracker(table, floor).update()
    assert state.distance == 2.0**-11
    assert not state.unique
    assert state.regime == "contact"
    assert [near.piece_a for near in state.near] == [0, 1]
    assert all(near.state.contacts for near in state.near)
    first, second = (near.state.work for near in state.near)
    assert state.work.vertices >= first.vertices + second.vertices > first.vertices > 0
    assert state.work == state.numbers.work, "it is told before anything is decoded"


def test_two_tips_as_near_as_each_other_are_not_one_closest_point():
    tip = np.array([[0, 0, 0], [1, 0, 1], [-1, 1, 1], [-1, -1, 1]], float)
    tips = Compound(
        [convex_hull(tip), convex_hull(tip + 4.0 * np.eye(3)[0])], name="tips"
    )
    floor = Body(shapes.box((20.0, 20.0, 1.0)), name="floor")
    floor.pose = Pose.rigid(None, (0.0, 0.0, -1.0))
    state = CompoundTracker(tips, floor).update()
    assert (state.distance, state.kind) == (0.5, "VF")
    assert state.nearest.state.unique
    assert not state.unique
    with tips.edit() as points:
        points[4:, 2] += 0.25
    assert CompoundTracker(tips, floor).update().unique


def test_a_body_that_meets_the_seam_of_two_pieces_meets_one_face(in_pieces):
    pieces, surface = in_pieces("plus")
    plus = Compound(pieces, surface, name="plus")
    tip = Body(convex_hull([[0, 0, 0], [1, 0, 1], [-1, 1, 1], [-1, -1, 1]]), name="tip")
    tip.pose = Pose.rigid(None, (1.5, 1.0, 1.25))  # above the seam of rows 0 and 1
    state = CompoundTracker(plus, tip).update()
    assert state.distance == 0.25
    assert state.kind == "FV"
    assert state.unique


def test_a_moved_compound_answers_from_where_it_is(in_pieces):
    a = Compound(*in_pieces("L"), name="a")
    b = Body(shapes.box(1.0), name="b", pose=Pose.rigid(None, (0.5, 4.0, 0.5)))
    tracker = CompoundTracker(a, b)
    assert tracker.update().distance == 0.5
    a.pose = Pose.rigid(None, (0.0, 0.25, 0.0))
    assert tracker.update().distance == 0.25
    a.points = a.mesh.points * [1.0, 0.5, 1.0]
    assert tracker.update().distance == 1.75
    a.points[:, 1] += 1.0
    assert tracker.update().distance == 0.75


def test_the_pieces_that_carry_an_answer_can_be_verified(flat, other, scattered):
    tracker = CompoundTracker(flat, other)
    for _ in scattered(flat, other, 4):
        state = tracker.update()
        if state.distance > 0.0:
            piece = flat.pieces[state.piece_a]
            assert verify(state.nearest.state, piece, other).holds
        with pytest.raises(TypeError, match=r"state\.nearest\.state"):
            verify(state, flat, other)


def test_what_cannot_be_tracked_is_refused(in_pieces):
    a = Compound(*in_pieces("L"), name="a")
    b = Body(shapes.box(1.0), name="b")
    with pytest.raises(ValueError, match="'a' cannot be tracked against itself"):
        CompoundTracker(a, a)
    with pytest.raises(TypeError, match="got WingedEdgeMesh"):
        CompoundTracker(a, b.mesh)
    with pytest.raises(TypeError, match="CompoundTracker takes compounds too"):
        PairTracker(a, b)
    a.points[3] = np.nan
    tracker = CompoundTracker(a, b)
    with pytest.raises(ValueError, match="'a', frame 0: vertex v3 is at"):
        tracker.update()
    a.points[3] = a.mesh.points[3]
    assert tracker.update().frame == 0


def test_a_vertex_that_is_not_finite_in_the_partner_is_named(in_pieces):
    a = Compound(*in_pieces("L"), name="a")
    b = Body(shapes.box(1.0), name="b")
    b.points[2] = np.inf
    with pytest.raises(ValueError, match="'b', frame 0: vertex v2 is at"):
        CompoundTracker(a, b).update()


def test_names_without_a_surface_run_through_the_pieces(in_pieces):
    pieces, _ = in_pieces("L")
    a = Compound(pieces, name="a")
    b = Body(shapes.box(1.0), name="b", pose=Pose.rigid(None, (2.5, 2.5, 2.0)))
    state = CompoundTracker(a, b).update()
    on_piece = state.nearest.state.feature_a
    assert state.distance == 0.5
    before = sum(piece.n_faces for piece in pieces[: state.piece_a])
    assert state.feature_a == Feature("face", on_piece.index + before)
    assert state.offset_a == 0.0


def test_a_piece_off_the_surface_names_the_nearest_face_and_how_far_it_is(block):
    thick = shapes.box((2.0, 2.0, 2.0))
    thin = shapes.box((1.0, 1.0, 1.0))
    a = Compound([thin], thick, name="a")
    b = Body(shapes.icosphere(1, 0.5), name="b", pose=Pose.rigid(None, (3.0, 0.0, 0.0)))
    state = CompoundTracker(a, b).update()
    truth = PairTracker(a.surface, b).update()
    assert state.distance == 2.0
    assert truth.distance == 1.5
    assert state.feature_a == truth.feature_a
    assert state.offset_a == 0.5
    assert state.swapped().offset_b == 0.5


@pytest.mark.parametrize("height", [1.25, 0.75])
def test_a_partner_that_is_its_hull_keeps_the_names_of_its_lids(in_pieces, height):
    bar = Compound(*in_pieces("plus"), name="bar")
    cup = Body(shapes.u_block(2.0), name="cup", convexity="hull")  # open towards +y
    turn = Pose.rigid((0.5, 0.5, 0.5, 0.5)).linear  # y to z
    upside_down = np.diag([1.0, -1.0, -1.0])
    cup.pose = Pose(upside_down @ turn, (1.5, 1.5, 1.0 + height))
    state = CompoundTracker(bar, cup).update()
    assert state.distance == pytest.approx(height - 1.0, abs=1e-12)
    assert any(part.kind == "lid" for part in state.parts_b)
    assert state.parts_a[0].kind == "face"
    assert state.swapped().parts_a == state.parts_b
