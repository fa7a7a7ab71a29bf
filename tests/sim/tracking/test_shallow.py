import numpy as np
import pytest

from sim import Body, PairTracker, Pose, exhaustive
from wingedge import shapes

TURN = Pose.rigid((0.3, 0.7, -0.2, 0.4))


def noisy(points, rng):
    return np.nextafter(points, points + rng.integers(-1, 2, points.shape))


def pressed(mesh, depth, rng):
    height = float(np.ptp(mesh.points[:, 2]))
    spin = Pose.rigid((0.0, 0.0, rng.uniform(), 1.0)).linear
    way = np.array([*rng.uniform(-0.3, 0.3, 2), height - depth])
    return (
        noisy(TURN.apply(mesh.points), rng),
        noisy(TURN.apply(Pose(spin, way).apply(mesh.points)), rng),
    )


@pytest.mark.parametrize("depth", [0.0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-7])
def test_a_shallow_overlap_of_gridded_faces_is_theirs_and_needs_no_search(depth):
    """The bounds missed their bar by 7e-16, and all axes were compared.

    Along the normal of a part that is level but for its last bits bodies overlap by
    some units more than along the best axis: with the allowance of float64 on both
    sides too much, in seconds, and the answer was a vertex or an edge for the face.
    """
    rng = np.random.default_rng(4)
    mesh = shapes.grid_box((7, 7, 2), (1.3, 0.8, 0.6))
    a, b = Body(mesh), Body(mesh)
    tracker = PairTracker(a, b)
    for _ in range(12):
        a.points, b.points = pressed(mesh, depth, rng)
        state = tracker.update()
        assert (state.work.fallbacks, state.kind, state.certified) == (0, "FF", True)
        assert state.distance == pytest.approx(-depth, abs=2e-14)


def test_the_bounds_of_a_shallow_overlap_enclose_what_rationals_say(within_oracle):
    rng = np.random.default_rng(5)
    mesh = shapes.grid_box((3, 3, 1))
    a, b = Body(mesh), Body(mesh)
    for depth in (1e-14, 1e-11, 1e-8):
        a.points, b.points = pressed(mesh, depth, rng)
        state = PairTracker(a, b).update()
        truth = exhaustive(a, b, rational=True)
        assert within_oracle(state, truth)
        assert state.lower <= truth.upper
        assert truth.lower <= state.upper


@pytest.mark.parametrize("tilt", [1e-9, 1e-12, 1e-14])
def test_faces_that_are_all_but_level_overlap_without_a_search(tilt):
    """No part defined a normal that named it again, or the polytope was torn.

    Of a disc of many sides that is tipped an arc stands as high as its lowest corner:
    neither a face nor a line.  Differences that are coplanar but for their last bits
    tore the polytope; what a corner is above is decided with twice the digits now.
    """
    rng = np.random.default_rng(6)
    a, b = Body(shapes.cylinder(60, height=0.4)), Body(shapes.cylinder(50))
    tracker = PairTracker(a, b)
    tip = np.eye(3)
    tip[0, 2], tip[2, 0] = tilt, -tilt
    for depth in (0.0, 1e-14, 1e-11, 1e-9, 1e-7):
        for _ in range(3):
            spin = Pose.rigid((0.0, 0.0, rng.uniform(), 1.0)).linear
            way = np.array([*rng.uniform(-0.3, 0.3, 2), 0.7 - depth])
            a.points = noisy(TURN.apply(a.mesh.points), rng)
            b.points = noisy(
                TURN.apply(Pose(tip @ spin, way).apply(b.mesh.points)), rng
            )
            state = tracker.update()
            assert (state.work.fallbacks, state.certified) == (0, True)
            assert -depth - tilt - 1e-13 < state.distance <= 2e-14


def grooved(cells):
    filled = np.ones((3 * cells, cells, 2), bool)
    filled[cells : 2 * cells, :, 1] = False
    return shapes.polycube(filled, 0.5 / cells)


@pytest.mark.parametrize("depth", [0.0, 1e-14, 1e-12, 1e-9, 1e-7])
@pytest.mark.parametrize("other", [grooved(4), shapes.star(7, inner=0.7)])
def test_level_parts_of_bodies_that_are_not_convex_keep_their_names(depth, other):
    """A prong was named by the vertex or the edge of it that stood highest.

    Its own normal leans by its last bits, and measured along it the prong overlapped by
    some units more than the bodies: the part was dropped, after 64 others as near.
    """
    rng = np.random.default_rng(8)
    a, b = Body(grooved(4)), Body(other)
    top = float(a.mesh.points[:, 2].max() - other.points[:, 2].min())
    tracker = PairTracker(a, b)
    for _ in range(8):
        spin = Pose.rigid((0.0, 0.0, rng.uniform(), 1.0)).linear
        way = np.array([*rng.uniform(-0.3, 0.3, 2), top - depth])
        a.points = noisy(TURN.apply(a.mesh.points), rng)
        b.points = noisy(TURN.apply(Pose(spin, way).apply(other.points)), rng)
        state = tracker.update()
        assert (state.work.fallbacks, state.kind, state.certified) == (0, "FF", True)
        assert state.distance == pytest.approx(-depth, abs=2e-14)


def test_a_place_that_is_kept_among_equals_is_searched_for_once():
    """Both surfaces were searched twice in every frame of two level ends in touch."""
    rng = np.random.default_rng(9)
    mesh = grooved(3)
    a, b = Body(mesh), Body(mesh)
    tracker = PairTracker(a, b)
    asked = []
    search = tracker._buffers._true_frame
    tracker._buffers._true_frame = lambda *tables: asked.append(0) or search(*tables)
    for k in range(4):
        b.pose = Pose(np.eye(3), (0.0, 1e-3 * k, float(np.ptp(mesh.points[:, 2]))))
        a.points = noisy(mesh.points, rng)
        state = tracker.update()
        assert not state.unique
        assert len(asked) == k + 1
