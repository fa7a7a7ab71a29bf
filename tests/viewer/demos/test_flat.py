import numpy as np
import pytest

from viewer.demos.board import Board, PlaneView, beyond, clipped

SQUARE = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])


def area(polygon):
    x, y = polygon.T
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def test_points_land_on_their_pixels():
    sight = PlaneView((1.0, -2.0), 9.0, (1600, 900))
    assert sight.pixel == 0.01
    np.testing.assert_allclose(sight.project([[1.0, -2.0]]), [[800.0, 450.0]])
    np.testing.assert_allclose(sight.project([[1.0, 2.5]]), [[800.0, 900.0]])
    np.testing.assert_allclose(sight.corners(), [[-7.0, -6.5], [9.0, 2.5]])
    np.testing.assert_allclose(
        sight.project(sight.corners()), [[0, 0], [1600, 900]], atol=1e-9
    )


def test_a_line_cuts_a_polygon_into_a_right_and_a_left_part():
    a, b = np.array([1.0, 0.0]), np.array([1.0, 9.0])
    right, left = (clipped(SQUARE, a, b, right=side) for side in (True, False))
    assert (area(right), area(left)) == (12.0, 4.0)
    assert right[:, 0].min() == 1.0
    assert left[:, 0].max() == 1.0
    assert beyond(SQUARE, a, b).tolist() == [-1.0, 3.0, 3.0, -1.0]


def test_a_line_beside_a_polygon_keeps_all_or_nothing():
    a, b = np.array([-1.0, 0.0]), np.array([-1.0, 1.0])
    assert len(clipped(SQUARE, a, b, right=True)) == 4
    assert len(clipped(SQUARE, a, b, right=False)) == 0


def test_seven_regions_cover_the_window_once():
    a, b, c = np.array([[1.0, 1.0], [1.5, 3.0], [3.0, 1.2]])
    total = 0.0
    for region in range(8):
        part = SQUARE
        for bit, start, end in ((4, a, b), (2, b, c), (1, c, a)):
            part = clipped(part, start, end, right=bool(region & bit))
        if region == 0:
            assert len(part) == 0
        total += area(part) if len(part) else 0.0
    assert total == pytest.approx(16.0)


@pytest.mark.gui
def test_a_number_goes_where_there_is_most_room_or_nowhere():
    board = Board(size=(640, 360))
    board.begin()
    board.boxes = [[0.0, 0.0, 320.0, 360.0]]
    places = board.places()
    room = np.minimum(places, [640.0, 360.0] - places).min(axis=1)
    board.number("7", room, places, (0, 0, 0), 20)
    left, bottom, right, top = board.boxes[1]
    assert abs((left + right) / 2 - 480.0) < 20.0
    assert abs((bottom + top) / 2 - 180.0) < 40.0
    board.number("8", -room, places, (0, 0, 0), 20)
    assert len(board.boxes) == 2
    board.boxes = [[0.0, 0.0, 640.0, 360.0]]
    board.number("9", room, places, (0, 0, 0), 20)
    assert len(board.boxes) == 1
    board.close()
