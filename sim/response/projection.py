"""Find the point of a polyhedron nearest to a wanted one, in three dimensions and more.

With plain numbers and + - * / alone: the same bits everywhere.
"""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from sim.arguments import Vec
from sim.kernels.vector import cross, dot, minus

HalfSpace = tuple[Vec, float]  # unit normal n, and b: allowed is n . x >= b

_PIVOTS = 64


def nearest(
    wish: Vec, planes: list[HalfSpace], tolerance: float
) -> tuple[Vec, tuple[int, ...]] | None:
    """Find the point nearest to ``wish`` that is on the right side of all planes.

    Returns it and which planes it lies on because of that, at most three: none of them
    where the wish itself is allowed, one to slide on a plane, two to slide along their
    crease, three in a corner. None where there is no such point, or none was found;
    never, if every ``b`` is 0 or less.

    Notes
    -----
    The plane most violated joins the at most three that hold the point so far, and the
    nearest point for these four is looked up among the feet on one, two or three of
    them (after Welzl 1991: the answer rests on three planes). Every turn takes the
    point further from the wish, so no set comes back. Cost: a few turns of 15
    candidates.
    """
    best, basis = wish, tuple[int, ...]()
    for _ in range(_PIVOTS):
        height, worst = min(
            ((dot(n, best) - b, k) for k, (n, b) in enumerate(planes)),
            default=(0.0, 0),
        )
        if height >= -tolerance:
            return best, basis
        if worst in basis:
            break
        found = _nearest_of_four(wish, planes, (*basis, worst), tolerance)
        if found is None:
            break
        best, basis = found
    if all(b <= 0 for _, b in planes):
        return (0.0, 0.0, 0.0), basis
    return None


def _nearest_of_four(
    wish: Vec, planes: list[HalfSpace], which: tuple[int, ...], tolerance: float
) -> tuple[Vec, tuple[int, ...]] | None:
    """Try all feet on one, two and three planes, the last of them always."""
    out, least = None, 0.0
    *others, last = which
    for count in range(3):
        for rest in combinations(others, count):
            held = (*rest, last)
            point = _foot(wish, [planes[k] for k in held])
            if point is None:
                continue
            if any(dot(planes[k][0], point) - planes[k][1] < -tolerance for k in which):
                continue
            far = minus(point, wish)
            square = dot(far, far)
            if out is None or square < least:
                out, least = (point, held), square
    return out


def _foot(wish: Vec, planes: list[HalfSpace]) -> Vec | None:
    """Find the point nearest to the wish on all of one, two or three planes."""
    if len(planes) == 1:
        (normal, b), point = planes[0], wish
        for _ in range(2):  # the second round takes off what the first one rounded
            point = _add(point, _scale(b - dot(normal, point), normal))
        return point
    (n, b), (m, c) = planes[:2]
    crease = cross(n, m)
    square = dot(crease, crease)
    if len(planes) == 2:
        if square == 0:
            return None
        unit = _scale(1.0 / sqrt(square), crease)
        point = _scale(dot(unit, wish), unit)
        if b or c:
            base = _add(_scale(b, cross(m, crease)), _scale(c, cross(crease, n)))
            point = _add(point, _scale(1.0 / square, base))
        return point
    if not (b or c or planes[2][1]):
        return 0.0, 0.0, 0.0
    o, d = planes[2]
    volume = dot(crease, o)
    if volume == 0:
        return None
    base = _add(_scale(b, cross(m, o)), _scale(c, cross(o, n)))
    return _scale(1.0 / volume, _add(base, _scale(d, crease)))


def _add(a: Vec, b: Vec) -> Vec:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _scale(s: float, a: Vec) -> Vec:
    return s * a[0], s * a[1], s * a[2]


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
    multipliers: list[float]


def nearest_allowed(
    wanted: Numbers, rows: Sequence[Numbers], limits: Numbers
) -> Projection | None:
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
    Projection or None
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
            square = inner(left, left)
            dependent = square <= _DEPENDENT * _DEPENDENT * inner(rows[k], rows[k])
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
    return Projection(x, active, shares)


def inner(a: Numbers, b: Numbers) -> float:
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
        excess = inner(row, x) - limits[k]
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
