"""The deepest point under several planes: a linear programme, and a dense look."""

import numpy as np
import pytest
from scipy.optimize import linprog

from wingedge.hull import deepest_under, peak


def by_programming(heights):
    """The same peak by scipy: t over the weights, below every function."""
    count = len(heights)
    rows = np.hstack([-heights, np.ones((count, 1))])
    ones = np.array([[1.0, 1.0, 1.0, 0.0]])
    limits = [(0.0, 1.0)] * 3 + [(None, None)]
    found = linprog([0, 0, 0, -1], rows, np.zeros(count), ones, [1.0], limits)
    return -found.fun


@pytest.mark.parametrize("count", [1, 2, 3, 5, 40, 200])
def test_the_peak_of_linear_functions_is_that_of_a_linear_programme(count):
    rng = np.random.default_rng(count)
    for k in range(20):
        heights = rng.normal(size=(count, 3))
        if k % 3 == 1:
            heights = np.rint(2.0 * heights)  # ties
        if k % 3 == 2:
            heights[:, 0] = heights[:, 1]  # a ridge along a side
        weights, value = peak(heights)
        assert weights.min() >= 0.0
        assert weights.sum() == pytest.approx(1.0)
        assert (heights * weights).sum(axis=1).min() == value
        assert value == pytest.approx(by_programming(heights), abs=1e-9)


def planes_around(rng, count):
    """Planes about the unit ball, and points inside them."""
    normals = rng.normal(size=(count, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return normals, normals * rng.uniform(1.0, 1.2, (count, 1))


@pytest.mark.parametrize("count", [1, 2, 7, 60])
def test_no_point_of_the_triangles_is_deeper(count):
    rng = np.random.default_rng(count)
    normals, anchors = planes_around(rng, count)
    points = rng.uniform(-0.55, 0.55, (30, 3))
    triangles = rng.integers(0, 30, (25, 3))
    depth, point, vertex = deepest_under(points, triangles, normals, anchors)
    weights = rng.dirichlet((1, 1, 1), 400)
    tried = (weights[None, :, :, None] * points[triangles][:, None]).sum(axis=2)
    tried = np.concatenate([tried.reshape(-1, 3), points[triangles].reshape(-1, 3)])

    def depths(x):
        return ((anchors - x[:, None]) * normals).sum(axis=2).min(axis=1)

    assert depths(tried).max() <= depth + 1e-15
    assert depths(np.array([point]))[0] == pytest.approx(depth, rel=1e-12)
    used = np.unique(triangles)
    assert vertex in used
    assert depths(points[used]).max() == depths(points[[vertex]])[0]


def test_under_one_plane_the_deepest_point_is_a_corner():
    points = np.array([[0.0, 0.0, -1.0], [1.0, 0.0, -2.0], [0.0, 1.0, -3.0]])
    up = np.array([[0.0, 0.0, 1.0]])
    found = deepest_under(points, np.array([[0, 1, 2]]), up, np.zeros((1, 3)))
    assert found == (3.0, (0.0, 1.0, -3.0), 2)


def test_between_two_planes_it_is_half_way_along_a_side():
    points = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    normals = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    anchors = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    found = deepest_under(points, np.array([[0, 1, 2]]), normals, anchors)
    assert found.depth == 0.5
    assert found.point[2] == 0.5
    assert found.vertex == 0  # none is below both: the first of equals
