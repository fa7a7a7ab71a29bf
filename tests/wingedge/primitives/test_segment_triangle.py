import numpy as np  # of wingedge.primitives.segment_triangle
import pytest

from wingedge.primitives.segment_triangle import hit, pierces

A, B, C = (0.0, 0, 0), (4.0, 0, 0), (0.0, 4, 0)


@pytest.mark.parametrize(
    ("p0", "p1", "expected"),
    [
        ((1, 1, -1), (1, 1, 1), True),
        ((1, 1, 1), (1, 1, -1), True),
        ((1, 1, 1), (1, 1, 2), False),
        ((5, 5, -1), (5, 5, 1), False),
        ((1, 1, 0), (1, 1, 1), False),
        ((2, 0, -1), (2, 0, 1), False),
        ((0, 0, -1), (0, 0, 1), False),
        ((1, 1, 0), (2, 1, 0), False),
        ((-1, 1, 0), (9, 1, 0), False),
        ((1, 1, 1), (1, 1, 1), False),
    ],
    ids=[
        "through",
        "through from above",
        "above",
        "beside",
        "an end on the face",
        "through an edge",
        "through a corner",
        "within the plane",
        "across within the plane",
        "a point",
    ],
)
@pytest.mark.parametrize("turn", [(0, 1, 2), (1, 2, 0), (2, 1, 0)])
def test_only_a_true_crossing_pierces_whatever_the_winding(p0, p1, expected, turn):
    corners = [(A, B, C)[k] for k in turn]
    assert pierces([p0], [p1], *corners).tolist() == [expected]


def test_no_area_is_never_pierced_and_roundoff_is_no_crossing():
    assert not pierces((1, 0, -1), (1, 0, 1), A, B, (2, 0, 0))
    assert not pierces((0, 0, -1), (0, 0, 1), A, A, A)
    # Bodies in exact contact, turned and moved, must not be called crossing.
    rng = np.random.default_rng(0)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    share = rng.dirichlet([1, 1, 1], 500)
    touch = share @ np.array([A, B, C])
    above = touch + np.array([0, 0, 1])
    move = rng.normal(size=3) * 100
    moved = [np.asarray(v) @ turn + move for v in (touch, above, A, B, C)]
    assert not pierces(*moved).any()
    assert pierces((1, 1, -1e-9), (1, 1, 1), A, B, C)
    assert pierces((1e-9, 1, -1), (1e-9, 1, 1), A, B, C)


@pytest.mark.parametrize("sine", [1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("inside", [1e-6, 1e-10, 1e-12])
def test_an_edge_nearly_parallel_to_a_side_pierces_well_inside_it(sine, inside):
    """Their volume is tiny, the lines are ``inside`` apart: rounding cannot undo that.

    Weighed against the sizes of the edges, crossings by 8e-7 were missed.
    """
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))
    corners = np.array([(-1.0, 0, 0), (1.0, 0, 0), (0.0, 1, 0)]) @ turn
    ends = np.array([(-0.9, inside, -sine), (0.9, inside, 0.8 * sine)]) @ turn
    beside = np.array([(-0.9, -inside, -sine), (0.9, -inside, 0.8 * sine)]) @ turn
    assert pierces(ends[:1], ends[1:], *corners).tolist() == [True]
    assert pierces(beside[:1], beside[1:], *corners).tolist() == [False]


def test_the_point_of_a_far_start_is_on_the_triangle_to_rounding():
    """Walked to from a start 1e12 away, it was 1e-4 beside."""
    answer = hit((1e12, 1 / 3, 1e12), (-1e12, 1 / 3, -1e12 - 0.5), A, B, C)
    assert answer.point == pytest.approx([0.25, 1 / 3, 0], abs=4e-13)
    assert answer.point[2] == 0
    held = np.array([A, B, C]).T @ answer.weights
    assert held == pytest.approx(answer.point, abs=1e-14)
