import numpy as np
import pytest

from wingedge.primitives.rectangle_rectangle import meet


def test_a_corner_that_touches_a_turned_side_is_told_to_the_last_bit():
    # Along (3, 4) / 5 the corner (15, 5) is at 13, and b begins 17 before its 30.
    for half, hit in ((17.0, True), (np.nextafter(17.0, 0), False)):
        found = meet((0, 0), (15, 5), (18, 24), (half, 10), (1, 0), (3, 4))
        assert (found.hit, found.axis) == (hit, 2)
        assert found.separation == pytest.approx(0, abs=2e-14)
    # A diamond's corner is the root of 2 from its middle.
    at = np.sqrt(2.0)  # rounded up
    for x, hit in ((at, False), (np.nextafter(at, 0), True)):
        assert meet((0, 0), (1, 1), (x + 0, 0), (0, 0), (1, 1)).hit == hit
