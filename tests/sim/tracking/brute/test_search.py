import numpy as np  # of sim.kernels.surface.piercing, sim.kernels.surface.inside
import pytest

from sim import Body, Pose, closest, exhaustive, verify
from wingedge import shapes

UNIT = shapes.box((1.0, 1.0, 1.0))
SMALL = shapes.box((0.25, 0.25, 0.25))
NOTCHED = shapes.l_block()
"""The unit cube without the quarter x > 0, y > 0."""


def put(mesh, at, linear=None, **how):
    return Body(mesh, pose=Pose(linear, at), **how)


def test_exact_touch_of_a_body_that_is_not_convex_is_zero_and_holds():
    """The notch's own scan says -0.5: its bound is the search's, not the scan's."""
    for at, normal in [
        ((0.125, 0.3, 0.1), (1.0, 0.0, 0.0)),
        ((0.3, 0.125, 0.1), (0.0, 1.0, 0.0)),
        ((-0.125, -0.125, 0.625), (0.0, 0.0, 1.0)),
        ((-0.625, 0.1, 0.1), (-1.0, 0.0, 0.0)),
    ]:
        a, b = Body(NOTCHED), put(SMALL, at)
        for state in (closest(a, b), closest(b, a).swapped(), exhaustive(a, b)):
            assert state.distance == 0.0
            assert state.certified
            assert state.normal == pytest.approx(normal, abs=1e-15)
            assert np.array_equal(state.point_a, state.point_b)
            assert state.proof == ("scan" if min(at) < -0.1 else "search")
            assert state.reason == "", "certified answers need none"
            assert verify(state, a, b), verify(state, a, b).reason


@pytest.mark.parametrize("swap", [False, True])
def test_an_overlap_that_is_not_convex_names_the_deepest_vertex_and_its_face(swap):
    a, b = Body(NOTCHED), put(SMALL, (0.0625, 0.3, 0.1), name="b")
    state = closest(b, a).swapped() if swap else closest(a, b)
    assert state.regime == "penetrating"
    assert (state.certified, state.reason) == (True, ""), "the wall is the way out"
    assert state.upper == pytest.approx(-0.0625, abs=1e-14)
    assert state.distance == pytest.approx(-0.0625, rel=1e-9)
    assert state.normal == pytest.approx((1.0, 0.0, 0.0))
    (contact,) = state.contacts
    assert contact.kind == "FV"
    wall = NOTCHED.points[NOTCHED.face_vertices(contact.feature_a.index)]
    assert (wall[:, 0] == 0.0).all()
    assert contact.point_a[0] == 0.0
    assert contact.point_b[0] == pytest.approx(-0.0625)
    inside = b.world_points()[contact.feature_b.index]
    assert np.array_equal(contact.point_b, inside)
    assert verify(state, a, b)


def test_an_overlap_without_a_vertex_inside_has_no_contact_corners():
    """A bar through the arm of the block: only edges cross faces."""
    bar = shapes.box((0.1, 0.1, 4.0))
    state = closest(Body(NOTCHED), put(bar, (-0.25, -0.25, 0.0)))
    assert state.regime == "penetrating"
    assert state.upper == pytest.approx(0.0, abs=1e-14)
    assert state.lower < -0.2
    assert not state.certified
    assert "not convex" in state.reason
    assert closest(Body(shapes.ring()), put(bar, (0.47, 0.02, 0))).distance > -0.021


DENTED = {
    name: mesh
    for name, mesh in shapes.zoo(non_convex=True)
    if name in ("ring", "gear", "cup", "l_block", "u_block", "hammer")
}


@pytest.mark.parametrize("seed", range(8))
def test_a_shallow_overlap_is_told_at_most_three_times_as_deep_as_a_way_out(seed):
    """B parts when it moves as told; a third as far it does not, whichever way."""
    rng = np.random.default_rng(seed)
    pool = [*DENTED.values(), shapes.prism(6, 0.25, 2.5)]
    a, b = Body(pool[seed % 6]), Body(pool[rng.integers(7)])
    turn, near = rng.normal(size=4), False
    while not near:
        b.pose = Pose.rigid(turn, 0.5 * rng.normal(size=3))
        state = closest(a, b)
        near = 0.0 < state.distance < 0.3
    at = b.pose.translation - (state.distance + 0.05) * state.normal

    def left(shift):
        b.pose = Pose.rigid(turn, at + shift)
        return closest(a, b)

    state = left(np.zeros(3))
    assert state.regime == "penetrating"
    assert verify(state, a, b), verify(state, a, b)
    assert left(-state.distance * state.normal).distance >= -1e-12
    ways = rng.normal(size=(30, 3))
    ways *= -state.distance / 3.0 / np.linalg.norm(ways, axis=1)[:, None]
    assert max(left(way).distance for way in ways) <= 0.0


def test_a_vertex_is_inside_by_another_ray_where_one_runs_along_a_face():
    turn = np.array([[1e-15, -1.0, 0.0], [-1.0, -1e-15, 0.0], [0.0, 0.0, -1.0]])
    ring = Body(shapes.ring(), pose=Pose(turn, (1.0, -1.25, -0.25)))
    state = closest(Body(shapes.box((1.0, 0.75, 0.5))), ring)
    assert state.upper == pytest.approx(-0.375, abs=1e-13)


def test_a_dent_does_not_loosen_a_depth_that_a_vertex_proves():
    """Within the tolerance of ``convexity`` it counts as convex, but for its dent.

    The hull stands off the body by that; how deep a vertex lies is proven without it.
    """
    grid = shapes.grid_box(2, (1.0, 1.0, 1.0), triangles=True)
    points = grid.points.copy()
    middle = int(np.nonzero((grid.points == (0.0, 0.0, 0.5)).all(axis=1))[0][0])
    points[middle, 2] -= 2.0**-32
    a = Body(grid)
    a.points = points
    assert a.audit().is_convex()
    b = put(UNIT, (0.0625, 0.125, 0.875))
    state = closest(a, b)
    assert state.distance == pytest.approx(-0.125, abs=1e-9)
    assert a.audit().worst_depth > 0.0
    assert state.certified
    assert state.lower <= -0.125 <= state.upper
    assert verify(state, a, b)


def test_an_edge_whose_ends_rise_into_a_wall_keeps_its_own_name():
    """The flood along the normal meets the wall of the notch: no level part there."""
    rim = next(
        e
        for e in range(NOTCHED.n_edges)
        if (NOTCHED.points[NOTCHED.edge_vertices[e], 1:] == (0.0, 0.5)).all()
    )
    body = Body(shapes.tetrahedron(), name="wedge")
    up, across = np.array([0.0, 1.0, 1.0]), np.array([0.0, 1.0, -1.0])
    side = np.array([1.0, 0.0, 0.0])
    tip = np.array([0.25, 0.0, 0.5]) + 0.0625 * up
    body.points = [
        tip - 0.125 * across,
        tip + 0.125 * across,
        tip + 0.25 * up + 0.125 * side,
        tip + 0.25 * up - 0.125 * side,
    ]
    a = Body(NOTCHED)
    for state in (closest(a, body), closest(body, a).swapped(), exhaustive(a, body)):
        assert state.kind == "EE"
        assert state.feature_a == ("edge", rim)
        ends = body.mesh.edge_vertices[state.feature_b.index]
        assert sorted(ends.tolist()) == [0, 1]
        assert state.distance == pytest.approx(0.0625 * np.sqrt(2.0), rel=1e-14)
        assert state.proof == "search"
        assert verify(state, a, body)


FLAT = {"point": (0, 0, 0), "line": (1, 0, 0), "plate": (1, 1, 0), "wall": (0, 1, 1)}


@pytest.mark.parametrize("name_a", [*FLAT, "box"])
@pytest.mark.parametrize("name_b", FLAT)
@pytest.mark.parametrize("at", [(0.0, 0.0, 0.0), (0.25, 0.125, 0.0), (0.1, 0.2, 0.3)])
def test_collapsed_bodies_are_the_flat_sets_that_they_are(name_a, name_b, at):
    """The depth is the least translation, here along an axis: none for flat ones."""
    half = []
    bodies = []
    for name, where in ((name_a, (0.0, 0.0, 0.0)), (name_b, at)):
        extent = np.array(FLAT.get(name, (1, 1, 1)))
        body = Body(UNIT, name=name, pose=Pose(translation=where))
        body.points = UNIT.points * extent
        bodies.append(body)
        half.append(0.5 * extent)
    apart = np.abs(at) - half[0] - half[1]
    outside = np.maximum(apart, 0.0)
    truth = np.linalg.norm(outside) if outside.any() else apart.max()
    for state in (closest(*bodies), closest(*bodies[::-1]).swapped()):
        assert state.lower <= truth <= state.upper
        assert abs(np.linalg.norm(state.normal) - 1.0) < 1e-15
        assert verify(state, *bodies), verify(state, *bodies).reason
        if state.certified:
            assert state.distance == pytest.approx(truth, abs=1e-15)


def test_a_polytope_that_broke_is_no_axis():
    """Its missing normal counted as a gap of 0: touching, certified, no normal."""
    sheared = np.array([[1.0, 1e5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    for scale in (1e-4, 1e-5, 1e-6):
        a = Body(shapes.prism(), pose=Pose(sheared))
        b = Body(UNIT, pose=Pose(scale * np.eye(3), (0.1, 0.0, 0.0)))
        for state in (closest(a, b, exact=True), exhaustive(a, b)):
            assert state.distance < 0.0
            assert np.linalg.norm(state.normal) == pytest.approx(1.0)
