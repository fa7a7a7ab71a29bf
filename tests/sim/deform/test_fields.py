from math import pi  # of sim.deform.fields

import numpy as np
import pytest

from sim import deform
from wingedge import shapes

BALL = shapes.icosphere(3).points
CUBE = np.random.default_rng(5).uniform(-3.0, 3.0, (4000, 3))
BOX = {"low": (0.0, 0.0, 0.0), "high": (1.0, 1.0, 1.0)}


def test_a_dent_is_as_deep_as_it_says_or_a_bump_and_nothing_beyond_its_radius():
    at = BALL[0]
    points = deform.dent(0.2, at=at, radius=0.5)(BALL)
    assert np.abs(points[0] - 0.8 * at).max() < 1e-15
    far = np.sqrt(((BALL - at) ** 2).sum(axis=1))
    assert np.array_equal(points[far >= 0.5], BALL[far >= 0.5])
    pushed = np.sqrt(((points - BALL) ** 2).sum(axis=1))
    assert pushed.max() == pytest.approx(0.2)
    order = np.argsort(far)
    assert (np.diff(pushed[order]) <= 1e-15).all(), "it falls off with distance"
    points = deform.dent(-0.2, at=BALL[0], radius=0.5)(BALL)
    assert np.abs(points[0] - 1.2 * BALL[0]).max() < 1e-15


def test_a_wave_pushes_by_a_sine_runs_at_its_speed_and_presses_along_its_axis():
    wave = deform.wave(0.1, length=2.0, axis=1, along=0, phase=0.3)
    pushed = wave(CUBE) - CUBE
    assert np.array_equal(pushed[:, [0, 2]], np.zeros((len(CUBE), 2)))
    expected = 0.1 * np.sin(pi * CUBE[:, 0] + 0.3)
    assert np.abs(pushed[:, 1] - expected).max() < 1e-14
    wave = deform.wave(0.1, length=2.0, speed=0.75)
    shift = np.array([0.0, 0.0, 0.75])
    later = wave(CUBE + shift, 1.0) - shift
    assert np.abs(later - wave(CUBE, 0.0)).max() < 1e-14
    assert np.abs(wave(CUBE, 1e6) - CUBE).max() <= 0.1 + 1e-15
    pushed = deform.wave(0.1, length=2.0, axis=2, along=2)(CUBE) - CUBE
    assert np.array_equal(pushed[:, :2], np.zeros((len(CUBE), 2)))
    assert np.abs(pushed[:, 2]).max() > 0.09


def places(*counts):
    """The rest places of control points in the unit cube, (l, m, n, 3)."""
    axes = [np.linspace(0.0, 1.0, n) if n > 1 else np.zeros(1) for n in counts]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def test_outside_the_box_vertices_are_carried():
    offsets = np.zeros((2, 1, 1, 3))
    offsets[1, 0, 0] = (0.0, 0.0, 1.0)  # from 0 at x = 0 to 1 at x = 1
    points = np.array([[-3.0, 0.5, 0.5], [0.5, 0.5, 0.5], [1.5, 0.5, 0.5]])
    carried = deform.lattice(offsets, **BOX)(points)
    assert carried[:, 2].tolist() == [0.5, 1.0, 1.5]
