import numpy as np  # of wingedge.edits

from wingedge import WingedEdgeMesh, convexity, geometry, shapes


def faces_of(mesh):
    return [mesh.face_vertices(f).tolist() for f in range(mesh.n_faces)]


def test_an_edited_mesh_is_the_one_built_from_its_faces_but_for_edge_numbers(
    mesh, edit_at_random
):
    euler = mesh.n_vertices - mesh.n_edges + mesh.n_faces
    for _, (made, _) in edit_at_random(mesh, 10, seed=1):
        built = WingedEdgeMesh.from_faces(made.points, faces_of(made))
        assert made.n_vertices - made.n_edges + made.n_faces == euler
        number = {
            frozenset(ends): e for e, ends in enumerate(built.edge_vertices.tolist())
        }
        e = [number[frozenset(ends)] for ends in made.edge_vertices.tolist()]
        assert sorted(e) == list(range(built.n_edges))
        turned = made.edge_vertices[:, 0] != built.edge_vertices[e, 0]
        faces = np.where(turned[:, None], made.edge_faces[:, ::-1], made.edge_faces)
        np.testing.assert_array_equal(faces, built.edge_faces[e])
        one, two = convexity(made), convexity(built)
        # anchored at the tail of an edge, which may be the other end here
        assert abs(one.worst_depth - two.worst_depth) < 1e-5 * one.tolerance
        assert {e[k] for k in one.reflex_edges} == set(two.reflex_edges.tolist())
        assert made.vertex_edge.tolist() == [
            min(made.vertex_edges(v)) for v in range(made.n_vertices)
        ]


def test_every_edge_comes_from_the_edge_or_the_face_that_it_lies_on(edit_at_random):
    mesh = shapes.icosphere(1)
    for before, (after, maps) in edit_at_random(mesh, 30, seed=5):
        if abs(geometry.volume(before) - geometry.volume(after)) > 1e-12:
            continue  # the shape changed
        for e, (dimension, parent) in enumerate(maps.parents.edge.tolist()):
            middle = after.points[after.edge_vertices[e]].mean(axis=0)
            if dimension == 1:
                p, q = before.points[before.edge_vertices[parent]]
                away = np.cross(middle - p, (q - p) / np.linalg.norm(q - p))
                assert np.abs(away).max() < 1e-12
            else:
                plane = geometry.planes(before)[parent]
                assert abs(middle @ plane[:3] + plane[3]) < 1e-12
