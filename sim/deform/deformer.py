"""What a deformer is, what it says about itself, and how several make one."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.arguments import ORIGIN, check_points

Points = NDArray[np.float64]
Script = Callable[[Points, float], ArrayLike]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Deformer:
    """Deform by a function of the rest shape and time, and say what that keeps.

    Called as ``deformer(rest, t)``; ``rest`` (V, 3), body frame, is left alone, and the
    positions returned are a fresh (V, 3) float64 array.

    Attributes
    ----------
    function : (rest, t) -> points
        Any function, your own as well.
    keeps_convexity : bool
        Whether every convex body stays convex, up to rounding.
    keeps_planarity : bool
        Whether every flat face stays flat, up to rounding.
    is_portable : bool
        Whether it has the same bits on every machine. This is about the deformer's own
        operations: functions of time that are given as its amounts are their author's.
    name : str
        What messages call it; the name of the function if left out.

    Raises
    ------
    TypeError
        If the function cannot be called.
    ValueError
        When called, if the rest shape is no finite (V, 3) array, or the function
        returns none, naming the deformer, the time and the vertex.

    Examples
    --------
    >>> from sim import deform
    >>> deform.Deformer(lambda rest, t: (1.0 + t) * rest, keeps_convexity=True)
    Deformer(<lambda>)
    >>> deform.stack(deform.squash(0.3), deform.twist(0.5, axis="z"))
    stack(squash(0.3, axis=2), twist(0.5, axis=2))
    """

    function: Script
    keeps_convexity: bool = False
    keeps_planarity: bool = False
    is_portable: bool = False
    name: str = ""

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(
                f"a deformer needs a function (rest, t) -> points, got "
                f"{type(self.function).__name__}"
            )
        if not self.name:
            object.__setattr__(self, "name", f"Deformer({_named(self.function)})")

    def __call__(self, rest: ArrayLike, t: float = 0.0) -> Points:
        """Return the positions at time ``t``, a fresh (V, 3) array."""
        given = check_points("rest positions", rest)
        if not len(given):
            return np.empty((0, 3))
        what = f"positions returned by {self.name} at time {t:g}"
        points = check_points(what, self.function(given, t), len(given))
        return points.copy() if np.may_share_memory(points, given) else points

    def __repr__(self) -> str:
        """Say how it was made."""
        return self.name


def stack(*deformers: Script) -> Deformer:
    """Apply several deformations, the first one first.

    Keeps what all of them keep, and is portable to the bit if all of them are; of a
    function of your own nothing is known, unless `Deformer` says it.
    """
    if not deformers:
        raise ValueError("stack() needs one deformer at least")
    layers = [d if isinstance(d, Deformer) else Deformer(d) for d in deformers]

    def deformed(rest: Points, t: float) -> Points:
        points = rest
        for layer in layers:
            points = layer(points, t)
        return points

    return Deformer(
        deformed,
        keeps_convexity=all(layer.keeps_convexity for layer in layers),
        keeps_planarity=all(layer.keeps_planarity for layer in layers),
        is_portable=all(layer.is_portable for layer in layers),
        name=f"stack({', '.join(layer.name for layer in layers)})",
    )


def as_called(name: str, *values: object, **options: object) -> str:
    """Write a call down, without the options that are None or the origin."""
    told = [_shown(value) for value in values]
    told += [
        f"{key}={_shown(value)}"
        for key, value in options.items()
        if value is not None and value != ORIGIN
    ]
    return f"{name}({', '.join(told)})"


def _shown(value: object) -> str:
    if callable(value):
        return _named(value)
    if isinstance(value, np.ndarray):
        if value.ndim == 1:
            return f"<{len(value)} numbers>"
        return f"<{' x '.join(map(str, value.shape))}>"
    if isinstance(value, list):
        if any(isinstance(one, np.ndarray) for one in value):
            return f"<{len(value)} shapes>"
        return f"[{', '.join(_shown(one) for one in value)}]"
    return repr(value)


def _named(function: object) -> str:
    """Name a function, a closure by what made it: ``ramp`` rather than ``value``."""
    if isinstance(function, Deformer):
        return function.name
    name = getattr(function, "__qualname__", type(function).__qualname__)
    made_by = name.partition(".<locals>")[0]
    return name.rpartition(".")[2] if name.endswith("<lambda>") else made_by
