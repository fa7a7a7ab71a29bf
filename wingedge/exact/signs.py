"""Find signs of polynomials exactly: in floats where they tell, else in rationals.

A polynomial is written once, as a function of its variables with + - * only.  It is
evaluated on columns of floats that carry how far off they may be (a running error
bound, after Wilkinson 1963), and again in rational numbers for those few rows where
that leaves the sign open.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

ROUNDOFF = 2.0**-53
# what a product may lose where floats end, and the rounding of the bound itself
TINY = 2.0**-1070
ROOM = 1.0 + 2.0**-50


class Bounded:
    """Floats, and how far each may be from what it stands for."""

    def __init__(self, value: ArrayLike, off: ArrayLike = 0.0) -> None:
        self.value = np.asarray(value, dtype=np.float64)
        self.off = np.asarray(off, dtype=np.float64)

    def __add__(self, other: "Bounded | float") -> "Bounded":
        """Add, with what rounding takes."""
        other = _bounded(other)
        value = self.value + other.value
        return Bounded(value, (self.off + other.off + ROUNDOFF * np.abs(value)) * ROOM)

    def __sub__(self, other: "Bounded | float") -> "Bounded":
        """Subtract, with what rounding takes."""
        return self + -_bounded(other)

    def __neg__(self) -> "Bounded":
        """Turn the sign, exactly."""
        return Bounded(-self.value, self.off)

    def __mul__(self, other: "Bounded | float") -> "Bounded":
        """Multiply, with what rounding takes."""
        other = _bounded(other)
        value = self.value * other.value
        off = np.abs(self.value) * other.off + np.abs(other.value) * self.off
        off = off + self.off * other.off + ROUNDOFF * np.abs(value) + TINY
        return Bounded(value, off * ROOM)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: float) -> "Bounded":
        """Subtract from a number."""
        return _bounded(other) - self


def sign(polynomial: Callable[..., Any], *variables: ArrayLike) -> NDArray[np.int8]:
    """Find the sign of a polynomial: -1, 0 or 1, never wrong.

    Parameters
    ----------
    polynomial : callable
        A function of as many values as there are variables, with + - * only; constants
        are integers or binary fractions.
    variables : (...) array_like
        Finite float64 columns; shapes broadcast.

    Notes
    -----
    Cost: some five times that of the polynomial on floats, and 10 to 100 us for each
    row whose sign rounding leaves open (exact zeros among them).
    """
    columns = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in variables))
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        rough = polynomial(*map(Bounded, columns))
        open_ = ~(np.abs(rough.value) > rough.off) | ~np.isfinite(rough.off)
    out: NDArray[np.int8] = np.asarray(
        np.broadcast_to(np.sign(np.where(open_, 0.0, rough.value)), columns[0].shape)
    ).astype(np.int8)
    for row in zip(*np.nonzero(np.atleast_1d(open_)), strict=True):
        at = row if out.ndim else ()
        value = polynomial(*(Fraction(float(x[at])) for x in columns))
        out[at] = (value > 0) - (value < 0)
    return out


def _bounded(number: "Bounded | float") -> Bounded:
    return number if isinstance(number, Bounded) else Bounded(number)


def area(*v: Any) -> Any:
    """Span the area from a by b and c, in the plane; left of a b it is positive."""
    ax, ay, bx, by, cx, cy = v
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


def normal(*v: Any) -> tuple[Any, Any, Any]:
    """Multiply b - a by c - a: a b c run counter-clockwise seen from where it points.

    As long as twice the area.
    """
    ax, ay, az, bx, by, bz, cx, cy, cz = v
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


def volume(*v: Any) -> Any:
    """Span the volume from a by b, c and d; above a b c it is positive."""
    ax, ay, az, *_, dx, dy, dz = v
    x, y, z = normal(*v[:9])
    return x * (dx - ax) + y * (dy - ay) + z * (dz - az)
