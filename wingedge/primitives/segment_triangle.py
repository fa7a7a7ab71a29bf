"""Whether a segment goes through a triangle."""

from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import Vector, columns, cross, dot, subtract

# Shewchuk (1997), orient3d: the sign is right beyond (7 + 56 eps) eps x permanent
ROUNDOFF = 8 * 2.0**-53
# relative to the largest coordinate: what turning and moving a body leaves in one, with
# room to spare; what passes less far through touches
COORDINATE = 4e-15


def pierces(
    p0: ArrayLike, p1: ArrayLike, a: ArrayLike, b: ArrayLike, c: ArrayLike
) -> NDArray[np.bool_]:
    """Tell whether segments p0 p1 cross triangles a b c, beyond doubt.

    Strict: the ends lie on different sides of the plane and the line passes inside all
    three edges, each by more than rounding can account for, in the determinant and in
    the coordinates (1e-15 of the largest one). What only touches, or touches within
    roundoff, does not pierce: bodies in exact contact would be called crossing
    otherwise.

    Parameters
    ----------
    p0, p1, a, b, c : (N, 3) array_like
        Segment ends and triangle corners, one frame, any winding; shapes broadcast.

    Returns
    -------
    (N,) bool
    """
    start, end = columns(p0), columns(p1)
    va, vb, vc = columns(a), columns(b), columns(c)
    below, above = _side(va, vb, vc, start), _side(va, vb, vc, end)
    ab = _side(start, end, va, vb)
    bc = _side(start, end, vb, vc)
    ca = _side(start, end, vc, va)
    return np.asarray((below * above < 0) & (ab * bc > 0) & (bc * ca > 0))


def _side(a: Vector, b: Vector, c: Vector, d: Vector) -> NDArray[np.float64]:
    """Find the sign of the volume of a b c d; 0 where rounding could have made it."""
    u, v, w = subtract(a, d), subtract(b, d), subtract(c, d)
    volume = dot(u, cross(v, w))
    vw, wu, uv = _spread(v, w), _spread(w, u), _spread(u, v)
    size = dot((np.abs(u[0]), np.abs(u[1]), np.abs(u[2])), vw)
    largest = reduce(np.maximum, [np.abs(x) for point in (a, b, c, d) for x in point])
    moved = largest * sum(vw + wu + uv)  # per unit of error in every coordinate
    sure = np.abs(volume) > ROUNDOFF * size + COORDINATE * moved
    return np.where(sure, np.sign(volume), 0.0)


def _spread(a: Vector, b: Vector) -> Vector:
    """Add up what the vector product subtracts."""
    return (
        np.abs(a[1] * b[2]) + np.abs(a[2] * b[1]),
        np.abs(a[2] * b[0]) + np.abs(a[0] * b[2]),
        np.abs(a[0] * b[1]) + np.abs(a[1] * b[0]),
    )
