import numpy as np
import pytest

from wingedge.columns import columns, dot
from wingedge.primitives.sphere_triangle import across, around, nearest

CORNERS = [columns(np.array([p])) for p in [(0.0, 0, 0), (4.0, 0, 0), (0.0, 4, 0)]]


def gap(center, radius):
    return nearest([columns(np.array([center])), *CORNERS], np.array([radius]))


@pytest.mark.parametrize(
    ("height", "compared"),
    [(np.nextafter(1, 0), -1), (1.0, 0), (np.nextafter(1, 2), 1)],
)
def test_the_sign_against_the_radius_is_exact(height, compared):
    found = gap((1.0, 1.0, height), 1.0)
    assert found.compared == compared
    assert found.distance == height - 1
    assert found.point.tolist() == [[1, 1, 0]]


def test_a_centre_on_the_nearest_corner_keeps_its_bits():
    far = [tuple(x + 1e9 / 3 for x in corner) for corner in CORNERS]
    center = tuple(x - 0.1 for x in far[0])
    found = nearest([center, *far], np.array([0.0]))
    assert found.point.tolist() == [[x.item() for x in far[0]]]
    assert found.weights.tolist() == [[1, 0, 0]]


def test_points_are_counted_from_the_first_in_a_power_of_two():
    others, radius, exponent = around([CORNERS[1], CORNERS[2]], np.array([1.0]))
    assert exponent.tolist() == [3]
    assert np.ravel(others[0]).tolist() == [-0.5, 0.5, 0]
    assert radius.tolist() == [0.125]


@pytest.mark.parametrize(
    "corners",
    [
        ((0, 0, 0), (4, 0, 0), (0, 4, 0)),
        ((0, 0, 0), (3, 6, 9), (1, 2, 3)),
        ((0, 0, 0), (0, 0, 0), (0, 5, 0)),
    ],
)
def test_the_normal_is_across_every_edge(corners):
    normal = across(*corners)
    assert any(normal)
    assert all(dot(normal, corner) == 0 for corner in corners)


def test_the_normal_of_a_point_is_x():
    assert across(*[(7, 7, 7)] * 3) == (1, 0, 0)
