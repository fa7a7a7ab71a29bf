"""Bodies in pieces between two frames: the least of all their pieces decides."""

import numpy as np
import pytest

from sim import Body, Compound, PairTracker, Pose, World
from sim.between.pieces import PiecesPaths
from wingedge import WingedEdgeMesh, shapes


def tee():
    """Return an upright T of two boxes: a stem and a bar that reaches out above it."""
    bar, stem = shapes.box((2.0, 0.4, 0.4)), shapes.box((0.4, 0.4, 1.0))
    faces = [bar.face_vertices(f) for f in range(bar.n_faces)]
    return [WingedEdgeMesh.from_faces(np.add(bar.points, (0.0, 0.0, 0.7)), faces), stem]


def told(path, *, deform=None):
    """Tell what a ball that goes straight does with a T that stands."""
    ball = Body(shapes.icosphere(1, radius=0.1), name="ball")
    compound = Compound(tee(), name="tee")
    world = World(
        [compound, ball],
        motion={"ball": lambda t: Pose(None, path(t))},
        deform=deform or {},
        dt=1.0,
        contact_distance=0.01,
        between=True,
    )
    frames = list(world.run(2))
    assert all(frame.undecided == () for frame in frames)
    return frames[-1].events


def test_a_ball_begins_to_touch_a_body_in_pieces_when_it_touches_one():
    """Its `when` was the whole frame."""
    events = told(lambda t: (2.0 - 1.5 * t, 0.0, 0.7))
    begin = next(event for event in events if event.kind == "begin")
    lower, upper = begin.when
    at = (2.0 - 0.1 - 0.01 - 1.0) / 1.5
    assert upper - lower <= 1e-9
    assert lower == pytest.approx(at, abs=0.02)
    penetrate = next(event for event in events if event.kind == "penetrate")
    assert penetrate.when[0] > upper


def test_a_ball_that_passes_under_the_bar_and_beside_the_stem_does_not_touch():
    events = told(lambda t: (2.0 - 4.0 * t, 0.6, 0.3))
    assert [event.kind for event in events] == []


def test_a_ball_that_passes_through_a_piece_within_a_frame_brushes():
    events = told(lambda t: (0.8, 2.0 - 4.0 * t, 0.7))
    (brush,) = events
    assert brush.kind == "brush"
    assert brush.when[1] - brush.when[0] <= 1e-9
    assert {brush.a, brush.b} == {"tee", "ball"}
    assert brush.state.distance == pytest.approx(0.01, abs=1e-6)


def test_pieces_that_deform_go_where_the_body_goes():
    lift = {"tee": lambda rest, t: rest + np.array([0.0, 0.0, t])}
    events = told(lambda t: (0.8, 0.0, 2.0), deform=lift)
    begin = next(event for event in events if event.kind == "begin")
    assert begin.when[0] == pytest.approx(2.0 - 0.9 - 0.1 - 0.01, abs=0.02)
    assert begin.when[1] - begin.when[0] <= 1e-9


def test_pieces_that_graze_are_told_as_undecided():
    """What a pair of pieces left open was forgotten as the next one was laid out."""
    ends = [Pose(None, (k, 0.0, 1.0)) for k in (2.0, -2.0)]  # corner by corner
    box = Body(shapes.box(), name="box", pose=ends[0])
    passage = PairTracker(Body(shapes.box(), name="other"), box).advance(pose_b=ends[1])
    assert "graze" in passage.reason
    paths = PiecesPaths(Compound([shapes.box()], name="pieces"), box, 0.1, 0.2)
    paths.load(passage.moves)
    found = paths.first(0.0)
    assert (found.lower, found.upper) == (passage.touch.lower, passage.touch.upper)
    assert [why for *_, why in paths.open] == [passage.reason]
