from functools import partial

import numpy as np

from wingedge import MeshError, WingedEdgeMesh, edits, shapes


def turned(face):
    """Begin a face at its lowest corner."""
    at = face.index(min(face))
    return face[at:] + face[:at]


def test_an_edge_flips_back_to_the_mesh_before():
    mesh = shapes.icosphere(1)
    for e in range(0, mesh.n_edges, 8):
        try:
            there, maps = edits.flip_edge(mesh, e)
        except MeshError:
            continue
        assert maps.edge[e] == -1
        assert set(there.edge_vertices[e].tolist()).isdisjoint(mesh.edge_vertices[e])
        back, _ = edits.flip_edge(there, e)
        faces = [turned(back.face_vertices(f).tolist()) for f in range(mesh.n_faces)]
        own = [turned(mesh.face_vertices(f).tolist()) for f in range(mesh.n_faces)]
        assert sorted(faces) == sorted(own)


def refusals(mesh):
    for e in range(min(mesh.n_edges, 10)):
        f, *_ = mesh.edge_faces[e].tolist()
        u, v, *_ = mesh.face_vertices(f).tolist()
        for edit in (
            partial(edits.flip_edge, mesh, e),
            partial(edits.split_face, mesh, f, u, v),
        ):
            try:
                edit()
            except MeshError as error:
                yield error


def test_refusals_leave_the_mesh_as_it_was_and_say_what_to_do(mesh):
    before = mesh.points.copy(), mesh.edge_wings.copy()
    counts = {"vertex": mesh.n_vertices, "edge": mesh.n_edges, "face": mesh.n_faces}
    found = list(refusals(mesh))
    np.testing.assert_array_equal(mesh.points, before[0])
    np.testing.assert_array_equal(mesh.edge_wings, before[1])
    assert len(found) > 0
    for error in found:
        assert "; " in str(error)
        if error.element is not None:
            assert error.element.index < counts[error.element.kind]


def test_a_looser_tolerance_goes_on():
    box = shapes.box((2.0, 2.0, 2.0))
    points = box.points.copy()
    points[0] += 1e-5
    faces = [box.face_vertices(f).tolist() for f in range(6)]
    mesh = WingedEdgeMesh.from_faces(points, faces, planar_tolerance=1e-3)
    after, _ = edits.split_edge(mesh, 0)
    assert after.planar_tolerance == 1e-3
