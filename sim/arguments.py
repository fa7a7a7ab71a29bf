"""What callers give to scripts, checked once: numbers, vectors, axes, amounts.

A script is a function of time that a motion or a deformation is built from. What is
wrong with its arguments is said when it is built where that is possible, else when it
is asked, with the time.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from math import isfinite
from operator import index
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vec = tuple[float, float, float]
Amount = float | Callable[[float], float]  # a number, or a function of time
Axis = Literal[0, 1, 2, "x", "y", "z"] | int | str
Span = tuple[float, float]
Places = NDArray[np.float64]
Checked = TypeVar("Checked")

ORIGIN: Vec = (0.0, 0.0, 0.0)

_AXES: dict[int | str, int] = {0: 0, 1: 1, 2: 2, "x": 0, "y": 1, "z": 2}


def check_number(name: str, value: float) -> float:
    """Return a finite float, or raise ``TypeError`` or ``ValueError`` naming it."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name}={value!r} must be a number") from None
    if number - number != 0.0:
        raise ValueError(f"{name}={value!r} must be finite")
    return number


def check_above_zero(name: str, value: float) -> float:
    """Return a finite float above 0, or raise ``ValueError`` naming it."""
    number = check_number(name, value)
    if not number > 0.0:
        raise ValueError(f"{name}={value!r} must be above 0")
    return number


def check_count(name: str, value: int, *, least: int = 0) -> int:
    """Return a whole number, numpy's too; ``ValueError`` names what is none."""
    try:
        number = index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool | np.bool_) or number < least:
        raise ValueError(f"{name}={value!r} must be a whole number, {least} or more")
    return number


def check_vector(name: str, value: ArrayLike) -> Vec:
    """Return three finite floats, or raise ``ValueError`` naming them."""
    with suppress(TypeError, ValueError):
        x, y, z = map(float, np.asarray(value, np.float64).tolist())
        if isfinite(x) and isfinite(y) and isfinite(z):
            return x, y, z
    raise ValueError(f"{name}={value!r} must be three finite numbers")


def check_vectors(name: str, value: Mapping[str, ArrayLike]) -> dict[str, Vec]:
    """Return three finite floats for each body; names what is none, and whose."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}={value!r} must say whose, as in {{'box': (0, 0, 1)}}")
    return {who: check_vector(f"{name}[{who!r}]", v) for who, v in value.items()}


def check_axis(name: str, value: Axis) -> int:
    """Return 0, 1 or 2 for an axis given as a number or a letter."""
    if isinstance(value, bool) or value not in _AXES:
        raise ValueError(f"{name}={value!r} must be 0, 1 or 2, or 'x', 'y' or 'z'")
    return _AXES[value]


def check_span(name: str, value: tuple[float, float] | None) -> Span | None:
    """Return the two ends of a range of positive length; None stays None."""
    if value is None:
        return None
    if len(value) != 2:
        raise ValueError(f"{name}={value!r} must be two numbers, low and high")
    low, high = (check_number(name, end) for end in value)
    if not high > low:
        raise ValueError(f"{name}={value!r} has no length; give low < high")
    return low, high


def check_times(times: ArrayLike, count: int, what: str) -> NDArray[np.float64]:
    """Return ascending finite times, one for each of ``count`` things, a copy."""
    when = np.array(times, np.float64)
    if when.shape != (count,) or not count:
        raise ValueError(
            f"times of shape {when.shape} for {count} {what}; give one for each, and "
            f"one at least"
        )
    if not np.isfinite(when).all() or not (when[1:] > when[:-1]).all():
        raise ValueError(f"times {when.tolist()} must be finite and ascend")
    return when


def check_points(name: str, points: ArrayLike, count: int | None = None) -> Places:
    """Return finite positions (V, 3) as float64, a view where they are already.

    Raises ValueError if the shape is wrong, or a coordinate is not finite, naming the
    vertex.
    """
    array = np.asarray(points, np.float64)
    if array.ndim != 2 or array.shape[1:] != (3,):
        raise ValueError(f"{name} have shape {array.shape}; give an array (V, 3)")
    if count is not None and len(array) != count:
        raise ValueError(
            f"{name} have {len(array)} vertices where the rest shape has {count}; "
            f"give one position for each vertex"
        )
    finite = np.isfinite(array)
    if not finite.all():
        v = int(np.argmin(finite.all(axis=1)))
        raise ValueError(
            f"{name}: vertex {v} is at {array[v].tolist()}; every coordinate must be "
            f"finite"
        )
    return array


def over_time(
    value: ArrayLike | Callable[[float], ArrayLike],
    check: Callable[[Any, str], Checked],
) -> Callable[[float], Checked]:
    """Return what is given, or a function of time, as one that is checked.

    Parameters: ``check``: of a value and when it is of, empty or as " at time 0.5".
    """
    if callable(value):
        moving = value
        return lambda t: check(moving(t), f" at time {t:g}")
    fixed = check(value, "")
    return lambda t: fixed


def amount_of(name: str, value: Amount) -> Callable[[float], float]:
    """Return an amount as a function of time that gives finite floats.

    Raises ValueError for a number that is not finite; by the function returned, for a
    value that is not, with the time.
    """
    if not callable(value):
        number = check_number(name, value)
        return lambda t: number

    def at(t: float) -> float:
        number = float(value(t))
        if not isfinite(number):
            raise ValueError(f"{name} is {number} at time {t:g}; it must be finite")
        return number

    return at
