import math  # of sim.tracking.pair, sim.tracking.options
import sys

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, closest
from sim.kernels.audit.hinges import EDGES
from sim.tracking.options import Ends, next_regime, rest_size, thresholds
from wingedge import shapes


def test_patches_of_faces_and_intervals_of_parallel_edges_are_reported():
    a, b = Body(shapes.box((1.0, 1.0, 1.0))), Body(shapes.box((1.0, 1.0, 1.0)))
    b.pose = Pose(translation=(0.25, 0.5, 1.0 + 2**-20))
    s = closest(a, b)
    assert (s.kind, s.unique, s.regime) == ("FF", False, "contact")
    corners = {tuple(p) for p in s.patch[:, :2].tolist()}
    assert corners == {(-0.25, 0.0), (0.5, 0.0), (0.5, 0.5), (-0.25, 0.5)}
    assert sorted(c.kind for c in s.contacts) == ["EE", "EE", "FV", "VF"]
    assert all(c.distance == s.distance for c in s.contacts)
    b.pose = Pose(translation=(1.5, 1.5, 0.25))
    s = closest(a, b)
    assert (s.kind, s.unique) == ("EE", False)
    assert s.patch.shape == (2, 3)
    assert sorted(s.patch[:, 2].tolist()) == [-0.25, 0.5]


def test_the_choice_on_a_patch_does_not_chatter():
    a, b = Body(shapes.box((4.0, 4.0, 1.0))), Body(shapes.box((1.0, 1.0, 1.0)))
    tracker = PairTracker(a, b)
    chosen = set()
    for k in range(20):
        turn = Pose.rigid((0.0, 0.0, 0.1 * k, 1.0)).linear
        b.pose = Pose(turn, (0.01 * k, 0.0, 1.25))
        s = tracker.update()
        local = turn.T @ (s.point_a - [0.01 * k, 0.0, 0.0])
        chosen.add((round(local[0], 9), round(local[1], 9)))
    assert len(chosen) == 1


def test_work_stays_flat_from_a_hundred_to_a_hundred_thousand_vertices():
    looked = []
    axes = [(0.3, 0.9, 0.2), (0.9, -0.3, 0.4), (-0.2, 0.5, 0.8), (0.6, 0.6, -0.5)]
    tilt = Pose.rigid((0.3, 0.1, 0.2, 1.0))
    for level in (2, 4, 6, 7):
        mesh = shapes.icosphere(level)
        a, b = Body(mesh), Body(mesh)
        total = 0
        for axis in np.array(axes):
            tracker = PairTracker(a, b)
            for k in range(200):
                half = 0.1 / 2**level * k  # the same part of a face each frame
                way = np.sin(half) * axis / np.linalg.norm(axis)
                b.pose = Pose.rigid((*way, np.cos(half)), (2.5, 0.1, 0.2)) @ tilt
                s = tracker.update()
                assert s.work.fallbacks == 0
                if k > 0:
                    assert s.work.scans == 0
                    total += s.work.vertices
        looked.append(total)
    assert mesh.n_vertices > 100_000
    assert max(looked) <= 1.2 * min(looked)


def test_reset_starts_cold():
    a, b = Body(shapes.box()), Body(shapes.box(), pose=Pose(translation=(3.0, 0, 0)))
    tracker = PairTracker(a, b)
    tracker.update()
    assert tracker.update().work.scans == 0
    tracker.reset()
    assert tracker.state is None
    assert tracker.update().work.scans == 2


def test_every_tracker_of_a_body_asks_about_its_new_positions():
    """The first one to ask made the body quiet, and a second kept an old proof."""
    body = Body(shapes.box())
    others = [Body(shapes.box(), pose=Pose(translation=t)) for t in np.eye(3)[:2] * 3.0]
    trackers = [PairTracker(body, other) for other in others]
    sheared = body.positions.copy()
    sheared[:, 0] += 3.0 * sheared[:, 1]
    for points in (body.positions, sheared):
        body.points = points
        assert (body.proof() == EDGES) == (points is not sheared)
        for tracker in trackers:
            tracker.update()
            sides = tracker._buffers.first, tracker._buffers.second
            by_edges = [b.proof() == EDGES for b in tracker._buffers.bodies]
            assert [side.proofs.edges_prove == 1 for side in sides] == by_edges


def test_a_body_opened_between_two_frames_is_scanned_from_then_on():
    a, b = Body(shapes.icosphere(1)), Body(shapes.box(), name="box")
    b.pose = Pose(translation=(3.0, 0.1, 0.2))
    tracker, other = PairTracker(a, b), PairTracker(b, a)
    for one in (tracker, tracker, other, other):  # the second finds quiet bodies
        assert one.update().proof == "ring"
    a.points = 1.5 * a.positions
    closer = tracker.update()
    assert (closer.proof, tracker.update().proof) == ("scan", "ring")  # they lasted
    a.points[...] *= 0.5
    for one in (tracker, other, tracker):
        state = one.update()
        assert (state.proof, state.distance > closer.distance) == ("scan", True)


def test_what_was_shown_of_new_positions_is_not_believed_of_the_next():
    """A frame in which the bodies came in the other order took a pit for its hull."""
    mesh = shapes.grid_box(4, 2.0)
    pit = mesh.points.copy()
    pit[(pit[:, 2] == 1.0) & (np.abs(pit[:, :2]) < 0.9).all(axis=1), 2] = -0.8
    a, b = Body(mesh, pose=Pose(translation=(0.45, 0.01, 0.02))), Body(mesh)
    tracker = PairTracker(a, b)
    for k in range(8):
        b.pose = Pose(np.diag((1.0, 1.0, 1.0) if k % 4 < 2 else (-1.0, -1.0, 1.0)))
        a.points = (0.1 + 1e-3 * k) * mesh.points
        b.points = mesh.points if k % 2 else pit
        state = tracker.update()
        assert (state.distance > 0.1) == (k % 2 == 0)
        assert state.distance == closest(a, b).distance


def test_a_non_finite_coordinate_is_refused_by_name_and_nothing_is_lost():
    a, b = Body(shapes.box(), name="crate"), Body(shapes.icosphere(1), name="ball")
    b.pose = Pose(translation=(3.0, 0.1, 0.2))
    tracker = PairTracker(a, b)
    before = tracker.update()
    good = a.points.copy()
    a.points[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"'crate', frame 1: vertex v3 is at .*nan"):
        tracker.update()
    assert tracker.state is before
    a.points[...] = good
    assert tracker.update().distance == before.distance


SMALL, LARGE = Body(shapes.box((1.0, 2.0, 0.5))), Body(shapes.box(10.0))


def test_distances_come_from_the_smaller_body_and_are_lengths():
    assert thresholds(LARGE, SMALL, None, None)[:2] == (0.002, 0.004)
    assert thresholds(LARGE, SMALL, 0.5, None)[:2] == (0.5, 1.0)
    assert thresholds(LARGE, SMALL, 0.5, 0.5)[:2] == (0.5, 0.5)
    assert rest_size(SMALL) == 2.0
    SMALL.edit()  # what a body is now does not matter
    assert rest_size(LARGE) == 10.0
    for bad in [-1.0, math.inf, math.nan]:
        with pytest.raises(ValueError, match="contact_distance"):
            thresholds(SMALL, LARGE, bad, None)
        with pytest.raises(ValueError, match="release_distance"):
            thresholds(SMALL, LARGE, 0.1, bad)


class At:
    """Numbers of which only these two matter."""

    size = 1.0

    def __init__(self, distance: float) -> None:
        self.distance = distance


def test_a_way_through_all_regimes_and_a_band_that_is_checked():
    way = [0.3, 0.15, 0.1, 0.2, 0.21, 0.05, -2e-9, -1e-10, 0.0, 0.15, 0.3]
    regimes, regime = [], "separated"
    for distance in way:
        regime = next_regime(regime, At(distance), Ends(0.1, 0.2))
        regimes.append(regime[0])
    assert "".join(regimes) == "sscc" + "sc" + "pp" + "ccs"
    assert thresholds(SMALL, LARGE, 0.0, 0.25)[:2] == (0.0, 0.25)
    with pytest.raises(ValueError, match="begin and end in one frame"):
        thresholds(SMALL, LARGE, 0.2, 0.1)


def test_closest_of_bodies_that_it_knows_is_that_of_a_new_tracker():
    rng = np.random.default_rng(0)
    meshes = shapes.box(), shapes.u_block(), shapes.random_hull(1, 30)
    for _ in range(12):
        a, b = (Body(meshes[k]) for k in rng.integers(3, size=2))
        for k in range(8):
            if k % 4 == 3:
                b.points = b.mesh.points * (1.0 + 0.2 * rng.random())
            b.pose = Pose.rigid(rng.normal(size=4), 0.6 * rng.normal(size=3))
            new = PairTracker(a, b).update()
            again = closest(a, b)
            assert again.numbers == new.numbers
            assert (again.frame, again.regime) == (new.frame, new.regime)


@pytest.mark.parametrize("at", range(1, 40))
def test_an_interrupted_update_leaves_no_row_that_another_frame_reads(at):
    pairs = [(Body(shapes.box()), Body(shapes.icosphere(1))) for _ in range(2)]
    tracker, other = (PairTracker(*pair) for pair in pairs)
    left = at

    def count(frame, event, _):
        nonlocal left
        left -= 1
        if left == 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return count

    for k in range(12):
        for _, ball in pairs:
            ball.pose = Pose(None, (0.1 * k - 1.0, 0.1, 1.3))
        if k == 7:
            try:
                sys.settrace(count)
                tracker.update()
            except KeyboardInterrupt:
                pass
            finally:
                sys.settrace(None)
        state = tracker.update() if tracker.next_frame == k else tracker.state
        assert state.numbers[:-1] == other.update().numbers[:-1]
