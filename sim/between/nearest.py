"""The least distance of two bodies on their way, between two bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sim.between.moves import Array
from sim.between.paths import PairPaths
from sim.between.planes import Plane, planes_of
from sim.kernels.between.chain import FREE

CLOSE = 1e-9  # how near the bounds are, per unit of the least distance
COARSE = 1e-6  # the same where planes alone do not do
ROUNDS = 20


class LeastDistance(NamedTuple):
    """The least distance on the way: a lower and an upper bound, and when it was seen.

    Where the bodies overlap on the way, it is 0 at the first touch.  ``proof``: planes
    that part them by the lower bound all the way, as far as planes do.
    """

    lower: float
    upper: float
    when: float
    proof: tuple[Plane, ...] = ()


def least_distance(paths: PairPaths, guess: Array | None) -> LeastDistance:
    """Find the least distance of two bodies, of any shape, on the way that is loaded.

    From the nearest that was seen, downhill; an advancement to a little less proves
    that nothing is nearer, or says where.  Cost: some hundred answers.
    """
    found = paths.first(0.0, guess)
    if found.ended != FREE:
        return LeastDistance(0.0, 0.0, found.lower)
    rounding = 8.0 * paths.allowance
    times, close = {0.0, 1.0, *found.planes[:, 0].tolist()}, CLOSE
    for _ in range(ROUNDS):
        rows = sorted(times)
        seen = [paths.answer(t).distance for t in rows]
        i = seen.index(min(seen))
        around = rows[max(i - 1, 0)], rows[min(i + 1, len(rows) - 1)]
        best = downhill(lambda t: paths.answer(t).distance, rows[i], around)
        upper = paths.answer(best).upper
        lower = max(0.0, upper * (1.0 - close) - rounding)
        found = paths.first(lower, guess)
        if found.ended == FREE:
            return LeastDistance(lower, upper, best, planes_of(found.planes))
        times |= {best, found.lower, found.upper}
        close = CLOSE if found.solid else COARSE
    return LeastDistance(0.0, upper, best)


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
