import numpy as np
import pytest

from wingedge import shapes
from wingedge.coplanar import (
    area_normals,
    coplanar_groups,
    group_of_faces,
    located,
    twins_of,
)
from wingedge.hull import hull_triangles

TURN = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
TOLERANCE = 1e-9


def laid_out(points):
    faces = hull_triangles(points)
    twin = twins_of(faces, len(points))
    return faces, twin, coplanar_groups(points, faces, twin, TOLERANCE)


def test_a_box_has_six_plains_and_a_ball_one_for_every_triangle():
    for turned in [False, True]:
        points = shapes.box().points @ (TURN if turned else np.eye(3))
        faces, _, groups = laid_out(points)
        assert np.bincount(groups.group).tolist() == [2] * 6
        assert groups.outer.sum() == 24
        heights = (points[faces[:, 0]] * groups.normal[groups.group]).sum(axis=1)
        assert heights == pytest.approx(0.5)
    points = shapes.icosphere(2).points
    faces, _, groups = laid_out(points)
    assert len(groups.anchor) == len(faces)
    assert (groups.narrow_run == -1).all()


def test_narrow_triangles_along_an_edge_join_one_side_only():
    points = shapes.grid_box(4).points @ TURN
    noise = np.random.default_rng(1).normal(size=points.shape)  # vertices beyond edges
    _, _, groups = laid_out(points + 1e-12 * noise)
    assert (groups.narrow_run >= 0).sum() >= 5
    assert len(groups.anchor) == 6
    whole = np.abs(TURN @ groups.normal.T)
    assert np.sort(whole, axis=0)[2] == pytest.approx(1.0)


@pytest.mark.parametrize(
    "mesh", [shapes.box(), shapes.grid_box(3)], ids=["box", "grid"]
)
def test_all_faces_of_a_divided_box_lie_on_its_six_plains(mesh):
    points = mesh.points @ TURN + 2.0
    faces, twin, groups = laid_out(points)
    below = located(points, faces, twin, points.mean(axis=0))
    found = group_of_faces(mesh, points, faces, below, groups, TOLERANCE)
    assert (found >= 0).all()
    normal = area_normals(mesh, points)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    assert (normal * groups.normal[found]).sum(axis=1) == pytest.approx(1.0)


def test_a_face_that_left_its_plane_is_on_none():
    mesh = shapes.grid_box(2)
    points = mesh.points.copy()
    top = int(np.flatnonzero((points == [0.0, 0.0, 0.5]).all(axis=1))[0])
    points[top, 2] -= 1e-6
    faces, twin, groups = laid_out(points)
    below = located(points, faces, twin, points.mean(axis=0))
    found = group_of_faces(mesh, points, faces, below, groups, TOLERANCE)
    assert np.flatnonzero(found < 0).tolist() == sorted(mesh.vertex_faces(top).tolist())


def test_a_vertex_is_located_below_the_face_that_it_is_seen_through():
    rng = np.random.default_rng(0)
    shell = shapes.icosphere(1).points
    points = np.vstack([shell, 0.3 * rng.normal(size=(50, 3))])
    faces = hull_triangles(shell)
    twin = twins_of(faces, len(shell))
    below = located(points, faces, twin, np.zeros(3))
    assert (below[: len(shell)] == -1).all()
    for v in range(len(shell), len(points)):
        weights = np.linalg.solve(points[faces[below[v]]].T, points[v])
        assert weights.min() >= -1e-9
