from types import SimpleNamespace  # of sim.body.body, sim.body.pose

import numpy as np
import pytest
import trimesh

from sim import Body, PairTracker, Pose, World
from wingedge import ConvexityError, MeshError, WingedEdgeMesh, shapes

BOX = shapes.box((1.0, 1.0, 1.0))
SPHERE = shapes.icosphere(1)


def test_a_body_starts_at_rest_closed_and_where_it_was_put():
    body = Body(BOX, name="crate", pose=Pose(translation=(1.0, 2.0, 3.0)))
    assert body.mesh is BOX
    assert np.array_equal(body.positions, BOX.points)
    assert body.transform.tolist() == Pose(translation=(1.0, 2.0, 3.0)).matrix.tolist()
    assert (body.is_open, body.version) == (False, 0)
    assert (body.convexity, body.flatness) == ("surface", "fan")
    assert repr(body) == (
        "Body('crate', 8 vertices, 12 edges, 6 faces, closed, convexity='surface')"
    )


def test_bodies_without_a_name_get_one_of_their_own_and_positions_too():
    one, two = Body(BOX), Body(BOX)
    assert one.name.startswith("body")
    assert one.name != two.name
    assert Body(BOX, name=7).name == "7"
    one.points = 2.0 * BOX.points
    assert np.array_equal(two.positions, BOX.points)
    assert not np.shares_memory(one.positions, two.positions)
    assert not np.shares_memory(one.positions, BOX.points)
    assert not np.shares_memory(one.transform, two.transform)


def test_handing_out_the_live_array_opens_the_body_for_good():
    body = Body(BOX, name="crate")
    held = body.points
    assert body.is_open
    assert "open" in repr(body)
    assert held.flags.writeable
    held[0] = 9.0
    assert body.positions[0].tolist() == [9.0, 9.0, 9.0]
    body.points = BOX.points
    assert body.is_open, "the reference is still out there"
    assert np.array_equal(held, BOX.points)


def test_readers_do_not_open_the_body_and_cannot_write():
    body = Body(BOX)
    positions = body.positions
    body.world_points()
    body.audit()
    body.edit()
    assert not body.is_open
    assert not positions.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        positions[0] = 1.0
    body.points = 2.0 * BOX.points
    assert np.array_equal(positions, 2.0 * BOX.points), "a view: it follows the body"


def test_given_positions_are_copied_and_leave_the_body_closed():
    body = Body(BOX)
    given = 2.0 * BOX.points
    body.points = given
    given[...] = np.nan
    assert np.array_equal(body.positions, 2.0 * BOX.points)
    assert (body.is_open, body.version) == (False, 1)


@pytest.mark.parametrize(
    "given",
    [
        (2 * BOX.points).astype(np.float32),
        (2 * BOX.points).astype(np.int64),
        (2 * BOX.points).tolist(),
        np.asfortranarray(2 * BOX.points),
        np.repeat(2 * BOX.points, 2, axis=0)[::2],
    ],
    ids=["float32", "int64", "lists", "fortran", "strided"],
)
def test_positions_may_come_in_any_real_form(given):
    body = Body(BOX)
    body.points = given
    assert np.array_equal(body.positions, 2.0 * BOX.points)
    assert body.positions.dtype == np.float64
    assert body.positions.flags.c_contiguous


def test_bad_positions_are_refused_by_name_and_change_nothing():
    for given, error, message in [
        (np.zeros((7, 3)), ValueError, r"shape \(7, 3\); this mesh needs \(8, 3\)"),
        (np.zeros(24), ValueError, r"shape \(24,\); this mesh needs \(8, 3\)"),
        (1.0, ValueError, r"shape \(\); give an array of shape \(V, 3\)"),
        ([[1.0, 2.0], [3.0]], ValueError, "rows of different lengths"),
        (np.zeros((8, 3), complex), TypeError, "type complex128; give real numbers"),
        (np.zeros((8, 3), bool), TypeError, "type bool; give real numbers"),
        (np.full((8, 3), "1"), TypeError, "type <U1; give real numbers"),
        (np.full((8, 3), None), TypeError, "type object; give real numbers"),
        (np.where(np.eye(8, 3), np.nan, 1.0), ValueError, r"x 0 is at \[nan, 1.0"),
        (np.where(np.eye(8, 3, -3), -np.inf, 1.0), ValueError, r"x 3 is at \[-inf"),
        (np.full((8, 3), np.longdouble("1e400")), ValueError, "x 0 is at .*finite"),
    ]:
        body = Body(BOX, name="crate")
        with pytest.raises(error, match="body 'crate'.*" + message):
            body.points = given
        assert np.array_equal(body.positions, BOX.points)
        assert (body.is_open, body.version) == (False, 0)


def test_an_edit_takes_effect_at_the_end_of_the_block_and_leaves_the_body_closed():
    body = Body(BOX)
    with body.edit() as p:
        p *= 2.0
        assert np.array_equal(body.positions, BOX.points)
        assert not np.shares_memory(p, body.positions)
    assert np.array_equal(body.positions, 2.0 * BOX.points)
    p[...] = 0.0
    assert np.array_equal(body.positions, 2.0 * BOX.points)
    assert (body.is_open, body.version) == (False, 1)


def stop_half_way(points):
    points[:4] = 0.0
    raise RuntimeError("half-way")


def test_an_edit_that_fails_or_leaves_a_bad_position_changes_nothing():
    body = Body(BOX)
    with pytest.raises(RuntimeError, match="half-way"), body.edit() as p:
        stop_half_way(p)
    assert np.array_equal(body.positions, BOX.points)
    assert (body.is_open, body.version) == (False, 0)
    body = Body(BOX, name="crate")
    with pytest.raises(ValueError, match="'crate': vertex 2"), body.edit() as p:
        p[2] = np.nan
    assert np.array_equal(body.positions, BOX.points)


def test_the_transform_is_the_live_array_and_the_pose_a_value():
    body = Body(BOX)
    before = body.pose
    body.transform[:, 3] = (1.0, 2.0, 3.0)
    assert body.pose == Pose(translation=(1.0, 2.0, 3.0))
    assert before == Pose.identity()
    live = body.transform
    body.pose = Pose(translation=(4.0, 5.0, 6.0))
    assert live is body.transform
    assert live[:, 3].tolist() == [4.0, 5.0, 6.0]
    assert not np.shares_memory(body.pose.matrix, live)
    assert body.version == 0, "a pose writes no vertex"
    world = World([Body(BOX), Body(BOX, name="other", pose=before)])
    body.pose = world.step().body("other").pose  # which lies in a row of the frame
    assert body.pose == before


def test_only_a_pose_is_a_pose_and_world_points_are_moved_and_fresh():
    body = Body(BOX, pose=Pose(np.diag([2.0, 1.0, 1.0]), (10.0, 0.0, 0.0)))
    world = body.world_points()
    assert np.array_equal(world, BOX.points * (2.0, 1.0, 1.0) + (10.0, 0.0, 0.0))
    world[...] = 0.0
    assert np.array_equal(body.positions, BOX.points)
    for pose in [np.eye(3, 4), None, "identity"]:
        body = Body(BOX, name="crate")
        with pytest.raises(
            TypeError, match=r"'crate': pose must be a sim.Pose.*Pose.rigid"
        ):
            body.pose = pose


@pytest.mark.parametrize(
    ("entry", "value", "message"),
    [((0, 0), -1.0, "determinant -1"), ((1, 3), np.nan, "not finite")],
)
def test_a_transform_spoilt_in_place_is_found_at_the_update(entry, value, message):
    body = Body(BOX, name="crate")
    body.transform[entry] = value
    with pytest.raises(ValueError, match=f"'crate'.*{message}"):
        body.check_update(0)


def test_an_open_body_is_never_audited_by_updates_and_always_on_request(audits):
    body, other = Body(SPHERE), Body(BOX, pose=Pose(translation=(3.0, 0.1, 0.2)))
    tracker = PairTracker(body, other)
    tracker.update()
    assert body.is_convex()
    counted = len(audits)
    body.points[0] *= 0.5
    assert tracker.update().proof in ("scan", "search")
    assert not body.is_convex()
    assert not body.audit().is_convex()
    body.points[0] *= 2.0
    assert body.is_convex()
    assert body.audit().is_convex()
    assert len(audits) >= counted + 2


def test_an_open_body_is_asked_for_its_volume_whenever_it_was_written_to():
    """The sign is kept with the positions: where only a pose moves it is not new."""
    body = Body(BOX)
    for sign in (1, -1, -1, 1, 0, 1):
        body.points[...] = BOX.points * (1.0, sign, 1.0)
        assert body.volume_sign() == sign


def warped():
    """The box with one corner off the planes of its three faces, outwards."""
    points = BOX.points.copy()
    points[7] *= 1.25
    return points


def test_raise_refuses_a_mesh_that_is_not_convex_and_an_open_body_when_it_is_met(
    dented,
):
    block = shapes.l_block()
    with pytest.raises(ConvexityError, match="'block' is not convex: edge") as refused:
        Body(block, name="block", convexity="raise")
    assert (refused.value.body, refused.value.frame) == ("block", None)
    assert refused.value.depth > 0.0
    assert Body(block, name="block").convexity == "surface"
    body = Body(SPHERE, name="soft", convexity="raise")
    body.points[...] = dented(SPHERE)
    with pytest.raises(ConvexityError, match="'soft' is not convex in frame 4") as told:
        body.check_update(4)
    assert told.value.frame == 4
    body.points[...] = SPHERE.points
    assert body.check_update(5) is None


def test_raise_refuses_new_positions_and_puts_the_old_ones_back(audits, dented):
    body = Body(SPHERE, name="soft", convexity="raise")
    body.points = 1.5 * SPHERE.points
    before = body.audit()
    with pytest.raises(ConvexityError, match="'soft' is not convex: edge"):
        body.points = dented(SPHERE)
    with pytest.raises(ConvexityError, match="edge"), body.edit() as p:
        p[0] *= 0.5
    assert np.array_equal(body.positions, 1.5 * SPHERE.points)
    assert (body.is_open, body.version) == (False, 1)
    assert body.audit() is before, "known already"
    assert body.proof()


def test_a_polygon_may_leave_its_plane_unless_it_is_refused():
    fan = Body(BOX)
    fan.points = warped()
    assert np.array_equal(fan.positions, warped())
    flat = Body(BOX, name="crate", flatness="raise")
    flat.points = 2.0 * BOX.points
    with pytest.raises(MeshError, match=r"'crate': face .* is not planar") as refused:
        flat.points = warped()
    assert refused.value.element.kind == "face"
    assert np.array_equal(flat.positions, 2.0 * BOX.points)
    flat.points[...] = warped()
    with pytest.raises(MeshError, match="'crate', frame 9: face"):
        flat.check_update(9)


def test_polygons_are_judged_by_the_tolerance_of_their_mesh_and_triangles_never(dented):
    body = Body(SPHERE, flatness="raise")
    body.points = dented(SPHERE)
    assert np.array_equal(body.positions, dented(SPHERE))
    faces = [BOX.face_vertices(f) for f in range(6)]
    loose = WingedEdgeMesh.from_faces(warped(), faces, planar_tolerance=0.5)
    body = Body(loose, flatness="raise")
    assert np.array_equal(body.positions, warped())


def test_a_body_is_made_of_any_surface_with_vertices_and_faces():
    box = shapes.box()
    faces = [box.face_vertices(f).tolist() for f in range(box.n_faces)]
    surface = SimpleNamespace(vertices=box.points, faces=faces)
    row = [n for face in faces for n in (len(face), *face)]
    dataset = SimpleNamespace(points=box.points, faces=np.array(row))
    for given in (surface, dataset, trimesh.Trimesh(box.points, box.fan.vertex)):
        mesh = Body(given).mesh
        assert np.array_equal(mesh.points, box.points)
    assert Body(surface).mesh.n_faces == Body(dataset).mesh.n_faces == 6
    with pytest.raises(TypeError, match="needs a WingedEdgeMesh, got int"):
        Body(3)
