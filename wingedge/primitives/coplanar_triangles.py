"""Whether triangles that may lie in one plane overlap there; exact."""

import numpy as np
from numpy.typing import NDArray

from wingedge.exact.orientation import orientation
from wingedge.exact.polynomials import area
from wingedge.exact.signs import sign

Bools = NDArray[np.bool_]


def overlap(corners: NDArray[np.float64]) -> NDArray[np.intp]:
    """Tell how triangles, each in the other's plane or without area, meet.

    Parameters
    ----------
    corners : (2, 3, 3, n) float64
        By side, corner, axis, row.

    Returns
    -------
    (n,) int
        0 apart, 1 touching, 3 overlapping: inner points of both coincide.

    Notes
    -----
    Seen along each axis: what is apart there is apart, and at least one axis shows a
    plane as it is. There, two convex figures are apart, or only touch, if the line
    along one of their edges separates them; on a common line their ends tell.
    """
    (a, b), (a_next, b_next) = (
        x.swapaxes(1, 2) for x in (corners, np.roll(corners, -1, axis=1))
    )  # axis, corner, row
    skew = orientation(a[:, :, None], a_next[:, :, None], b[:, None], b_next[:, None])
    apart = (skew != 0).any(axis=(0, 1))  # two segments, in no common plane
    beside = ~apart & False
    in_line = ~apart
    for one, two in ((0, 1), (1, 2), (2, 0)):
        flat = corners[:, :, [one, two]]
        for x, y in (flat, flat[::-1]):
            own = sign(area, *x[0], *x[1], *x[2])
            tip = np.roll(x, -1, axis=0)
            other = sign(
                area,
                *x.swapaxes(0, 1)[:, :, None],
                *tip.swapaxes(0, 1)[:, :, None],
                *y.swapaxes(0, 1)[:, None],
            )  # edge of x, corner of y, row
            above, below = (other > 0).all(axis=1), (other < 0).all(axis=1)
            apart |= ((above & (own <= 0)) | (below & (own >= 0))).any(axis=0)
            above, below = (other >= 0).all(axis=1), (other <= 0).all(axis=1)
            on_it = above & below & (own == 0)
            side = (above & (own <= 0)) | (below & (own >= 0))
            beside |= (side & ~on_it).any(axis=0)
            in_line &= (own == 0) & (other == 0).all(axis=(0, 1))
    strictly, weakly = _in_order(corners)
    apart |= in_line & strictly
    beside |= in_line & weakly
    return np.where(apart, 0, np.where(beside, 1, 3))


def _in_order(corners: NDArray[np.float64]) -> tuple[Bools, Bools]:
    """Tell of figures on a line whether one ends before the other begins, or at it.

    A point is not beside itself.
    """
    strictly = weakly = np.zeros(corners.shape[-1], np.bool_)
    for axis in range(3):
        low, high = corners[:, :, axis].min(axis=1), corners[:, :, axis].max(axis=1)
        long = (low < high).any(axis=0)
        for i, j in ((0, 1), (1, 0)):
            strictly = strictly | (high[i] < low[j])
            weakly = weakly | (high[i] <= low[j]) & long
    return strictly, weakly
