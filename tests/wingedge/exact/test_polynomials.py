"""Roots in [0, 1] and signs at them, of polynomials with whole coefficients."""

from fractions import Fraction

import numpy as np
import pytest

from wingedge.polynomials import END, START, Polynomial, roots, signs_between


def with_roots(*times):
    """Multiply factors that are 0 at fractions."""
    out = Polynomial(1)
    for time in map(Fraction, times):
        a, b = time.numerator, time.denominator
        out = out * Polynomial(-a, b - a)
    return out


def test_a_product_is_zero_where_its_factors_are_and_each_root_comes_once():
    f = with_roots("1/3", "1/3", "3/10", "5/8", "1/2", 2, -1, 0, 1)
    found = [root.cell() for root in roots(f)]
    truth = [Fraction(x) for x in ("3/10", "1/3", "1/2", "5/8")]
    assert all(low <= t <= high for (low, high), t in zip(found, truth, strict=True))
    assert [high - low for low, high in found] == [2.0**-40, 2.0**-40, 0, 0]


def test_the_sign_of_another_at_a_root_is_zero_only_where_both_are():
    (root,) = roots(Polynomial(-1, 0, 1) * with_roots(3))  # t^2 = (1 - t)^2
    assert root.cell() == (0.5, 0.5)
    (root,) = roots(Polynomial(1, 0, -2))  # x^2 = 1/2: no fraction
    assert root.sign(Polynomial(3, 0, -6) * with_roots("1/7")) == 0
    assert root.sign(Polynomial(10**40, 0, -2 * 10**40 + 1)) == 1
    assert root.sign(Polynomial(10**40, 0, -2 * 10**40 - 1)) == -1
    assert root.sign(Polynomial(0, 0, 0)) == 0
    assert root.sign(Polynomial(0, 0, 7)) == 1
    low, high = root.cell()
    assert low < 1 / (1 + 2**0.5) < high or abs(low - 1 / (1 + 2**0.5)) < 1e-11


def test_roots_nearer_to_each_other_than_the_grid_are_two_in_one_cell():
    close = Fraction(1, 3), Fraction(1, 3) + Fraction(1, 2**70)
    f = with_roots(*close)
    one, other = roots(f)
    assert one.cell() == other.cell()
    assert one.sign(with_roots(close[0])) == 0
    assert one.sign(with_roots(close[1])) == -1
    assert other.sign(with_roots(close[0])) == 1
    assert signs_between(f, [one, other]) == [1, -1, 1]


def test_a_binary_fraction_finer_than_the_grid_is_held_by_its_cell():
    time = Fraction(1, 2) + Fraction(1, 2**50)
    (root,) = roots(with_roots(time))
    assert root.cell() == (0.5, 0.5 + 2.0**-40)
    assert root.cell(50) == (float(time), float(time))


def test_ends_are_roots_of_what_begins_or_ends_with_zero():
    f = Polynomial(0, 3, -1, 0)
    assert (START.sign(f), END.sign(f)) == (0, 0)
    assert [root.cell() for root in roots(f)] == [(0.75, 0.75)]
    assert roots(Polynomial(0, 0, 0)) == []
    assert roots(Polynomial(0, 1, 0)) == []


@pytest.mark.parametrize("seed", range(20))
def test_as_many_roots_as_were_put_in_are_found_in_order(seed):
    rng = np.random.default_rng(seed)
    times = [Fraction(int(a), int(b)) for a, b in rng.integers(1, 9, (6, 2))]
    f = with_roots(*times)
    inside = sorted({t for t in times if 0 < t < 1})
    found = roots(f)
    assert len(found) == len(inside)
    for root, time in zip(found, inside, strict=True):
        low, high = root.cell()
        assert low <= time <= high
        assert root.sign(with_roots(time)) == 0
    signs = signs_between(f, found)
    for k, (a, b) in enumerate(zip([0, *inside], [*inside, 1], strict=True)):
        t = (Fraction(a) + b) / 2
        value = f.at(t, 1 - t)
        assert signs[k] == (value > 0) - (value < 0)
