import numpy as np
import pytest

import sim.deform.modes
from sim import deform
from sim.deform.modes import modes
from wingedge import shapes

BODIES = {
    "box": shapes.box(),
    "icosphere": shapes.icosphere(2),
    "grid_box": shapes.grid_box((3, 4, 6)),
    "random_hull": shapes.random_hull(1, 60),
}


def laplacian(mesh):
    matrix = np.zeros((mesh.n_vertices,) * 2)
    for tail, tip in mesh.edge_vertices:
        matrix[[tail, tip], [tip, tail]] -= 1.0
        matrix[[tail, tip], [tail, tip]] += 1.0
    return matrix


@pytest.mark.parametrize("mesh", BODIES.values(), ids=BODIES)
def test_modes_are_the_slowest_eigenvectors_orthogonal_and_one_where_largest(mesh):
    matrix = laplacian(mesh)
    expected = np.linalg.eigvalsh(matrix)[1:7]
    found = modes(mesh, 6)
    for mode, value in zip(found, expected, strict=True):
        assert np.abs(matrix @ mode - value * mode).max() < 1e-12
    unit = found / np.linalg.norm(found, axis=1)[:, None]
    assert np.abs(unit @ unit.T - np.eye(6)).max() < 1e-12
    for mode in modes(mesh, 6):
        assert mode.max() == pytest.approx(1.0, abs=2e-6)
        assert mode.min() >= -1.0 - 2e-6
        assert mode[np.abs(mode) >= 1.0 - 1e-6][0] > 0.0


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_modes_do_not_depend_on_how_many_are_asked_for_or_on_the_solver(
    count, monkeypatch
):
    mesh = shapes.icosphere(2)  # its eigenvalues come in threes, fives and fours
    all_at_once = modes(mesh, 8)
    assert np.abs(modes(mesh, count) - all_at_once[:count]).max() < 1e-10
    monkeypatch.setattr(sim.deform.modes, "SMALL", 10)
    sparse = modes(mesh, count)
    assert np.abs(sparse - all_at_once[:count]).max() < 1e-10


def test_vertices_are_pushed_along_their_normals_or_one_direction_by_the_amounts():
    mesh = shapes.icosphere(2)
    points = deform.modal(mesh, [0.0, lambda t: 0.1 * t])(mesh.points, 2.0)
    pushed = points - mesh.points
    mode = modes(mesh, 2)[1]
    assert np.abs(pushed - 0.2 * mode[:, None] * mesh.points).max() < 0.02
    assert np.abs(np.linalg.norm(pushed, axis=1) - 0.2 * np.abs(mode)).max() < 1e-14
    mesh = shapes.box()
    points = deform.modal(mesh, [0.5], direction=(0.0, 3.0, 0.0))(mesh.points)
    pushed = points - mesh.points
    assert np.array_equal(pushed[:, [0, 2]], np.zeros((8, 2)))
    assert np.abs(pushed[:, 1] - 0.5 * modes(mesh, 1)[0]).max() < 1e-15
