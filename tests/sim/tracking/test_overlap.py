import numpy as np  # of sim.kernels.overlap.penetration, sim.kernels.overlap.depth
import pytest
from scipy.spatial import ConvexHull

from sim import Body, PairTracker, Pose, closest, exhaustive, verify
from wingedge import convex_hull, shapes

UNIT = shapes.box((1.0, 1.0, 1.0))


def put(mesh, pose, world=(0.0, 0.0, 0.0, 1.0), convexity="surface"):
    turn = Pose.rigid(world).linear
    return Body(
        mesh,
        pose=Pose(turn @ pose.linear, turn @ pose.translation),
        convexity=convexity,
    )


def test_a_polytope_out_of_room_says_so_and_still_bounds_the_depth():
    ball = shapes.icosphere(4)
    a, b = Body(ball), Body(ball, pose=Pose.rigid((0.1, 0.2, 0.3, 1), (1e-3, 0, 0)))
    state = closest(a, b)
    assert (state.proof, state.certified, state.work.fallbacks) == ("epa", False, 0)
    assert "exact=True" in state.reason
    assert state.lower <= state.distance <= state.upper < -1.9
    assert verify(state, a, b)


def test_bodies_that_came_apart_forget_the_polytope_of_their_overlap(engine):
    """It was kept and placed anew in every frame: 7 us instead of 2."""
    b = Body(UNIT, pose=Pose(translation=(0.4, 0.1, 0.2)))
    tracker = PairTracker(Body(UNIT), b)
    filled = tracker._buffers.workspace.hull.filled
    for k in range(4):
        assert tracker.update().distance < 0.0
        assert filled[0] > 0
        b.pose = Pose(translation=(2.0, 0.1, 0.2 + 0.1 * k))
        assert tracker.update().distance > 0.0
        assert filled[0] == 0
        b.pose = Pose(translation=(0.4, 0.1, 0.2))


def test_two_copies_in_one_place_choose_one_of_the_axes_that_tie():
    a, b = Body(UNIT), Body(UNIT)
    tracker = PairTracker(a, b)
    first = tracker.update(exact=True)
    assert (first.distance, first.unique) == (-1.0, False)
    assert first.normal.tolist() == closest(a, b).normal.tolist()
    # A hair's breadth decides; then what is kept does.
    b.pose = Pose(translation=(0.0, -0.01, 0.0))
    assert tracker.update().normal.tolist() == [0.0, -1.0, 0.0]
    b.pose = Pose.identity()
    assert tracker.update().normal.tolist() == [0.0, -1.0, 0.0]


def test_a_dented_body_widens_the_bounds_by_its_dent():
    """Convex within tolerance, not to rounding: the depth is that of the hulls."""
    mesh = shapes.icosphere(1)
    points = mesh.points.copy()
    points[0] *= 1.0 - 1e-3
    hull = convex_hull(points)
    dented = Body(hull)
    with dented.edit() as moved:
        moved[5] *= 1.0 - 1e-10
    assert dented.audit().is_convex()
    dent = dented.audit().worst_depth
    other = Body(UNIT, pose=Pose(3.0 * np.eye(3), (2.0, 0.1, 0.2)))
    other.pose = Pose(np.eye(3), (1.2, 0.1, 0.2))
    state = closest(dented, other)
    assert state.distance < 0.0
    truth = exhaustive(dented, other)
    assert state.distance == pytest.approx(truth.distance, abs=1e-13)
    if not dented.proof():
        assert state.upper - state.distance >= dent


@pytest.mark.parametrize("seed", [0, 31, 32, 59, 68, 77])
def test_a_dented_box_is_not_decided_by_its_own_faces_alone(seed):
    """Its hull has other axes: rationals over its own were certified 5e-12 too deep."""
    rng = np.random.default_rng(seed)
    a = Body(UNIT, pose=Pose.rigid(rng.normal(size=4)))
    a.points = UNIT.points + 1e-10 * rng.normal(size=(8, 3))
    assert a.audit().is_convex()
    b = Body(UNIT, pose=Pose.rigid(rng.normal(size=4), 3.0 * a.pose.linear[0]))
    state = closest(a, b)
    at = b.pose.translation - (state.distance + 1e-11) * state.normal
    b.pose = Pose(b.pose.linear, at)
    state = closest(a, b, exact=True)
    difference = b.world_points()[:, None] - a.world_points()
    planes = ConvexHull(difference.reshape(-1, 3)).equations
    shallowest = float((-planes[:, 3]).min())
    # Some axis parts them by this little, so no smaller upper bound can hold.
    assert -shallowest <= state.upper + 1e-14
    assert -shallowest >= state.lower - 1e-14


def test_a_way_out_of_a_notch_is_the_same_far_from_the_origin():
    rng = np.random.default_rng(6)
    turn = Pose.rigid(rng.normal(size=4)).linear
    off = np.round(rng.normal(size=3) * 0.4 * 64) / 64
    told = []
    for far in (0.0, 2.0**30):
        at = np.array([far, -far, far])
        a, b = (
            Body(shapes.u_block(), pose=pose)
            for pose in (Pose(None, at), Pose(turn, at + off))
        )
        state = closest(a, b)
        told.append((state.distance, state.lower, state.feature_a, state.feature_b))
    assert told[0] == told[1]
