import numpy as np
import pytest

from sim import Body, PairTracker, Pose, closest, exhaustive, verify
from wingedge import WingedEdgeMesh, shapes

DEEP = 1.75  # from the middle of the board to the floor below its feet


@pytest.fixture
def board():
    """A board on two pointed feet of the same height, at x = -1 and x = 1."""
    mesh = shapes.grid_box((4, 1, 1), (4.0, 1.0, 1.0))
    points = mesh.points.copy()
    x, y, z = points.T
    low = z < 0.0
    foot = low & (np.abs(np.abs(x) - 1.0) < 1e-9)
    points[foot, 2] = np.where(y[foot] < 0.0, -1.25, -1.0)
    faces = [mesh.face_vertices(f).tolist() for f in range(mesh.n_faces)]
    return Body(WingedEdgeMesh.from_faces(points, faces, triangulate=True))


@pytest.fixture
def floor():
    return Body(shapes.box((9.0, 9.0, 1.0)))


def tipped(angle, gap=0.05):
    return Pose.rigid((0.0, angle, 0.0, 1.0), (0.0, 0.0, -DEEP - gap))


@pytest.mark.parametrize("start", [-0.01, 0.01])
def test_two_feet_as_near_are_not_unique_and_the_last_one_is_kept(board, floor, start):
    """A scan certified one of them as unique: which one hung on where it had begun."""
    tracker = PairTracker(board, floor)
    floor.pose = tipped(start)
    before = tracker.update()
    assert before.unique
    floor.pose = tipped(0.0)
    state = tracker.update()
    assert not state.unique
    assert state.feature_a == before.feature_a
    assert state.certified
    assert verify(state, board, floor)
    assert not closest(board, floor).unique
    assert closest(board, floor).distance == state.distance


def test_a_live_convex_body_is_unique_where_it_is(floor):
    ball = Body(shapes.icosphere(2))
    floor.pose = Pose.rigid((0.1, 0.2, 0.0, 1.0), (0.0, 0.0, -2.0))
    ball.points[...] *= 1.01
    state = closest(ball, floor)
    assert (state.unique, state.proof, state.work.fallbacks) == (True, "scan", 0)


@pytest.mark.parametrize("seed", [32, 40])
def test_the_side_of_a_body_that_crosses_itself_hangs_on_no_history(seed):
    """Ties that a nearer pair had made stale sent the question of the side to rays.

    So one history said +0.126, another -0.335, of the same positions.
    """
    rng = np.random.default_rng(seed)
    ball = shapes.icosphere(2)
    crumpled = Body(ball)
    by = rng.choice([0.6, 1.0]) * rng.uniform(-0.5, 0.5, ball.points.shape)
    crumpled.points = ball.points + by
    small = Body(shapes.icosphere(0))
    tracker = PairTracker(crumpled, small)
    for place in rng.uniform(-0.9, 0.9, (10, 3)):
        small.pose = Pose(0.02 * np.eye(3), place)
        state = tracker.update()
        cold = closest(crumpled, small)
        assert (state.distance, state.unique) == (cold.distance, cold.unique)
        assert state.distance == pytest.approx(exhaustive(crumpled, small).distance)


def test_a_place_beyond_the_room_of_the_list_still_makes_the_points_not_unique():
    """61 or 101 vertices meet in one tip, a single one in another, as near to the box.

    The list has room for 64 pairs, those that come first: all of one tip.  No test
    noticed when nobody asked whether it was too short.
    """
    for above, places, unique in [(0.8, 1, True), (0.8, 2, False), (0.7, 2, False)]:
        mesh = shapes.icosphere(3)
        points = mesh.points.copy()
        points[mesh.points[:, 2] > above] = (-0.5, 0.0, 2.0)
        if places == 2:
            last = np.flatnonzero(mesh.points[:, 0] > 0.95).max()
            points[last] = (0.75, 0.0, 2.0)
        body = Body(mesh, name="a")
        body.points = points
        box = Body(shapes.box((4.0, 4.0, 1.0)), pose=Pose(None, (0.1, 0.2, 2.75)))
        state = closest(body, box)
        assert (state.distance, str(state.feature_a)) == (0.25, "v4")
        assert state.unique is unique
