"""Find the point of a polyhedron nearest to a wanted one."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROOMLESS = 1e-14  # of the residual, at most 1: 0, and no point is on the right sides


def nearest(
    wish: Floats, rows: Sequence[Floats] | Floats, limits: Sequence[float] | Floats
) -> Floats | None:
    """Find the x nearest to ``wish`` where ``row . x <= limit`` in every row.

    The wish itself, to the bit, where that is so; None where there is no such point.

    Parameters: ``wish`` (d,); ``rows`` (n, d), of about unit length; ``limits`` (n,).
    Least distance programming by nonnegative least squares (Lawson and Hanson 1974).
    """
    from scipy.optimize import nnls

    sides = np.asarray(rows, float).reshape(-1, len(wish))
    over = sides @ wish - np.asarray(limits, float)
    scale = max(0.0, float(over.max(initial=0.0)))
    if not scale > 0.0:
        return wish
    matrix = np.vstack([-sides.T, over / scale])
    last = np.append(np.zeros(len(wish)), 1.0)
    shares, _ = nnls(matrix, last, maxiter=30 * len(last))
    residual = last - matrix @ shares
    if not residual[-1] > ROOMLESS:
        return None
    on = shares > 0.0
    shift: Floats = np.linalg.lstsq(sides[on], -over[on])[0]
    return wish + shift
