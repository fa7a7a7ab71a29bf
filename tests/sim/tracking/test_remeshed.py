from copy import copy, deepcopy  # of sim.tracking.alone, sim.tracking.buffers

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, World, closest, exhaustive, verify
from wingedge import MeshError, WingedEdgeMesh, edits, shapes
from wingedge.maps import Maps

ZOO = {
    name: mesh
    for name, mesh in dict(shapes.zoo(non_convex=True)).items()
    if mesh.n_vertices <= 40
}


def told(state):
    return state.numbers._replace(work=None, reason="")


@pytest.mark.parametrize("seed", range(6))
def test_a_tracker_of_edited_bodies_answers_as_a_cold_one(
    seed, edit_somewhere, within_oracle
):
    rng = np.random.default_rng(seed)
    names = rng.choice(list(ZOO), 2)
    a, b = (Body(ZOO[name]) for name in names)
    tracker, mirror = PairTracker(a, b), PairTracker(b, a)
    reach = sum(np.abs(body.mesh.points).max() for body in (a, b))
    way, turn = rng.normal(size=3), rng.normal(size=4)
    way *= rng.uniform(0.9, 1.5) * reach / np.linalg.norm(way)
    edited = 0
    for _ in range(12):
        turn += 0.05 * rng.normal(size=4)
        b.pose = Pose.rigid(turn / np.linalg.norm(turn), way)
        body = a if rng.random() < 0.5 else b
        try:
            body.replace(*edit_somewhere(body.mesh, rng))
            edited += 1
        except MeshError:
            pass
        warm, cold = tracker.update(), closest(a, b)
        assert told(mirror.update().swapped()) == told(warm) or not cold.unique
        if cold.unique and cold.certified:
            assert told(warm) == told(cold)
        if warm.distance > 0.0:
            convex = a.audit().is_convex() and b.audit().is_convex()
            assert not convex or verify(warm, a, b)  # else it takes seconds
            assert within_oracle(warm, exhaustive(a, b))
    assert edited > 1


def test_the_simplex_goes_on_so_little_is_looked_at():
    a, b = Body(shapes.icosphere(3)), Body(shapes.icosphere(3))
    b.pose = Pose(translation=(2.5, 0.3, 0.2))
    tracker = PairTracker(a, b)
    cold = tracker.update().work
    warm = []
    for k in range(8):
        a.replace(*edits.split_edge(a.mesh, 40 * k))
        b.pose = Pose(translation=(2.5, 0.3 + 1e-3 * k, 0.2))
        warm.append(tracker.update())
        assert told(warm[-1]) == told(closest(a, b))
    # a middle of an edge makes two triangles level: such a body is proved by scans,
    # but no seed is looked for and nothing is climbed
    assert max(s.work.steps for s in warm) <= cold.steps
    assert all(s.work.fallbacks == 0 for s in warm)


def test_a_track_goes_on_after_a_replacement():
    a, b = Body(shapes.box()), Body(shapes.icosphere(1))
    tracker = PairTracker(a, b)
    poses = [Pose(translation=(0.1, 0.2, 2.0 - 0.01 * k)) for k in range(20)]
    first = tracker.track(poses_b=poses)
    kept = first[5].numbers
    a.replace(*edits.split_edge(a.mesh, 2))
    second = tracker.track(poses_b=poses[::-1])
    assert first[5].numbers == kept
    assert first[5].mesh_a is not second[5].mesh_a
    for k, pose in enumerate(reversed(poses)):
        b.pose = pose
        assert told(second[k]) == told(closest(a, b))


def test_explain_starts_from_what_was_remembered():
    a, b = Body(shapes.icosphere(2)), Body(shapes.box())
    b.pose = Pose(translation=(0.2, 0.3, 2.0))
    tracker = PairTracker(a, b)
    tracker.update()
    a.replace(*edits.poke_face(a.mesh, 3))
    with pytest.raises(ValueError, match="a mesh was replaced since"):
        tracker.explain()
    state = tracker.update()
    told_ = tracker.explain()
    assert told_.after == (state.feature_a, state.feature_b)
    assert max(told_.visited_a, default=0) < a.mesh.n_vertices


def test_the_papers_search_goes_on():
    a, b = Body(shapes.icosphere(1)), Body(shapes.box())
    b.pose = Pose(translation=(0.2, 0.3, 1.7))
    tracker = PairTracker(a, b, strategy="paper")
    tracker.update()
    a.replace(*edits.poke_face(a.mesh, 0))
    b.pose = Pose(translation=(0.2, 0.31, 1.7))
    assert tracker.update().work.fallbacks == 0
    assert tracker.explain().text


def test_a_flip_that_dents_a_body_is_told_in_its_frame():
    ball = Body(shapes.icosphere(1), name="ball", pose=Pose(translation=(9.0, 0, 0)))
    world = World([ball, Body(shapes.box(), name="box")])
    world.step()
    ball.points = 1.5 * ball.positions
    world.step()
    ball.replace(*edits.flip_edge(ball.mesh, 0))
    assert not copy(ball).is_convex()
    events = [
        str(event) for run in (deepcopy(world), world) for event in run.step().events
    ]
    assert len(events) == 2
    assert events[0] == events[1]
    assert "convexity_lost ball e0" in events[0]


def test_a_contact_that_moves_to_a_vertex_of_the_same_number_is_told():
    """An edit exchanged the numbers of what touched and of what touches now."""
    old, swap = shapes.tetrahedron(), np.array([1, 0, 3, 2], np.int32)
    faces = [swap[old.face_vertices(f)] for f in range(old.n_faces)]
    new, maps = WingedEdgeMesh.from_faces(old.points[swap], faces), Maps.identity(old)
    parents = maps.parents._replace(vertex=maps.parents.vertex._replace(vertex=swap))
    body = Body(old, name="tip", pose=Pose.rigid((0.3, 0.1, 0.2, 1.0)))
    low = body.world_points()[:, 2]
    floor = Body(shapes.box((9.0, 9.0, 1.0)), pose=Pose(None, (0, 0, low.min() - 0.55)))
    world = World([body, floor], contact_distance=0.1)
    world.step()
    body.replace(new, maps._replace(vertex=swap, parents=parents))
    body.points = old.points
    (event,) = world.step().events
    v = int(low.argmin())
    assert f"change tip/{floor.name} VF v{swap[v]} f1 -> VF v{v} f1" in str(event)
