from dataclasses import replace

import numpy as np
import pytest

from wingedge import validate
from wingedge.geometry import volume
from wingedge.mesh import mirrored

FLIP = np.array([1.0, 1.0, -1.0])


def test_the_mirror_of_a_body_is_a_body_made_once_and_twice_the_mesh_itself(mesh):
    other = mirrored(mesh)
    validate(replace(other, points=mesh.points * FLIP))
    assert volume(other, mesh.points) == pytest.approx(-volume(mesh), rel=1e-12)
    twice = mirrored(mirrored(mesh))
    for name in ("edge_vertices", "edge_faces", "edge_wings", "face_edge"):
        assert np.array_equal(getattr(twice, name), getattr(mesh, name))
    assert mirrored(mesh) is mirrored(mesh)


def test_numbers_are_kept_and_every_face_runs_backwards_from_its_first_corner(mesh):
    other = mirrored(mesh)
    assert np.array_equal(other.edge_vertices, mesh.edge_vertices)
    assert np.array_equal(other.edge_faces, mesh.edge_faces[:, ::-1])
    for f in range(mesh.n_faces):
        first, *rest = mesh.face_vertices(f).tolist()
        assert other.face_vertices(f).tolist() == [first, *rest[::-1]]
    triangles = {frozenset(t) for t in mesh.fan.vertex.tolist()}
    assert {frozenset(t) for t in other.fan.vertex.tolist()} == triangles
