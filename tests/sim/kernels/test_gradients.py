import numpy as np  # of sim.kernels.gradients
import pytest

from sim.engine.bound import Bound, floats, ints
from sim.kernels.gradients import ROWS, Carried, differentiate


def differentiated(x, y, distance, normal):
    """Return what the kernel says of two cells, (k, 3): status, weights, rows."""
    total = len(x) + len(y)
    counts = np.array([len(x), len(y)], np.int32)
    way, weights = np.array([distance, *normal]), np.zeros(total)
    rows = np.zeros((ROWS, total, 3))
    buffers = np.concatenate([x, y]), way, weights, np.zeros(12), rows
    tables = Carried(ints(counts), *map(floats, map(np.ascontiguousarray, buffers)))
    return Bound(differentiate)(tables), weights, rows


def test_a_vertex_above_a_triangle_moves_it_by_its_weights(engine):
    above = np.array([[0.25, 0.25, 2.0]])
    triangle = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    status, weights, rows = differentiated(above, triangle, 2.0, (0.0, 0.0, -1.0))
    assert status == 1
    assert weights.tolist() == [1.0, 0.5, 0.25, 0.25]
    assert rows[0, :, 2].tolist() == [1.0, -0.5, -0.25, -0.25]
    assert rows[1].tolist() == [[0, 0, 0], [0, 0, -1.0], [0, 0, 1.0], [0, 0, 0]]
    assert rows[4:7, 0].tolist() == np.eye(3).tolist()  # the point is the vertex
    assert rows[7, 0].tolist() == [1.0, 0.0, 0.0]  # and its foot follows it
    assert rows[9, 0].tolist() == [0.0, 0.0, 0.0]


def test_two_points_turn_their_normal_the_faster_the_nearer_they_are(engine):
    here, there = np.zeros((1, 3)), np.array([[0.0, 0.0, 0.5]])
    status, weights, rows = differentiated(here, there, 0.5, (0.0, 0.0, 1.0))
    assert (status, weights.tolist()) == (1, [1.0, 1.0])
    assert rows[1, 1].tolist() == [2.0, 0.0, 0.0]
    assert rows[3, 1].tolist() == [0.0, 0.0, 0.0]
    status, _, rows = differentiated(here, here, 0.0, (0.0, 0.0, 1.0))
    assert status == 1
    assert not rows[1:4].any()  # touching points have no normal to turn


@pytest.mark.parametrize("lean", [0.0, 1e-7])
def test_edges_that_run_along_each_other_and_flat_cells_are_refused(engine, lean):
    edge = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    other = np.array([[0.0, 0.0, 1.0], [1.0, lean, 1.0]])
    assert differentiated(edge, other, 1.0, (0.0, 0.0, 1.0))[0] == 0
    other[1, 1] = 1e-5
    assert differentiated(edge, other, 1.0, (0.0, 0.0, 1.0))[0] == 1
    triangle = np.vstack([edge, [[0.0, 1.0, 0.0]]])
    assert differentiated(triangle, other, 1.0, (0.0, 0.0, 1.0))[0] == 0
