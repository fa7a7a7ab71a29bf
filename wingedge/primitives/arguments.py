"""Check and lay out the arguments of primitives, and scale them by powers of two."""

from collections.abc import Iterable
from functools import reduce
from math import prod
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import Column, subtract

Answer = TypeVar("Answer", bound=tuple[Any, ...])
Columns = tuple[NDArray[np.float64], ...]


def points(dimension: int, **given: ArrayLike) -> tuple[Any, ...]:
    """Split named (..., dimension) arrays into their columns, float64.

    Raises ValueError naming the argument, and the row, that has another shape or holds
    what is not finite.
    """
    arrays = _checked((dimension,), f"one point is {dimension} numbers", given)
    return tuple(tuple(array[..., k] for k in range(dimension)) for array in arrays)


def fours(**given: ArrayLike) -> tuple[tuple[int, ...], NDArray[np.float64]]:
    """Take named (..., 4, 3) arrays: their shape (...), and (N, 4, 3) of each, stacked.

    Raises as `points` does.
    """
    one = "four points, of three numbers each, are one query"
    both = np.stack(np.broadcast_arrays(*_checked((4, 3), one, given)))
    shape = both.shape[1:-2]
    return shape, both.reshape(len(both), prod(shape), 4, 3)


def numbers(**given: ArrayLike) -> tuple[NDArray[np.float64], ...]:
    """Take named (...) arrays of numbers; ValueError if not finite."""
    return tuple(_checked((), "", given))


def lengths(**given: ArrayLike) -> tuple[NDArray[np.float64], ...]:
    """Take named (...) arrays of lengths; ValueError if negative or not finite."""
    out = numbers(**given)
    for name, array in zip(given, out, strict=True):
        if (array < 0).any():
            at = "".join(f"[{k}]" for k in np.argwhere(array < 0)[0])
            raise ValueError(
                f"{name}{at} is {array[array < 0][0]}: a length is not negative"
            )
    return out


def flat(*given: Columns) -> tuple[Any, ...]:
    """Broadcast columns to one shape, and lay each out as one row of queries.

    Returns the shape, then what was given.
    """
    shape = np.broadcast_shapes(*(columns[0].shape for columns in given))
    return shape, *(
        tuple(np.broadcast_to(column, shape).ravel() for column in columns)
        for columns in given
    )


def answered(kind: type[Answer], shape: tuple[int, ...], *rows: Any) -> Answer:
    """Give an answer's rows, one for each query, the shape of what was asked."""
    return unboxed(kind(*(x.reshape(shape + x.shape[1:]) for x in rows)))


def unboxed(answer: Answer) -> Answer:
    """Make numbers of an answer's arrays that have no axis: what one query gives."""
    return type(answer)(*(np.asarray(array)[()] for array in answer))


def _checked(
    tail: tuple[int, ...], one: str, given: dict[str, ArrayLike]
) -> list[NDArray[np.float64]]:
    arrays = [np.asarray(value, dtype=np.float64) for value in given.values()]
    for name, array in zip(given, arrays, strict=True):
        if array.shape[max(array.ndim - len(tail), 0) :] != tail:
            form = ", ".join(["...", *map(str, tail)])
            raise ValueError(
                f"{name}: expected an array of shape ({form}), got {array.shape}; {one}"
            )
        if not np.isfinite(array).all():
            index = np.argwhere(~np.isfinite(array))[0]
            at = "".join(f"[{k}]" for k in index)
            raise ValueError(
                f"{name}{at} is {array[tuple(index)]}: expected finite numbers"
            )
    return arrays


Exponent = NDArray[np.intc]


def exponent(*columns: Column) -> Exponent:
    """Find k with every |x| < 2^k, row by row; 0 where all are 0."""
    return np.frexp(reduce(np.maximum, map(np.abs, columns)))[1]


def around(p: list[Any], r: Any = 0.0) -> tuple[list[Any], Any, Exponent]:
    """Count points from the first one, in a power of two near the query's extent.

    Returns the other points, the lengths ``r``, and the exponents: far from the origin
    nothing is lost, and no square leaves the range of floats.
    """
    others = [subtract(point, p[0]) for point in p[1:]]
    k = exponent(*(x for point in others for x in point), r)
    return [shift(point, -k) for point in others], np.ldexp(r, -k), k


def shift(columns: Iterable[Column], k: Exponent) -> tuple[Column, ...]:
    """Multiply columns by 2^k; what is too large becomes infinite."""
    with np.errstate(over="ignore", under="ignore"):
        return tuple(np.ldexp(column, k) for column in columns)
