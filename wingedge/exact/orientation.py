"""Find on which side of three points a fourth lies: exactly, or beyond roundoff."""

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import Column, Vector, cross, dot, subtract
from wingedge.exact.signs import sign, volume

Floats = NDArray[np.float64]
Signs = NDArray[np.int8]

# Of a triple product of differences: six products of three, each side rounded four
# times, are off by less than 42 roundoffs of the product of the largest components.
TRIPLE_OFF = 2.0**-47
TINY = 2.0**-1000  # what products lose where floats end


def orientation(a: Floats, b: Floats, c: Floats, d: Floats) -> Signs:
    """Find the sign of the volume of a b c d: 1 where d is above, 0 in the plane.

    Parameters
    ----------
    a, b, c, d : (3, ...) float64
        By axis; shapes broadcast. Above a triangle its corners run
        counter-clockwise.

    Notes
    -----
    Cost: 0.1 us each, and 100 us for each that rounding leaves open.
    """
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        steps = b - a, c - a, d - a
    return product_sign(steps, volume, *a, *b, *c, *d)


def product_sign(
    steps: tuple[Floats, Floats, Floats],
    polynomial: Callable[..., Any],
    *variables: Floats,
) -> Signs:
    """Find the sign of a triple product x . (y cross z) of rounded differences.

    Parameters
    ----------
    steps : three (3, ...) float64
        Each component right, or a difference of two numbers rounded once.
    polynomial, *variables
        The same without rounding, as for `wingedge.exact.signs.sign`.
    """
    x, y, z = steps
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        value = (
            x[0] * (y[1] * z[2] - y[2] * z[1])
            + x[1] * (y[2] * z[0] - y[0] * z[2])
            + x[2] * (y[0] * z[1] - y[1] * z[0])
        )
        off = _largest(x) * _largest(y) * _largest(z) * TRIPLE_OFF + TINY
        open_ = ~((np.abs(value) > off) & np.isfinite(off))
    out: Signs = np.asarray(np.sign(np.where(open_, 0.0, value))).astype(np.int8)
    if open_.any():
        shape = out.shape
        columns = [np.broadcast_to(v, shape)[open_] for v in variables]
        out[open_] = sign(polynomial, *columns)
    return out


def _largest(v: Floats) -> Floats:
    out: Floats = np.maximum(np.maximum(np.abs(v[0]), np.abs(v[1])), np.abs(v[2]))
    return out


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
