import numpy as np  # of wingedge.primitives.disk_triangle

from wingedge.primitives.disk_triangle import meet
from wingedge.primitives.point_segment import closest


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
