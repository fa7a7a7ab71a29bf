"""The least distance of two bodies on their way, between two bounds."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import NamedTuple

from sim.between.moves import Array, Ending, Move, placed, speed_of
from sim.kernels.between.chain import FREE, MET, UNDECIDED, WITHIN
from sim.result.state import PairState

CLOSE = 1e-9  # how near the bounds are, per unit of the least distance
WORK = 80  # answers, at most: twice what convex bodies ever took
COARSE, ROUNDS = 1e-6, 20  # the same where planes alone do not do


class LeastDistance(NamedTuple):
    """The least distance on the way: a lower and an upper bound, and when it was seen.

    Where the bodies overlap on the way, it is 0 at the first touch.
    """

    lower: float
    upper: float
    when: float


class _Look(NamedTuple):
    """What is known of one time."""

    t: float
    lower: float  # of the distance
    upper: float
    normal: Array  # from A to B, (3,)
    a: Array  # (V, 3) in the world, the translation of A left out
    b: Array
    shift: Array  # of B relative to A, (3,)


def least_on(
    moves: tuple[Move, Move],
    at: Callable[[float], PairState],
    chain: Callable[[float], Ending],
    rounding: Callable[[], float],
) -> LeastDistance:
    """Find the least distance of two bodies on their way.

    ``at`` answers for a time, ``chain`` until when they are farther than a distance,
    ``rounding`` then by how much rounding may turn a gap.
    """
    first = chain(0.0)
    if first.ended in (MET, WITHIN, UNDECIDED):
        return LeastDistance(0.0, 0.0, first.lower)
    allowance = rounding()
    least = least_distance(moves, at, allowance)
    if least.lower >= least.upper * (1.0 - COARSE) - 8.0 * allowance:
        return least
    return least_by_chains(chain, at, allowance)


def least_distance(
    moves: tuple[Move, Move], at: Callable[[float], PairState], allowance: float
) -> LeastDistance:
    """Find the least distance of bodies that do not touch on the way.

    Whatever part of the way may hide something nearer than was seen is halved, the most
    promising first.  Cost: an answer from cold and a pass over all vertices a step; as
    many as it takes to halve down to the square root of ``CLOSE``, some dozens.
    ``at`` answers for a time; ``allowance``: the rounding of a gap.
    """
    speed = speed_of(moves)
    first, last = (_look(moves, at(t), t) for t in (0.0, 1.0))
    parts = [(_least_between(first, last, speed), 0.0, first, last)]
    best = min(first, last, key=lambda look: look.upper)
    for _ in range(WORK):
        lower, _, one, two = parts[0]
        if lower >= best.upper * (1.0 - CLOSE) - allowance:
            break
        heappop(parts)
        t = 0.5 * (one.t + two.t)
        middle = _look(moves, at(t), t)
        best = min(best, middle, key=lambda look: look.upper)
        for part in ((one, middle), (middle, two)):
            heappush(parts, (_least_between(*part, speed), part[0].t, *part))
    lower = parts[0][0] - 4.0 * allowance
    return LeastDistance(max(0.0, lower), best.upper, best.t)


def _look(moves: tuple[Move, Move], state: PairState, t: float) -> _Look:
    (a, first), (b, second) = (move.at(t) for move in moves)
    places = placed(a, first[:, :3]), placed(b, second[:, :3])
    shift = second[:, 3] - first[:, 3]
    return _Look(t, state.lower, state.upper, state.normal, *places, shift)


def _least_between(one: _Look, two: _Look, speed: float) -> float:
    """Bound the distance between two times from below.

    Along a direction that turns straight from the one normal to the other, and is
    never longer than 1, the height of every vertex is a quadratic in t: the gap is no
    less than the least of the three Bernstein coefficients, each the least over all
    vertices.  It falls short by the square of the time between.  Nor does a distance
    change faster than vertices move.
    """
    n, m = one.normal, two.normal
    heights = [
        _gap(_along(one.a, n), _along(one.b, n), _along(one.shift, n)),
        _gap(_along(two.a, m), _along(two.b, m), _along(two.shift, m)),
        0.5
        * _gap(
            _along(two.a, n) + _along(one.a, m),
            _along(two.b, n) + _along(one.b, m),
            _along(two.shift, n) + _along(one.shift, m),
        ),
    ]
    apart = 0.5 * (one.lower + two.lower - speed * (two.t - one.t))
    return max(0.0, apart, min(heights))


def _along(points: Array, n: Array) -> Array:
    out: Array = points[..., 0] * n[0] + points[..., 1] * n[1] + points[..., 2] * n[2]
    return out


def _gap(a: Array, b: Array, shift: Array) -> float:
    return float(shift + b.min() - a.max())


def downhill(
    height: Callable[[float], float], start: float, around: tuple[float, float]
) -> float:
    """Return where a function is least near a point, between two others."""
    from scipy.optimize import minimize_scalar

    if around[0] == around[1]:
        return start
    found = minimize_scalar(
        height, bounds=around, method="bounded", options={"xatol": 1e-10}
    )
    return min((start, float(found.x)), key=height)


def least_by_chains(
    chain: Callable[[float], Ending], at: Callable[[float], PairState], allowance: float
) -> LeastDistance:
    """Find the least distance of any shape, to 1e-6 of it.

    From the nearest that was seen, downhill; planes, or trees, prove that nothing
    is nearer, or say where.  Cost: some hundred answers.  ``chain`` asks until
    when the bodies are farther apart than a distance.
    """
    times = sorted({0.0, 1.0, *chain(0.0).planes[:, 0].tolist()})
    best = upper = 0.0
    for _ in range(ROUNDS):
        seen = [at(t).distance for t in times]
        k = seen.index(min(seen))
        around = times[max(k - 1, 0)], times[min(k + 1, len(times) - 1)]
        best = downhill(lambda t: at(t).distance, times[k], around)
        upper = at(best).upper
        lower = max(0.0, upper * (1.0 - COARSE) - 8.0 * allowance)
        found = chain(lower)
        if found.ended == FREE:
            return LeastDistance(lower, upper, best)
        times = sorted({*times, best, found.lower, found.upper})
    return LeastDistance(0.0, upper, best)
