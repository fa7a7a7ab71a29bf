"""Find when two pieces first meet whose vertices go straight, without rounding.

Shared by the moving primitives.  Of four points x0 x1 x2 x3, some are of one piece and
the others of the other, and the pieces can meet only while all four lie in one plane:
at roots of a cubic, their volume.  There every triple (x, y, z) of a piece's vertex and
an edge of the other spans an area along one normal, and the pieces meet if none of the
areas looks back; where the normal is 0 as well, if a vertex lies on an edge.  Signs of
quadratics at roots of a cubic, so: floats with bounds of their error tell most of them,
and `wingedge.polynomials` the others.  Where the volume is 0 throughout, the first
time is 0 or a root of one of the quadratics, as pieces that meet are a closed set.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import add, blocks, cross, dot
from wingedge.polynomials import END, GRID, START, Polynomial, Root, roots
from wingedge.primitives.arguments import answered, fours
from wingedge.primitives.moving_orientation import (
    FEW,
    signs_of,
    straight,
    volume,
    with_bounds,
)
from wingedge.signs import Bounded

GRAIN = 2.0**-GRID
WARP = 0.971  # of even times: many roots are simple fractions, where signs stay open
ROUNDS = 24  # intervals of time that floats may try, a query
FINEST = 10  # halvings of [0, 1] that floats may try
Triples = tuple[tuple[int, int, int], ...]


class MovingHit(NamedTuple):
    """Whether two pieces meet while they move, and when first; nan where they do not.

    ``lower <= t <= upper``, ``upper - lower`` is 2^-40, or 0 where t is a whole number
    of 2^-40.
    """

    hit: NDArray[np.bool_]  # (...) touching counts, also at t = 0 and t = 1
    lower: NDArray[np.float64]  # (...) in [0, 1]
    upper: NDArray[np.float64]  # (...) in [0, 1]


class Pair(NamedTuple):
    """Which two pieces four points are."""

    first: int  # how many of the points are of the first piece
    triples: Triples  # a vertex of one, an edge of the other; areas look one way inside


POINT_TRIANGLE = Pair(1, ((0, 2, 3), (0, 3, 1), (0, 1, 2)))
SEGMENT_SEGMENT = Pair(2, ((0, 2, 3), (1, 3, 2), (2, 1, 0), (3, 0, 1)))


def hit(pair: Pair, start: ArrayLike, end: ArrayLike) -> MovingHit:
    """Find the first time at which the pieces of each query meet."""
    shape, (before, after) = fours(start=start, end=end)
    n = len(before)
    out = np.zeros(n, bool), *np.full((2, n), np.nan), np.ones(n, bool)
    for part in blocks(n if n > FEW else 0):
        told = filtered(pair, before[part], after[part])
        for column, values in zip(out, told, strict=True):
            column[part] = values
    hit, lower, upper, open_ = out
    for row in np.flatnonzero(open_):
        when = first(pair, before[row], after[row])
        if when is not None:
            hit[row], (lower[row], upper[row]) = True, when.cell()
    return answered(MovingHit, shape, hit, lower, upper)


def first(pair: Pair, before: Any, after: Any) -> Root | None:
    """Find the first time at which the pieces of one query meet, in whole numbers.

    Parameters: ``before``, ``after`` (4, 3): their points at times 0 and 1.

    Cost: 0.1 to 1 ms, 5 ms where all four points stay in one plane, as many
    where roots are nearer to each other than 2^-1000 or numbers as small.
    """
    way = straight(before, after)
    height = volume(way)
    if min(height.c) > 0 or max(height.c) < 0:
        return None
    sides = [(way(i, j), way(i, k)) for i, j, k in pair.triples]
    areas: list[Any] = [cross(one, other) for one, other in sides]
    spans: list[Any] = [dot(one, other) for one, other in sides]
    normal: Any = reduce(add, areas)
    times = roots(height)
    if not any(height.c):
        signs = {q.c: q for area in areas for q in area}
        signs |= {q.c: q for q in spans}
        times = [root for q in signs.values() for root in roots(q)]
        times.sort(key=Root.cell)  # of two in one cell either tells the same
    for t in (START, *times, END):
        if t.sign(height) == 0 and _meet(areas, spans, normal, t.sign):
            return t
    return None


def _meet(
    areas: list[Any], spans: list[Any], normal: Any, sign: Callable[[Polynomial], int]
) -> bool:
    """Tell from signs whether pieces in one plane meet."""
    for axis in range(3):
        way = sign(normal[axis])
        if way:
            return all(sign(area[axis]) * way >= 0 for area in areas)
    return any(
        sign(span) <= 0 and not any(map(sign, area))
        for area, span in zip(areas, spans, strict=True)
    )


def filtered(pair: Pair, before: Any, after: Any) -> tuple[Any, Any, Any, Any]:
    """Answer what floats can prove: hit, lower, upper (N,), and what stays open.

    Parameters: ``before``, ``after`` (N, 4, 3).

    Pieces do not meet in an interval of time through which the volume keeps its sign or
    two areas look different ways. They do where it changes its sign once and all areas
    look one way; the cell of the grid is then found by halving, and proven. An interval
    that is neither is halved.
    """
    n = len(before)
    hit, lower, upper = np.zeros(n, bool), np.full(n, np.nan), np.full(n, np.nan)
    open_ = ~_parted(pair, before, after)
    rows = np.flatnonzero(open_)
    with np.errstate(all="ignore"):
        way = with_bounds(before[rows], after[rows])
        tip, tail, head = np.array(pair.triples).T
        height = volume(way)
        areas: Any = cross(way(tip, tail), way(tip, head))  # by axis, each (J, N)
        m, level = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        for _ in range(ROUNDS):
            ends = _time(m, level), _time(m + 1, level)
            never, once = _judged(height, areas, ends)
            if once.any():
                cell, sure = _located(_at_rows(height, once), *(t[once] for t in ends))
                met = rows[once][sure]
                hit[met], open_[met] = True, False
                lower[met], upper[met] = cell[sure] * GRAIN, (cell[sure] + 1) * GRAIN
            # on to what follows an interval, or to its first half
            up = np.where(never, np.frexp((m + 1) & -(m + 1))[1] - 1, 0)
            m = np.where(never, (m + 1) >> up, 2 * m)
            level += np.where(never, -up, 1)
            over = never & (level == 0)
            open_[rows[over]] = False
            stay = ~(over | once) & (level <= FINEST)
            rows, m, level = rows[stay], m[stay], level[stay]
            height, areas = _at_rows(height, stay), [_at_rows(a, stay) for a in areas]
            if not len(rows):
                break
    return hit, lower, upper, open_


def _parted(pair: Pair, before: Any, after: Any) -> Any:
    """Tell where an axis parts the pieces at both ends, and so at all times between."""
    one, other = slice(None, pair.first), slice(pair.first, None)
    below = [x[:, one].max(1) < x[:, other].min(1) for x in (before, after)]
    above = [x[:, one].min(1) > x[:, other].max(1) for x in (before, after)]
    return (below[0] & below[1] | above[0] & above[1]).any(axis=1)


def _at_rows(polynomial: Polynomial, rows: Any) -> Polynomial:
    return Polynomial(
        *(Bounded(c.value[..., rows], c.off[..., rows]) for c in polynomial.c)
    )


def _time(m: Any, level: Any) -> Any:
    """Place m / 2^level on the grid, a little early: roots like to be at 1/2 itself."""
    t = np.ldexp(m.astype(float), -level)
    return np.floor(t * (WARP + (1.0 - WARP) * t) / GRAIN) * GRAIN


def _exact(t: Any) -> tuple[Bounded, Bounded]:
    """Write a time of the grid, and the rest to 1, which floats hold exactly."""
    return Bounded(t), Bounded(1.0 - t)


def _judged(height: Polynomial, areas: Any, ends: Any) -> tuple[Any, Any]:
    """Tell where pieces never meet in intervals, and where they do, at one root."""
    lower, upper = map(_exact, ends)
    heights = signs_of(height.between(lower, upper))
    middle = ends[0] + ends[1], 2.0 - ends[0] - ends[1]
    normal: Any = [
        Polynomial(Polynomial(*(c.value.sum(axis=0) for c in area.c)).at(*middle))
        for area in areas
    ]
    along: Any = dot(areas, normal)
    turns = signs_of(along.between(lower, upper))
    ahead, back = (turns > 0).all(axis=0), (turns < 0).all(axis=0)
    never = ahead.any(axis=0) & back.any(axis=0)
    never |= (heights > 0).all(axis=0) | (heights < 0).all(axis=0)
    inner = heights[1:3] * heights[0]  # beyond one change: up, down, up, down again
    changes = (heights[0] * heights[3] < 0) & ((inner[0] > 0) | (inner[1] < 0))
    return never, ~never & changes & (ahead.all(axis=0) | back.all(axis=0))


def _located(height: Polynomial, lower: Any, upper: Any) -> tuple[Any, Any]:
    """Find the cell of the one root in an interval, and whether it is proven."""
    rough = Polynomial(*(c.value for c in height.c))
    before = np.sign(rough.at(lower, 1.0 - lower))
    low, high = np.rint(lower / GRAIN), np.rint(upper / GRAIN)
    for _ in range(GRID):
        half = np.floor((low + high) / 2)
        early = np.sign(rough.at(half * GRAIN, 1.0 - half * GRAIN)) == before
        low, high = np.where(early, half, low), np.where(early, high, half)
    ends = [height.at(*_exact(m * GRAIN)) for m in (low, low + 1)]
    signs = signs_of(Polynomial(*ends))
    return low, signs[0] * signs[1] < 0
