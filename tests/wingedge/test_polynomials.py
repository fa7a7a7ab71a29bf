"""wingedge.polynomials: roots in [0, 1], signs at them, whole coefficients."""

from fractions import Fraction

from wingedge.polynomials import Polynomial, roots, signs_between


def with_roots(*times):
    """Multiply factors that are 0 at fractions."""
    out = Polynomial(1)
    for time in map(Fraction, times):
        a, b = time.numerator, time.denominator
        out = out * Polynomial(-a, b - a)
    return out


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
