import numpy as np
import pytest

from viewer.demos.board import PlaneView, between, clipped, roomiest

SQUARE = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])
NOTHING = np.empty((0, 4))


def area(polygon):
    x, y = polygon.T
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def test_pixels_and_points_are_each_other():
    sight = PlaneView((1.0, -2.0), 9.0, (1600, 900))
    assert sight.pixel == 0.01
    np.testing.assert_allclose(sight.project([[1.0, -2.0]]), [[800.0, 450.0]])
    np.testing.assert_allclose(sight.project([[1.0, 2.5]]), [[800.0, 900.0]])
    points = np.array([[0.3, 0.4], [-5.0, 2.0]])
    np.testing.assert_allclose(sight.lift(sight.project(points)), points)
    np.testing.assert_allclose(sight.corners()[[0, 2]], [[-7.0, -6.5], [9.0, 2.5]])


def test_a_line_cuts_a_polygon_into_a_right_and_a_left_part():
    right = clipped(SQUARE, (1.0, 0.0), (1.0, 9.0), right=True)
    left = clipped(SQUARE, (1.0, 0.0), (1.0, 9.0), right=False)
    assert (area(right), area(left)) == (12.0, 4.0)
    assert right[:, 0].min() == 1.0
    assert left[:, 0].max() == 1.0


def test_a_line_beside_a_polygon_keeps_all_or_nothing():
    assert len(clipped(SQUARE, (-1.0, 0.0), (-1.0, 1.0), right=True)) == 4
    assert len(clipped(SQUARE, (-1.0, 0.0), (-1.0, 1.0), right=False)) == 0


def test_seven_regions_cover_the_window_once():
    a, b, c = (1.0, 1.0), (1.5, 3.0), (3.0, 1.2)
    total = 0.0
    for region in range(8):
        part = SQUARE
        for bit, start, end in ((4, a, b), (2, b, c), (1, c, a)):
            part = clipped(part, start, end, right=bool(region & bit))
        if region == 0:
            assert len(part) == 0
        total += area(part) if len(part) else 0.0
    assert total == pytest.approx(16.0)


def test_the_roomiest_place_is_inside_and_away_from_what_is_taken():
    middle = roomiest(SQUARE, (0.1, 0.1), NOTHING, 0.25)
    np.testing.assert_allclose(middle, [2.0, 2.0], atol=0.25)
    box = np.array([[1.5, 0.0, 4.0, 4.0]])
    aside = roomiest(SQUARE, (0.1, 0.1), box, 0.25)
    assert aside[0] == pytest.approx(0.7, abs=0.2)  # between the rim and the box
    assert 0.6 < aside[1] < 3.4
    again = roomiest(SQUARE[::-1], (0.1, 0.1), NOTHING, 0.25)
    np.testing.assert_array_equal(again, middle)


def test_a_box_that_is_too_large_for_what_is_free_has_no_place():
    box = np.array([[1.5, 0.0, 4.0, 4.0]])
    assert roomiest(SQUARE, (1.6, 0.1), box, 0.25) is None
    assert roomiest(SQUARE, (0.1, 0.1), np.array([[0.0, 0.0, 4.0, 4.0]]), 0.25) is None


def test_there_is_no_place_in_what_is_too_small():
    assert roomiest(SQUARE[:2], (0.1, 0.1), NOTHING, 0.25) is None
    assert roomiest(1e-3 * SQUARE, (0.1, 0.1), NOTHING, 0.25) is None


def test_points_of_a_line_go_from_end_to_end():
    points = between((0.0, 1.0), (2.0, 1.0))
    assert points[0].tolist() == [0.0, 1.0]
    assert points[-1].tolist() == [2.0, 1.0]
    assert np.diff(points[:, 0]).max() < 0.06
