"""Bodies that are not convex on their way: surfaces meet, not hulls."""

import numpy as np
import pytest
from stories.sweeping import first_hit

from sim import Body, PairTracker, Pose, exhaustive, verify_passage
from wingedge import WingedEdgeMesh, convex_hull, shapes


def dented(rng, count):
    """Return a body of some vertices, half of them pressed in."""
    points = rng.normal(size=(count, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    body = Body(convex_hull(points))
    depth = 1.0 - 0.5 * rng.random(body.mesh.n_vertices) * (
        rng.random(body.mesh.n_vertices) < 0.5
    )
    body.points = body.positions * depth[:, None]
    return body


def sweep(rng, count):
    """Return a tracker of two such bodies, near each other, and where they go."""
    a, b = dented(rng, count), dented(rng, count)
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    off = rng.uniform(1.3, 2.2) * way
    b.points = b.positions + off
    ends = [
        body.positions * rng.uniform(0.8, 1.2, 3) + 0.1 * rng.normal(size=(len(p), 3))
        for body, p in ((a, a.positions), (b, b.positions))
    ]
    ends[1] += rng.uniform(-2.5, 0.0) * way + 0.8 * rng.normal(size=3)
    tracker = PairTracker(a, b)
    return tracker, ends


def at_time(passage, t):
    """Return the answer of ``exhaustive`` for the bodies at a time."""
    bodies = []
    for body, move in zip(
        (passage.state.a, passage.state.b), passage.moves, strict=True
    ):
        copy = Body(body.mesh, name=body.name)
        copy.points, matrix = move.at(t)
        copy.pose = Pose.from_matrix(matrix)
        bodies.append(copy)
    return exhaustive(*bodies)


@pytest.mark.parametrize(("seed", "count"), [(0, 8), (1, 12), (2, 20), (3, 40)])
def test_dented_bodies_first_touch_where_two_features_first_meet(seed, count):
    rng = np.random.default_rng(seed)
    told = {True: 0, False: 0}
    for _ in range(240 // count):
        tracker, ends = sweep(rng, count)
        if not tracker.update().distance > 0.0:
            continue
        passage = tracker.advance(points_a=ends[0], points_b=ends[1])
        meshes = tracker.a.mesh, tracker.b.mesh
        hit = first_hit(meshes, [move[:2] for move in passage.moves])
        touch = passage.touch
        assert passage.reason == ""
        assert (hit is None) == (touch is None)
        told[touch is not None] += 1
        if touch is not None:
            assert hit[0] <= touch.upper
            assert touch.lower <= hit[1]
            assert touch.upper - touch.lower <= 1e-9
            assert verify_passage(passage, tracker.a, tracker.b).answer != "no"
    assert min(told.values()) > 0


@pytest.mark.parametrize(("seed", "count"), [(0, 8), (1, 16)])
def test_dented_bodies_are_first_as_near_as_a_distance_when_exhaustive_says_so(
    seed, count
):
    rng = np.random.default_rng(seed)
    told = {True: 0, False: 0}
    for _ in range(12):
        tracker, ends = sweep(rng, count)
        r = 0.5 * tracker.update().distance
        if not r > 0.0:
            continue
        passage = tracker.advance(points_a=ends[0], points_b=ends[1], distance=r)
        touch = passage.touch
        told[touch is not None] += 1
        free = np.linspace(0.0, 1.0 if touch is None else touch.lower, 12)
        assert all(at_time(passage, t).upper > r for t in free)
        if touch is not None:
            assert at_time(passage, touch.upper).lower <= r
            assert touch.upper - touch.lower <= 1e-9
    assert min(told.values()) > 0


def bowl(count=24):
    """Return a ball with a dent from above that is deeper than its middle."""
    mesh = shapes.icosphere(3)
    points = mesh.points.copy()
    inner = points[:, 2] > 0.6
    points[inner, 2] -= 2.2 * (points[inner, 2] - 0.6) + 0.5
    return WingedEdgeMesh.from_faces(
        points, [mesh.face_vertices(f) for f in range(mesh.n_faces)]
    )


def test_a_ball_that_starts_inside_the_hull_of_a_bowl_falls_on_its_ground():
    """It was told to be within the distance at the start, where only hulls were."""
    dish = Body(bowl(), name="dish")
    ball = Body(
        shapes.icosphere(2, radius=0.1), name="ball", pose=Pose(None, (0, 0, 0.4))
    )
    tracker = PairTracker(dish, ball)
    before = tracker.update().distance
    assert before > 0.05
    passage = tracker.advance(pose_b=Pose(None, (0, 0, -0.6)))
    assert passage.reason == ""
    assert at_time(passage, passage.touch.lower).distance >= 0.0
    assert at_time(passage, passage.touch.upper).lower <= 0.0
    assert passage.touch.upper - passage.touch.lower <= 1e-9
    back = tracker.advance(pose_b=Pose(None, (0, 0, 0.4)))
    assert back.touch is None
    assert back.reason.startswith("already within")
    assert back.parting.lower == pytest.approx(1.0 - passage.touch.upper, abs=1e-9)


@pytest.mark.parametrize("convexity", ["surface", "hull"])
@pytest.mark.parametrize("distance", [0.0, 0.05])
def test_a_bowl_goes_into_a_bowl_or_stops_at_its_lid(distance, convexity):
    """A body that stands for its hull is asked with the ghosts of both bodies."""
    dish = Body(bowl(), name="dish", convexity=convexity)
    other = Body(bowl(), name="other", pose=Pose.rigid((1, 0, 0, 0), (0, 0, 2.5)))
    tracker = PairTracker(dish, other)
    tracker.update()
    pose = Pose.rigid((1, 0, 0, 0), (0.3, 0.1, 0.5))
    passage = tracker.advance(pose_b=pose, distance=distance)
    touch = passage.touch
    assert passage.reason == ""
    assert passage.at(touch.lower).upper >= distance
    assert passage.at(touch.upper).lower <= distance
    assert touch.upper - touch.lower <= 1e-6
    assert (touch.upper < 0.7) == (convexity == "hull"), "a lid is met sooner"
