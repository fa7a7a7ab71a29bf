import numpy as np  # of sim.gradients.carriers, sim.kernels.gradients
import pytest
from stories import derived

from sim import Body, Pose, closest, derivatives
from wingedge import edits, shapes

UNIT = shapes.box((1.0, 1.0, 1.0))


@pytest.mark.parametrize("twist", [True, False], ids=["twist", "vertices"])
@pytest.mark.parametrize("seed", range(4))
def test_derivatives_are_what_small_steps_of_the_tracker_show(seed, twist):
    """Central differences of distance, normal and points.

    Every kind whose closest points are unique comes there, apart and in overlap.
    """
    rng = np.random.default_rng(seed)
    checked = 0
    for _ in range(20):
        state = closest(*derived.anywhere(rng))
        if derivatives(state).smooth:
            checked += 1
            off = derived.miss(state, derived.velocities(rng, state, twist))
            assert not off > 1e-6, state
    assert checked >= 10


def test_a_body_that_leaves_along_the_normal_gains_one_and_its_vertex_all_of_it():
    corner = shapes.tetrahedron()
    a, b = Body(UNIT), Body(corner, pose=Pose.rigid((0.3, 0.1, 0.2, 0.9), (3.0, 0, 0)))
    state = closest(a, b)
    found = derivatives(state)
    assert state.kind == "FV"
    assert found.smooth
    assert found.reason == ""
    ids, by = found.distance.points_b
    assert ids.tolist() == [state.feature_b.index]
    assert by @ state.b.pose.linear.T == pytest.approx(state.normal[None])
    assert found.distance.twist_b[:3] == pytest.approx(state.normal)
    ids, by = found.distance.points_a
    assert len(ids) == 3
    assert by.sum(axis=0) == pytest.approx(-state.normal)


def test_poses_vertices_and_twists_tell_the_same():
    state = closest(*derived.anywhere(np.random.default_rng(3)))
    found = derivatives(state)
    for name in derived.VALUES:
        g = getattr(found, name)
        linear = state.a.pose.linear
        ids, by = g.points_a
        local = np.hstack([state.a.positions[ids], np.ones((len(ids), 1))])
        world = by @ np.linalg.inv(linear)
        assert np.swapaxes(world, -1, -2) @ local == pytest.approx(g.pose_a)
        assert g.pose_a[..., 3] == pytest.approx(g.twist_a[..., :3])
        spins = np.cross(np.eye(3)[:, None], linear.T[None])  # (spin, column, 3)
        turned = np.einsum("...ij,sji->...s", g.pose_a[..., :3], spins)
        assert turned == pytest.approx(g.twist_a[..., 3:])
        assert g.twist_a.shape == (*np.shape(getattr(state, name)), 6)


def test_a_scene_of_another_scale_has_the_same_slopes():
    rng = np.random.default_rng(2)
    state = closest(*derived.anywhere(rng))
    given = derived.velocities(rng, state, twist=False)
    scale, bodies = 2.0**-150, []
    for body in (state.a, state.b):
        pose = Pose(body.pose.linear, body.pose.translation * scale)
        bodies.append(Body(body.mesh, pose=pose))
        bodies[-1].points = body.positions * scale
    large = derivatives(closest(*bodies))
    assert large.along(*given) == pytest.approx(derivatives(state).along(*given))
    assert large.smooth == derivatives(state).smooth


def test_bodies_that_moved_since_are_refused():
    a, b = Body(UNIT, name="fixed"), Body(UNIT, name="loose")
    b.pose = Pose(translation=(3.0, 0.2, 0.1))
    state = closest(a, b)
    with_edges = edits.split_edge(a.mesh, 3)
    b.pose = Pose(translation=(3.1, 0.2, 0.1))
    with pytest.raises(ValueError, match="'fixed' or 'loose' has moved since frame 0"):
        derivatives(state)
    b.pose = Pose(translation=(3.0, 0.2, 0.1))
    assert derivatives(state).distance.twist_b[0] == 1.0
    a.replace(*with_edges)
    with pytest.raises(ValueError, match="has moved since frame 0"):
        derivatives(state)


def test_what_is_no_answer_is_refused_in_a_sentence():
    with pytest.raises(TypeError, match=r"takes a PairState.* not None"):
        derivatives(None)


@pytest.mark.parametrize("bad", [np.zeros(5), np.zeros((7, 3)), np.full(6, np.nan)])
def test_a_velocity_of_another_shape_or_not_finite_is_refused(bad):
    a, b = Body(UNIT, name="crate"), Body(UNIT, pose=Pose(translation=(3.0, 0.2, 0.1)))
    found = derivatives(closest(a, b))
    with pytest.raises(ValueError, match="a velocity of body 'crate' must be finite"):
        found.along(bad, None)
