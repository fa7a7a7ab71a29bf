import numpy as np
import pytest

from sim import Body, Pose, closest
from sim.body.revisions import maps_between
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
def test_a_hull_keeps_up_and_renames_by_vertices(opened):
    mesh = shapes.icosphere(1)
    body = Body(mesh, convexity="hull")
    live = body.points if opened else None
    hull = Hull(body)
    renewed = 0
    for k in range(12):
        before, old, version = hull.edition, hull.cover_now, hull.version
        if opened:
            live[...] = wobbling(mesh, k)
        else:
            body.points = wobbling(mesh, k)
        hull.keep_up(k)
        now = hull.cover_now
        assert hull.version > version or k == 0, "it is elsewhere in every frame"
        validate(hull.mesh)
        assert np.array_equal(hull.positions, body.positions[now.vertices])
        assert hull.proves_by_rings()
        if hull.edition is before:
            continue
        renewed += 1
        maps = maps_between(before, hull.edition)
        for v, w in enumerate(maps.vertex.tolist()):
            assert (old.vertices[v] in now.vertices) == (w >= 0)
            assert w < 0 or now.vertices[w] == old.vertices[v]
        for e, f in enumerate(maps.edge.tolist()):
            ends = set(old.vertices[before.mesh.edge_vertices[e]].tolist())
            if f >= 0:
                assert ends == set(now.vertices[hull.mesh.edge_vertices[f]].tolist())
        for f, g in enumerate(maps.face.tolist()):
            same = (now.faces == old.faces[f]).all(axis=1)
            assert same.any() == (g >= 0)
            assert g < 0 or same[g]
    assert renewed > 3


def test_after_another_mesh_nothing_is_the_same():
    body = Body(shapes.box(), convexity="hull")
    hull = Hull(body)
    before = hull.edition
    body.replace(*edits.split_edge(body.mesh, 0))
    hull.keep_up(1)
    maps = maps_between(before, hull.edition)
    assert (maps.vertex == -1).all()
    assert maps_between(hull.edition, hull.edition) is None


def test_a_hull_is_convex_whatever_the_normals_of_its_narrow_faces_say():
    """Its overlap is one of convex bodies, and certified."""
    mesh = shapes.grid_box(3)
    rng = np.random.default_rng(14)
    dented = 0
    for _ in range(40):
        body = Body(mesh, convexity="hull")
        body.points = mesh.points + 1e-15 * rng.normal(size=mesh.points.shape)
        dented += not Body(body.cover().hull).verdict().convex
        pin = Body(shapes.tetrahedron(0.7), pose=Pose(None, (0.1, 0.2, 0.7)))
        state = closest(body, pin)
        assert state.certified
        assert state.distance < 0.0
    assert dented > 0
