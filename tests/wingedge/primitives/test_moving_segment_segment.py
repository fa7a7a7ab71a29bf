"""Two segments that go straight from one place to another."""

import numpy as np

from wingedge.primitives import moving_point_triangle
from wingedge.primitives.moving_segment_segment import hit


def test_a_segment_of_no_length_is_a_point_and_meets_a_triangle_of_no_area_alike():
    rng = np.random.default_rng(3)
    start, end = rng.integers(-1, 2, (2, 2000, 4, 3)).astype(float)
    start[:, 1], end[:, 1] = start[:, 0], end[:, 0]
    found = hit(start, end)
    start[:, 1], end[:, 1] = start[:, 2], end[:, 2]
    assert 100 < found.hit.sum() < 1900
    for one, other in zip(found, moving_point_triangle.hit(start, end), strict=True):
        np.testing.assert_array_equal(one, other)
