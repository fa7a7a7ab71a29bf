"""Rigid moves on a screw: proven apart, touched in time, whatever the angle."""

from math import asin, atan2, hypot, pi

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose, set_engine, verify_passage
from sim.between.moves import Move, world_at
from sim.between.screw import Piece, chord_of, screw_of
from wingedge import shapes

HALF_TURN = Pose.rigid((0.0, 0.0, 1.0, 0.0))


def rod_and_peg():
    rod = Body(shapes.box((4.0, 0.2, 0.2)), name="rod")
    peg = Body(shapes.box((0.2, 0.2, 0.2)), name="peg")
    peg.pose = Pose(None, (0.3, 1.5, 0.01))
    return rod, peg


def test_a_rod_that_turns_by_half_a_turn_hits_a_peg_when_its_angle_says():
    rod, peg = rod_and_peg()
    passage = PairTracker(rod, peg).advance(pose_a=HALF_TURN, path="screw")
    told = passage.touch, passage.parting
    low, high = ((0.4, 1.4), 1.0), ((0.2, 1.6), -1.0)  # corners of the peg
    for instant, ((x, y), side) in zip(told, (low, high), strict=True):
        angle = atan2(y, x) - side * asin(0.1 / hypot(x, y))
        assert instant.lower - 1e-15 <= angle / pi <= instant.upper + 1e-15
        assert instant.upper - instant.lower < 1e-9
    assert passage.reason == ""
    assert [event.kind for event in passage.events] == ["brush"]
    assert passage.nearest[:2] == (0.0, 0.0)
    assert verify_passage(passage, rod, peg)  # half a turn, one of the two ways round


def test_straight_the_same_rod_shrinks_and_says_how_far_it_is_off_its_arc():
    rod, peg = rod_and_peg()
    pose = Pose.rigid((0.0, 0.0, 0.6, 0.8))
    passage = PairTracker(rod, peg).advance(pose_a=pose)
    angle, r = 2.0 * atan2(0.6, 0.8), hypot(2.0, 0.1)
    assert r * angle**2 / 8.0 <= passage.chord <= 1.5 * r * angle**2 / 8.0
    sheared = Pose(np.diag([1.0, 1.1, 1.0]))
    assert np.isnan(PairTracker(rod, peg).advance(pose_a=sheared).chord)


def moving(seed, *, bends=False):
    """Return the way of a body that turns by some angle and, perhaps, deforms."""
    rng = np.random.default_rng([19, seed])
    points = shapes.random_hull(seed, 10).points
    end = points * rng.uniform(0.8, 1.2, size=3) if bends else points
    first = Rotation.from_rotvec(rng.normal(size=3))
    turn = Rotation.from_rotvec(rng.normal(size=3))  # the shorter way round
    maps = [
        Pose.rigid(q, rng.uniform(-1.0, 1.0, size=3)).matrix
        for q in (first, turn * first)
    ]
    return Move(points, end, *maps), turn.as_rotvec()


@pytest.mark.parametrize("seed", range(20))
def test_halves_lie_on_the_screw_and_chords_near_it(seed):
    move, turn = moving(seed, bends=seed % 2 == 1)
    assert np.linalg.norm(turn) <= pi
    axis, (p, q) = turn / np.linalg.norm(turn), (move.start_map, move.end_map)
    along = axis * (axis @ (q[:, 3] - p[:, 3]))
    full = Rotation.from_rotvec(turn).as_matrix()
    shift = q[:, 3] - full @ p[:, 3] - along
    center = np.linalg.lstsq(np.eye(3) - full, shift, rcond=None)[0]

    def on_screw(t):
        points = (1.0 - t) * move.start + t * move.end
        world = points @ p[:, :3].T + p[:, 3] - center
        return Rotation.from_rotvec(t * turn).apply(world) + center + t * along

    left = [Piece(0.0, 1.0, (screw_of(move, "a"),))]
    for _ in range(5):
        for piece in left:
            (ends,) = piece.places
            chord = chord_of(*ends)
            way = Move(ends[0].points, ends[1].points, ends[0].matrix, ends[1].matrix)
            off = 0.0
            for k in np.linspace(0.0, 1.0, 9):
                t = piece.start + k * (piece.end - piece.start)
                miss = np.linalg.norm(world_at(way, k) - on_screw(t), axis=1).max()
                off = max(off, miss)
                if k in (0.0, 1.0):
                    assert miss < 1e-13
            assert off <= chord + 1e-13
            assert chord <= 3.0 * off + 1e-13
        left = [half for piece in left for half in piece.halves()]


@pytest.mark.parametrize("dented", [False, True])
def test_touch_and_parting_on_a_screw_are_those_that_many_times_show(dented):
    hits, misses = 0, 0
    mesh = shapes.random_hull(3, 10)
    points = mesh.points.copy()
    if dented:
        points[0] *= 0.2
    for seed in range(12):
        rng = np.random.default_rng([20, seed])
        a, b = Body(mesh, name="a"), Body(shapes.tetrahedron(), name="b")
        a.points = points
        poses = [
            Pose.rigid(rng.normal(size=4), (side, *rng.uniform(-1, 1, size=2)))
            for side in (-2.0, 1.5, 2.0, -1.0)
        ]
        a.pose, b.pose = poses[0], poses[2]
        tracker = PairTracker(a, b)
        passage = tracker.advance(pose_a=poses[1], pose_b=poses[3], path="screw")
        times = np.linspace(0.0, 1.0, 129)
        near = [t for t in times if passage.at(t).distance <= 0.0]
        assert tracker.state.distance == passage.at(1.0).distance
        answer = verify_passage(passage, a, b).answer
        assert answer in (("yes", "cannot say") if dented else ("yes",))
        if passage.touch is None and not passage.reason:
            assert not near
            misses += 1
        elif passage.touch is not None:
            first, last = passage.touch, passage.parting
            assert passage.reason == ""
            assert not any(t < first.lower for t in near)
            assert passage.at(first.lower).distance >= 0.0 >= first.state.distance
            hits += 1
            if last is not None:
                assert not any(t > last.upper for t in near)
                assert passage.at(last.upper).distance >= 0.0 >= last.state.distance
    assert hits >= 3
    assert misses >= 3


def test_the_way_back_on_a_screw_parts_when_the_way_there_touched():
    told = []
    for back in (False, True):
        rod, peg = rod_and_peg()
        ends = Pose.identity(), Pose.rigid((0.0, 0.0, 0.8, 0.6))
        rod.pose = ends[back]
        tracker = PairTracker(rod, peg)
        told.append(tracker.advance(pose_a=ends[not back], path="screw"))
    there, back = told[0].touch, told[1].parting
    assert there.lower <= 1.0 - back.lower + 1e-12
    assert 1.0 - back.upper <= there.upper + 1e-12


def test_both_engines_tell_the_same_bits_of_a_screw():
    found = []
    for engine in ("python", "compiled"):
        set_engine(engine)
        try:
            rod, peg = rod_and_peg()
            passage = PairTracker(rod, peg).advance(pose_a=HALF_TURN, path="screw")
            touch, parting = passage.touch, passage.parting
            times = touch.lower, touch.upper, parting.lower, parting.upper
            found.append((times, [plane.normal.tolist() for plane in passage.proof]))
        finally:
            set_engine("auto")
    assert found[0] == found[1]


def test_what_is_no_screw_is_refused_before_anything_moves():
    rod, peg = rod_and_peg()
    tracker = PairTracker(rod, peg)
    sheared = Pose(np.diag([1.0, 1.1, 1.0]))
    for pose, path, words in (
        (sheared, "screw", "'rod': its pose changes by more than a rotation"),
        (HALF_TURN, "spiral", "path is 'spiral'; it is 'straight' or 'screw'"),
    ):
        with pytest.raises(ValueError, match=words):
            tracker.advance(pose_a=pose, path=path)
        assert rod.pose == Pose.identity()


def test_positions_on_a_screw_go_straight_in_the_frame_of_the_turning_body():
    rod, peg = rod_and_peg()
    long = rod.positions * (1.5, 1.0, 1.0)
    tracker = PairTracker(rod, peg)
    passage = tracker.advance(pose_a=HALF_TURN, points_a=long, path="screw")
    alone = Body(rod.mesh, name="rod", convexity="flag")
    alone.points = 0.5 * (passage.moves[0].start + long)
    alone.pose = Pose.rigid((0.0, 0.0, 1.0, 1.0))
    state = PairTracker(alone, peg).update()
    assert passage.at(0.5).distance == pytest.approx(state.distance, abs=1e-14)
