import numpy as np
import pytest

from sim import Body, Pose, closest, exhaustive, verify
from sim.tracking.brute import nearest
from sim.tracking.brute.exhaustive import PairSearch
from sim.tracking.brute.nearest import nearest_pair
from sim.tracking.brute.solid import solids_meet
from sim.tracking.brute.surface import surface_of
from sim.tracking.buffers import Buffers
from wingedge import shapes
from wingedge.primitives import point_triangle, segment_segment

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


def test_within_the_notch_the_search_proves_the_distance_and_in_its_corner_touch():
    a, b = Body(NOTCHED), put(SMALL, (0.125, 0.125, 0.1))
    state = closest(a, b)
    assert (state.distance, state.proof) == (0.0, "search")
    assert abs(state.normal).max() == 1.0
    assert verify(state, a, b)
    for at, d in [((0.25, 0.25, 0.1), 0.125), ((0.375, 0.25, 0.1), 0.125)]:
        a, b = Body(NOTCHED), put(SMALL, at)
        state = closest(a, b)
        assert state.distance == d
        assert (state.proof, state.certified) == ("search", True)
        assert state.work.fallbacks == 0
        assert verify(state, a, b)


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
    a, b = Body(NOTCHED), put(bar, (-0.25, -0.25, 0.0))
    state = closest(a, b)
    assert state.regime == "penetrating"
    assert state.upper == pytest.approx(0.0, abs=1e-14)
    assert state.lower < -0.2
    assert not state.certified
    assert "not convex" in state.reason


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


@pytest.mark.parametrize("depth", [2.0**-40, 2.0**-10, 0.25, 0.75])
def test_convex_overlap_is_the_least_translation(depth):
    a, b = Body(UNIT), put(UNIT, (0.0625, 0.125, 1.0 - depth))
    for state, proof in ((closest(a, b), "epa"), (exhaustive(a, b), "search")):
        assert state.distance == pytest.approx(-depth, abs=1e-15)
        assert state.certified
        assert (state.kind, state.proof) == ("FF", proof)
        assert state.normal.tolist() == [0.0, 0.0, 1.0]
        assert state.point_a[2] == 0.5
        assert state.point_b[2] == pytest.approx(0.5 - depth)
        assert verify(state, a, b)


def test_depths_of_plates_and_of_wide_bodies_are_those_of_both():
    plate = shapes.box((1.0, 1.0, 0.125))
    state = closest(Body(plate), Body(plate))
    assert state.distance == -0.125
    assert abs(state.normal[2]) == 1.0
    small, wide = Body(UNIT), put(shapes.box((9.0, 8.0, 1.0)), (0.0, 0.0, 0.875))
    for state in (closest(small, wide), closest(wide, small).swapped()):
        assert state.distance == -0.125
        assert state.size >= 4.5
        allowance = 16.0 * 2.0**-52 * 4.5
        assert state.upper - state.distance >= allowance
        assert state.distance - state.lower >= allowance


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


def test_names_do_not_depend_on_how_the_answer_was_found():
    """The tracker's walk and the search name and measure alike."""
    rng = np.random.default_rng(4)
    same = 0
    for _ in range(25):
        way = rng.normal(size=3)
        pose = Pose.rigid(rng.normal(size=4), 2.2 * way / np.linalg.norm(way))
        a, b = Body(UNIT), Body(shapes.prism(5), pose=pose)
        walked = closest(a, b)
        buffers = Buffers(a, b, 1e-12)
        searched = PairSearch(buffers).answer()
        assert searched.distance == pytest.approx(walked.distance, abs=1e-15)
        assert searched.parts_a == walked.numbers.parts_a
        assert searched.parts_b == walked.numbers.parts_b
        assert searched.lower <= walked.distance <= searched.upper
        same += searched.distance == walked.distance
        assert buffers.result.known == 0
    assert same > 15


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


HERE = (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("where", "meet"),
    [
        ((0.3, 0.2, 0.1), True),
        ((0.9, 0.8, 0.7), True),
        ((0.0, 0.0, 0.0), True),
        ((0.5, 0.0, 0.0), True),
        ((1.0, 0.0, 0.0), False),
        ((1.0, 0.2, 0.1), False),
        ((1.0, 0.5, 0.0), False),
        ((0.0, 1.0, 1.0), False),
        ((1.0, 1.0, 1.0), False),
        ((3.0, 0.0, 0.0), False),
    ],
)
def test_solids_meet_where_they_share_insides_and_not_where_they_touch(where, meet):
    """Two boxes in one place share all, though no edge pierces a face."""
    for a, b in ((HERE, where), (where, HERE)):
        assert solids_meet(Buffers(put(UNIT, a), put(UNIT, b), 1e-12)) == meet


def brute(a, b):
    best = np.inf
    for one, two in ((a, b), (b, a)):
        corners = two.points[two.triangles]
        for p in one.points:
            hit = point_triangle.closest(p, corners[:, 0], corners[:, 1], corners[:, 2])
            best = min(best, float(hit.distance_sq.min()))
    q = b.points[b.segments]
    for p in a.points[a.segments]:
        hit = segment_segment.closest(p[0], p[1], q[:, 0], q[:, 1])
        best = min(best, float(hit.distance_sq.min()))
    return np.sqrt(best)


@pytest.mark.parametrize("block", [1, 7, 1 << 19])
@pytest.mark.parametrize("mesh", [UNIT, shapes.needle(), shapes.random_hull(2, 15)])
def test_no_pair_is_left_out_whatever_the_block(mesh, block, monkeypatch):
    monkeypatch.setattr(nearest, "BLOCK", block)
    rng = np.random.default_rng(mesh.n_vertices)
    a = surface_of(Body(mesh), HERE)
    for _ in range(6):
        pose = Pose.rigid(rng.normal(size=4))
        b = surface_of(Body(UNIT, pose=pose), tuple(rng.normal(size=3).tolist()))
        pair = nearest_pair(a, b)
        assert pair.distance == brute(a, b)
        gap = np.linalg.norm(np.subtract(pair.point_b, pair.point_a))
        assert gap == pytest.approx(pair.distance, abs=1e-15)
        # The tracker takes the bodies in one order: the mirror is its business.
        mirrored = nearest_pair(b, a)
        assert mirrored.distance == pytest.approx(pair.distance, abs=1e-15)


def test_a_pair_is_named_by_the_vertices_that_carry_it():
    """Of equals, a vertex of A and a part of B are named first."""
    for at, sizes in [
        ((2.0, 2.0, 2.0), (1, 1)),
        ((2.0, 2.0, 0.25), (1, 2)),
        ((2.0, 0.25, 0.125), (1, 3)),
    ]:
        a, b = surface_of(Body(UNIT), HERE), surface_of(Body(UNIT), at)
        pair = nearest_pair(a, b)
        assert (len(pair.vertices_a), len(pair.vertices_b)) == sizes
        assert pair.index_a == pair.vertices_a[0]
        assert set(pair.vertices_b) <= set(b.triangles[pair.index_b].tolist())
