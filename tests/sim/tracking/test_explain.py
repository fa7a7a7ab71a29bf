"""Nothing is kept between frames but ids: what was not read cannot matter."""

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, closest
from sim.tracking.explain import Trail
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


def test_of_bodies_as_large_as_each_other_the_order_is_read_too():
    """Which one the kernel takes first depends on coordinates: they were read."""
    a, b = Body(shapes.icosphere(2)), Body(shapes.icosphere(2))
    b.pose = Pose(translation=(3.0, 0.1, 0.2))
    tracker = PairTracker(a, b)
    for _ in range(2):
        tracker.update()
    told = tracker.explain()
    assert 0 in told.visited_a
    assert 0 in told.visited_b
    assert len(told.visited_a) + len(told.visited_b) < 40


def test_an_exhaustive_search_reads_every_vertex():
    a, b = Body(shapes.l_block(), name="a"), Body(shapes.icosphere(2), name="b")
    tracker = PairTracker(a, b)
    for x, searched in ((4.1, 0), (0.8, 1)):  # overlap of a body that is not convex
        b.pose = Pose(translation=(x, 0.2, 0.1))
        assert tracker.update().work.fallbacks == searched
    told = tracker.explain()
    assert told.visited_a.tolist() == list(range(12))
    assert told.visited_b.tolist() == list(range(162))
    assert "read 12 of 12 vertices of a and 162 of 162 of b" in told.text
    assert "1 exhaustive searches" in told.text


def test_visited_vertices_belong_to_the_body_that_was_asked_for():
    """Whichever of the two the kernel takes first."""
    large, small = Body(shapes.icosphere(2)), Body(shapes.grid_box(3))
    small.pose = Pose(translation=(3.0, 0.1, 0.2))
    for a, b in ((large, small), (small, large)):
        tracker = PairTracker(a, b)
        tracker.update()
        state = tracker.update()
        told = tracker.explain()
        for body, ids, parts in (
            (a, told.visited_a, state.parts_a),
            (b, told.visited_b, state.parts_b),
        ):
            assert len(ids) < body.mesh.n_vertices
            corners = [
                {
                    "vertex": lambda i: [i],
                    "edge": body.mesh.edge_vertices.__getitem__,
                    "face": body.mesh.face_vertices,
                }[part.kind](part.index)
                for part in parts
            ]
            assert {int(v) for ring in corners for v in ring} <= set(ids.tolist())


def test_explaining_changes_nothing_in_the_tracker():
    a, b = Body(shapes.icosphere(2)), Body(shapes.prism(6))
    quiet, told = PairTracker(a, b), PairTracker(a, b)
    for pose in tumbling(a, b, 30):
        b.pose = pose
        told.update()
        told.explain()
        assert told.state.numbers == quiet.update().numbers


def test_a_trail_is_read_only():
    trail = Trail(memoryview(np.zeros(9)))
    assert trail[4] == 0.0
    assert trail.visited.tolist() == [False, True, False]
    with pytest.raises(TypeError, match="read-only in a kernel"):
        trail[4] = 1.0
    assert np.asarray(trail).shape == (9,)
    assert trail.visited.all()
