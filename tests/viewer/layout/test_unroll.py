import numpy as np
import pytest

from viewer.layers.insets import unfolded
from wingedge import Feature, neighbours, shapes

UP = np.array([0.0, 1.0, 0.0])
OUT = np.array([0.0, 0.0, 1.0])


def area(corners):
    x, y = corners.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def test_what_drops_away_is_laid_outward_up_is_up():
    points = np.array([[1.0, 2.0, 5.0], [0.0, 0.0, 5.0], [-3.0, 0.5, 5.0]])
    flat = unfolded(points, np.array([0.0, 0.0, 5.0]), OUT, UP)
    np.testing.assert_allclose(flat, points[:, :2])
    points = np.array([[1.0, 0.0, -2.0], [0.0, 3.0, -0.5]])
    flat = unfolded(points, np.zeros(3), OUT, UP)
    np.testing.assert_allclose(flat, [[3.0, 0.0], [0.0, 3.5]])
    assert unfolded(np.array([[0.0, 0.0, -4.0]]), np.zeros(3), OUT, UP).tolist() == [
        [0.0, 0.0]
    ]
    flat = unfolded(np.array([[0.0, 2.0, 0.0]]), np.zeros(3), OUT, UP)
    np.testing.assert_allclose(flat, [[0.0, 2.0]])
    along = unfolded(np.array([[1.0, 2.0, 0.0]]), np.zeros(3), OUT, OUT)
    np.testing.assert_allclose(np.linalg.norm(along), np.sqrt(5.0))


@pytest.mark.parametrize(
    "mesh", [shapes.box(1.0), shapes.prism(5), shapes.icosphere(1)]
)
def test_every_face_around_a_face_keeps_its_turn_and_an_area(mesh):
    points = np.array(mesh.points)
    for f in range(mesh.n_faces):
        corners = points[mesh.face_vertices(f)]
        out = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        out /= np.linalg.norm(out)
        for near in (Feature("face", f), *neighbours(mesh, Feature("face", f))):
            if near.kind != "face":
                continue
            own = points[mesh.face_vertices(near.index)]
            flat = unfolded(own, corners.mean(axis=0), out, np.array([0.3, 0.2, 1.0]))
            assert area(flat) > 1e-3
