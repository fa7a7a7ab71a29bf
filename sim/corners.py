"""Which of the corners that an answer holds belong to its patch."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LEVEL = 1e-9  # of the size: a corner farther off the normal is none of the patch


def level_corners(
    distance: float,
    normal: Sequence[float],
    corners: Sequence[float],
    size: float,
) -> NDArray[np.bool_]:
    """Say which corners are distance times normal long, (k,): those of the patch.

    One may be off: the deepest vertex in an overlap of bodies that are not convex.
    """
    pairs = np.array(corners, np.float64).reshape(-1, 2, 3)
    level = np.ones(len(pairs), bool)
    if distance < 0.0:
        off = pairs[:, 1] - pairs[:, 0] - distance * np.array(normal)
        digits = 8.0 * np.finfo(float).eps * np.abs(pairs).max(initial=0.0)
        far = np.abs(off).max(axis=1) > LEVEL * size + digits
        if np.count_nonzero(far) == 1:
            level = ~far
    return level
