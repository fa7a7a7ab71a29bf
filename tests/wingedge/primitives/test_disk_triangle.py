import numpy as np
import pytest

from wingedge.primitives.disk_triangle import meet
from wingedge.primitives.point_segment import closest

A, B, C = (0.0, 0.0), (0.0, 4.0), (4.0, 0.0)  # clockwise
REGIONS = {  # center, region, feature, nearest point
    "opposite b": ((-1, 6), 1, "v1", (0, 4)),
    "opposite a": ((-3, -4), 2, "v0", (0, 0)),
    "left of ab": ((-2, 1), 3, "e0", (0, 1)),
    "opposite c": ((16, -5), 4, "v2", (4, 0)),
    "left of bc": ((4, 4), 5, "e1", (2, 2)),
    "left of ca": ((1, -2), 6, "e2", (1, 0)),
    "left of ca, beside c": ((7, -4), 6, "v2", (4, 0)),
    "inside": ((1, 2), 7, "f0", (1, 2)),
    "on ab": ((0, 1), 7, "e0", (0, 1)),
    "on a corner": ((0, 4), 7, "v1", (0, 4)),
    "on the line of ca": ((6, 0), 5, "v2", (4, 0)),
}


@pytest.mark.parametrize("name", REGIONS)
def test_the_seven_regions_and_their_borders(name):
    center, region, feature, point = REGIONS[name]
    found = meet(center, 1.0, A, B, C)
    assert (found.region, found.feature) == (region, feature)
    assert found.point.tolist() == list(point)
    assert found.distance == np.hypot(*np.subtract(center, point))
    assert found.hit == (found.distance <= 1)


def test_a_center_exactly_on_an_edge_is_its_own_nearest_point():
    """Its foot is rounded, and often is another point."""
    k = np.arange(1, 300)[:, None]
    center = k * (3.0, 1.0)
    found = meet(center, 0.0, (0, 0), (900, 300), (900, -300))
    assert (found.feature == "e0").all()
    assert found.hit.all()
    assert (found.distance == 0).all()
    assert (found.point == center).all()
    feet = closest(center, (0, 0), (900, 300))
    assert (feet.distance > 0).any(), "too easy: the feet alone would do"
