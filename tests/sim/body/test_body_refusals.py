import numpy as np
import pytest

from sim import Body
from sim.body.audit import ConvexityCheck
from wingedge import ConvexityError, MeshError, WingedEdgeMesh, shapes

BOX = shapes.box((1.0, 1.0, 1.0))
SPHERE = shapes.icosphere(1)


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
    assert body.proves_by_rings()


def test_whatever_goes_wrong_in_the_audit_the_old_positions_are_back(monkeypatch):
    body = Body(SPHERE, convexity="raise")

    def fails(self):
        raise RuntimeWarning("overflow")

    monkeypatch.setattr(ConvexityCheck, "audit", fails)
    with pytest.raises(RuntimeWarning):
        body.points = 2.0 * SPHERE.points
    assert np.array_equal(body.positions, SPHERE.points)


def test_what_is_not_finite_or_overflows_is_refused_by_name():
    for how in [{"convexity": "raise"}, {"flatness": "raise"}]:
        body = Body(BOX, name="soft", **how)
        body.points[3, 1] = np.nan
        with pytest.raises(ValueError, match="'soft', frame 2: vertex v3 is at"):
            body.check_update(2)
    for factor in [1e100, 1e160, 1e-100, 1e-300]:
        body = Body(shapes.box(), name="crate")
        before = body.positions.copy()
        with pytest.raises(MeshError, match=r"body 'crate': vertex \d+ is .*scale"):
            body.points = before * factor
        assert (body.positions == before).all()


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
