"""wingedge.primitives.moving_point_triangle, .moving: each goes straight ahead."""

import csv
from fractions import Fraction
from itertools import chain

import numpy as np
import pytest

from wingedge.primitives import moving, moving_orientation, moving_segment_segment
from wingedge.primitives.moving_point_triangle import hit

CELL = 2.0**-40
FLAT = ((0, 0, 0), (4, 0, 0), (0, 4, 0))


def test_a_graze_is_met_at_its_double_root_and_not_a_hair_beside():
    """Under the triangle by (3t - 1)^2 / 4: no sampling sees it."""
    start = np.array([(1, 1, -1), (0, 0, 0), (4, 0, 0), (0, 4, 0)], float)
    end = np.array([(1, 2, 14), (0, 0, 0), (4, 0, 0), (0, 4, 36)], float)
    found = hit(start, end)
    assert found.hit
    assert found.lower < Fraction(1, 3) < found.upper
    sides = []
    for hair in (-(2.0**-50), 2.0**-50):
        moved = start.copy()
        moved[0, 2] += hair
        sides.append(hit(moved, end))
    assert [side.hit for side in sides] == [False, True]
    assert 1 / 3 - 1e-6 < sides[1].lower < 1 / 3 - 1e-9


def test_of_three_times_through_a_triangle_that_turns_the_first_is_told():
    """Its volume is (5t - 1)(5t - 2)(5t - 4), the point inside at all times."""
    start = np.array([(0, 0, 0), (-1, -1, 0), (1, -1, -8), (0, 1, 0)], float)
    end = np.array([(0, 0, 0), (-1, -1, 125), (2, -1, -811), (0, 2, 378)], float)
    found = hit([start] * 9, [end] * 9)
    assert not moving.filtered(moving.POINT_TRIANGLE, start[None], end[None])[3].any()
    assert (found.lower < 0.2).all()
    assert (found.upper > 0.2).all()
    times = moving_orientation.roots(start, end)
    assert times.found == 3
    for k, time in enumerate((0.2, 0.4, 0.8)):
        assert times.lower[k] < time < times.upper[k]
    assert np.abs(times.sign).tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("pair", [moving.POINT_TRIANGLE, moving.SEGMENT_SEGMENT])
def test_what_floats_prove_is_what_whole_numbers_say_to_the_bit(pair):
    start, end = np.random.default_rng(5).normal(size=(2, 400, 4, 3))
    start[:100, 3] = start[:100, 2] + (start[:100, 1] - start[:100, 2]) * 2.0**-20
    for x in (start, end):  # within a plane, but for rounding: signs are those of noise
        x[300:, :, 2] = x[300:, :, 0] * 0.3 - x[300:, :, 1] * 0.7
    *answers, open_ = moving.filtered(pair, start, end)
    assert open_[:300].mean() < 0.05
    for size in (2.0**300, 2.0**-900):
        *_, scaled = moving.filtered(pair, start * size, end * size)
        assert (scaled == open_).all()
    assert answers[0].sum() > 20
    for row in np.flatnonzero(~open_):
        when = moving.first(pair, start[row], end[row])
        told = [column[row] for column in answers]
        assert told[0] == (when is not None)
        assert when is None or tuple(told[1:]) == when.cell()


def test_far_ends_of_the_floats_are_decided_too():
    start = [(1e308, 1e308, 1e308), *np.array(FLAT) * 4e307]
    end = [(1e308, 1e308, -1e308), *np.array(FLAT) * 4e307]
    assert not hit(start, end).hit
    start[0], end[0] = (1e306, 1e306, 1.7e308), (1e306, 1e306, -1.7e308)
    found = hit([start] * 9, [end] * 9)
    assert found.hit.all()
    assert (found.lower == found.upper).all()
    assert (found.lower == 0.5).all()


def queries(path):
    """Read queries of a file: start, end, whether they meet."""
    with path.open(encoding="ascii") as file:
        rows = [[int(x) for x in row] for row in csv.reader(file)]
    x = [[Fraction(row[k], row[k + 1]) for k in (0, 2, 4)] for row in rows]
    floats = np.array(x, dtype=float)
    assert all(Fraction(a) == b for a, b in zip(floats.flat, chain(*x), strict=True))
    points = floats.reshape(-1, 2, 4, 3)
    return points[:, 0], points[:, 1], np.array([row[6] for row in rows[::8]], bool)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("kind", "pair", "ask"),
    [
        ("vertex-face", moving.POINT_TRIANGLE, hit),
        ("edge-edge", moving.SEGMENT_SEGMENT, moving_segment_segment.hit),
    ],
)
def test_queries_of_others_have_the_answers_of_their_algebra(
    real_data, kind, pair, ask
):
    """Wang et al. 2021, whose truth is by Mathematica: meshes, and what failed once."""
    files = sorted((real_data / "ccd").glob(f"*/{kind}/*.csv"))
    assert len(files) == 12
    parts = [queries(file) for file in files]
    start, end, truth = (np.concatenate(part) for part in zip(*parts, strict=True))
    found = ask(start, end)
    assert (found.hit == truth).all()
    width = (found.upper - found.lower)[truth]
    assert ((width == 0) | (width == CELL)).all()
    *_, open_ = moving.filtered(pair, start, end)
    assert open_.mean() < 0.2, "floats settle less than four fifths"
