"""wingedge.build, wingedge.errors: meshes of points and faces of every kind."""

import pickle

import numpy as np
import pytest

from wingedge import (
    ConvexityError,
    Feature,
    MeshError,
    WingedEdgeMesh,
    shapes,
    validate,
)

BOX = shapes.box()
FACES = [BOX.face_vertices(f).tolist() for f in range(6)]
PYRAMID = [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [1, 1, 1]]
RAGGED = [[3, 2, 1, 0], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]


@pytest.mark.parametrize(
    "faces",
    [
        FACES,
        tuple(map(tuple, FACES)),
        np.array(FACES),
        np.array(FACES, dtype=np.uint8),
        np.array(FACES, dtype=np.int16, order="F"),
        [np.array(face) for face in FACES],
        (face for face in FACES),
    ],
    ids=["lists", "tuples", "int64", "uint8", "fortran", "arrays", "generator"],
)
def test_faces_may_be_lists_or_integer_arrays_of_any_kind(faces):
    mesh = WingedEdgeMesh.from_faces(BOX.points, faces)
    assert [mesh.face_vertices(f).tolist() for f in range(6)] == FACES


def test_points_may_be_real_numbers_of_any_kind_however_far():
    for dtype in [np.float64, np.float32, np.int8, np.uint64]:
        mesh = WingedEdgeMesh.from_faces(np.array(PYRAMID, dtype=dtype), RAGGED)
        assert mesh.points.dtype == np.float64
        assert mesh.points.tolist() == PYRAMID
    for offset in [1e3, 1e6, 1e9]:
        turned = BOX.points @ np.array([[0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1]])
        mesh = WingedEdgeMesh.from_faces(turned + offset, FACES)
        assert mesh.n_faces == 6


def test_faces_of_different_size_mix_and_may_be_split_into_triangles():
    mesh = WingedEdgeMesh.from_faces(PYRAMID, RAGGED)
    assert [len(mesh.face_vertices(f)) for f in range(5)] == [4, 3, 3, 3, 3]
    assert mesh.n_edges == 8
    single = np.array(PYRAMID, np.float32)
    mesh = WingedEdgeMesh.from_faces(single, RAGGED, triangulate=True)
    assert mesh.resolution == WingedEdgeMesh.from_faces(single, RAGGED).resolution > 0
    assert mesh.fan.vertex.tolist() == [[3, 2, 1], [3, 1, 0], *RAGGED[1:]]
    assert mesh.n_faces == 6
    points = BOX.points.copy()
    points[7] += [0.1, 0.05, 0.2]
    with pytest.raises(MeshError) as refused:
        WingedEdgeMesh.from_faces(points, FACES)
    assert refused.value.invariant == "planar faces"
    validate(WingedEdgeMesh.from_faces(points, FACES, triangulate=True))


def test_planar_tolerance_is_relative_to_the_size_and_remembered():
    points = BOX.points * 1e6
    points[7, 2] *= 1 + 1e-7
    with pytest.raises(MeshError, match=r"planar_tolerance"):
        WingedEdgeMesh.from_faces(points, FACES)
    mesh = WingedEdgeMesh.from_faces(points, FACES, planar_tolerance=1e-6)
    assert mesh.planar_tolerance == 1e-6
    validate(mesh)


@pytest.mark.parametrize("frame", [None, 12])
def test_a_convexity_error_names_edge_depth_body_and_frame(frame):
    error = ConvexityError.at(7, 0.25, body="jelly", frame=frame)
    assert isinstance(error, MeshError)
    assert (error.edge, error.depth, error.body) == (7, 0.25, "jelly")
    assert error.frame == frame
    assert error.element == Feature("edge", 7)
    for word in ("'jelly'", "edge 7", "0.25"):
        assert word in str(error)
    assert ("frame 12" in str(error)) == (frame is not None)


def test_errors_survive_a_trip_to_another_process():
    for error in [
        MeshError("text", "finite", Feature("vertex", 1)),
        ConvexityError.at(1, 2.0, body="b", frame=3),
    ]:
        back = pickle.loads(pickle.dumps(error))
        assert type(back) is type(error)
        assert str(back) == str(error)
        assert vars(back) == vars(error)
