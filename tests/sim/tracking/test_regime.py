"""Where contact begins and ends, and what follows."""

import math

import pytest

from sim import Body
from sim.tracking.options import band, next_regime, rest_size, thresholds
from wingedge import shapes

SMALL, LARGE = Body(shapes.box((1.0, 2.0, 0.5))), Body(shapes.box(10.0))


def test_the_rest_size_is_the_largest_extent():
    assert rest_size(SMALL) == 2.0
    SMALL.edit()  # what a body is now does not matter
    assert rest_size(LARGE) == 10.0


def test_distances_that_are_left_out_come_from_the_smaller_body():
    assert thresholds(LARGE, SMALL, None, None) == (0.002, 0.004)
    assert thresholds(LARGE, SMALL, 0.5, None) == (0.5, 1.0)
    assert thresholds(LARGE, SMALL, 0.5, 0.5) == (0.5, 0.5)


@pytest.mark.parametrize("bad", [-1.0, math.inf, math.nan])
def test_a_distance_that_is_no_length_is_named(bad):
    with pytest.raises(ValueError, match="contact_distance"):
        thresholds(SMALL, LARGE, bad, None)
    with pytest.raises(ValueError, match="release_distance"):
        thresholds(SMALL, LARGE, 0.1, bad)


def test_contact_may_not_end_before_it_begins():
    with pytest.raises(ValueError, match="begin and end in one frame"):
        thresholds(SMALL, LARGE, 0.2, 0.1)


class At:
    """Numbers of which only these two matter."""

    size = 1.0

    def __init__(self, distance: float) -> None:
        self.distance = distance


def test_a_way_through_all_regimes():
    way = [0.3, 0.15, 0.1, 0.2, 0.21, 0.05, -2e-9, -1e-10, 0.0, 0.15, 0.3]
    regimes, regime = [], "separated"
    for distance in way:
        regime = next_regime(regime, At(distance), 0.1, 0.2)
        regimes.append(regime[0])
    assert "".join(regimes) == "sscc" + "sc" + "pp" + "ccs"


def test_a_band_is_checked_without_bodies_too():
    assert band(0.5, None) == (0.5, 1.0)
    assert band(0.0, 0.25) == (0.0, 0.25)
    with pytest.raises(ValueError, match="release_distance"):
        band(0.5, 0.25)
    with pytest.raises(ValueError, match="contact_distance"):
        band(-0.5, None)
