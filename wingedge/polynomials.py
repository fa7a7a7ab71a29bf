"""Find the roots of polynomials in [0, 1], and signs at them, without rounding.

A polynomial is held by its coefficients c in ``sum of c[k] t^k (1-t)^(n-k)``.  They
have the signs of its Bernstein coefficients: where all have one sign, so has the
polynomial.  What goes straight from a to b is ``Polynomial(a, b)``; formulas with + - *
do the rest.

Over x = t / (1 - t) the same numbers are the coefficients of an ordinary polynomial p.
Of the chain of remainders of p and p' q, each turned round, the changes of sign at a
less those at b are the sum of the signs of q at the roots of p between a and b (Sturm;
Tarski): with q = 1 their number, of one root alone the sign of q there.
"""

from itertools import pairwise
from math import gcd
from typing import Any

GRID = 40  # times are told by the cell of a grid of 2^-GRID in which they lie
Chain = list[list[int]]


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


class Root:
    """A number in [0, 1] at which a polynomial without double roots is 0.

    It is m / 2^level, or the only root of ``c`` between that and (m + 1) / 2^level,
    neither of which is one.
    """

    def __init__(self, m: int, level: int = 0, c: list[int] | None = None) -> None:
        self.m, self.level = m, level
        self._c = c  # None where the root is m / 2^level itself

    def cell(self, level: int = GRID) -> tuple[float, float]:
        """Return where it lies on the grid of 2^-level: that, or the ends of its cell.

        The same two numbers however it was found.
        """
        before = 0 if self._c is None else _sign(self._c, self.m, self.level)
        while self._c is not None and self.level < level:
            self.m, self.level = 2 * self.m + 1, self.level + 1
            middle = _sign(self._c, self.m, self.level)
            if middle == 0:
                self._c = None
            elif middle != before:
                self.m -= 1
        finer = max(self.level - level, 0)
        m, size = self.m >> finer, 2.0 ** -min(self.level, level)
        on_grid = self._c is None and m << finer == self.m
        return m * size, m * size if on_grid else (m + 1) * size

    def sign(self, polynomial: Polynomial) -> int:
        """Find the sign of a polynomial there."""
        if self._c is None:
            return _sign(polynomial.c, self.m, self.level)
        if not _turns(polynomial.c):
            return _before(polynomial.c)
        slope = Polynomial(*_derivative(self._c)) * polynomial
        chain = _chain(self._c, _divided([*slope.c], self._c)[1])
        ends = (_seen(chain, m, self.level) for m in (self.m, self.m + 1))
        return next(ends)[0] - next(ends)[0]


START, END = Root(0), Root(1)


def roots(polynomial: Polynomial) -> list[Root]:
    """Isolate the roots between 0 and 1, without these, each once and in order.

    The coefficients are whole numbers; a polynomial that is 0 throughout has none.

    Cost: 2 us where all coefficients have one sign, else some 0.1 ms for each.
    """
    filled = [k for k, x in enumerate(polynomial.c) if x]
    if not filled or not _turns(polynomial.c):
        return []
    c = [*polynomial.c[filled[0] : filled[-1] + 1]]  # not 0 at 0 and 1
    chain = _chain(c, _derivative(c))
    if len(chain[-1]) > 1:  # what occurs more than once
        c = _primitive(_divided(c, chain[-1])[0])
        chain = _chain(c, _derivative(c))
    isolated: list[Root] = []
    todo: list[Any] = [(0, 0, _seen(chain, 0, 0), _seen(chain, 1, 0))]
    while todo:
        m, level, low, high = todo.pop()
        many = low[0] - high[0] - (high[1] == 0)
        if level < 0 or (many == 1 and low[1] and high[1]):
            isolated.append(Root(m, abs(level), c if level >= 0 else None))
        elif many:
            m, level = 2 * m, level + 1
            middle = _seen(chain, m + 1, level)
            todo.append((m + 1, level, middle, high))
            if middle[1] == 0:
                todo.append((m + 1, -level, middle, high))
            todo.append((m, level, low, middle))
    return isolated


def signs_between(polynomial: Polynomial, times: list[Root]) -> list[int]:
    """Find the signs of a polynomial before, between and after its roots."""
    out = [_before(polynomial.c)]
    for t in times:
        sign, c = out[-1], [*polynomial.c]
        while c and t.sign(Polynomial(*c)) == 0:
            sign, c = -sign, _derivative(c)
        out.append(sign)
    return out


def _sign(c: Any, m: int, level: int) -> int:
    """Find the sign at m / 2^level."""
    rest, value, power = (1 << level) - m, 0, 1
    for x in reversed(c):
        value, power = value * m + x * power, power * rest
    return (value > 0) - (value < 0)


def _before(c: Any) -> int:
    """Find the sign soon after 0."""
    return next(((x > 0) - (x < 0) for x in c if x), 0)


def _turns(numbers: Any) -> int:
    """Count how often the sign changes, zeros left out."""
    return sum(a != b for a, b in pairwise(x > 0 for x in numbers if x))


def _seen(chain: Chain, m: int, level: int) -> tuple[int, int]:
    """Count the changes of sign along a chain at m / 2^level; tell the first sign."""
    signs = [_sign(c, m, level) for c in chain]
    return _turns(signs), signs[0]


def _derivative(c: list[int]) -> list[int]:
    return [k * x for k, x in enumerate(c)][1:]


def _primitive(c: list[int]) -> list[int]:
    common = gcd(*c) or 1
    return [x // common for x in c]


def _chain(f: list[int], g: list[int]) -> Chain:
    """List remainders, each turned round, down to the greatest common divisor."""
    out = [f]
    while any(g):
        while not g[-1]:
            g = g[:-1]
        f, g = g, [-x for x in _primitive(_divided(f, g)[1])]
        out.append(f)
    return out


def _divided(f: list[int], g: list[int]) -> tuple[list[int], list[int]]:
    """Return quotient and rest, both times a positive power of g's last coefficient."""
    quotient: list[int] = []
    last, turn = abs(g[-1]), 1 if g[-1] > 0 else -1
    while len(f) >= len(g):
        up, top = len(f) - len(g), f[-1] * turn
        quotient = [top, *(x * last for x in quotient)]
        less = [0] * up + [x * top for x in g]
        f = [x * last - y for x, y in zip(f, less, strict=True)][:-1]
    return quotient, f
