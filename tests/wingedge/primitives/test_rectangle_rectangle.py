import numpy as np
import pytest

from wingedge.primitives.rectangle_rectangle import meet

A, HALF = (0.0, 0.0), (3.0, 1.0)
PLACES = {  # middle and half of b, hit, separation, normal, axis
    "right": ((9, 0), (2, 2), False, 4, (1, 0), 0),
    "above, farther up than right": ((6, 8), (2, 2), False, 5, (0, 1), 1),
    "touching below": ((1, -3), (2, 2), True, 0, (0, -1), 1),
    "corner at corner": ((-5, 3), (2, 2), True, 0, (-1, 0), 0),
    "overlapping from the left": ((-4, 0), (1.5, 9), True, -0.5, (-1, 0), 0),
    "inside": ((1, 0.5), (0.25, 0.25), True, -0.75, (0, 1), 1),
    "the same": ((0, 0), (3, 1), True, -2, (0, 1), 1),
    "a segment across": ((1, 0), (0, 5), True, -2, (1, 0), 0),
    "a point on the side": ((1, 1), (0, 0), True, 0, (0, 1), 1),
    "a point beside": ((1, 1.5), (0, 0), False, 0.5, (0, 1), 1),
}
TURNS = {"along x": (1, 0), "along y": (0, 3), "back": (-1, 0), "down": (0, -1)}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("place", PLACES)
def test_the_way_between_or_out_turns_with_the_rectangles(place, turn):
    b, half, hit, separation, normal, axis = PLACES[place]
    x = np.array(TURNS[turn])
    x = x / np.abs(x).max()
    frame = np.stack([x, [-x[1], x[0]]])
    found = meet(A, HALF, b @ frame, half, TURNS[turn], TURNS[turn])
    assert (found.hit, found.separation, found.axis) == (hit, separation, axis)
    assert found.normal.tolist() == (normal @ frame).tolist()


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
