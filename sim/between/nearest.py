"""The least distance of a pair on its way, and how it is looked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

CLOSE = 1e-6  # how near its bounds are, per unit of the least distance
ROUNDS = 20


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


class LeastDistance(NamedTuple):
    """The least distance on the way: a lower and an upper bound, and when it was seen.

    Where the bodies overlap on the way, it is 0 at the first touch.
    """

    lower: float
    upper: float
    when: float
