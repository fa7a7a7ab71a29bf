import numpy as np

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


def test_without_an_axis_the_sides_are_along_x_and_y():
    for center, region, nearest in REGIONS.values():
        found = meet(center, 4.0, MIDDLE, HALF)
        assert (found.region, found.point.tolist()) == (region, list(nearest))
        gap = np.subtract(center, nearest)
        assert (found.distance, found.hit) == (np.sqrt(gap @ gap), gap @ gap <= 16)
