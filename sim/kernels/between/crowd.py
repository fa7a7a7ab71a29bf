"""Many bodies on their way from frame to frame: which pairs stay apart."""

from math import sqrt
from typing import NamedTuple

from sim.kernels.between.path import reach_of, shift_of
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.layout import ALLOWANCE
from sim.kernels.vector import HERE, dot, farther, minus, place, point, pull
from sim.kernels.walk.support import height


class MovingBody(NamedTuple):
    """One of many bodies on its way."""

    start: Floats  # 3 V, body frame
    end: Floats
    start_map: Floats  # 12
    end_map: Floats
    size: int  # V


class Crowd(NamedTuple):
    """Many bodies on their way, B of them; what is below 0 was not asked yet."""

    bodies: tuple[MovingBody, ...]
    reach: Floats  # B: a bound of the coordinates of each, its translation left out
    sway: Floats  # B: how far a vertex goes, at most, beside its translation


class Gaps(NamedTuple):
    """Pairs of a crowd, P of them, each with a direction that may part it."""

    total: int  # P
    ends: Ints  # 2 P: A and B of every pair
    normals: Floats  # 3 P
    lower: Floats  # P: at the end they are proven to be as far apart; 0: not known
    level: Floats  # P: the distance that is asked about
    room: Floats  # P: a pair stays near whose vertices move less beside each other
    free: Ints  # P, written: 1 where a pair is farther throughout, 2 more: stays near


@kernel
def reach_in(crowd: Crowd, k: int) -> float:
    """Bound the coordinates of a body at both ends, its translation left out."""
    if crowd.reach[k] < 0.0:
        body = crowd.bodies[k]
        start = reach_of(body.start, body.size, body.start_map)
        crowd.reach[k] = max(start, reach_of(body.end, body.size, body.end_map))
    return crowd.reach[k]


@kernel
def sway_in(crowd: Crowd, k: int) -> float:
    """Bound how far a vertex of a body goes beside its translation.  Cost: O(V)."""
    if crowd.sway[k] < 0.0:
        body = crowd.bodies[k]
        square = 0.0
        for v in range(body.size):
            p = place(body.start, body.start_map, HERE, v)
            d = minus(place(body.end, body.end_map, HERE, v), p)
            square = max(square, dot(d, d))
        crowd.sway[k] = sqrt(square) + 2.0 * ALLOWANCE * reach_in(crowd, k)
    return crowd.sway[k]


@kernel
def span_of(points: Floats, count: int, d: Vec) -> tuple[float, float]:
    """Return the least and the greatest height of all vertices along a direction."""
    low = high = height(points, 0, d)
    for v in range(1, count):
        h = height(points, v, d)
        low = min(low, h)
        high = max(high, h)
    return low, high


@kernel
def is_far(crowd: Crowd, i: int, j: int, lower: float, level: float) -> bool:
    """Say whether two bodies are farther apart at the end than they may have moved.

    Surfaces come no nearer to each other than their vertices move.
    """
    if not lower > level:
        return False
    a = crowd.bodies[i]
    b = crowd.bodies[j]
    s = shift_of(a.start_map, b.start_map)
    e = shift_of(a.end_map, b.end_map)
    d = minus(e, s)
    far = farther(farther(0.0, s[0], s[1], s[2]), e[0], e[1], e[2])
    left = lower - level - sqrt(dot(d, d)) - ALLOWANCE * (far + lower + level)
    return left > 0.0 and left > sway_in(crowd, i) + sway_in(crowd, j)


@kernel
def moved_in(crowd: Crowd, i: int, j: int) -> float:
    """Bound how far a vertex of one body goes beside those of the other."""
    a = crowd.bodies[i]
    b = crowd.bodies[j]
    d = minus(shift_of(a.end_map, b.end_map), shift_of(a.start_map, b.start_map))
    return sqrt(dot(d, d)) + sway_in(crowd, i) + sway_in(crowd, j)


@kernel
def is_free(crowd: Crowd, i: int, j: int, n: Vec, level: float) -> bool:
    """Say whether a direction parts two bodies by more than a level at both ends."""
    if not 0.5 < dot(n, n) < 2.0:
        return False
    a = crowd.bodies[i]
    b = crowd.bodies[j]
    s = shift_of(a.start_map, b.start_map)
    e = shift_of(a.end_map, b.end_map)
    far = farther(farther(0.0, s[0], s[1], s[2]), e[0], e[1], e[2])
    reach = reach_in(crowd, i) + reach_in(crowd, j)
    clear = level + 2.0 * ALLOWANCE * (reach + far + level)
    _, high = span_of(a.end, a.size, pull(a.end_map, n))
    low, _ = span_of(b.end, b.size, pull(b.end_map, n))
    if not dot(n, e) + low - high >= clear:
        return False
    _, high = span_of(a.start, a.size, pull(a.start_map, n))
    low, _ = span_of(b.start, b.size, pull(b.start_map, n))
    return dot(n, s) + low - high >= clear


@kernel
def prove_gaps(crowd: Crowd, gaps: Gaps) -> int:
    """Prove pairs apart by their distance at the end, else by the direction they bring.

    Returns how many are not.  Cost: O(1) a pair and O(V) a body, else O(V) a pair.
    """
    left = 0
    for p in range(gaps.total):
        i = gaps.ends[2 * p]
        j = gaps.ends[2 * p + 1]
        n = point(gaps.normals, p)
        level = gaps.level[p]
        free = is_far(crowd, i, j, gaps.lower[p], level)
        free = free or is_free(crowd, i, j, n, level)
        near = gaps.room[p] > 0.0 and moved_in(crowd, i, j) < gaps.room[p]
        gaps.free[p] = (1 if free else 0) + (2 if near else 0)
        left += 0 if free else 1
    return left
