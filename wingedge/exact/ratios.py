"""Quotients of polynomials with a stated error: no needle is too thin.

What floats leave less certain is divided again in whole numbers.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wingedge.columns import Column
from wingedge.exact.signs import Bounded
from wingedge.exact.whole import whole

OFF = 2.0**-44
_ROUNDED = 2.0**-52


def ratios(
    formula: Callable[..., Any],
    *lengths: ArrayLike,
    within: ArrayLike | None = None,
) -> tuple[Column, ...]:
    """Divide polynomials by one another, each quotient within a stated error.

    Parameters
    ----------
    formula : callable
        A function of as many values as there are lengths, with + - * only and whole
        constants. Returns numerators, then their denominator: all of the same degree,
        so that the unit of length does not matter.
    lengths : (N,) array_like
        Finite float64 columns of one shape.
    within : (N,) array_like, optional
        How far a quotient may be off, besides its own rounding; 2^-44 of max(1, |it|)
        if left out.

    Returns
    -------
    (N,) float64 for each numerator; 0 where the denominator is 0, infinite where the
    quotient is beyond all floats.

    Notes
    -----
    Cost: some five times that of the polynomials on floats, and 10 to 30 us for each
    row that rounding leaves less certain.
    """
    columns = [np.asarray(x, dtype=np.float64) for x in lengths]
    with np.errstate(all="ignore"):
        *tops, bottom = formula(*map(Bounded, columns))
        out = [np.asarray(top.value / bottom.value) for top in tops]
        least = np.abs(bottom.value) - bottom.off
        known = np.isfinite(bottom.off) & (least > 0)
        for top, value in zip(tops, out, strict=True):
            size = np.abs(value)
            room = OFF * np.maximum(size, 1.0) if within is None else np.asarray(within)
            room = room - size * _ROUNDED
            known &= top.off + size * bottom.off <= room * least
    for row in np.flatnonzero(~known):
        *heights, base = formula(*whole(*(float(x[row]) for x in columns)))
        for value, height in zip(out, heights, strict=True):
            value[row] = _divided(height, base)
    return tuple(out)


def _divided(height: int, base: int) -> float:
    """Divide and round once; what is beyond all floats becomes infinite."""
    if base == 0:
        return 0.0
    try:
        return height / base
    except OverflowError:
        return float("inf") if (height > 0) == (base > 0) else float("-inf")
