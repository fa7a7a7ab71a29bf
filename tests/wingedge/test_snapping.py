"""wingedge.snapping: what only the rounding of a file dents is convex again."""

from itertools import pairwise

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from wingedge import (
    ConvexityError,
    MeshError,
    WingedEdgeMesh,
    convexity,
    read,
    shapes,
    write,
)
from wingedge.snapping import rounding, snapped

TURN = Rotation.from_rotvec((0.3, 0.5, 0.7)).as_matrix()


def globe(rows, columns):
    """Make a sphere of quads: most of its vertices lie in four planes."""
    up = np.pi * np.arange(1, rows) / rows
    round_ = 2.0 * np.pi * np.arange(columns) / columns
    rings = [
        np.outer(np.sin(up), np.cos(round_)),
        np.outer(np.sin(up), np.sin(round_)),
        np.outer(np.cos(up), np.ones(columns)),
    ]
    points = [(0, 0, 1), (0, 0, -1), *np.stack(rings, axis=-1).reshape(-1, 3)]
    at = 2 + np.arange((rows - 1) * columns).reshape(rows - 1, columns)
    faces = []
    for j in range(columns):
        k = (j + 1) % columns
        faces += [[0, at[0, j], at[0, k]], [1, at[-1, k], at[-1, j]]]
        faces += [[a[j], b[j], b[k], a[k]] for a, b in pairwise(at)]
    return WingedEdgeMesh.from_faces(points, faces)


SHAPES = {
    "box": shapes.box(1.0),
    "grid": shapes.grid_box(4),
    "prism": shapes.prism(40),
    "globe": globe(8, 12),
}


def in_single_precision(mesh):
    """Return it as STL would have it, turned and away from the origin, in triangles."""
    points = (mesh.points @ TURN.T + (3.0, 1.0, 2.0)).astype(np.float32)
    faces = [mesh.face_vertices(f) for f in range(mesh.n_faces)]
    return WingedEdgeMesh.from_faces(points, faces, True, planar_tolerance=1e-5)


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_dented_by_rounding_becomes_convex_and_keeps_its_numbers(name):
    dented = in_single_precision(SHAPES[name])
    assert not convexity(dented).is_convex()
    found = snapped(dented)
    assert convexity(found).is_convex()
    moved = np.linalg.norm(found.points - dented.points, axis=1).max()
    assert 0.0 < moved <= 4.0 * rounding(dented.points)
    assert np.array_equal(found.edge_wings, dented.edge_wings)
    assert np.array_equal(found.edge_vertices, dented.edge_vertices)


def test_a_convex_body_is_returned_as_it_is():
    mesh = shapes.icosphere(2)
    assert snapped(mesh) is mesh


def test_the_rounding_of_numbers_is_read_off_them():
    points = np.array([[0.1234567, 2.0, 3.0]])
    assert rounding(points) == 0.5e-7
    assert rounding(np.round(points, 2)) == 0.005
    assert rounding(points.astype(np.float32).astype(float)) == 2.0**-23
    assert rounding(np.array([[1.0 / 3.0, 1.0, 1.0]])) == 2.0**-52


@pytest.mark.parametrize(
    "mesh", [shapes.cup(), shapes.star(), shapes.ring()], ids=["cup", "star", "ring"]
)
def test_what_is_dented_by_more_is_refused(mesh):
    with pytest.raises(ConvexityError, match=r"not by rounding alone: .* is dented by"):
        snapped(mesh)


def test_a_dent_of_many_roundings_is_not_ironed_out():
    mesh = in_single_precision(shapes.grid_box(4))
    points = mesh.points.copy()
    middle = np.argmin(np.linalg.norm(points - points[:, None].mean(0), axis=1))
    points[middle] -= 1e-5 * np.sign(points[middle] - points.mean(axis=0))
    faces = [mesh.face_vertices(f) for f in range(mesh.n_faces)]
    with pytest.raises(ConvexityError, match="not by rounding alone"):
        snapped(WingedEdgeMesh.from_faces(points.astype(np.float32), faces))


def test_files_are_read_convex_when_asked(tmp_path):
    body = in_single_precision(SHAPES["globe"])
    triangles = trimesh.Trimesh(body.points, body.fan.vertex, process=False)
    triangles.export(tmp_path / "globe.stl")
    with pytest.warns(UserWarning, match=r"globe.stl: e\d+ is dented .*convex=True"):
        assert not convexity(read(tmp_path / "globe.stl")).is_convex()
    assert convexity(read(tmp_path / "globe.stl", convex=True)).is_convex()
    write(shapes.cup(), tmp_path / "cup.off")
    with pytest.raises(ConvexityError, match=r"cup.off: is not convex") as caught:
        read(tmp_path / "cup.off", convex=True)
    assert isinstance(caught.value, MeshError)
