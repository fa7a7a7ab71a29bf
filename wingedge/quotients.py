"""Quotients of polynomials with a stated error, however much of them cancels."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.signs import Bounded


def ratio(
    top: Callable[..., Any],
    bottom: Callable[..., Any],
    *variables: ArrayLike,
    within: ArrayLike,
) -> NDArray[np.float64]:
    """Divide two polynomials of the same variables.

    Parameters
    ----------
    top, bottom : callable
        Functions of as many values as there are variables, with + - * only, as for
        `wingedge.signs.sign`; bottom is not 0 anywhere.
    variables : (...) array_like
        Finite float64 columns; shapes broadcast.
    within : (...) array_like
        How far the quotient may be off.

    Notes
    -----
    In floats where their running error bound allows it, else in rational numbers,
    rounded once. Cost: that of two signs, and 10 to 100 us for each row that cancels.
    """
    columns = np.broadcast_arrays(
        *(np.asarray(x, np.float64) for x in (within, *variables))
    )
    allowed, columns = columns[0], columns[1:]
    with np.errstate(all="ignore"):
        above = top(*map(Bounded, columns))
        below = bottom(*map(Bounded, columns))
        out = np.array(above.value / below.value)
        least = np.abs(below.value) - below.off
        off = (above.off + np.abs(out) * below.off) / least + np.abs(out) * 2.0**-52
        rough = ~((least > 0) & (off <= allowed)) | ~np.isfinite(out)
    for row in zip(*np.nonzero(np.atleast_1d(rough)), strict=True):
        at = row if out.ndim else ()
        exact = [Fraction(float(x[at])) for x in columns]
        out[at] = _rounded(Fraction(top(*exact)) / Fraction(bottom(*exact)))
    return out


def _rounded(number: Fraction) -> float:
    """Round once; what is beyond all floats becomes infinite."""
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
