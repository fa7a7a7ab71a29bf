import numpy as np
import pytest

from wingedge.primitives.point_triangle import closest

A, B, C = (0.0, 0, 0), (4.0, 0, 0), (0.0, 4, 0)
REGIONS = {
    "inside": ((1, 1, 3), (1, 1, 0), (0.5, 0.25, 0.25)),
    "edge ab": ((2, -3, 4), (2, 0, 0), (0.5, 0.5, 0)),
    "edge bc": ((4, 4, 1), (2, 2, 0), (0, 0.5, 0.5)),
    "edge ca": ((-1, 1, 0), (0, 1, 0), (0.75, 0, 0.25)),
    "corner a": ((-1, -2, 2), (0, 0, 0), (1, 0, 0)),
    "corner b": ((9, -1, 0), (4, 0, 0), (0, 1, 0)),
    "corner c": ((-1, 9, 0), (0, 4, 0), (0, 0, 1)),
    "in the plane": ((1, 2, 0), (1, 2, 0), (0.25, 0.25, 0.5)),
}


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("turn", range(3))
def test_the_seven_regions_and_any_winding(region, turn):
    p, point, weights = REGIONS[region]
    corners = np.roll([A, B, C], -turn, axis=0)
    near = closest([p], *corners[:, None])
    assert near.point.tolist() == [list(point)]
    assert near.weights[0] == pytest.approx(np.roll(weights, -turn), abs=1e-15)
    assert (near.weights[0] == 0).tolist() == (np.roll(weights, -turn) == 0).tolist()
    gap = np.subtract(p, point)
    assert near.distance_sq.tolist() == [gap @ gap]


def test_scaling_by_a_power_of_two_scales_every_bit():
    rng = np.random.default_rng(7)
    p, a, b, c = corners = rng.normal(size=(4, 400, 3))
    share = rng.dirichlet([1, 1, 1], 400)
    p[:] = sum(share[:, [k]] * x for k, x in enumerate((a, b, c)))
    p += rng.normal(size=(400, 3)) * 10.0 ** rng.uniform(-15, -10, (400, 1))
    near, far = closest(*corners), closest(*(64 * corners))
    assert (far.point == near.point * 64).all()
    assert (far.weights == near.weights).all()
