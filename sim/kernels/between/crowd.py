"""Many bodies on their way at once: their boxes, and pairs proven apart by a plane."""

from typing import TYPE_CHECKING, NamedTuple

from sim.kernels.between.path import reach_of, shift_of
from sim.kernels.language import Floats, Ints, Later, Vec, kernel, stands_for
from sim.kernels.layout import ALLOWANCE
from sim.kernels.vector import dot, farther, pull

if TYPE_CHECKING:
    import numpy as np
else:
    np = Later("numpy")


class Sweep(NamedTuple):
    """One of many bodies on its way."""

    start: Floats  # 3 V, body frame
    end: Floats
    start_map: Floats  # 12
    end_map: Floats
    size: int  # V


class Crowd(NamedTuple):
    """Many bodies on their way, B of them."""

    bodies: tuple[Sweep, ...]
    total: int  # B
    reach: Floats  # B: a bound of the coordinates of each, its translation left out
    low: Floats  # 3 B: boxes of the ways, in the world
    high: Floats  # 3 B


class Gaps(NamedTuple):
    """Pairs of a crowd, P of them, each with a direction that may part it."""

    total: int  # P
    ends: Ints  # 2 P: A and B of every pair
    normals: Floats  # 3 P
    level: Floats  # P: the distance that is asked about
    free: Ints  # P, written: 1 where a pair is farther apart throughout


@kernel
def bound_crowd(crowd: Crowd) -> int:
    """Bound every body on its way, and its coordinates; return how many there are."""
    reach = crowd.reach
    low = crowd.low
    high = crowd.high
    for k in range(crowd.total):
        body = crowd.bodies[k]
        start = reach_of(body.start, body.size, body.start_map)
        end = reach_of(body.end, body.size, body.end_map)
        reach[k] = max(start, end)
        for side in range(3):
            row = 4 * side
            m = body.start_map
            l0, h0 = span_of(body.start, body.size, (m[row], m[row + 1], m[row + 2]))
            l0 += m[row + 3]
            h0 += m[row + 3]
            m = body.end_map
            l1, h1 = span_of(body.end, body.size, (m[row], m[row + 1], m[row + 2]))
            low[3 * k + side] = min(l0, l1 + m[row + 3])
            high[3 * k + side] = max(h0, h1 + m[row + 3])
    return crowd.total


@kernel
def span_each(points: Floats, count: int, d: Vec) -> tuple[float, float]:
    """Return the least and the greatest height of all vertices along a direction."""
    dx, dy, dz = d
    low = points[0] * dx + points[1] * dy + points[2] * dz
    high = low
    for v in range(1, count):
        i = 3 * v
        h = points[i] * dx + points[i + 1] * dy + points[i + 2] * dz
        low = min(low, h)
        high = max(high, h)
    return low, high


@stands_for(span_each)
def span_of(points: Floats, count: int, d: Vec) -> tuple[float, float]:
    """Return them by elementwise numpy."""
    p = np.asarray(points)
    heights = p[0::3] * d[0] + p[1::3] * d[1] + p[2::3] * d[2]
    return float(heights.min()), float(heights.max())


@kernel
def is_free(a: Sweep, b: Sweep, n: Vec, level: float, reach: float) -> bool:
    """Say whether a direction parts two bodies by more than a level at both ends."""
    if not 0.5 < dot(n, n) < 2.0:
        return False
    s = shift_of(a.start_map, b.start_map)
    e = shift_of(a.end_map, b.end_map)
    far = farther(farther(0.0, s[0], s[1], s[2]), e[0], e[1], e[2])
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
    """Prove pairs apart by the direction that each brings; return how many are not.

    Cost: O(V) a pair and end.
    """
    left = 0
    for p in range(gaps.total):
        i = gaps.ends[2 * p]
        j = gaps.ends[2 * p + 1]
        n = (gaps.normals[3 * p], gaps.normals[3 * p + 1], gaps.normals[3 * p + 2])
        reach = crowd.reach[i] + crowd.reach[j]
        free = is_free(crowd.bodies[i], crowd.bodies[j], n, gaps.level[p], reach)
        gaps.free[p] = 1 if free else 0
        left += 0 if free else 1
    return left
