import numpy as np  # of sim.kernels.surface.search, sim.kernels.surface.found
import pytest

from sim import Body, PairTracker, Pose, closest, exhaustive, verify
from sim.tracking.brute.solid import deepest_vertices
from sim.tracking.buffers import Buffers
from wingedge import WingedEdgeMesh, shapes

NOTCHED = ("l_block", "u_block", "ring", "cup", "gear", "star", "hammer")
BODIES = dict(shapes.zoo(non_convex=True))
BALL = shapes.icosphere(1)


def rough(mesh, seed, by=0.25):
    factor = 1.0 + by * np.random.default_rng(seed).uniform(-1, 1, (mesh.n_vertices, 1))
    return mesh.points * factor


def bent(seed):
    """Two bodies that are not convex, open, and poses of B around A."""
    rng = np.random.default_rng(seed)
    a, b = Body(BODIES[NOTCHED[seed % 7]], name="a"), Body(BALL, name="b")
    b.points[...] = rough(BALL, seed)
    reach = 0.5 * np.ptp(a.mesh.points, axis=0).max() + 1.0

    def poses():
        while True:
            way = rng.normal(size=3)
            way *= reach * rng.uniform(0.9, 1.6) / np.linalg.norm(way)
            yield Pose.rigid(rng.normal(size=4), way)

    return a, b, poses()


def plain(state):
    return state.numbers._replace(work=None)


def test_any_start_ends_at_the_same_answer():
    rng = np.random.default_rng(3)
    for seed in range(4):
        a, b, poses = bent(seed)
        tracker = PairTracker(a, b)
        b.pose = next(poses)
        state = tracker.update()
        while state.proof != "search" or state.distance <= 0.0:
            b.pose = next(poses)
            state = tracker.update()
        buffers, faces = tracker._buffers, set()
        for _ in range(20):
            for k, tree in enumerate(buffers.trees[:2]):
                buffers.workspace.leaves[k] = int(rng.integers(tree.leaves))
            again = tracker.update()
            assert plain(again) == plain(state)
            faces.add(again.work.faces)
        assert len(faces) > 1, "the start did change the way"


def test_nothing_of_positions_survives_a_frame():
    a, b, poses = bent(0)
    tracker = PairTracker(a, b)
    rng = np.random.default_rng(4)
    for k in range(12):
        if k % 2 == 0:
            a.points[...] = rough(a.mesh, k) @ np.diag(rng.uniform(0.5, 2.0, 3))
            b.points[...] = rough(BALL, 10 + k, 0.4)
        b.pose = next(poses)
        state = tracker.update()
        assert plain(state) == plain(closest(a, b)) or not state.unique
        for tree in tracker._buffers.trees[:2]:
            for scratch in (tree.placed, tree.turned, tree.boxes, tree.heights):
                np.asarray(scratch)[:] = np.nan


@pytest.mark.parametrize("gap", [1e-11, 5e-10, 2e-9])
@pytest.mark.parametrize("swap", [False, True])
def test_what_lies_inside_is_found_by_the_trees_however_near_the_wall_is(gap, swap):
    """Below 1e-9 of the size all pairs were compared: the side was not believed."""
    block, small = Body(shapes.l_block(2.0)), Body(shapes.box(0.2))
    turn = Pose.rigid((0.3, 0.2, 0.1, 1.0)).linear
    low = (small.mesh.points @ turn.T)[:, 1].min()
    small.pose = Pose(turn, (-0.5, gap - 1.0 - low, 0.05))
    pair = (small, block) if swap else (block, small)
    state = closest(*pair)
    assert (state.certified, state.work.fallbacks) == (True, 0)
    assert state.distance == pytest.approx(exhaustive(*pair).distance, rel=1e-12)


def test_between_two_prongs_the_answer_stays_where_it_was():
    a = Body(shapes.u_block((3.0, 3.0, 1.0)), name="fork")
    b = Body(shapes.box(0.5), name="block")

    def at(x):
        b.pose = Pose(np.eye(3), (x, 0.9, 0.0))
        return tracker.update()

    tracker = PairTracker(a, b)
    right, left = at(2.0**-10), at(-(2.0**-10))
    assert right.unique is left.unique is False, "walls are parallel"
    assert right.feature_a != left.feature_a
    assert at(0.0).feature_a == left.feature_a
    _, tie = at(2.0**-10), at(0.0)
    assert tie.distance == pytest.approx(0.25, rel=1e-15)
    assert (tie.certified, tie.unique, tie.feature_a) == (True, False, right.feature_a)
    other = PairTracker(a, b)
    other.resume(left)
    assert other.update().feature_a == left.feature_a


@pytest.mark.parametrize("gap", [0.0, 2.0**-53, 2.0**-52, -(2.0**-52)])
@pytest.mark.parametrize("tilt", [0.0, 0.1])
def test_what_touches_a_tip_to_rounding_is_at_zero_and_meets_it_in_one_point(gap, tilt):
    fork, small = Body(shapes.u_block()), Body(shapes.box(0.25))
    turn = Pose.rigid((tilt, 2.0 * tilt, 0.0, 1.0)).linear
    x, y, _ = fork.mesh.points[fork.mesh.points[:, 1].argmax()]
    low = (small.mesh.points @ turn.T)[:, 1].min()
    small.pose = Pose(turn, (0.9 * x, y + gap - low, 0.05))
    state = closest(fork, small)
    assert (state.distance, state.regime, state.certified) == (0.0, "contact", True)
    assert (state.point_a == state.point_b).all()
    assert state.work.fallbacks == 0


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.48, -0.6, 0.64)])
def test_of_vertices_that_lie_equally_deep_the_first_is_told(axis):
    """They are asked leaf by leaf, and first of all one that lies deep in the box."""
    fine = shapes.grid_box((4, 4, 4), 1.0)
    order = np.random.default_rng(3).permutation(fine.n_vertices)
    place = np.argsort(order)
    faces = [place[fine.face_vertices(f)].tolist() for f in range(fine.n_faces)]
    mesh = WingedEdgeMesh.from_faces(fine.points[order], faces)
    buffers = Buffers(Body(mesh), Body(shapes.box(4.0)), 1e-12)
    buffers.choose_proofs()
    one, two = deepest_vertices(buffers, axis)
    inside = one if buffers.bodies[0].mesh is mesh else two
    assert (inside.vertex, inside.depth) == (0, 1.5)


def test_a_box_inside_a_ring_as_thick_overlaps_it():
    thin = np.diag([1.0, 1.0, 1e-6])
    ring = Body(BODIES["ring"], pose=Pose(thin, (0.0, 0.0, 0.0)))
    box = Body(shapes.box((0.4, 0.4, 1.0)), pose=Pose(thin, (1.1, -0.8, 0.0)))
    state = closest(box, ring)
    assert (state.regime, verify(state, box, ring).holds) == ("penetrating", True)
