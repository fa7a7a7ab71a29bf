import numpy as np  # of sim.kernels.audit.hinges, sim.body.guard
import pytest

from sim import Body, Pose, closest, exhaustive, verify
from wingedge import WingedEdgeMesh, convex_hull, convexity, shapes

BOX = shapes.box(2.0)
TOP = BOX.face_vertices(1)


def folded(corner, height):
    points = BOX.points.copy()
    points[TOP[corner], 2] += height
    return points


@pytest.mark.parametrize("corner", range(4))
@pytest.mark.parametrize("height", [0.25, -0.25, 1e-6, -1e-6])
def test_a_folded_box_is_the_box_of_its_triangles(corner, height):
    """Folded outwards it is convex and certified; inwards a loss, named by the face."""
    points = folded(corner, height)
    body = Body(BOX, name="crate")
    body.points = points
    triangles = Body(WingedEdgeMesh.from_faces(points, BOX.fan.vertex))
    ridge = (height > 0.0) == (corner in (0, 2))
    assert body.is_convex() == convexity(triangles.mesh).is_convex() == ridge
    if not ridge:
        assert str(body.audit().worst) == "f1"
    rng = np.random.default_rng(corner)
    for k in range(2):
        turn = Pose.rigid(rng.normal(size=4)).linear
        at = (*rng.uniform(-1.0, 1.0, 2), rng.uniform(1.6, 3.0))
        other = Body(shapes.random_hull(k, 12), pose=Pose(turn, at))
        state = closest(body, other, exact=True)
        assert state.distance == pytest.approx(
            exhaustive(body, other).distance, abs=1e-14
        )
        assert state.distance == pytest.approx(
            closest(triangles, other, exact=True).distance, abs=1e-14
        )
        assert verify(state, body, other)
        assert state.certified or not ridge
        assert state.unique or not ridge
        assert state.feature_a.kind != "edge" or state.feature_a.index < BOX.n_edges


def test_of_two_triangles_as_deep_neither_is_the_only_one():
    """An overlap was never called unique."""
    body = Body(BOX, name="crate")
    body.points = folded(0, 0.25)
    tip = convex_hull(np.concatenate([np.eye(3), -np.eye(3)]))
    for x, y, unique in ((0.25, 0.25, False), (0.25, 0.5, True), (0.5, 0.25, True)):
        state = closest(body, Body(tip, pose=Pose(translation=(x, y, 1.875))))
        assert (state.kind, state.certified, state.unique) == ("FV", True, unique)


def test_a_flag_names_the_fold():
    body = Body(BOX, name="crate", convexity="flag")
    body.points = folded(0, -0.25)
    state = closest(body, Body(BOX, pose=Pose(translation=(0.0, 0.1, 3.0))))
    assert state.certified
    assert state.reason == (
        "body 'crate' is not convex: the fold of face f1 is 0.248 deep"
    )


def test_a_flag_says_that_a_surface_winds_round_its_inside_again(star_prism):
    """No edge of it is dented, so none can be named."""
    mesh, points = star_prism
    body = Body(mesh, name="star", convexity="flag")
    body.points = points
    state = closest(body, Body(BOX, pose=Pose(translation=(0.0, 0.1, 9.0))))
    assert "'star' is not convex: its surface winds round its inside" in state.reason
