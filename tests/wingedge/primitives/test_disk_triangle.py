from itertools import permutations

import numpy as np
import pytest

from wingedge.primitives.disk_triangle import FEATURES, PATHS, meet
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


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
@pytest.mark.parametrize("name", REGIONS)
def test_any_order_of_the_corners_names_the_same_place(name, order):
    center, _, feature, point = REGIONS[name]
    corners = [(A, B, C)[k] for k in order]
    found = meet(center, 1.0, *corners)
    assert found.point.tolist() == list(point)
    kind, number = feature
    if kind == "v":
        assert found.feature == f"v{order.index(int(number))}"
    if kind == "e":
        ends = {int(number), (int(number) + 1) % 3}
        edge = int(str(found.feature)[1])
        assert {order[edge], order[(edge + 1) % 3]} == ends
    if kind == "f":
        assert found.feature == "f0"


def test_the_region_of_a_mirrored_triangle_is_that_of_its_clockwise_name():
    center = np.random.default_rng(1).normal(2.0, 4.0, (300, 2))
    assert (
        meet(center, 1.0, A, C, B).region.tolist()
        == meet(center, 1.0, A, B, C).region.tolist()
    )


def test_a_disk_that_touches_hits_and_one_a_bit_smaller_does_not():
    """The edge from (0, 0) to (4, -3) is exactly 5 from (3, 4), as is the corner."""
    less = np.nextafter(5.0, 0)
    for center in ((3.0, 4.0), (5.0, 2.5), (7.0, 1.0), (-3.0, 4.0)):
        found = meet(center, [5.0, less], (0, 0), (4, -3), (-1, -7))
        assert found.hit.tolist() == [True, False], center


def test_a_touch_that_rounding_decides_wrongly():
    """One part in 1e16 above the line, beside a disk of radius 0."""
    a, b, c = (0.0, 0.0), (3.0, 1.0), (0.0, -5.0)
    on, off = (1.5, 0.5), (1.5, np.nextafter(0.5, 1))
    far = np.array([2.0**20, 0.0])
    assert meet([on, off], 0.0, a, b, c).hit.tolist() == [True, False]
    found = meet(np.add([on, on], far), 0.0, a + far, b + far, c + far)
    assert found.hit.tolist() == [True, True]
    assert found.distance.tolist() == [0, 0]
    assert found.feature.tolist() == ["e0", "e0"]


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


@pytest.mark.parametrize(
    ("corners", "feature", "point"),
    [
        (((0, 0), (4, 0), (2, 0)), "e0", (3, 0)),
        (((2, 0), (0, 0), (4, 0)), "e1", (3, 0)),
        (((3, 0), (0, 0), (4, 0)), "v0", (3, 0)),
        (((3, 0), (3, 0), (3, 0)), "v0", (3, 0)),
        (((1, 0), (1, 0), (3, 0)), "v2", (3, 0)),
        (((5, 0), (5, 0), (1, 0)), "e1", (3, 0)),
        (((1, 0), (0, 0), (1, 0)), "v0", (1, 0)),
    ],
    ids=str,
)
def test_a_triangle_of_no_area_is_the_piece_that_it_is(corners, feature, point):
    found = meet((3, 2), [2.0, 1.0], *corners)
    assert found.region.tolist() == [0, 0]
    assert found.feature.tolist() == [feature] * 2
    assert found.point.tolist() == [list(point)] * 2
    distance = np.hypot(*np.subtract((3, 2), point))
    assert found.distance.tolist() == [distance] * 2
    assert found.hit.tolist() == [distance <= 2, False]


def test_the_table_holds_the_nearest_feature_of_every_region():
    """All clockwise triangles on a grid, obtuse ones too, and all centers on it."""
    grid = np.stack(np.meshgrid(range(5), range(4)), axis=-1).reshape(-1, 2)
    center = np.stack(np.meshgrid(range(-6, 12, 2), range(-6, 12, 2)), -1)
    center = center.reshape(-1, 1, 2) + 0.5
    a, b, c = grid[np.random.default_rng(2).integers(0, len(grid), (3, 150))]
    flip = (b - a)[:, 0] * (c - a)[:, 1] > (b - a)[:, 1] * (c - a)[:, 0]
    b, c = np.where(flip[:, None], c, b), np.where(flip[:, None], b, c)
    found = meet(center, 1.0, a, b, c)
    seen = set()
    for region, feature in zip(found.region.flat, found.feature.flat, strict=True):
        path = [v for v in PATHS[region] if v >= 0]
        allowed = {f"v{v}" for v in path} | {f"e{v}" for v in path[:-1]}
        allowed |= set(FEATURES) if region == 7 else set()
        assert region == 0 or feature in allowed
        seen.add((int(region), str(feature)))
    for region in (1, 2, 4):  # corner regions need all three corners, both edges
        assert {f for r, f in seen if r == region} == {
            name for v in PATHS[region] for name in (f"v{v}",)
        } | {f"e{v}" for v in PATHS[region][:2]}


@pytest.mark.parametrize("scale", [2.0**-1060, 2.0**-600, 2.0**600, 2.0**1015])
def test_lengths_at_both_ends_of_the_floats(scale):
    near, far = meet((-2, 1), 2, A, B, C), meet((4, 4), 2, A, B, C)
    for center, one in (((-2, 1), near), ((4, 4), far)):
        args = (np.multiply(x, scale) for x in (center, 2.0, A, B, C))
        found = meet(*args)
        assert (found.hit, found.feature) == (one.hit, one.feature)
        assert found.point.tolist() == (one.point * scale).tolist()
        assert found.distance == one.distance * scale


def test_one_query_has_no_axis_and_shapes_broadcast():
    one = meet((-2, 1), 2.0, A, B, C)
    assert [np.shape(x) for x in one] == [(), (), (), (2,), ()]
    assert (bool(one.hit), str(one.feature)) == (True, "e0")
    many = meet(np.zeros((3, 1, 2)), np.ones(4), A, B, C)
    assert [np.shape(x) for x in many] == [(3, 4), (3, 4), (3, 4), (3, 4, 2), (3, 4)]
    none = meet(np.zeros((0, 2)), 1.0, A, B, C)
    assert [len(x) for x in none] == [0] * 5


def test_many_queries_are_the_bits_of_each_alone():
    rng = np.random.default_rng(5)
    given = [rng.normal(size=(60, 2)) for _ in range(4)]
    given.insert(1, rng.exponential(size=60))
    many = meet(*given)
    for k in range(60):
        one = meet(*(x[k] for x in given))
        for field, alone in zip(many, one, strict=True):
            assert field[k].tolist() == alone.tolist()


def test_nothing_is_aliased():
    given = [np.array(x, dtype=float) for x in ((1, 1), 1, A, B, C)]
    for field in meet(*given):
        assert not any(np.shares_memory(field, x) for x in given)


def test_what_cannot_be_asked_is_named():
    with pytest.raises(ValueError, match=r"center\[0\] is nan"):
        meet((np.nan, 0), 1, A, B, C)
    with pytest.raises(ValueError, match="radius is -1"):
        meet((0, 0), -1, A, B, C)
    with pytest.raises(ValueError, match=r"c: expected an array of shape \(\.\.\., 2"):
        meet((0, 0), 1, A, B, (1, 2, 3))


def test_features_are_numbered_corners_then_edges_then_the_face():
    assert FEATURES == ("v0", "v1", "v2", "e0", "e1", "e2", "f0")
