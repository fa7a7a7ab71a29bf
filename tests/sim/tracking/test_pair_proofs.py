"""How the tracker chooses what proves a body, and what it refuses."""

import numpy as np
import pytest

from sim import Body, PairTracker, Pose
from wingedge import shapes

ZOO = dict(shapes.zoo())


def test_open_and_closed_bodies_give_the_same_distance_by_other_proofs(passing):
    a, b, poses = passing(ZOO["icosphere"], ZOO["box"], 50)
    opened = Body(a.mesh, name="open")
    opened.points[...] = a.mesh.points
    closed_tracker, open_tracker = PairTracker(a, b), PairTracker(opened, b)
    for pose in poses:
        b.pose = pose
        one, two = closed_tracker.update(), open_tracker.update()
        assert one.distance == two.distance
        if one.distance > 0.0:
            assert (one.proof, two.proof) == ("ring", "scan")
        else:
            assert (one.proof, two.proof) == ("epa", "epa")
        assert two.work.scans >= 1


def test_a_body_opened_between_two_frames_is_scanned_from_then_on():
    a, b = Body(shapes.icosphere(1)), Body(shapes.box(), name="box")
    b.pose = Pose(translation=(3.0, 0.1, 0.2))
    tracker, other = PairTracker(a, b), PairTracker(b, a)
    for one in (tracker, tracker, other, other):  # the second finds quiet bodies
        assert one.update().proof == "ring"
    a.points = 1.5 * a.positions
    closer = tracker.update()
    assert closer.proof == "ring"
    a.points[...] *= 0.5
    for one in (tracker, other, tracker):
        state = one.update()
        assert (state.proof, state.distance > closer.distance) == ("scan", True)


def test_a_closed_body_that_was_given_a_dent_is_no_longer_proved_by_rings():
    a, b = Body(shapes.icosphere(1)), Body(shapes.box(), name="box")
    b.pose = Pose(translation=(3.0, 0.1, 0.2))
    tracker = PairTracker(a, b)
    assert tracker.update().proof == "ring"
    with a.edit() as points:
        points[0] *= 0.5
    assert tracker.update().proof == "scan"


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
