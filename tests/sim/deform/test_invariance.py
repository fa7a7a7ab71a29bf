import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import deform
from wingedge import geometry, shapes

BALL = shapes.icosphere(1)
FINITE = st.floats(-0.9, 0.9, allow_subnormal=False)
OFFSETS = np.arange(36.0).reshape(2, 3, 2, 3) % 7 / 7 - 0.5


def measured(k, shift=(0.0, 0.0, 0.0)):
    """Deformers in a unit of length, for a body that lies elsewhere."""
    at = np.asarray(shift)
    low, high = k * (at - 0.5), k * (at + 0.7)
    return {
        "squash": deform.squash(0.3, about=k * at),
        "shear": deform.shear(0.4, about=k * at),
        "taper": deform.taper(0.3, about=k * at),
        "bulge": deform.bulge(-0.3, span=(low[2], high[2]), about=k * at),
        "twist": deform.twist(0.8, about=k * at),
        "bend": deform.bend(0.8, span=(low[2], high[2]), about=k * at),
        "dent": deform.dent(0.3 * k, at=k * (at + BALL.points[3]), radius=0.5 * k),
        "lattice": deform.lattice(OFFSETS, amount=k, low=low, high=high),
    }


def bound(k):
    """The deformers that are bound to a place."""
    return {"wave": deform.wave(0.1 * k, length=0.75 * k, speed=0.5 * k)}


@pytest.mark.parametrize("exponent", [-40, -1, 3, 60])
@pytest.mark.parametrize("name", [*measured(1.0), *bound(1.0)])
def test_another_unit_of_length_gives_the_same_bits(name, exponent):
    k = 2.0**exponent
    here = {**measured(1.0), **bound(1.0)}[name](BALL.points, 0.3)
    there = {**measured(k), **bound(k)}[name](k * BALL.points, 0.3)
    assert np.array_equal(there, k * here)


@pytest.mark.parametrize("name", measured(1.0))
def test_a_body_that_lies_elsewhere_is_deformed_alike(name):
    shift = np.array([20.0, -30.0, 10.0])
    here = measured(1.0)[name](BALL.points)
    there = measured(1.0, shift)[name](BALL.points + shift)
    assert np.abs(there - shift - here).max() < 1e-13


@given(FINITE, st.sampled_from("xyz"))
@settings(max_examples=40, deadline=None)
def test_squash_and_shear_keep_the_volume(amount, axis):
    volume = geometry.volume(BALL)
    other = {"x": "y", "y": "z", "z": "x"}[axis]
    for made in (
        deform.squash(amount, axis=axis),
        deform.shear(amount, axis=axis, along=other),
        deform.stack(
            deform.squash(amount), deform.shear(amount, axis=axis, along=other)
        ),
    ):
        after = geometry.volume(BALL, made(BALL.points))
        assert after == pytest.approx(volume, rel=1e-12)
