import numpy as np  # of sim.body.body, wingedge.maps
import pytest

from sim import Body, Pose
from wingedge import ConvexityError, edits, shapes
from wingedge.edits import Maps


def test_kept_vertices_stay_where_they_are_now_and_new_ones_lie_between():
    body = Body(shapes.box())
    body.points = moved = body.positions * 2.0 + 1.0 / 3.0
    mesh, maps = edits.split_edge(body.mesh, 4, 0.25)
    tail, tip = body.mesh.edge_vertices[4]
    body.replace(mesh, maps)
    assert body.mesh is mesh
    np.testing.assert_array_equal(body.positions[:8], moved)
    np.testing.assert_array_equal(
        body.positions[8], 0.75 * moved[tail] + 0.25 * moved[tip]
    )


def test_the_pose_and_the_name_stay_and_other_bodies_on_the_mesh_too():
    pose = Pose(translation=(1.0, 2.0, 3.0))
    body = Body(shapes.box(), name="box", pose=pose)
    live = body.transform
    body.replace(*edits.poke_face(body.mesh, 0))
    assert body.name == "box"
    assert body.pose == pose
    assert body.transform is live
    mesh = shapes.box()
    a, b = Body(mesh), Body(mesh)
    a.replace(*edits.poke_face(mesh, 2))
    assert b.mesh is mesh
    assert len(b.positions) == 8
    b.points[0] += 1.0
    np.testing.assert_array_equal(a.positions[0], mesh.points[0])


def test_an_old_reference_to_the_live_array_cannot_be_written_unheard():
    body = Body(shapes.box())
    old = body.points
    body.replace(*edits.split_edge(body.mesh, 0))
    assert not body.is_open
    with pytest.raises(ValueError, match="read-only"):
        old[0] = 9.0
    body.points[8] += 0.5
    assert body.is_open


def test_a_body_that_refuses_its_new_shape_is_left_as_it_was():
    body = Body(shapes.icosphere(1), convexity="raise")
    mesh, maps = edits.split_edge(body.mesh, 0)
    valley = mesh.points.copy()
    valley[5] *= 0.2
    dented = Maps(*maps)._replace(parents=_moved(maps, 5))
    before = body.mesh, body.positions.copy(), body.version
    with pytest.raises(ConvexityError):
        body.replace(mesh, dented)
    assert body.mesh is before[0]
    np.testing.assert_array_equal(body.positions, before[1])
    assert body.version == before[2]
    body.points[0] *= 1.0  # and can be written to


def _moved(maps, vertex):
    """Let a new vertex come from the opposite side of the body."""
    blend = maps.parents.vertex
    other = blend.vertex.copy()
    other[blend.start[vertex]] = (blend.vertex[blend.start[vertex]] + 7) % 12
    return maps.parents._replace(vertex=blend._replace(vertex=other))


def test_maps_of_another_mesh_are_refused():
    body = Body(shapes.box(), name="box")
    mesh, first = edits.split_edge(body.mesh, 0)
    further, second = edits.split_edge(mesh, 0)
    with pytest.raises(ValueError, match="body 'box': the maps begin with 9 vertices"):
        body.replace(further, second)
    with pytest.raises(ValueError, match="the maps lead to 9 vertices, 13 edges"):
        body.replace(further, first)
    body.replace(further, first.then(second))
    with pytest.raises(TypeError, match=r"needs a WingedEdgeMesh and its Maps, got"):
        body.replace(mesh, None)
