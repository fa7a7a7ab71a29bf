"""Find when four moving points are in one plane, and how they are turned between.

A hinge of two triangles is four points: the ends of its edge and the corners opposite.
It is convex while the one corner is below the plane of the other triangle.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import BLOCK
from wingedge.polynomials import roots as isolated
from wingedge.polynomials import signs_between
from wingedge.primitives import moving
from wingedge.primitives.arguments import answered


class MovingOrientation(NamedTuple):
    """The times between 0 and 1 at which the volume is 0, and its signs between these.

    Each time t once: ``lower <= t <= upper``, a cell of the grid of 2^-40, or t itself
    where it is on that. What is beyond ``found`` is nan, and 0 in ``sign``.
    """

    found: NDArray[np.int8]  # (...) how many times, 0 to 3; 0 where it is 0 throughout
    lower: NDArray[np.float64]  # (..., 3)
    upper: NDArray[np.float64]  # (..., 3)
    sign: NDArray[np.int8]  # (..., 4) before the first time, between, after the last
    at_start: NDArray[np.int8]  # (...) at t = 0
    at_end: NDArray[np.int8]  # (...) at t = 1


def roots(start: ArrayLike, end: ArrayLike) -> MovingOrientation:
    """Find all times at which four points are in one plane.

    Parameters
    ----------
    start, end : (..., 4, 3) array_like
        The points at times 0 and 1, one frame; each goes straight between,
        ``(1 - t) start + t end``; shapes broadcast. The sign is 1 where the fourth is
        above the other three, which run counter-clockwise seen from there.

    Notes
    -----
    Exact for the floats as they stand: four Bernstein coefficients of the cubic in
    floats with bounds of their error; where their signs are not all known and alike,
    in whole numbers. A double root, where the points come into one plane and leave it
    to the same side, is a time with the same sign before and after.

    Cost: 3 us a query of one sign in bulk, 0.2 ms for one and for each other.
    """
    shape, (before, after) = moving.fours(start=start, end=end)
    n = len(before)
    count, ends = np.zeros(n, np.int8), np.zeros((2, n), np.int8)
    times, sign = np.full((2, n, 3), np.nan), np.zeros((n, 4), np.int8)
    for k in range(0, n if n > moving.FEW else 0, BLOCK):
        part = slice(k, k + BLOCK)
        known = moving.lasting(before[part], after[part])
        sign[part, 0] = ends[0, part] = ends[1, part] = known
    for row in np.flatnonzero(sign[:, 0] == 0):
        height = moving.volume(moving.straight(before[row], after[row]))
        found = isolated(height)
        count[row], ends[:, row] = len(found), np.sign(height.c)[[0, -1]]
        sign[row, : len(found) + 1] = signs_between(height, found)
        for k, time in enumerate(found):
            times[:, row, k] = time.cell()
    return answered(MovingOrientation, shape, count, *times, sign, *ends)
