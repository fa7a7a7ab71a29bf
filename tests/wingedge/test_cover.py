"""The cover as a value: faces, volume, mesh; which surfaces close."""

import numpy as np
import pytest

from wingedge import convex_hull, validate
from wingedge.coplanar import twins_of, volumes
from wingedge.cover import Cover
from wingedge.hull import hull_triangles
from wingedge.shapes import box, icosphere, u_block


def cover_of(mesh):
    faces = hull_triangles(mesh.points)
    return Cover(mesh, mesh.points.copy(), faces, np.full(mesh.n_vertices, -1), "hull")


def test_faces_begin_with_their_lowest_vertex_and_are_sorted():
    faces = cover_of(icosphere(1)).faces.tolist()
    assert all(face[0] == min(face) for face in faces)
    assert faces == sorted(faces)


def test_faces_look_outward():
    cover = cover_of(icosphere(1))
    assert (volumes(cover.points, cover.faces, cover.centre) > 0.0).all()


def test_the_order_of_faces_and_corners_does_not_matter():
    one = cover_of(icosphere(1))
    given = np.roll(one.faces[::-1], 1, axis=1)
    other = Cover(one.source, one.points, given, np.zeros(42, np.int32), "hull")
    assert other.faces.tolist() == one.faces.tolist()
    assert other.volume == one.volume


def test_the_mesh_of_a_cover_knows_the_numbers_of_its_source():
    cover = cover_of(u_block())
    mesh = cover.mesh()
    validate(mesh)
    assert len(mesh.source_vertices) == 8 < cover.source.n_vertices
    assert np.array_equal(mesh.points, cover.points[mesh.source_vertices])
    for k in range(mesh.n_faces):
        own = mesh.source_vertices[mesh.face_vertices(k)]
        assert own.tolist() == cover.faces[k].tolist()
    assert mesh.n_faces == convex_hull(u_block().points).n_faces


def test_every_half_edge_finds_its_twin():
    faces = cover_of(icosphere(1)).faces
    twin = twins_of(faces, 42)
    assert (twin[twin] == np.arange(len(twin))).all()
    tail, tip = faces.ravel(), faces[:, [1, 2, 0]].ravel()
    assert (tail[twin] == tip).all()


@pytest.mark.parametrize("spoil", ["hole", "twice", "turned", "two"])
def test_what_does_not_close_has_no_twins(spoil):
    faces = cover_of(box()).faces.copy()
    if spoil == "hole":
        faces = faces[1:]
    elif spoil == "twice":
        faces = np.vstack([faces, faces[:1]])
    elif spoil == "turned":
        faces[0] = faces[0][::-1]
    else:
        faces = np.vstack([faces, faces + 8])
    assert twins_of(faces, 16) is None
