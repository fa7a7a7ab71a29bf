"""Vectors as three columns: the elementwise arithmetic of the other files."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Column = NDArray[np.float64]
Vector = tuple[Column, Column, Column]


def columns(vectors: ArrayLike) -> Vector:
    """Split (..., 3) into its x, y and z columns, float64."""
    array = np.asarray(vectors, dtype=np.float64)
    return array[..., 0], array[..., 1], array[..., 2]


def rows(vector: Vector) -> NDArray[np.float64]:
    """Join x, y and z columns into a fresh (..., 3) array."""
    return np.stack(np.broadcast_arrays(*vector), axis=-1)


def subtract(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def dot(a: Vector, b: Vector) -> Column:
    """Return the scalar product, summed x, y, z in this order."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def along(start: Vector, step: Vector, t: Column) -> Vector:
    """Return start + t * step."""
    return start[0] + t * step[0], start[1] + t * step[1], start[2] + t * step[2]


def choose(where: NDArray[np.bool_], a: Vector, b: Vector) -> Vector:
    """Take a where the condition holds, b elsewhere."""
    return (
        np.where(where, a[0], b[0]),
        np.where(where, a[1], b[1]),
        np.where(where, a[2], b[2]),
    )


def quotient(top: Column, bottom: Column) -> Column:
    """Divide, with 0 where the denominator is 0: the first end of a flat piece."""
    flat = bottom == 0
    return np.where(flat, 0.0, top / np.where(flat, 1.0, bottom))


def foot(p: Vector, start: Vector, end: Vector) -> tuple[Column, Vector, Column]:
    """Find the point of segments nearest to p: parameter in [0, 1], point, square.

    At parameters 0 and 1 the point is the end itself, to the bit.
    """
    step = subtract(end, start)
    t = quotient(dot(subtract(p, start), step), dot(step, step))
    t = np.minimum(np.maximum(t, 0.0), 1.0)
    point = choose(t == 1.0, end, along(start, step, t))
    gap = subtract(p, point)
    return t, point, dot(gap, gap)
