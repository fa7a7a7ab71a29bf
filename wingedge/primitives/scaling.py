"""Powers of two that keep squares of coordinates within the range of floats.

Scaling by them is exact, so the bits of an answer do not depend on it unless floats
would have run out: lengths from 5e-324 to 1e308 are treated alike.
"""

from collections.abc import Iterable
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import Column

Exponent = NDArray[np.intc]


def exponent(*columns: Column) -> Exponent:
    """Find k with every |x| < 2^k, row by row; 0 where all are 0."""
    return np.frexp(reduce(np.maximum, map(np.abs, columns)))[1]


def shift(columns: Iterable[Column], k: Exponent) -> tuple[Column, ...]:
    """Multiply columns by 2^k; what is too large becomes infinite."""
    with np.errstate(over="ignore", under="ignore"):
        return tuple(np.ldexp(column, k) for column in columns)


def unit(direction: tuple[Column, Column]) -> tuple[Column, Column]:
    """Divide directions of the plane, of any length but 0, by their length."""
    x, y = shift(direction, -exponent(*direction))
    length = np.sqrt(x * x + y * y)
    return x / length, y / length
