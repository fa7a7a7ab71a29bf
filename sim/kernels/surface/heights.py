"""Heights of all vertices along a direction: the scan that keeps what it computes."""

import numpy as np

from sim.kernels.language import Floats, Vec, kernel, stands_for
from sim.kernels.walk.support import LOWEST


@kernel
def heights_each(
    points: Floats, count: int, d: Vec, heights: Floats
) -> tuple[float, float, float, float]:
    """Write the height of every vertex along a body-frame direction.

    Returns the greatest, and the largest coordinate on each axis of the body; the
    first is not a number where a coordinate is not finite.  Cost: O(V).
    """
    dx, dy, dz = d
    best = LOWEST
    mx = my = mz = 0.0
    bad = 0.0
    for v in range(count):
        i = 3 * v
        x = points[i]
        y = points[i + 1]
        z = points[i + 2]
        h = x * dx + y * dy + z * dz
        heights[v] = h
        if h > best:
            best = h
        elif not h > LOWEST:
            bad += h - h
        x = abs(x)
        y = abs(y)
        z = abs(z)
        mx = max(mx, x)
        my = max(my, y)
        mz = max(mz, z)
    return best + (bad + (best - best) + (mx - mx) + (my - my) + (mz - mz)), mx, my, mz


@stands_for(heights_each)
def heights_along(
    points: Floats, count: int, d: Vec, heights: Floats
) -> tuple[float, float, float, float]:
    """Write the height of every vertex along a body-frame direction; the same bits."""
    xyz = np.asarray(points)
    x, y, z = xyz[0::3], xyz[1::3], xyz[2::3]
    with np.errstate(invalid="ignore", over="ignore"):
        found = x * d[0] + y * d[1] + z * d[2]
        np.asarray(heights)[:] = found
        largest = [float(np.abs(axis).max()) for axis in (x, y, z)]
        total = float(found.max()) + float(found.min()) + largest[0]
        total += largest[1] + largest[2]
    return float(found.max()) + (total - total), largest[0], largest[1], largest[2]
