import ast  # of sim.angles
import inspect
from decimal import Decimal, getcontext
from math import cos, pi, sin

import numpy as np
import pytest

from sim import angles
from sim.angles import LARGEST, on_circle, sincos
from wingedge.columns import sine_cosine

DRAW = np.random.default_rng(1)
RANGES = [1e-9, 0.1, 1.0, 7.0, 1e3, LARGEST]


def test_angles_and_turns_agree_with_the_library_and_need_digits():
    for reach in RANGES:
        x = DRAW.uniform(-reach, reach, 5000)
        sine, cosine = sincos(x)
        assert np.abs(sine - [sin(v) for v in x]).max() <= 1e-15
        assert np.abs(cosine - [cos(v) for v in x]).max() <= 1e-15
    for turns in [-3.7, -0.25, 0.0, 0.1, 0.5, 0.8, 12.3]:
        cosine, sine = on_circle(turns)
        assert cosine == pytest.approx(cos(2 * pi * turns), abs=1e-14)
        assert sine == pytest.approx(sin(2 * pi * turns), abs=1e-14)
    for angle in [LARGEST * 1.01, np.inf, np.nan]:
        with pytest.raises(ValueError, match="at most 800000"):
            sincos(np.array([0.0, angle]))


def test_zero_is_exact_and_sines_beside_multiples_of_an_eighth_turn_too():
    x = np.array([k * pi / 4 + d for k in range(-40, 41) for d in (-1e-9, 0.0, 1e-9)])
    sine, cosine = sincos(x)
    assert np.abs(sine - [sin(v) for v in x]).max() <= 1e-15
    assert np.abs(cosine - [cos(v) for v in x]).max() <= 1e-15
    sine, cosine = sincos(np.zeros(2))
    assert sine.tolist() == [0.0, 0.0]
    assert cosine.tolist() == [1.0, 1.0]


def test_the_three_parts_are_a_quarter_turn_to_thirty_digits():
    getcontext().prec = 50
    quarter = Decimal("1.57079632679489661923132169163975144209858469968755")
    parts = sum(Decimal(part) for part in angles._QUARTER)
    assert abs(parts - quarter) < Decimal("1e-30")
    for part in angles._QUARTER:
        assert float(part * 2.0**20) / 2.0**20 == part
        numerator = abs(part).as_integer_ratio()[0]
        assert numerator.bit_length() <= 33


def test_only_correctly_rounded_functions_are_used():
    sources = inspect.getsource(angles), inspect.getsource(sine_cosine)
    tree = ast.parse("\n".join(sources))
    used = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    assert used <= {"abs", "float64", "floor", "max", "ndarray", "size", "where"}
    assert not any(isinstance(n, ast.Pow | ast.MatMult) for n in ast.walk(tree))
