import numpy as np  # of wingedge.edits, wingedge.check
import pytest

from wingedge import convexity, edits, geometry, shapes
from wingedge.maps import EDGE, FACE


def test_a_split_edge_goes_on_in_a_new_one():
    box = shapes.box()
    tail, tip = box.edge_vertices[7].tolist()
    mesh, maps = edits.split_edge(box, 7, 0.25)
    assert mesh.edge_vertices[7].tolist() == [tail, 8]
    assert mesh.edge_vertices[12].tolist() == [8, tip]
    assert mesh.edge_faces[12].tolist() == box.edge_faces[7].tolist()
    np.testing.assert_array_equal(
        mesh.points[8], 0.75 * box.points[tail] + 0.25 * box.points[tip]
    )
    assert maps.edge.tolist() == list(range(12))
    assert maps.parents.edge[12].tolist() == [EDGE, 7]


def test_a_split_triangle_never_begins_with_three_corners_on_a_line(mesh):
    for e in range(min(mesh.n_edges, 20)):
        after, _ = edits.split_edge(mesh, e)
        twice = edits.split_edge(after, e, 0.3).mesh  # a fan has a triangle of no area
        assert convexity(twice).is_convex() == convexity(mesh).is_convex()
        for f in mesh.edge_faces[e].tolist():
            if len(mesh.face_vertices(f)) == 3:
                fan = after.fan.vertex[after.fan.face == f]
                a, b, c = after.points[fan].transpose(1, 0, 2)
                area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
                assert area.min() > 0.4 * area.max()
            else:
                assert after.face_vertices(f)[0] == mesh.face_vertices(f)[0]


def test_a_split_face_keeps_its_number_where_it_begins():
    box = shapes.box()
    a, b, c, d = box.face_vertices(2).tolist()
    mesh, maps = edits.split_face(box, 2, d, b)
    assert mesh.face_vertices(2).tolist() == [a, b, d]
    assert mesh.face_vertices(6).tolist() == [b, c, d]
    assert mesh.edge_vertices[12].tolist() == [b, d]
    assert mesh.edge_faces[12].tolist() == [2, 6]
    assert maps.parents.edge[12].tolist() == [FACE, 2]
    assert maps.parents.face[6] == 2


def test_polygons_that_left_their_plane_keep_their_fan():
    box = shapes.box((2.0, 2.0, 2.0))
    warped = box.points.copy()
    warped[int(box.face_vertices(0)[2])] *= 1.25
    for e in box.face_edges(0).tolist():
        mesh, maps = edits.split_edge(box, e)
        volume = geometry.volume(mesh, maps.carry(warped))
        assert volume == pytest.approx(geometry.volume(box, warped), rel=1e-14)
