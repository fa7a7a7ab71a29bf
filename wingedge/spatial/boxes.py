"""How far boxes along the axes are, from points and along segments."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def gaps(p: Floats, lower: Floats, upper: Floats) -> Floats:
    """Return the distances from points to boxes, (K,); 0 inside."""
    gap = np.maximum(np.maximum(lower - p, p - upper), 0.0)
    x, y, z = gap[:, 0], gap[:, 1], gap[:, 2]
    return np.asarray(np.sqrt(x * x + y * y + z * z))


def entries(
    start: Floats, end: Floats, lower: Floats, upper: Floats, slack: Floats
) -> Floats:
    """Return where segments enter boxes, in [0, 1]; inf where they do not.

    The boxes are grown by ``slack``, which has to be more than rounding takes from a
    difference of coordinates: then no segment that meets a box is said to miss it, and
    none enters later than it does. Slabs after Kay and Kajiya (1986); what rounding
    may do to them: Ize (2013).
    """
    enter, leave = np.zeros(len(start)), np.ones(len(start))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for k in range(3):
            step = end[:, k] - start[:, k]
            below = lower[:, k] - slack - start[:, k]
            above = upper[:, k] + slack - start[:, k]
            flat = step == 0
            first, last = below / step, above / step
            first, last = np.minimum(first, last), np.maximum(first, last)
            beside = flat & ((below > 0) | (above < 0))
            enter = np.where(flat, enter, np.maximum(enter, first))
            leave = np.where(flat, leave, np.minimum(leave, last))
            leave = np.where(beside, -1.0, leave)
    return np.where(enter <= leave, enter, np.inf)
