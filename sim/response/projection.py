"""Find the point of a polyhedron nearest to a wanted one, in three dimensions and more.

With plain numbers and + - * / alone: the same bits everywhere.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from sim.arguments import Vec
from sim.kernels.vector import back

HalfSpace = tuple[Vec, float]  # unit normal n, and b: allowed is n . x >= b


def nearest(
    wish: Vec, planes: list[HalfSpace], tolerance: float
) -> tuple[Vec, tuple[int, ...]] | None:
    """Find the point nearest to ``wish`` that is on the right side of all planes.

    Returns it and which planes it lies on because of that, at most three: none of them
    where the wish itself is allowed, one to slide on a plane, two to slide along their
    crease, three in a corner. None where there is no such point, or none was found;
    never, if every ``b`` is 0 or less.
    """
    rows = [back(n) for n, _ in planes]
    found = nearest_allowed(wish, rows, [-b for _, b in planes], tolerance)
    if found is None:
        return ((0.0, 0.0, 0.0), ()) if all(b <= 0 for _, b in planes) else None
    x, y, z = found.x
    if len(found.active) == 3 and not any(planes[k][1] for k in found.active):
        x, y, z = 0.0, 0.0, 0.0  # the corner itself, without what rounding leaves
    return (x, y, z), tuple(found.active)


Numbers = Sequence[float]

# A row is a combination of the active ones where less than this part of it is left
# over; unit normals carry 16 digits, and what is left over carries the rest of them.
_DEPENDENT = 1e-10

# What a fulfilled row may seem violated by, per unit of what is added up in it.
_ROUNDING = 2.0**-46


class Projection(NamedTuple):
    """The nearest point, and the rows that keep it from being nearer."""

    x: list[float]
    active: list[int]  # numbers of the rows with a positive multiplier


def nearest_allowed(
    wanted: Numbers,
    rows: Sequence[Numbers],
    limits: Numbers,
    tolerance: float | None = None,
) -> Projection | None:
    """Find the point nearest to ``wanted`` where ``row . x <= limit`` in every row.

    Parameters: ``rows`` (n, d): normals of about unit length; ``limits`` (n,): in the
    unit of ``wanted``, a negative one asks for a way out; ``tolerance``: what a row may
    be violated by, what rounding may do if left out.

    Returns None if no point fulfils all rows.

    The dual active-set method of Goldfarb and Idnani (1983), with the unit matrix: it
    starts at ``wanted`` and adds the most violated row, letting go of those that pull
    the wrong way.  The active rows are orthogonalised anew in every step: there are at
    most d.  Parallel rows are no special case.  Deterministic: of equals the first.
    """
    x = [float(value) for value in wanted]
    if tolerance is None:
        tolerance = _ROUNDING * max(map(abs, [*x, *limits]), default=0.0)
    active: list[int] = []
    shares: list[float] = []
    for _ in range(8 * (len(rows) + len(x))):
        k, excess = _most_violated(x, rows, limits, active)
        if k < 0 or excess <= tolerance:
            break
        share = 0.0
        while True:
            left, pulls = _split(rows[k], [rows[j] for j in active])
            square = inner(left, left)
            dependent = square <= _DEPENDENT * _DEPENDENT * inner(rows[k], rows[k])
            # the active row whose share is the first to reach 0, and when
            ends = [
                (s / p, j)
                for j, (s, p) in enumerate(zip(shares, pulls, strict=True))
                if p > 0.0
            ]
            step, drop = min(ends, default=(0.0, -1))
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
    return Projection(x, active)


def inner(a: Numbers, b: Numbers) -> float:
    """Return the scalar product, summed in order (``sum`` depends on the Python)."""
    total = 0.0
    for one, other in zip(a, b, strict=True):
        total += one * other
    return total


def _most_violated(
    x: Numbers, rows: Sequence[Numbers], limits: Numbers, active: list[int]
) -> tuple[int, float]:
    over = (
        (k, inner(row, x) - limits[k]) for k, row in enumerate(rows) if k not in active
    )
    beyond = [each for each in over if each[1] > 0.0]
    return max(beyond, key=lambda each: each[1], default=(-1, 0.0))


def _split(row: Numbers, active: Sequence[Numbers]) -> tuple[list[float], list[float]]:
    """Split a row: what is orthogonal to the active ones, and their coefficients."""
    basis: list[list[float]] = []
    triangle: list[list[float]] = []
    for one in active:
        rest, column = _against(one, basis)
        size = sqrt(inner(rest, rest))
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
            along = inner(rest, unit)
            column[j] += along
            rest = [a - along * b for a, b in zip(rest, unit, strict=True)]
    return rest, column
