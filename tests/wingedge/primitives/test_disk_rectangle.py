import numpy as np
import pytest

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
TURNS = {"along x": (1, 0), "along y": (0, 1), "back": (-1, 0), "down": (0, -5)}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("name", REGIONS)
def test_the_nine_regions_turn_with_the_rectangle(name, turn):
    center, region, nearest = REGIONS[name]
    axis = np.array(TURNS[turn])
    x = axis / np.hypot(*axis)
    frame = np.stack([x, [-x[1], x[0]]])
    found = meet(center @ frame, 4.0, MIDDLE @ frame, HALF, axis)
    assert found.region == region
    assert found.point.tolist() == (nearest @ frame).tolist()
    gap = np.subtract(center, nearest)
    assert found.distance == np.sqrt(gap @ gap)
    assert found.hit == (gap @ gap <= 16)


def test_without_an_axis_the_sides_are_along_x_and_y():
    for center, region, _ in REGIONS.values():
        assert meet(center, 1.0, MIDDLE, HALF).region == region


@pytest.mark.parametrize("length", [5e-324, 1e-200, 0.1, 7.0, 1e300])
def test_only_the_direction_of_the_axis_counts(length):
    one = meet((3, 4), 1.0, MIDDLE, HALF, (1, 1))
    found = meet((3, 4), 1.0, MIDDLE, HALF, (length, length))
    assert found.region == one.region
    assert found.distance == pytest.approx(one.distance, abs=1e-15)


@pytest.mark.parametrize("center", [(14, 2), (1, 13), (-12, 2), (10, 11), (-8, -7)])
def test_a_disk_that_touches_hits_and_one_a_bit_smaller_does_not(center):
    """Sides are 10 away, corners 6 and 8; turned by (3, 4) / 5 as well."""
    r = [10.0, np.nextafter(10, 0)]
    assert meet(center, r, MIDDLE, HALF).hit.tolist() == [True, False]
    frame = np.array([(3, 4), (-4, 3)])
    turned = meet(
        center @ frame, np.multiply(r, 5), MIDDLE @ frame, np.multiply(HALF, 5), (3, 4)
    )
    assert turned.hit.tolist() == [True, False]


def test_a_touch_along_an_axis_of_irrational_length():
    """The root of 2 from the middle, along the diagonal."""
    found = meet((2, 2), 0.0, (1, 1), (np.sqrt(2.0), 0), (1, 1))
    assert (found.region, found.hit) == (4, True), "this root is rounded up"
    less = np.nextafter(np.sqrt(2.0), 0)
    found = meet((2, 2), 0.0, (1, 1), (less, 0), (1, 1))
    assert (found.region, found.hit) == (5, False)


@pytest.mark.parametrize(
    ("half", "region", "point"),
    [((3, 0), 7, (3, 2)), ((0, 3), 5, (1, 5)), ((0, 0), 8, (1, 2))],
    ids=["a level segment", "an upright segment", "a point"],
)
def test_a_rectangle_of_no_area_is_the_piece_that_it_is(half, region, point):
    found = meet((3, 5), 3.0, MIDDLE, half)
    assert found.region == region
    assert found.point.tolist() == list(point)
    assert found.distance == pytest.approx(np.hypot(*np.subtract((3, 5), point)))
    assert found.hit == (found.distance <= 3)


@pytest.mark.parametrize("scale", [2.0**-1060, 2.0**-600, 2.0**600, 2.0**1015])
@pytest.mark.parametrize("name", REGIONS)
def test_lengths_at_both_ends_of_the_floats(name, scale):
    center, region, nearest = REGIONS[name]
    found = meet(*(np.multiply(x, scale) for x in (center, 4.0, MIDDLE, HALF)))
    assert found.region == region
    assert found.point.tolist() == np.multiply(nearest, scale).tolist()
    gap = np.subtract(center, nearest)
    assert found.hit == (gap @ gap <= 16)


def test_one_query_has_no_axis_and_shapes_broadcast():
    assert [np.shape(x) for x in meet((1, 2), 1, MIDDLE, HALF)] == [(), (), (2,), ()]
    many = meet(np.zeros((3, 1, 2)), np.ones(4), MIDDLE, HALF)
    assert [np.shape(x) for x in many] == [(3, 4), (3, 4), (3, 4, 2), (3, 4)]
    assert meet(np.zeros((0, 2)), 1, MIDDLE, HALF).hit.shape == (0,)


def test_many_queries_are_the_bits_of_each_alone():
    rng = np.random.default_rng(7)
    given = [rng.normal(size=(60, 2)) for _ in range(4)]
    given = [given[0], rng.exponential(size=60), given[1], abs(given[2]), given[3]]
    many = meet(*given)
    for k in range(60):
        for field, alone in zip(many, meet(*(x[k] for x in given)), strict=True):
            assert field[k].tolist() == alone.tolist()


def test_nothing_is_aliased():
    given = [np.array(x, dtype=float) for x in ((1, 2), 1, MIDDLE, HALF, (1, 0))]
    for field in meet(*given):
        assert not any(np.shares_memory(field, x) for x in given)


def test_what_cannot_be_asked_is_named():
    with pytest.raises(ValueError, match=r"half\[1\] is -1.0"):
        meet((0, 0), 1, MIDDLE, (1, -1))
    with pytest.raises(ValueError, match=r"axis\[1\] is \[0.0, 0.0\]: a direction"):
        meet((0, 0), 1, MIDDLE, HALF, [(1.0, 0.0), (0.0, 0.0)])
    with pytest.raises(ValueError, match=r"middle\[0\] is nan"):
        meet((0, 0), 1, (np.nan, 0), HALF)
