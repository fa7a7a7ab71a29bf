import numpy as np  # of sim.deform.morphs
import pytest
from scipy.interpolate import CubicSpline

from sim import deform
from wingedge import shapes

REST = shapes.icosphere(1).points
DRAW = np.random.default_rng(3)
FILM = DRAW.normal(size=(5, *REST.shape))
TIMES = (0.0, 0.1, 0.4, 1.0, 1.3)
METHODS = ("spline", "linear", "nearest")


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("method", METHODS)
def test_every_shape_is_met_exactly_and_the_ends_stay(method, count):
    times, film = TIMES[:count], FILM[:count]
    for play in (
        deform.keyframes(times, list(film), method=method),
        deform.samples(times, film, method=method),
    ):
        for t, shape in [*zip(times, film, strict=True), (-1, film[0]), (9, film[-1])]:
            assert np.array_equal(play(REST, t), shape)
        assert play(REST, 0.05).shape == REST.shape


@pytest.mark.parametrize("t", [0.03, 0.2, 0.7, 1.29])
def test_between_two_the_spline_is_scipys_and_the_line_is_straight(t):
    spline = CubicSpline(TIMES, FILM, bc_type="natural")(t)
    line = np.array([np.interp(t, TIMES, f) for f in FILM.reshape(5, -1).T])
    for make in (deform.samples, lambda a, b, **k: deform.keyframes(a, list(b), **k)):
        assert np.abs(make(TIMES, FILM, method="spline")(REST, t) - spline).max() < (
            1e-13
        )
        points = make(TIMES, FILM, method="linear")(REST, t)
        assert np.abs(points.ravel() - line).max() < 1e-14
