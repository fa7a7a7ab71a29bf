"""The scan over all vertices, interpreted: the same bits from elementwise numpy.

``support.scan_each`` is the source; this is its stand-in where Python would
pay 300 ns a vertex.  Only ``+ *`` and comparisons, which are bit-equal
everywhere; never ``@``, ``dot`` or ``sum``, whose order of operations changes
with the processor.
"""

import numpy as np

from sim.kernels.language import Floats, Vec, stands_for
from sim.kernels.result import Result
from sim.kernels.walk.support import (
    beyond_each,
    rise_each,
    scan_each,
    squares_each,
)


@stands_for(scan_each)
def scan(points: Floats, count: int, d: Vec, result: Result) -> tuple[int, float]:
    """Return the first highest vertex of all, and its height.  Cost: O(V)."""
    xyz = np.asarray(points)
    # What is not finite is found by the sink, not by a warning.
    with np.errstate(invalid="ignore", over="ignore"):
        heights = xyz[0::3] * d[0] + xyz[1::3] * d[1] + xyz[2::3] * d[2]
    top = int(heights.argmax())
    best = float(heights[top])
    lowest = float(heights.min())
    result.sink += (best - best) + (lowest - lowest)
    return top, best


@stands_for(rise_each)
def rise(
    points: Floats, count: int, d: Vec, floor: float, result: Result
) -> tuple[int, float]:
    """Return how many vertices reach a height, and the greatest.  Cost: O(V)."""
    xyz = np.asarray(points)
    with np.errstate(invalid="ignore", over="ignore"):
        heights = xyz[0::3] * d[0] + xyz[1::3] * d[1] + xyz[2::3] * d[2]
    best = float(heights.max())
    lowest = float(heights.min())
    result.sink += (best - best) + (lowest - lowest)
    return int(np.count_nonzero(heights >= floor)), max(floor, best)


@stands_for(squares_each)
def squares(points: Floats, count: int) -> float:
    """Add up the same with numpy, in the same order."""
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        p = np.asarray(points).reshape(-1, 3)
        p = p * p
        even = np.concatenate([p[-1:], p[: count // 2 * 2 : 2]])
        x, y, z = np.add.accumulate(even, axis=0)[-1].tolist()
        u, v, w = np.add.accumulate(p[1::2], axis=0)[-1].tolist()
    total: float = (x + u) + (y + v) + (z + w)
    return total


@stands_for(beyond_each)
def beyond(points: Floats, count: int, limit: float) -> int:
    """Count the same with numpy."""
    return 3 * count - int(np.count_nonzero(np.abs(np.asarray(points)) <= limit))
