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


@pytest.mark.parametrize("place", PLACES)
def test_seen_from_the_other_one_the_normal_turns_round(place):
    b, half, hit, separation, normal, _ = PLACES[place]
    found = meet(b, half, A, HALF)
    assert (found.hit, found.separation) == (hit, separation)
    if b != A:  # of one middle, both find the way along the axis
        assert found.normal.tolist() == (-np.array(normal)).tolist()


def test_a_quarter_turn_of_the_axis_changes_the_sides():
    found = meet(A, HALF, (0, 6), HALF, (1, 0), (0, 1))
    assert (found.hit, found.separation, found.axis) == (False, 2, 1)
    found = meet(A, HALF, (0, 4), HALF, (1, 0), (0, 1))
    assert (found.hit, found.separation) == (True, 0)


def test_a_corner_that_touches_a_turned_side():
    """Along (3, 4) / 5 the corner (15, 5) is at 13, and b begins 17 before its 30."""
    for half, hit in ((17.0, True), (np.nextafter(17.0, 0), False)):
        found = meet((0, 0), (15, 5), (18, 24), (half, 10), (1, 0), (3, 4))
        assert (found.hit, found.axis) == (hit, 2)
        assert found.separation == pytest.approx(0, abs=2e-14)


def test_a_touch_along_an_axis_of_irrational_length():
    """A diamond's corner is the root of 2 from its middle."""
    at = np.sqrt(2.0)  # rounded up
    for x, hit in ((at, False), (np.nextafter(at, 0), True)):
        assert meet((0, 0), (1, 1), (x + 0, 0), (0, 0), (1, 1)).hit == hit


def test_corner_to_corner_is_further_than_the_separation():
    found = meet(A, (1, 1), (5, 6), (1, 1))
    assert (found.separation, found.axis) == (4, 1)


def test_the_separation_is_the_least_way_out():
    rng = np.random.default_rng(8)
    a, b, u, w = rng.normal(size=(4, 300, 2))
    g, h = rng.exponential(1.0, (2, 300, 2))
    found = meet(a, g, b, h, u, w)
    size = np.abs(found.separation)[:, None]
    assert found.hit.sum() > 100
    way = -found.separation[:, None] * found.normal
    assert not meet(a, g, b + way * (1 + 1e-9), h, u, w).hit[found.hit].any()
    assert meet(a, g, b + way * (1 - 1e-9), h, u, w).hit[found.hit].all()
    for angle in np.linspace(0, 2 * np.pi, 24):
        other = np.stack([np.cos(angle), np.sin(angle)]) * size * 0.999
        assert meet(a, g, b + other, h, u, w).hit[found.hit].all()


def test_two_segments_that_cross_and_two_on_one_line():
    cross = meet((0, 0), (2, 0), (1, 0), (1, 0), (1, 0), (1, 1))
    assert cross.hit
    for x, hit in ((3.0, True), (np.nextafter(3.0, 4), False)):
        assert meet((0, 0), (2, 0), (x, 0), (1, 0)).hit == hit
        assert not meet((0, 0), (2, 0), (x, 1e-300), (1, 0)).hit


def test_two_points_meet_where_they_are_one():
    found = meet(A, (0, 0), [(0, 0), (3, 4)], (0, 0), (1, 2), (2, 1))
    assert found.hit.tolist() == [True, False]
    assert found.separation[0] == 0


@pytest.mark.parametrize("scale", [2.0**-1060, 2.0**-600, 2.0**600, 2.0**1015])
@pytest.mark.parametrize("place", PLACES)
def test_lengths_at_both_ends_of_the_floats(place, scale):
    b, half, hit, separation, normal, axis = PLACES[place]
    found = meet(*(np.multiply(x, scale) for x in (A, HALF, b, half)))
    assert (found.hit, found.axis) == (hit, axis)
    assert found.separation == separation * scale
    assert found.normal.tolist() == list(normal)


def test_one_query_has_no_axis_and_shapes_broadcast():
    assert [np.shape(x) for x in meet(A, HALF, A, HALF)] == [(), (), (2,), ()]
    many = meet(np.zeros((3, 1, 2)), HALF, np.zeros((4, 2)), HALF)
    assert [np.shape(x) for x in many] == [(3, 4), (3, 4), (3, 4, 2), (3, 4)]
    assert meet(np.zeros((0, 2)), HALF, A, HALF).hit.shape == (0,)


def test_many_queries_are_the_bits_of_each_alone():
    rng = np.random.default_rng(9)
    a, b, u, w = rng.normal(size=(4, 60, 2))
    given = (a, np.abs(u), b, np.abs(w), w, u)
    many = meet(*given)
    for k in range(60):
        for field, alone in zip(many, meet(*(x[k] for x in given)), strict=True):
            assert field[k].tolist() == alone.tolist()


def test_what_cannot_be_asked_is_named():
    with pytest.raises(ValueError, match=r"half_b\[0\] is -3.0"):
        meet(A, HALF, A, (-3, 1))
    with pytest.raises(ValueError, match=r"axis_a is \[0, 0\]: a direction"):
        meet(A, HALF, A, HALF, axis_a=(0, 0))
    with pytest.raises(ValueError, match=r"middle_b\[1\] is nan"):
        meet(A, HALF, (0, np.nan), HALF)
