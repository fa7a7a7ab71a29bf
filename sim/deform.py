"""Affine deformations: functions of the rest shape and time that give positions.

A deformer is any function ``(rest, t) -> points``, both (V, 3), body frame; these are
the affine ones. All of them keep a convex body convex, and flat faces flat, up to
rounding. All of them are portable to the bit where the amounts that they are given are:
they use + - * / and square roots alone, element by element.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.motion import _number, _vector

Float = np.float64
Points = NDArray[Float]
Deformer = Callable[[Points, float], Points]
Amount = float | Callable[[float], float]  # a number, or a function of time

__all__ = ["affine", "scale", "shear", "squash", "stack"]


def affine(matrix: Callable[[float], ArrayLike]) -> Deformer:
    """Apply a matrix that depends on time.

    Parameters
    ----------
    matrix : function of t
        Returns (3, 3), or (3, 4) with a translation; ``p -> linear @ p + translation``.
        Its determinant should be positive: else the body is flat or inside-out.

    Notes
    -----
    Keeps convexity. Portable to the bit if the matrix is.
    """

    def deformed(rest: Points, t: float) -> Points:
        m = np.asarray(matrix(t), Float)
        if m.shape not in ((3, 3), (3, 4)):
            raise ValueError(
                f"the matrix of an affine deformation has shape {m.shape}; it must be "
                f"(3, 3) or (3, 4)"
            )
        x, y, z = rest.T
        rows = [m[i, 0] * x + m[i, 1] * y + m[i, 2] * z for i in range(3)]
        if m.shape == (3, 4):
            rows = [row + m[i, 3] for i, row in enumerate(rows)]
        return np.stack(rows, axis=1)

    return deformed


def scale(
    x: Amount,
    y: Amount | None = None,
    z: Amount | None = None,
    *,
    about: ArrayLike = (0.0, 0.0, 0.0),
) -> Deformer:
    """Stretch along the axes: by one factor, or by one for each axis.

    Keeps convexity. Portable to the bit if the factors are.

    Raises
    ------
    ValueError
        When called, if a factor is not above 0.
    """
    factors = [_amount(x if f is None else f) for f in (x, y, z)]
    centre = np.array(_vector("about", about))

    def deformed(rest: Points, t: float) -> Points:
        k = [factor(t) for factor in factors]
        if not min(k) > 0.0:
            raise ValueError(f"scaled by {k} at time {t:g}; factors must be above 0")
        return _stretched(rest, centre, k)

    return deformed


def squash(
    amount: Amount, *, axis: int = 2, about: ArrayLike = (0.0, 0.0, 0.0)
) -> Deformer:
    """Press flat along an axis and let the body bulge to the sides, volume kept.

    Parameters
    ----------
    amount : float or function of t
        By which part of its height the body is pressed: 0.3 leaves 70 %; negative
        stretches.
    axis : {0, 1, 2}
    about : (3,) array_like
        What stays where it is.

    Raises
    ------
    ValueError
        When called, if nothing of the height is left.

    Notes
    -----
    Keeps convexity. Portable to the bit if the amount is.
    """
    part, flat = _amount(amount), _axis("axis", axis)
    centre = np.array(_vector("about", about))

    def deformed(rest: Points, t: float) -> Points:
        left = 1.0 - part(t)
        if not left > 0.0:
            raise ValueError(
                f"squashed by {1.0 - left:g} at time {t:g}; the amount must be below 1"
            )
        k = [1.0 / sqrt(left)] * 3
        k[flat] = left
        return _stretched(rest, centre, k)

    return deformed


def shear(
    amount: Amount,
    *,
    axis: int = 0,
    along: int = 2,
    about: ArrayLike = (0.0, 0.0, 0.0),
) -> Deformer:
    """Shift along ``axis`` in proportion to the height along ``along``.

    Keeps volume and convexity. Portable to the bit if the amount is.
    """
    part, shifted, height = _amount(amount), _axis("axis", axis), _axis("along", along)
    if shifted == height:
        raise ValueError(f"axis and along are both {axis}; a shear needs two axes")
    middle = _vector("about", about)

    def deformed(rest: Points, t: float) -> Points:
        points = rest.copy()
        points[:, shifted] += part(t) * (rest[:, height] - middle[height])
        return points

    return deformed


def stack(*deformers: Deformer) -> Deformer:
    """Apply several deformations, the first one first.

    Keeps convexity and is portable to the bit if all of them are.
    """
    if not deformers:
        raise ValueError("stack() needs one deformer at least")

    def deformed(rest: Points, t: float) -> Points:
        points = rest
        for deformer in deformers:
            points = deformer(points, t)
        return points

    return deformed


def _stretched(rest: Points, centre: Points, factors: list[float]) -> Points:
    points: Points = centre + (rest - centre) * np.array(factors)
    return points


def _amount(value: Amount) -> Callable[[float], float]:
    if callable(value):
        return value
    number = _number("amount", value)
    return lambda t: number


def _axis(name: str, value: int) -> int:
    if value not in (0, 1, 2):
        raise ValueError(f"{name}={value!r} must be 0, 1 or 2")
    return value
