"""Nothing is kept between frames but ids: what was not read cannot matter."""

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, closest
from wingedge import shapes

PAIRS = [
    (shapes.icosphere(3), shapes.icosphere(2)),
    (shapes.box(), shapes.icosphere(3)),
    (shapes.random_hull(1, 300), shapes.random_hull(2, 60)),
    (shapes.grid_box(4), shapes.cylinder(24)),
    (shapes.needle(), shapes.plate()),
]
IDS = ["spheres", "box-sphere", "hulls", "flats", "thin"]


def tumbling(a: Body, b: Body, frames: int) -> list[Pose]:
    reach = sum(np.ptp(body.mesh.points, axis=0).max() for body in (a, b))
    turn = np.array([0.1, 0.2, -0.3, 1.0])
    spin = np.array([0.01, -0.02, 0.015, 0.0])
    at = np.array([0.7, 0.3, 0.1]) * reach
    return [Pose.rigid(turn + k * spin, at * (1.0 - 0.002 * k)) for k in range(frames)]


@pytest.mark.parametrize(("mesh_a", "mesh_b"), PAIRS, ids=IDS)
def test_vertices_that_were_not_visited_may_be_nan(mesh_a, mesh_b):
    a, b = Body(mesh_a), Body(mesh_b)
    clean, poisoned = PairTracker(a, b), PairTracker(a, b)
    visited = 0
    poses = tumbling(a, b, 80)
    for pose in poses:
        b.pose = pose
        state = clean.update()
        seen = clean.explain()
        kept = [body._points.copy() for body in (a, b)]
        for body, ids in ((a, seen.visited_a), (b, seen.visited_b)):
            hidden = np.ones(body.mesh.n_vertices, bool)
            hidden[ids] = False
            body._points[hidden] = np.nan
        assert poisoned.update().numbers == state.numbers
        for body, points in zip((a, b), kept, strict=True):
            body._points[...] = points
        visited += len(seen.visited_a) + len(seen.visited_b)
    if mesh_a.n_vertices > 500:
        assert visited / len(poses) < 0.1 * (mesh_a.n_vertices + mesh_b.n_vertices)


@pytest.mark.parametrize(("mesh_a", "mesh_b"), PAIRS, ids=IDS)
def test_poison_between_frames_leaves_no_trace(mesh_a, mesh_b, same_answer):
    rng = np.random.default_rng(5)
    a, b = Body(mesh_a), Body(mesh_b)
    tracker = PairTracker(a, b)
    # A heap of random points takes the exhaustive search: few frames for large ones.
    frames = 40 if mesh_a.n_vertices + mesh_b.n_vertices < 100 else 3
    for pose in tumbling(a, b, frames):
        b.pose = pose
        rest = [body.mesh.points.copy() for body in (a, b)]
        for body in (a, b):
            body.points[...] = rng.normal(size=body.positions.shape)
        tracker.update()
        for body, points in zip((a, b), rest, strict=True):
            body.points[...] = points
        assert same_answer(tracker.update(), closest(a, b))


def test_the_text_says_where_the_frame_started_and_ended():
    a, b = Body(shapes.box(), name="crate"), Body(shapes.icosphere(2), name="ball")
    b.pose = Pose(translation=(3.0, 0.1, 0.2))
    tracker = PairTracker(a, b)
    tracker.update()
    assert "started cold" in str(tracker.explain())
    state = tracker.update()
    told = tracker.explain()
    assert told.after == (state.feature_a, state.feature_b)
    assert f"started from {state.kind}" in told.text
    assert "crate" in told.text


def test_there_is_nothing_to_explain_before_the_first_update():
    tracker = PairTracker(Body(shapes.box()), Body(shapes.box()))
    with pytest.raises(ValueError, match=r"call update\(\) first"):
        tracker.explain()
