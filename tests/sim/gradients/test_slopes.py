import numpy as np  # of sim.gradients.slopes
import pytest
from stories import derived

from sim import Body, Pose, closest, derivatives
from wingedge import WingedEdgeMesh, convex_hull, shapes

CUBE = shapes.box((2.0, 2.0, 2.0))
PYRAMID, TIP, ROOF = derived.LATTICE[1:4]
SPIN = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])  # about the body's own x axis


@pytest.mark.parametrize("twist", [True, False], ids=["twist", "vertices"])
@pytest.mark.parametrize("seed", range(3))
def test_one_sided_slopes_are_those_of_small_steps_wherever_bodies_meet(seed, twist):
    """Faces, edges and vertices on a lattice: a third apart, touching, overlapping."""
    rng = np.random.default_rng(seed)
    flat = 0
    for _ in range(20):
        state = closest(*derived.on_lattice(rng))
        flat += not derivatives(state).smooth
        given = derived.velocities(rng, state, twist)
        assert derived.one_sided_miss(state, given) < 1e-6, state
    assert flat > 10


@pytest.mark.parametrize("story", [803, 4559, 6393])
def test_a_touch_whose_distance_is_rounding_is_a_touch(story):
    """Distances of 4e-16 to 9e-16: once taken for apart and for overlap, 1.1 off."""
    rng = np.random.default_rng([0, story])
    state = closest(*derived.on_lattice(rng))
    assert state.distance != 0.0
    for twist in (True, False):
        given = derived.velocities(rng, state, twist)
        assert derived.one_sided_miss(state, given) < 1e-6


@pytest.mark.parametrize("gap", [0.5, 0.0, -0.5])
def test_a_face_that_tips_on_a_face_comes_nearer_either_way(gap):
    a, b = Body(CUBE), Body(CUBE, pose=Pose(translation=(0.0, 0.0, 2.0 + gap)))
    found = derivatives(closest(a, b))
    assert found.along(None, SPIN) == pytest.approx((1.0, -1.0))
    assert found.along(SPIN, None) == pytest.approx((1.0, -1.0))
    assert found.along(None, np.eye(6)[2]) == pytest.approx((1.0, 1.0))
    assert not found.smooth
    assert "lie flat on each other: the closest points are not unique" in found.reason
    assert found.distance.twist_b[:3] == pytest.approx([0.0, 0.0, 1.0])
    assert np.isnan(found.normal.twist_a).all()
    assert np.isnan(found.point_b.points_a[1]).all()


def slotted():
    """Return a block with a slot, extruded along z: two prongs, 2 apart."""
    outline = [(-2, 0), (2, 0), (2, 2), (1, 2), (1, 1), (-1, 1), (-1, 2), (-2, 2)]
    points = [(x, y, z) for z in (-1.0, 1.0) for x, y in outline]
    ends = [(0, 1, 4), (0, 4, 5), (1, 2, 3), (1, 3, 4), (0, 5, 6), (0, 6, 7)]
    sides = [(k, (k + 1) % 8, (k + 1) % 8 + 8, k + 8) for k in range(8)]
    back = [tuple(v + 8 for v in end) for end in ends]
    return WingedEdgeMesh.from_faces(points, sides + back + [e[::-1] for e in ends])


SLOT = slotted()
DART = convex_hull([[-0.3, -0.2, 0], [0.3, 0.1, 0.2], [0.3, 0.1, -0.2], [0.1, 0.4, 0]])
LEANING = Pose.rigid((0.2, 0.1, 0.3, 0.9)).linear
CASES = {
    "tip to tip": (TIP, TIP, Pose(LEANING, LEANING[:, 0] + [1.0, 0.0, 0.0])),
    "tip on a ridge": (ROOF, TIP, Pose(translation=(0.0, 0.25, 2.0))),
    "ridge along a ridge": (ROOF, ROOF, Pose(np.diag([1.0, -1.0, -1.0]), (0, 0.25, 2))),
    "ridge across a ridge": (
        *(ROOF, ROOF),
        Pose([[0, 1, 0], [1, 0, 0], [0, 0, -1]], (0.1, 0.25, 2.0)),
    ),
    "one inside the other": (CUBE, CUBE, Pose.identity()),
    "two ways out": (TIP, DART, Pose(translation=(0.4, 0.4, 0.0))),
    "two prongs as near": (SLOT, TIP, Pose(0.5 * np.eye(3), (0.0, 2.2, 0.1))),
    "level with two prongs": (SLOT, CUBE, Pose(np.eye(3), (0.0, 3.25, 0.0))),
}
SAYS = {
    "ridge across a ridge": "",
    "two prongs as near": "other points of the bodies are as near",
    "two ways out": "the overlap is as shallow along other axes",
}


@pytest.mark.parametrize("twist", [True, False], ids=["twist", "vertices"])
@pytest.mark.parametrize("case", CASES)
def test_slopes_to_either_side_are_right_where_there_is_no_derivative(case, twist):
    """Cones of normals at touch, equal axes in overlap, places that are as near."""
    a, b, pose = CASES[case]
    state = closest(Body(a), Body(b, pose=pose))
    found = derivatives(state)
    assert found.smooth == (SAYS.get(case) == "")
    assert SAYS.get(case, "") in found.reason
    rng = np.random.default_rng(1)
    differ = 0
    for _ in range(4):
        given = derived.velocities(rng, state, twist)
        assert derived.one_sided_miss(state, given) < 1e-6
        left, right = found.along(*given)
        differ += abs(left - right) > 1e-3
    assert differ > 0 or found.smooth


@pytest.mark.parametrize("at", [(3.0, 0.4, 0.2), (0.9, 0.3, 0.2)])
def test_a_body_that_stands_for_its_hull_is_differentiated_as_the_hull(at):
    rng = np.random.default_rng(4)
    pose = Pose.rigid(rng.normal(size=4), at)
    a, b = Body(SLOT, convexity="hull"), Body(SLOT, convexity="hull", pose=pose)
    state = closest(a, b)
    for twist in (True, False):
        given = derived.velocities(rng, state, twist)
        assert derived.one_sided_miss(state, given) < 1e-6


def test_bodies_that_are_not_convex_have_no_slopes_where_they_touch_or_overlap():
    """Past touch their distance is an end of an interval."""
    lump = Body(shapes.random_hull(3, 20), pose=Pose(translation=(0.3, 1.2, 0.1)))
    found = derivatives(closest(Body(SLOT), lump))
    assert found.reason == (
        "the bodies overlap and are not convex: their distance is an interval"
    )
    assert np.isnan(found.along(None, np.eye(6)[1])).all()
    assert np.isnan(found.distance.twist_a).all()
    at = (1.5 + 4e-16, 1.5 + 7e-16, 2.5 + 4e-16)
    half = Pose([[0, 0, -0.5], [0, -0.5, 0], [-0.5, 0, 0]], at)
    a = Body(SLOT, pose=Pose([[0, 1, 0], [0, 0, 1], [1, 0, 0]]))
    found = derivatives(closest(a, Body(PYRAMID, pose=half)))
    assert (found.state.kind, found.state.distance) == ("VV", 0.0)
    assert "touch: there they have no single normal" in found.reason
    assert np.isnan(found.along(None, np.eye(6)[1])).all()
    assert np.isnan(found.normal.twist_a).all()
    assert np.isfinite(found.point_a.twist_a).all()


def test_a_point_on_the_border_of_its_cell_turns_while_the_distance_does_not():
    """Over the diagonal of a fan: one slope, but normals of two triangles beside it."""
    state = closest(Body(CUBE), Body(TIP, pose=Pose(LEANING, (0.0, 0.0, 2.5))))
    b = state.b
    b.pose = Pose(LEANING, b.pose.translation - [*state.point_b[:2], 0.0])
    found = derivatives(closest(state.a, b))
    assert found.state.kind == "FV"
    assert "point_a lies on the border of f" in found.reason
    assert found.along(None, np.eye(6)[2]) == pytest.approx((1.0, 1.0))
    raised = np.zeros((8, 3))
    raised[found.state.mesh_a.face_vertices(found.state.feature_a.index)[1]] = [0, 0, 1]
    assert found.along(raised, None) == pytest.approx((0.0, 0.0))
