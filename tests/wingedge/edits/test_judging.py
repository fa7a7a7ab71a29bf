from wingedge import WingedEdgeMesh, edits, shapes  # of wingedge.edits


def test_a_looser_tolerance_goes_on():
    box = shapes.box((2.0, 2.0, 2.0))
    points = box.points.copy()
    points[0] += 1e-5
    faces = [box.face_vertices(f).tolist() for f in range(6)]
    mesh = WingedEdgeMesh.from_faces(points, faces, planar_tolerance=1e-3)
    after, _ = edits.split_edge(mesh, 0)
    assert after.planar_tolerance == 1e-3
