"""Find signs exactly: of polynomials, and on which side of three points a fourth lies.

A polynomial is written once, as a function of its variables with + - * only.  It is
evaluated on columns of floats that carry how far off they may be (a running error
bound, after Wilkinson 1963), and again in rational numbers for those few rows where
that leaves the sign open.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import Column, Vector, cross, dot, subtract

ROUNDOFF = 2.0**-53  # of a result: what one operation may round
# what a product may lose where floats end, and the rounding of the bound itself
TINY = 2.0**-1070
ROOM = 1.0 + 2.0**-50  # for the rounding of the bound itself


class Bounded:
    """Floats, and how far each may be from what it stands for."""

    def __init__(self, value: ArrayLike, off: ArrayLike = 0.0) -> None:
        self.value = np.asarray(value, dtype=np.float64)
        self.off = np.asarray(off, dtype=np.float64)

    def __add__(self, other: "Bounded | float") -> "Bounded":
        other = _bounded(other)
        value = self.value + other.value
        return Bounded(value, (self.off + other.off + ROUNDOFF * np.abs(value)) * ROOM)

    def __sub__(self, other: "Bounded | float") -> "Bounded":
        return self + -_bounded(other)

    def __neg__(self) -> "Bounded":
        return Bounded(-self.value, self.off)

    def __mul__(self, other: "Bounded | float") -> "Bounded":
        other = _bounded(other)
        value = self.value * other.value
        off = np.abs(self.value) * other.off + np.abs(other.value) * self.off
        off = off + self.off * other.off + ROUNDOFF * np.abs(value) + TINY
        return Bounded(value, off * ROOM)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: float) -> "Bounded":
        return _bounded(other) - self


def sign(polynomial: Callable[..., Any], *variables: ArrayLike) -> NDArray[np.int8]:
    """Find the sign of a polynomial: -1, 0 or 1, never wrong.

    Parameters: ``polynomial``: a function of as many values as there are variables,
    with + - * only; constants are integers or binary fractions; ``variables`` (...):
    finite float64 columns; shapes broadcast.

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
    a: Any = v[:3]
    return cross(subtract(v[3:6], a), subtract(v[6:9], a))


def volume(*v: Any) -> Any:
    """Span the volume from a by b, c and d; above a b c it is positive."""
    return dot(normal(*v[:9]), subtract(v[9:], v[:3]))


# Shewchuk (1997), orient3d: the sign is right beyond (7 + 56 eps) eps x permanent
SIGN_OFF = 8 * 2.0**-53
# relative to the largest coordinate: what turning and moving a body leaves in one, with
# room to spare; what passes less far through touches
COORDINATE = 4e-15


def side(a: Vector, b: Vector, c: Vector, d: Vector) -> NDArray[np.float64]:
    """Find the sign of the volume of a b c d; 0 where rounding could have made it.

    Positive where d lies below the triangle a b c, above which its corners run
    counter-clockwise. What the coordinates may be off moves the volume by that times
    its derivatives, the areas across: of nearly parallel edges they are as small as the
    volume is, so what counts is how far apart the two lines are.
    """
    u, v, w = subtract(a, d), subtract(b, d), subtract(c, d)
    largest = reduce(np.maximum, [np.abs(x) for point in (a, b, c, d) for x in point])
    off = COORDINATE * largest
    vw, wu, uv = _spread(v, w), _spread(w, u), _spread(u, v)
    moved = _total(cross(v, w)) + _total(cross(w, u)) + _total(cross(u, v))
    moved = moved + SIGN_OFF * (_total(vw) + _total(wu) + _total(uv))
    limit = off * (moved + off * (_total(u) + _total(v) + _total(w)))
    volume = np.atleast_1d(dot(u, cross(v, w)))
    unsure = SIGN_OFF * dot((np.abs(u[0]), np.abs(u[1]), np.abs(u[2])), vw)
    near = (np.abs(volume) + unsure > limit) & (np.abs(volume) <= limit + unsure)
    if near.any():
        volume[near] = _exact_volume(_at(u, near), _at(v, near), _at(w, near))
    return np.where(np.abs(volume) > limit, np.sign(volume), 0.0)


def _at(a: Vector, where: NDArray[np.bool_]) -> Vector:
    """Take the rows of a vector, broadcast, where a condition holds."""
    x, y, z = (np.broadcast_to(column, where.shape)[where] for column in a)
    return x, y, z


def _total(a: Vector) -> Column:
    """Add up the components without their signs."""
    return np.abs(a[0]) + np.abs(a[1]) + np.abs(a[2])


def _spread(a: Vector, b: Vector) -> Vector:
    """Add up what the vector product subtracts."""
    return (
        np.abs(a[1] * b[2]) + np.abs(a[2] * b[1]),
        np.abs(a[2] * b[0]) + np.abs(a[0] * b[2]),
        np.abs(a[0] * b[1]) + np.abs(a[1] * b[0]),
    )


def _exact_volume(u: Vector, v: Vector, w: Vector) -> Column:
    """Find the volume that three vectors span, rounded once."""
    columns = (column.tolist() for vector in (u, v, w) for column in vector)
    exact: Any = (list(map(Fraction, row)) for row in zip(*columns, strict=True))
    return np.array([float(dot(x[:3], cross(x[3:6], x[6:]))) for x in exact])
