import numpy as np  # of sim.hulls.solid, sim.hulls.tracker
import pytest

from sim import Body, Pose, closest
from sim.hulls.solid import Hull
from wingedge import convexity, edits, shapes, validate


def wobbling(mesh, k):
    rng = np.random.default_rng(7)
    way = 0.1 * rng.normal(size=mesh.points.shape)
    return mesh.points + np.sin(0.5 * k) * way


def test_a_hull_shares_the_pose_of_its_body_and_names_what_is_not_finite():
    body = Body(shapes.u_block(), convexity="hull", name="u")
    hull = Hull(body)
    body.pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), (1.0, 2.0, 3.0))
    assert hull.transform is body.transform
    assert hull.name == "u"
    assert convexity(hull.mesh).is_convex()
    body = Body(shapes.box(), convexity="hull", name="box")
    hull = Hull(body)
    body.points[3, 0] = np.nan
    with pytest.raises(ValueError, match="body 'box', frame 5: vertex v3"):
        hull.keep_up(5)


@pytest.mark.parametrize("opened", [False, True])
def test_a_hull_keeps_up_while_it_has_the_same_facets(opened):
    mesh = shapes.icosphere(1)
    body = Body(mesh, convexity="hull")
    live = body.points if opened else None
    hull, kept = Hull(body), []
    for k in range(24):
        if opened:
            live[...] = wobbling(mesh, k / 4)
        else:
            body.points = wobbling(mesh, k / 4)
        old, now = hull.cover_now, body.cover()
        kept.append(hull.keep_up(k))
        assert kept[-1] == np.array_equal(now.faces, old.faces)
        if not kept[-1]:
            hull = Hull(body)
        validate(hull.mesh)
        assert np.array_equal(hull.positions, body.positions[now.vertices])
        assert hull.proof()
    assert 3 < sum(kept) < 21
    body.replace(*edits.split_edge(body.mesh, 0))
    assert not hull.keep_up(24)


def test_a_hull_is_convex_whatever_the_normals_of_its_narrow_faces_say():
    """Its overlap is one of convex bodies, and certified."""
    mesh = shapes.grid_box(3)
    rng = np.random.default_rng(14)
    dented = 0
    for _ in range(40):
        body = Body(mesh, convexity="hull")
        body.points = mesh.points + 1e-15 * rng.normal(size=mesh.points.shape)
        dented += not Body(body.cover().hull).is_convex()
        pin = Body(shapes.tetrahedron(0.7), pose=Pose(None, (0.1, 0.2, 0.7)))
        state = closest(body, pin)
        assert state.certified
        assert state.distance < 0.0
    assert dented > 0
