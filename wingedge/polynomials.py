"""Find the roots of polynomials in [0, 1], and signs at them, without rounding.

A polynomial is held by its coefficients c in ``sum of c[k] t^k (1-t)^(n-k)``.  They
have the signs of its Bernstein coefficients: where all have one sign, so has the
polynomial, and between 0 and 1 it has no more roots than they change sign (Descartes).
What goes straight from a to b is ``Polynomial(a, b)``; formulas with + - * do the rest.

Over x = t / (1 - t) the same numbers are the coefficients of an ordinary polynomial:
that is how common factors are found.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import comb, gcd
from typing import Any

GRID = 40  # times are told by the cell of a grid of 2^-GRID in which they lie


class Polynomial:
    """A polynomial of t; its coefficients are of any kind that has + - *."""

    __slots__ = ("c",)

    def __init__(self, *coefficients: Any) -> None:
        self.c = coefficients

    def __add__(self, other: "Polynomial") -> "Polynomial":
        """Add one of the same degree."""
        return Polynomial(*(a + b for a, b in zip(self.c, other.c, strict=True)))

    def __sub__(self, other: "Polynomial") -> "Polynomial":
        """Subtract one of the same degree."""
        return Polynomial(*(a - b for a, b in zip(self.c, other.c, strict=True)))

    def __mul__(self, other: "Polynomial") -> "Polynomial":
        """Multiply; degrees add up."""
        out: list[Any] = [None] * (len(self.c) + len(other.c) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(other.c):
                out[i + j] = a * b if out[i + j] is None else out[i + j] + a * b
        return Polynomial(*out)

    def at(self, t: Any, rest: Any) -> Any:
        """Evaluate at t / (t + rest), times (t + rest)^degree."""
        value, power = self.c[-1], None
        for c in self.c[-2::-1]:
            power = rest if power is None else power * rest
            value = value * t + c * power
        return value

    def between(self, lower: tuple[Any, Any], upper: tuple[Any, Any]) -> "Polynomial":
        """Stretch the part between times (t, rest), as in `at`, to [0, 1]."""
        ways = (Polynomial(*ends) for ends in zip(lower, upper, strict=True))
        out: Polynomial = Polynomial(*map(Polynomial, self.c)).at(*ways)
        return out

    def within(self, m: int, level: int) -> "Polynomial":
        """Stretch the part over [m, m + 1] / 2^level, times a power of 2.

        As an ordinary polynomial of 2^level t, moved to m: n (n + 1) / 2 products of
        long numbers.
        """
        n, c = len(self.c) - 1, self.c
        powers = [
            sum((-1) ** (j - k) * comb(n - k, j - k) * c[k] for k in range(j + 1))
            << level * (n - j)
            for j in range(n + 1)
        ]
        for i in range(n):
            for j in range(n - 1, i - 1, -1):
                powers[j] += m * powers[j + 1]
        return Polynomial(
            *(
                sum(comb(n - j, k - j) * powers[j] for j in range(k + 1))
                for k in range(n + 1)
            )
        )


class Root:
    """A number in [0, 1] at which a polynomial without double roots is 0.

    It is m / 2^level, or the only root of it between that and (m + 1) / 2^level.
    """

    def __init__(
        self, m: int, level: int = 0, of: Polynomial | None = None, after: int = 0
    ) -> None:
        self.m, self.level = m, level
        self.of = of  # None where the root is m / 2^level itself
        self.after = after  # the sign of the polynomial between m / 2^level and it

    def narrow(self) -> None:
        """Keep the half of the interval that it is in."""
        assert self.of is not None
        middle, self.level = 2 * self.m + 1, self.level + 1
        sign = _at(self.of, middle, self.level)
        self.m = middle if sign in (0, self.after) else middle - 1
        if sign == 0:
            self.of = None

    def cell(self, level: int = GRID) -> tuple[float, float]:
        """Return where it lies on the grid of 2^-level: that, or the ends of its cell.

        The same two numbers however it was found.
        """
        while self.of is not None and self.level < level:
            self.narrow()
        finer = max(self.level - level, 0)
        m, size = self.m >> finer, 2.0 ** -min(self.level, level)
        on_grid = self.of is None and m << finer == self.m
        return m * size, m * size if on_grid else (m + 1) * size

    def sign(self, polynomial: Polynomial) -> int:
        """Find the sign of a polynomial there."""
        if not any(polynomial.c):
            return 0
        shared = None
        while self.of is not None:
            signs = _signs(polynomial.within(self.m, self.level).c)
            if min(signs) == max(signs):
                return signs[0]
            if shared is None:
                shared = Polynomial(*_divisor([*self.of.c], [*polynomial.c]))
                signs = _signs(shared.within(self.m, self.level).c)
                if signs[0] != signs[-1]:  # an odd number of roots: it is one of them
                    return 0
            self.narrow()
        return _at(polynomial, self.m, self.level)


START, END = Root(0), Root(1)


def roots(polynomial: Polynomial) -> list[Root]:
    """Isolate the roots between 0 and 1, without these, each once and in order.

    The coefficients are whole numbers; a polynomial that is 0 throughout has none.

    Cost: 2 us where all coefficients have one sign, else some 0.1 ms for each.
    """
    signs = _signs(polynomial.c)
    if not signs or min(signs) == max(signs):
        return []
    filled = [k for k, x in enumerate(polynomial.c) if x]
    simple = _simple([*polynomial.c[filled[0] : filled[-1] + 1]])  # not 0 at 0 and 1
    found: list[Root] = []
    todo: list[tuple[int, int, list[int]]] = [(0, 0, [*simple.c])]
    while todo:
        m, level, c = todo.pop()
        signs = _signs(c)
        changes = _changes(c)
        if not signs:  # a time that was found to be one
            found.append(Root(m, level))
        elif changes == 1:
            found.append(Root(m, level, simple, signs[0]))
        elif changes:
            m, level, half = 2 * m, level + 1, _first_half(c)
            if _changes(half) < changes:  # the halves have no more than all
                todo.append((m + 1, level, _first_half(c[::-1])[::-1]))
                if half[-1] == 0:
                    todo.append((m + 1, level, []))
            todo.append((m, level, half))
    return found


def signs_between(polynomial: Polynomial, times: list[Root]) -> list[int]:
    """Find its signs before, between and after its roots; they change at odd ones."""
    out = [_signs(polynomial.c)[0] if any(polynomial.c) else 0]
    for t in times:
        sign, c = out[-1], polynomial.c
        while c and t.sign(Polynomial(*c)) == 0:
            sign, c = -sign, tuple(k * x for k, x in enumerate(c))[1:]
        out.append(sign)
    return out


def _at(polynomial: Polynomial, m: int, level: int) -> int:
    """Find the sign at m / 2^level."""
    value: int = polynomial.at(m, (1 << level) - m)
    return (value > 0) - (value < 0)


def _signs(numbers: Sequence[int]) -> tuple[int, ...]:
    """List the signs of what is not 0."""
    return tuple(1 if x > 0 else -1 for x in numbers if x)


def _changes(numbers: Sequence[int]) -> int:
    """Count how often the sign changes, zeros left out."""
    return sum(a != b for a, b in pairwise(_signs(numbers)))


def _first_half(c: list[int]) -> list[int]:
    """Stretch the part of a polynomial over [0, 1/2] to [0, 1], times a power of 2."""
    out = c[:1]
    for x in c[1:]:
        out = [2 * a + b for a, b in zip([*out, 0], [0, *out], strict=True)]
        out[-1] += x
    return out


def _primitive(c: list[int]) -> list[int]:
    common = gcd(*c) or 1
    return [x // common for x in c]


def _simple(c: list[int]) -> Polynomial:
    """Divide by what occurs more than once in it: the same roots, each once."""
    shared = _divisor(c, [k * x for k, x in enumerate(c)][1:])
    return Polynomial(*_primitive(_divided(c, shared)[0]))


def _divisor(f: list[int], g: list[int]) -> list[int]:
    """Find the greatest common divisor (Euclid, with whole numbers)."""
    while any(g):
        while not g[-1]:
            g = g[:-1]
        f, g = g, _primitive(_divided(f, g)[1])
    return f


def _divided(f: list[int], g: list[int]) -> tuple[list[int], list[int]]:
    """Return quotient and rest, both times a power of the last coefficient of g."""
    quotient: list[int] = []
    while len(f) >= len(g):
        up, top, last = len(f) - len(g), f[-1], g[-1]
        quotient = [top, *(x * last for x in quotient)]
        less = [0] * up + [x * top for x in g]
        f = [x * last - y for x, y in zip(f, less, strict=True)][:-1]
    return quotient, f
