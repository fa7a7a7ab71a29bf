from dataclasses import replace

import numpy as np
import pytest

from wingedge import MeshError, WingedEdgeMesh, shapes, validate
from wingedge.check import INVARIANTS

BOX = shapes.box()
FACES = [BOX.face_vertices(f).tolist() for f in range(6)]
TETRAHEDRON = shapes.tetrahedron()


def test_invariants_are_named_once_each():
    assert len(set(INVARIANTS)) == len(INVARIANTS)
    promised = {
        "two faces per edge",
        "consistent orientation",
        "one component",
        "one fan of faces per vertex",
        "no repeated vertex in a face",
        "no unused vertex",
        "planar faces",
        "convex faces",
        "no zero area",
        "finite",
        "sane magnitude",
        "positive volume",
        "no self-touch",
        "linked arrays",
        "indices in range",
    }
    assert promised <= set(INVARIANTS)


@pytest.mark.parametrize(
    ("points", "faces", "word"),
    [
        (BOX.points, [face[::-1] for face in FACES], "inside-out"),
        (BOX.points * [1, 1, -1], FACES, "inside-out"),
        (TETRAHEDRON.points * [1, 1, 0], TETRAHEDRON.fan.vertex, "flat"),
        (BOX.points * [1, 1, 0], FACES, "flat"),
        (BOX.points * [1, 1, 0] + [0, 0, 1e9], FACES, "flat"),
        (np.eye(3), [[0, 1, 2], [0, 2, 1]], "flat"),
    ],
)
def test_inside_out_and_flat_bodies_are_told_apart(points, faces, word):
    with pytest.raises(MeshError, match=word) as refused:
        WingedEdgeMesh.from_faces(points, faces)
    assert refused.value.invariant == "positive volume"
    assert "\n" not in str(refused.value)


def test_current_positions_are_judged_like_rest_positions():
    for change, invariant in [
        (lambda p: p * [1, 1, -1], "positive volume"),
        (lambda p: p * np.nan, "finite"),
        (lambda p: p * 1e60, "sane magnitude"),
        (lambda p: np.vstack([p[:7], p[7:] * 1.01]), "planar faces"),
        (lambda p: np.vstack([p[:7], p[6:7]]), "no self-touch"),
    ]:
        with pytest.raises(MeshError) as refused:
            validate(BOX, change(BOX.points))
        assert refused.value.invariant == invariant


def test_positions_of_another_mesh_are_refused_and_affine_ones_pass(mesh):
    points = mesh.points @ np.array([[2, 0.5, 0], [0, 1, 0.25], [0, 0, 0.5]]) + 10
    assert validate(mesh, points) is None
    assert validate(mesh) is None
    with pytest.raises(ValueError, match="this mesh needs"):
        validate(BOX, np.zeros((9, 3)))
    with pytest.raises(TypeError, match="complex"):
        validate(BOX, BOX.points.astype(complex))


def test_planar_tolerance_is_the_builders_unless_given():
    points = BOX.points.copy()
    points[7, 2] += 1e-7
    mesh = WingedEdgeMesh.from_faces(points, FACES, planar_tolerance=1e-6)
    assert validate(mesh) is None
    with pytest.raises(MeshError, match="not planar"):
        validate(mesh, planar_tolerance=1e-9)


def test_an_edge_listed_twice_breaks_two_faces_per_edge():
    """Two pillows on the same three vertices: the links agree, the surface does not."""
    pillow = {
        "edge_vertices": [[0, 1], [1, 2], [2, 0], [0, 1], [1, 2], [2, 0]],
        "edge_faces": [[0, 3], [0, 3], [0, 3], [2, 1], [2, 1], [2, 1]],
    }
    mesh = shapes.tetrahedron()
    broken = replace(
        mesh,
        points=mesh.points[:3],
        source_vertices=np.arange(3),
        edge_wings=[
            [[2, 2], [1, 1]],
            [[0, 0], [2, 2]],
            [[1, 1], [0, 0]],
            [[5, 5], [4, 4]],
            [[3, 3], [5, 5]],
            [[4, 4], [3, 3]],
        ],
        vertex_edge=[0, 0, 1],
        face_edge=[0, 3, 3, 0],
        **pillow,
    )
    with pytest.raises(MeshError) as refused:
        validate(broken)
    assert refused.value.invariant in ("linked arrays", "two faces per edge")
