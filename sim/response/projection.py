"""The point of a polyhedron that is nearest to where one wants to go.

In a few dimensions, with plain numbers and + - * / alone: the same bits everywhere.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

Numbers = Sequence[float]

# A row is a combination of the active ones where less than this part of it is left
# over; unit normals carry 16 digits, and what is left over carries the rest of them.
_DEPENDENT = 1e-10

# What a fulfilled row may seem violated by, per unit of what is added up in it.
_ROUNDING = 2.0**-46


class Nearest(NamedTuple):
    """The nearest point, and the rows that keep it from being nearer."""

    x: list[float]
    active: list[int]  # numbers of the rows with a positive multiplier
    multipliers: list[float]


def nearest_allowed(
    wanted: Numbers, rows: Sequence[Numbers], limits: Numbers
) -> Nearest | None:
    """Find the point nearest to ``wanted`` where ``row . x <= limit`` in every row.

    Parameters
    ----------
    wanted : (d,) floats
    rows : (n, d) floats
        Normals, of about unit length.
    limits : (n,) floats
        In the unit of ``wanted``; a negative one asks for a way out.

    Returns
    -------
    Nearest or None
        None if no point fulfils all rows.

    Notes
    -----
    The dual active-set method of Goldfarb and Idnani (1983), with the unit matrix: it
    starts at ``wanted`` and adds the most violated row, letting go of those that pull
    the wrong way.  The active rows are orthogonalised anew in every step: there are at
    most d.  Parallel rows are no special case.  Deterministic: of equals the first.
    """
    x = [float(value) for value in wanted]
    scale = _largest([*x, *limits])
    active: list[int] = []
    shares: list[float] = []
    for _ in range(8 * (len(rows) + len(x))):
        k, excess = _most_violated(x, rows, limits, active)
        if k < 0 or excess <= _ROUNDING * scale:
            break
        share = 0.0
        while True:
            left, pulls = _split(rows[k], [rows[j] for j in active])
            square = dot(left, left)
            dependent = square <= _DEPENDENT * _DEPENDENT * dot(rows[k], rows[k])
            drop, step = _first_to_let_go(shares, pulls)
            if dependent and drop < 0:
                return None
            full = not dependent and (drop < 0 or excess / square <= step)
            if full:
                step = excess / square
            if not dependent:
                x = [a - step * b for a, b in zip(x, left, strict=True)]
                excess -= step * square
            shares = [a - step * b for a, b in zip(shares, pulls, strict=True)]
            share += step
            if full:
                active.append(k)
                shares.append(share)
                break
            del active[drop], shares[drop]
    return Nearest(x, active, shares)


def dot(a: Numbers, b: Numbers) -> float:
    """Return the scalar product, summed in order (``sum`` depends on the Python)."""
    total = 0.0
    for one, other in zip(a, b, strict=True):
        total += one * other
    return total


def _largest(values: Numbers) -> float:
    return max((abs(value) for value in values), default=0.0)


def _most_violated(
    x: Numbers, rows: Sequence[Numbers], limits: Numbers, active: list[int]
) -> tuple[int, float]:
    best, most = -1, 0.0
    for k, row in enumerate(rows):
        if k in active:
            continue
        excess = dot(row, x) - limits[k]
        if excess > most:
            best, most = k, excess
    return best, most


def _first_to_let_go(shares: Numbers, pulls: Numbers) -> tuple[int, float]:
    """Return the active row whose share is the first to reach 0, and when; or -1."""
    best, least = -1, 0.0
    for j, pull in enumerate(pulls):
        if pull > 0.0 and (best < 0 or shares[j] / pull < least):
            best, least = j, shares[j] / pull
    return best, least


def _split(row: Numbers, active: Sequence[Numbers]) -> tuple[list[float], list[float]]:
    """Split a row: what is orthogonal to the active ones, and their coefficients."""
    basis: list[list[float]] = []
    triangle: list[list[float]] = []
    for one in active:
        rest, column = _against(one, basis)
        size = sqrt(dot(rest, rest))
        basis.append([value / size for value in rest])
        triangle.append([*column, size])
    left, parts = _against(row, basis)
    pulls = list(parts)
    for j in reversed(range(len(active))):
        pulls[j] /= triangle[j][j]
        for i in range(j):
            pulls[i] -= triangle[j][i] * pulls[j]
    return left, pulls


def _against(row: Numbers, basis: Sequence[Numbers]) -> tuple[list[float], list[float]]:
    """Take the part along a basis out of a row, twice: once leaves rounding behind."""
    rest = [float(value) for value in row]
    column = [0.0] * len(basis)
    for _ in range(2):
        for j, unit in enumerate(basis):
            along = dot(rest, unit)
            column[j] += along
            rest = [a - along * b for a, b in zip(rest, unit, strict=True)]
    return rest, column
