import numpy as np
import pytest

from wingedge import Feature, MeshError, WingedEdgeMesh, edits, shapes, validate
from wingedge.edits.draft import Draft

ARRAYS = (
    "points",
    "edge_vertices",
    "edge_faces",
    "edge_wings",
    "vertex_edge",
    "face_edge",
)


def same(one, two):
    return all(np.array_equal(getattr(one, k), getattr(two, k)) for k in ARRAYS)


def turned(face):
    """Begin a face at its lowest corner."""
    at = face.index(min(face))
    return face[at:] + face[:at]


def test_a_split_edge_collapses_to_the_mesh_before(mesh):
    for e in range(min(mesh.n_edges, 20)):
        split, there = edits.split_edge(mesh, e, 0.4)
        tip = int(mesh.edge_vertices[e, 1])
        back, home = edits.collapse_edge(split, mesh.n_edges, tip)
        validate(back)
        maps = there.then(home)
        assert maps.edge.tolist() == list(range(mesh.n_edges))
        assert maps.face.tolist() == list(range(mesh.n_faces))
        np.testing.assert_array_equal(back.points, mesh.points)
        np.testing.assert_array_equal(back.edge_vertices, mesh.edge_vertices)
        np.testing.assert_array_equal(back.edge_wings, mesh.edge_wings)
        assert [
            turned(back.face_vertices(f).tolist()) for f in range(mesh.n_faces)
        ] == [turned(mesh.face_vertices(f).tolist()) for f in range(mesh.n_faces)]


def test_a_split_face_joins_to_the_mesh_before_to_the_bit(mesh):
    for f in range(min(mesh.n_faces, 12)):
        ring = mesh.face_vertices(f).tolist()
        if len(ring) > 3:
            split, _ = edits.split_face(mesh, f, ring[0], ring[2])
            back, maps = edits.join_faces(split, mesh.n_edges)
            assert same(back, mesh)
            assert maps.edge[-1] == -1
            assert maps.face[-1] == f


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


def test_a_collapse_takes_an_edge_either_end_and_the_triangles_beside_it():
    mesh = shapes.icosphere(1)
    keep, gone = mesh.edge_vertices[10].tolist()
    after, maps = edits.collapse_edge(mesh, 10)
    validate(after)
    counts = after.n_vertices, after.n_edges, after.n_faces
    assert counts == (mesh.n_vertices - 1, mesh.n_edges - 3, mesh.n_faces - 2)
    assert maps.vertex[gone] == -1
    assert maps.vertex[keep] == keep
    assert np.flatnonzero(maps.face == -1).tolist() == sorted(mesh.edge_faces[10])
    lost = set(np.flatnonzero(maps.edge == -1).tolist())
    assert 10 in lost
    assert all(
        gone in mesh.edge_vertices[e] for e in lost
    )  # the kept end keeps its own
    # the last ones fill the holes, and nothing else moved
    assert maps.vertex[mesh.n_vertices - 1] == gone
    still = [v for v in range(mesh.n_vertices - 1) if v != gone]
    assert maps.vertex[still].tolist() == still
    tail, tip = mesh.edge_vertices[10].tolist()
    _, maps = edits.collapse_edge(mesh, 10, onto=tip)
    assert maps.vertex[tail] == -1
    assert maps.vertex[tip] == tip
    with pytest.raises(ValueError, match=f"not an end of edge 10; choose {tail} and"):
        edits.collapse_edge(mesh, 10, onto=max(tail, tip) + 1)


def test_what_is_in_the_way_of_a_collapse_is_named():
    # two tetrahedra on one triangle: its sides lie on a ring of three edges
    points = [[1, 0, 0], [-0.5, 0.9, 0], [-0.5, -0.9, 0], [0, 0, 1], [0, 0, -1]]
    faces = [[0, 1, 3], [1, 2, 3], [2, 0, 3], [1, 0, 4], [2, 1, 4], [0, 2, 4]]
    mesh = WingedEdgeMesh.from_faces(points, faces)
    with pytest.raises(
        MeshError, match="vertex 2 is joined to both ends, 0 and 1"
    ) as e:
        edits.collapse_edge(mesh, 0)
    assert e.value.element == Feature("vertex", 2)
    # a tetrahedron with two sides for one warped face, which passes both ends of the
    # edge that it bends over
    points = [[0, -1, 0], [0, 1, 0], [-1, 0, 1], [1, 0, 1]]
    faces = [[2, 0, 3, 1], [0, 2, 1], [1, 3, 0]]
    mesh = WingedEdgeMesh.from_faces(points, faces, planar_tolerance=9.0)
    for top in (2, 3):  # so that no third vertex is joined to both ends
        side = next(
            e for e in range(4) if {0, top} == {*mesh.edge_vertices[e].tolist()}
        )
        mesh, _ = edits.split_edge(mesh, side)
    edge = next(e for e in range(7) if {0, 1} == {*mesh.edge_vertices[e].tolist()})
    with pytest.raises(MeshError, match=r"face 0 passes both ends, .* elsewhere") as e:
        edits.collapse_edge(mesh, edge)
    assert e.value.element == Feature("face", 0)


def test_a_collapse_that_bends_a_polygon_is_refused_in_the_old_numbers():
    box = shapes.box()
    with pytest.raises(MeshError, match="edge 0 cannot be collapsed onto vertex") as e:
        edits.collapse_edge(box, 0)
    assert e.value.invariant == "planar faces"
    gone = int(box.edge_vertices[0, 1])
    assert e.value.element.index in box.vertex_faces(gone)


def test_the_face_of_the_lower_number_stays():
    box = shapes.box()
    ring = box.face_vertices(2).tolist()
    mesh, _ = edits.split_face(box, 2, ring[1], ring[3])
    mesh, _ = edits.split_face(mesh, 0, *box.face_vertices(0)[[0, 2]].tolist())
    after, maps = edits.join_faces(mesh, 12)  # faces 2 and 6
    assert maps.face.tolist() == [0, 1, 2, 3, 4, 5, 2, 6]
    assert after.face_vertices(2).tolist() == ring
    low, high = mesh.edge_faces[12]
    turned = Draft(mesh)  # the same edge, its right face the lower one
    turned.ends[12] = tuple(mesh.edge_vertices[12][::-1].tolist())
    turned.rings = {f: turned.ring(f) for f in (2, 6)}
    mesh = turned.finish().mesh
    assert mesh.edge_faces[12].tolist() == [high, low]
    again, maps = edits.join_faces(mesh, 12)
    assert maps.face[6] == 2
    assert again.face_vertices(2).tolist() == ring
