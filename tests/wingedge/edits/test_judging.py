from wingedge import MeshError, WingedEdgeMesh, edits, shapes  # of wingedge.edits.draft


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


def test_a_looser_tolerance_goes_on():
    box = shapes.box((2.0, 2.0, 2.0))
    points = box.points.copy()
    points[0] += 1e-5
    faces = [box.face_vertices(f).tolist() for f in range(6)]
    mesh = WingedEdgeMesh.from_faces(points, faces, planar_tolerance=1e-3)
    after, _ = edits.split_edge(mesh, 0)
    assert after.planar_tolerance == 1e-3
