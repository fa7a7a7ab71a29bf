"""What a deformer is, how several make one, and the affine ones.

Affine deformations keep a convex body convex, and flat faces flat, up to rounding. They
are portable to the bit where the amounts that they are given are: they use + - * / and
square roots alone, element by element.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.arguments import (
    ORIGIN,
    Amount,
    Axis,
    Vec,
    amount_of,
    check_axis,
    check_points,
    check_vector,
    over_time,
)
from sim.calls import Call, by_call, named

Points = NDArray[np.float64]
Script = Callable[[Points, float], ArrayLike]
Part = Amount | None
LINEAR = True, True, True  # convexity and planarity are kept, and it is portable


@dataclass(frozen=True, eq=False, repr=False)
class Deformer:
    """Deform by a function of the rest shape and time, and say what that keeps.

    Called as ``deformer(rest, t)``; ``rest`` (V, 3), body frame, is left alone, and the
    positions returned are a fresh (V, 3) float64 array.

    Raises TypeError if the function cannot be called; ValueError when called, if the
    rest shape is no finite (V, 3) array, or the function returns none, naming the
    deformer, the time and the vertex.

    Attributes
    ----------
    function : (rest, t) -> points
        Any function, your own as well.
    keeps_convexity, keeps_planarity : bool
        Whether all convex bodies stay convex, and all flat faces flat, up to rounding.
    is_portable : bool
        Whether it has the same bits on every machine. This is about the deformer's own
        operations: functions of time that are given as its amounts are their author's.
    name : str
        What messages call it: the call that made it, or the name of the function.
    """

    function: Script
    keeps_convexity: bool = False
    keeps_planarity: bool = False
    is_portable: bool = False
    name: str = ""
    call: Call | None = None  # that made it; of a function of your own, none
    shows_its_call: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(
                f"a deformer needs a function (rest, t) -> points, got "
                f"{type(self.function).__name__}"
            )
        if not self.name:
            object.__setattr__(self, "name", f"Deformer({named(self.function)})")

    def __call__(self, rest: ArrayLike, t: float = 0.0) -> Points:
        """Return the positions at time ``t``, a fresh (V, 3) array."""
        given = check_points("rest positions", rest)
        if not len(given):
            return np.empty((0, 3))
        what = f"positions returned by {self.name} at time {t:g}"
        points = check_points(what, self.function(given, t), len(given))
        return points.copy() if np.may_share_memory(points, given) else points

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        if self.call is not None:
            return Call.again, (self.call,)
        keeps = self.keeps_convexity, self.keeps_planarity, self.is_portable
        return Deformer, (self.function, *keeps, self.name)


@by_call
def deforms(deformer: Deformer, call: Call) -> Deformer:
    """Decorate what makes a deformer, so that this has the name of the call."""
    return replace(deformer, name=repr(call), call=call)


@deforms
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
        all(layer.keeps_convexity for layer in layers),
        all(layer.keeps_planarity for layer in layers),
        all(layer.is_portable for layer in layers),
    )


@deforms
def affine(matrix: ArrayLike | Callable[[float], ArrayLike]) -> Deformer:
    """Apply a matrix, which may depend on time.

    Parameters: ``matrix``: (3, 3), or (3, 4) with a translation; ``p -> linear @ p +
    translation``. Its determinant should be positive: else a body is flat or inverted.
    """
    matrix_at = over_time(matrix, _matrix)

    def deformed(rest: Points, t: float) -> Points:
        m = matrix_at(t)
        x, y, z = rest.T
        rows = [m[i, 0] * x + m[i, 1] * y + m[i, 2] * z for i in range(3)]
        if m.shape == (3, 4):
            rows = [row + m[i, 3] for i, row in enumerate(rows)]
        return np.stack(rows, axis=1)

    return Deformer(deformed, *LINEAR)


@deforms
def scale(
    x: Amount, y: Part = None, z: Part = None, *, about: ArrayLike = ORIGIN
) -> Deformer:
    """Stretch along the axes: by one factor, or by one for each axis.

    Raises ValueError when called, if a factor is not above 0.

    Parameters: ``x``, ``y``, ``z``: factors, or functions of time; y and z are x where
    they are left out; ``about``: see `sim.deform`.
    """
    factors = [amount_of("factor", x if f is None else f) for f in (x, y, z)]
    middle = check_vector("about", about)

    def deformed(rest: Points, t: float) -> Points:
        k = [factor(t) for factor in factors]
        if not min(k) > 0.0:
            raise ValueError(f"scaled by {k} at time {t:g}; factors must be above 0")
        return _stretched(rest, middle, k)

    return Deformer(deformed, *LINEAR)


@deforms
def squash(amount: Amount, *, axis: Axis = 2, about: ArrayLike = ORIGIN) -> Deformer:
    """Press flat along an axis and let the body bulge to the sides, volume kept.

    Raises ValueError when called, if nothing of the height is left.

    Parameters: ``amount``: by which part of its height the body is pressed: 0.3 leaves
    70 %, negative stretches; ``axis``, ``about``: see `sim.deform`.
    """
    part, flat = amount_of("amount", amount), check_axis("axis", axis)
    middle = check_vector("about", about)

    def deformed(rest: Points, t: float) -> Points:
        left = 1.0 - part(t)
        if not left > 0.0:
            raise ValueError(
                f"squashed by {1.0 - left:g} at time {t:g}; the amount must be below 1"
            )
        k = [1.0 / sqrt(left)] * 3
        k[flat] = left
        return _stretched(rest, middle, k)

    return Deformer(deformed, *LINEAR)


@deforms
def shear(
    amount: Amount, *, axis: Axis = 0, along: Axis = 2, about: ArrayLike = ORIGIN
) -> Deformer:
    """Shift along one axis by the height along another one; the volume stays.

    Parameters: ``amount``: shift for each unit of height; ``axis``, ``along``: along
    which points are shifted, and height is measured, ValueError if they are one;
    ``about``: a point whose height is 0; see `sim.deform`.
    """
    part = amount_of("amount", amount)
    shifted, height = check_axis("axis", axis), check_axis("along", along)
    if shifted == height:
        raise ValueError(f"axis and along are both {axis}; a shear needs two axes")
    middle = check_vector("about", about)

    def deformed(rest: Points, t: float) -> Points:
        points = rest.copy()
        points[:, shifted] += part(t) * (rest[:, height] - middle[height])
        return points

    return Deformer(deformed, *LINEAR)


def _matrix(matrix: ArrayLike, when: str) -> Points:
    m, what = np.array(matrix, np.float64), "the matrix of an affine deformation"
    if m.shape not in ((3, 3), (3, 4)):
        raise ValueError(
            f"{what} has shape {m.shape}{when}; it must be (3, 3) or (3, 4)"
        )
    if not np.isfinite(m).all():
        raise ValueError(f"{what} is {m.tolist()}{when}; every number must be finite")
    return m


def _stretched(rest: Points, centre: Vec, factors: list[float]) -> Points:
    points: Points = centre + (rest - centre) * np.array(factors)
    return points
