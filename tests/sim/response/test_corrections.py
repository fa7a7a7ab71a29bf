"""The three corrections one by one; what the article prints: tests/articles."""

import numpy as np
import pytest

from sim.response import push_off, slide, stop_short

UP = (0.0, 0.0, 1.0)


@pytest.mark.parametrize("t", [0.0, 1e-9, 0.1])
def test_a_motion_met_within_epsilon_stays_where_it_is(t):
    assert stop_short((1, 2, 3), (1, 2, 4), t, 0.1).tolist() == [1.0, 2.0, 3.0]


def test_a_motion_of_no_length_stays_where_it_is():
    assert stop_short((1, 2, 3), (1, 2, 3), 1.0).tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("side", [1, -1])
def test_nothing_is_drawn_to_a_plane_that_it_does_not_reach(side):
    assert slide((3, 0, 4 * side), UP, 0, 0.5, side).tolist() == [3.0, 0.0, 4.0 * side]


def test_a_plane_without_a_normal_corrects_nothing():
    assert push_off((1, 2, 3), (0, 0, 0), 1).tolist() == [1.0, 2.0, 3.0]
    assert slide((1, 2, 3), (0, 0, 0), 7).tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("power", [-900, -500, 0, 500, 900])
def test_the_same_scene_in_another_unit_gives_the_same_bits(power):
    unit = 2.0**power
    start, end = np.array([0.1, 0.7, 0.9]), np.array([0.3, -0.4, -0.8])
    normal, offset, epsilon = np.array([0.3, 0.1, 0.9]), 0.01, 0.037
    small = stop_short(start, end, 0.43, epsilon)
    large = stop_short(start * unit, end * unit, 0.43, epsilon * unit)
    assert (large == small * unit).all()
    small = slide(end, normal, offset, epsilon, -1)
    large = slide(end * unit, normal, offset * unit, epsilon * unit, -1)
    assert (large == small * unit).all()


def test_many_are_the_same_as_one_by_one():
    rng = np.random.default_rng(3)
    start, end, normal = rng.normal(size=(3, 20, 3))
    t, epsilon, side = rng.uniform(size=20), rng.uniform(size=20), rng.normal(size=20)
    many = (
        stop_short(start, end, t, epsilon),
        push_off(start, normal, side, epsilon),
        slide(end, normal, t, epsilon, side),
    )
    for k in range(20):
        assert (many[0][k] == stop_short(start[k], end[k], t[k], epsilon[k])).all()
        assert (many[1][k] == push_off(start[k], normal[k], side[k], epsilon[k])).all()
        one = slide(end[k], normal[k], t[k], epsilon[k], side[k])
        assert (many[2][k] == one).all()


def test_shapes_broadcast_and_nothing_is_shared_with_the_arguments():
    start = np.zeros((4, 1, 3))
    end = np.ones((5, 3))
    out = stop_short(start, end, 0.0)
    assert out.shape == (4, 5, 3)
    assert not np.shares_memory(slide(end, UP, -9), end)


def test_what_is_no_number_is_named():
    with pytest.raises(ValueError, match=r"end\[1\]"):
        stop_short((0, 0, 0), (0, np.nan, 0), 1)
    with pytest.raises(ValueError, match="epsilon is -1"):
        push_off((0, 0, 0), UP, 1, -1)
    with pytest.raises(ValueError, match=r"t is 1\.5"):
        stop_short((0, 0, 0), UP, 1.5)
    with pytest.raises(ValueError, match="offset"):
        slide((0, 0, 0), UP, np.inf)
    with pytest.raises(ValueError, match="side"):
        push_off((0, 0, 0), UP, np.nan)
