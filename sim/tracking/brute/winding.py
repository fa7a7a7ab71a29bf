"""How often a closed surface winds around a point: by what a ray along an axis crosses.

The exhaustive form of ``sim.kernels.surface.winding``.
"""

import numpy as np

from sim.tracking.brute.surface import Ids, Points, Surface
from wingedge.columns import columns
from wingedge.exact.signs import side


def winding(point: Points, surface: Surface) -> int | None:
    """Count how often a surface winds around a point; None where no ray can tell.

    A ray runs along each axis in turn until one passes no triangle edge-on, to
    rounding.  Positive around the inside of a surface that looks outward.  Cost: O(F).
    """
    corners = surface.points[surface.triangles]
    gap = corners - point
    for i in (1, 2, 0):
        u, v = gap[:, :, i], gap[:, :, (i + 1) % 3]
        turns = _turns(u, v, 0, 1) + _turns(u, v, 1, 2) + _turns(u, v, 2, 0)
        met = np.flatnonzero(turns)
        a, b, c = (columns(corners[met, k]) for k in range(3))
        ahead = side(a, b, c, columns(point))
        if (ahead != 0.0).all():
            return int(turns[met][ahead * turns[met] > 0.0].sum())
    return None


def _turns(u: Points, v: Points, i: int, j: int) -> Ids:
    """Count how often sides of triangles pass the first half axis of a plane.

    A side of two triangles counts for both, with opposite signs, to the bit.
    """
    left = u[:, i] * v[:, j] - u[:, j] * v[:, i]
    rises = (v[:, i] <= 0.0) & (v[:, j] > 0.0) & (left > 0.0)
    falls = (v[:, i] > 0.0) & (v[:, j] <= 0.0) & (left < 0.0)
    out: Ids = rises.astype(np.int64) - falls
    return out
