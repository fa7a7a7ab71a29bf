import numpy as np
import pytest

from sim.response.projection import nearest

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
OFF = 2.0**-47


def back(n):
    return tuple(-x for x in n)


def test_a_plane_that_the_slide_on_another_leaves_does_not_hold():
    """An obtuse corner: the nearer wall alone turns the motion."""
    slope = (0.6, 0.0, 0.8)
    way, held = nearest((1.0, 0.0, -1.0), [(slope, 0.0), (Z, 0.0)], OFF)
    assert held == (1,)
    assert way == (1.0, 0.0, 0.0)


def test_a_plane_further_off_is_reached_and_one_that_is_too_near_left():
    way, held = nearest((0.0, 0.0, 0.0), [(Z, 0.5), (X, -1.0)], OFF)
    assert (way, held) == ((0.0, 0.0, 0.5), (0,))
    way, held = nearest((0.0, 0.0, 0.0), [(Z, 0.5), (X, 0.25), (Y, 0.125)], OFF)
    assert way == pytest.approx((0.25, 0.125, 0.5), abs=1e-15)
    assert sorted(held) == [0, 1, 2]


def test_there_is_no_way_out_between_walls_that_are_too_near():
    assert nearest((0.0, 0.0, 0.0), [(Z, 0.5), (back(Z), 0.25)], OFF) is None


@pytest.mark.parametrize("seed", range(40))
def test_no_allowed_motion_is_nearer_to_the_one_wanted(seed):
    """Against a search: thousands of allowed points, none of them nearer."""
    rng = np.random.default_rng(seed)
    normals = rng.normal(size=(int(rng.integers(1, 12)), 3))
    normals /= np.sqrt((normals**2).sum(axis=1))[:, None]
    if seed % 3 == 0:  # all on one side: there is always a way
        normals *= np.sign(normals[:, 2])[:, None]
    wish = rng.normal(size=3)
    planes = [(tuple(n), 0.0) for n in normals.tolist()]
    way, held = nearest(tuple(wish.tolist()), planes, OFF)
    assert (normals @ way).min() >= -1e-14
    assert len(held) <= 3
    # the condition for the nearest point of a cone (Moreau 1962): what is taken off is
    # square to the way, and no allowed direction leads further towards the wish
    rest = wish - way
    assert rest @ way == pytest.approx(0.0, abs=1e-13)
    around = np.concatenate([way + 0.1 * rng.normal(size=(4000, 3)), [2 * wish]])
    allowed = around[(around @ normals.T >= 0).all(axis=1)]
    assert (allowed @ rest <= 1e-12).all()
