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


@pytest.mark.parametrize(
    ("corners", "point"),
    [
        (((0, 0, 0), (2, 0, 0), (4, 0, 0)), (3, 0, 0)),
        (((2, 0, 0), (4, 0, 0), (0, 0, 0)), (3, 0, 0)),
        (((1, 0, 0), (1, 0, 0), (1, 0, 0)), (1, 0, 0)),
        (((3, 0, 0), (3, 0, 0), (3, 0, 5)), (3, 0, 1)),
    ],
    ids=["on a line", "on a line, middle first", "a point", "a segment"],
)
def test_a_triangle_of_no_area_is_its_longest_segment(corners, point):
    near = closest((3, 0, 1), *corners)
    assert near.point.tolist() == list(point)
    assert near.weights.sum() == 1
    assert near.weights.min() >= 0


def cloud(kind, n=400):
    rng = np.random.default_rng(len(kind))
    p, a, b, c = rng.normal(size=(4, n, 3))
    range_ = (-13, -9) if kind == "needle" else (-10, -3)
    tiny = rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(*range_, (n, 1))
    share = rng.dirichlet([1, 1, 1], n)
    if kind == "needle":
        c = b + tiny
    elif kind == "cap":
        c = a + (b - a) * rng.uniform(0.3, 0.7, (n, 1)) + tiny
    elif kind == "integers":
        p, a, b, c = rng.integers(-2, 3, size=(4, n, 3)).astype(float)
    if kind in ("contact", "needle", "cap"):
        p = share[:, :1] * a + share[:, 1:2] * b + share[:, 2:] * c
        p = p + rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-15, -10, (n, 1))
    return p, a, b, c


def test_scaling_by_a_power_of_two_scales_every_bit():
    p, a, b, c = cloud("contact")
    near, far = closest(p, a, b, c), closest(p * 64, a * 64, b * 64, c * 64)
    assert (far.point == near.point * 64).all()
    assert (far.weights == near.weights).all()
