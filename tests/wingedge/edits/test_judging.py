import numpy as np

from wingedge import MeshError, WingedEdgeMesh, edits, shapes


def refusals(mesh):
    for e in range(min(mesh.n_edges, 10)):
        for edit in (edits.collapse_edge, edits.join_faces, edits.flip_edge):
            try:
                edit(mesh, e)
            except MeshError as error:
                yield error


def test_refusals_leave_the_mesh_as_it_was_and_say_what_to_do(mesh):
    before = mesh.points.copy(), mesh.edge_wings.copy()
    counts = {"vertex": mesh.n_vertices, "edge": mesh.n_edges, "face": mesh.n_faces}
    found = list(refusals(mesh))
    np.testing.assert_array_equal(mesh.points, before[0])
    np.testing.assert_array_equal(mesh.edge_wings, before[1])
    assert len(found) > 0  # joining is refused somewhere in every body of the zoo
    for error in found:
        assert "; " in str(error)
        if error.element is not None:
            assert error.element.index < counts[error.element.kind]


def test_a_looser_tolerance_goes_on_and_a_hole_is_not_closed():
    box = shapes.box((2.0, 2.0, 2.0))
    points = box.points.copy()
    points[0] += 1e-5
    faces = [box.face_vertices(f).tolist() for f in range(6)]
    mesh = WingedEdgeMesh.from_faces(points, faces, planar_tolerance=1e-3)
    after, _ = edits.split_edge(mesh, 0)
    assert after.planar_tolerance == 1e-3
    ring = dict(shapes.zoo(non_convex=True))["ring"]
    mesh = WingedEdgeMesh.from_faces(ring.points, ring.fan.vertex)
    assert any("collapsed" in str(error) for error in refusals(mesh))
