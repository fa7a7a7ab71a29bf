import numpy as np
import pytest

from wingedge.primitives.disk_rectangle import meet

MIDDLE, HALF = (1.0, 2.0), (3.0, 1.0)
REGIONS = {  # center, region, nearest point
    "below left": ((-5, -3), 0, (-2, 1)),
    "below": ((2, -3), 1, (2, 1)),
    "below right": ((9, -3), 2, (4, 1)),
    "left": ((-5, 2.5), 3, (-2, 2.5)),
    "inside": ((3, 2.5), 4, (3, 2.5)),
    "right": ((9, 1.5), 5, (4, 1.5)),
    "above left": ((-5, 7), 6, (-2, 3)),
    "above": ((0, 7), 7, (0, 3)),
    "above right": ((7, 7), 8, (4, 3)),
    "on a side": ((4, 2), 4, (4, 2)),
    "on a corner": ((4, 3), 4, (4, 3)),
    "level with a side": ((9, 3), 5, (4, 3)),
}
TURNS = {"along x": (1, 0), "along y": (0, 1), "back": (-1, 0), "down": (0, -5)}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("name", REGIONS)
def test_the_nine_regions_turn_with_the_rectangle(name, turn):
    center, region, nearest = REGIONS[name]
    axis = np.array(TURNS[turn])
    x = axis / np.hypot(*axis)
    frame = np.stack([x, [-x[1], x[0]]])
    found = meet(center @ frame, 4.0, MIDDLE @ frame, HALF, axis)
    assert found.region == region
    assert found.point.tolist() == (nearest @ frame).tolist()
    gap = np.subtract(center, nearest)
    assert found.distance == np.sqrt(gap @ gap)
    assert found.hit == (gap @ gap <= 16)


def test_without_an_axis_the_sides_are_along_x_and_y():
    for center, region, _ in REGIONS.values():
        assert meet(center, 1.0, MIDDLE, HALF).region == region


@pytest.mark.parametrize(
    ("half", "region", "point"),
    [((3, 0), 7, (3, 2)), ((0, 3), 5, (1, 5)), ((0, 0), 8, (1, 2))],
    ids=["a level segment", "an upright segment", "a point"],
)
def test_a_rectangle_of_no_area_is_the_piece_that_it_is(half, region, point):
    found = meet((3, 5), 3.0, MIDDLE, half)
    assert found.region == region
    assert found.point.tolist() == list(point)
    assert found.distance == pytest.approx(np.hypot(*np.subtract((3, 5), point)))
    assert found.hit == (found.distance <= 3)
