"""Affine deformations: straight lines stay straight, and parallel ones parallel.

All of them keep a convex body convex, and flat faces flat, up to rounding. All of them
are portable to the bit where the amounts that they are given are: they use + - * / and
square roots alone, element by element.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from sim.arguments import (
    ORIGIN,
    Amount,
    Axis,
    amount_of,
    check_axis,
    check_vector,
)
from sim.deform.deformer import Deformer, Points, Script, as_called


def affine(matrix: ArrayLike | Callable[[float], ArrayLike]) -> Deformer:
    """Apply a matrix, which may depend on time.

    Parameters
    ----------
    matrix : array_like or function of t
        (3, 3), or (3, 4) with a translation; ``p -> linear @ p + translation``. Its
        determinant should be positive: else the body is flat or inside-out.

    Notes
    -----
    Keeps convexity and flat faces. Portable to the bit if the matrix is.
    """
    if callable(matrix):
        given = matrix

        def matrix_at(t: float) -> Points:
            return _matrix(given(t), f" at time {t:g}")
    else:
        constant = _matrix(matrix, "")

        def matrix_at(t: float) -> Points:
            return constant

    def deformed(rest: Points, t: float) -> Points:
        m = matrix_at(t)
        x, y, z = rest.T
        rows = [m[i, 0] * x + m[i, 1] * y + m[i, 2] * z for i in range(3)]
        if m.shape == (3, 4):
            rows = [row + m[i, 3] for i, row in enumerate(rows)]
        return np.stack(rows, axis=1)

    return _linear(
        deformed, as_called("affine", matrix if callable(matrix) else constant)
    )


def scale(
    x: Amount,
    y: Amount | None = None,
    z: Amount | None = None,
    *,
    about: ArrayLike = ORIGIN,
) -> Deformer:
    """Stretch along the axes: by one factor, or by one for each axis.

    Keeps convexity and flat faces. Portable to the bit if the factors are.

    Raises
    ------
    ValueError
        When called, if a factor is not above 0.
    """
    factors = [amount_of("factor", x if f is None else f) for f in (x, y, z)]
    told = (
        [x] if y is None and z is None else [x if f is None else f for f in (x, y, z)]
    )
    middle = check_vector("about", about)
    centre = np.array(middle)

    def deformed(rest: Points, t: float) -> Points:
        k = [factor(t) for factor in factors]
        if not min(k) > 0.0:
            raise ValueError(f"scaled by {k} at time {t:g}; factors must be above 0")
        return _stretched(rest, centre, k)

    return _linear(deformed, as_called("scale", *told, about=middle))


def squash(amount: Amount, *, axis: Axis = 2, about: ArrayLike = ORIGIN) -> Deformer:
    """Press flat along an axis and let the body bulge to the sides, volume kept.

    Parameters
    ----------
    amount : float or function of t
        By which part of its height the body is pressed: 0.3 leaves 70 %; negative
        stretches.
    axis : {0, 1, 2} or {"x", "y", "z"}
    about : (3,) array_like
        What stays where it is.

    Raises
    ------
    ValueError
        When called, if nothing of the height is left.

    Notes
    -----
    Keeps convexity and flat faces. Portable to the bit if the amount is.
    """
    part, flat = amount_of("amount", amount), check_axis("axis", axis)
    middle = check_vector("about", about)
    centre = np.array(middle)

    def deformed(rest: Points, t: float) -> Points:
        left = 1.0 - part(t)
        if not left > 0.0:
            raise ValueError(
                f"squashed by {1.0 - left:g} at time {t:g}; the amount must be below 1"
            )
        k = [1.0 / sqrt(left)] * 3
        k[flat] = left
        return _stretched(rest, centre, k)

    name = as_called("squash", amount, axis=flat, about=middle)
    return _linear(deformed, name)


def shear(
    amount: Amount,
    *,
    axis: Axis = 0,
    along: Axis = 2,
    about: ArrayLike = ORIGIN,
) -> Deformer:
    """Shift along ``axis`` in proportion to the height along ``along``.

    Keeps volume, convexity and flat faces. Portable to the bit if the amount is.
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

    name = as_called("shear", amount, axis=shifted, along=height, about=middle)
    return _linear(deformed, name)


def _matrix(matrix: ArrayLike, when: str) -> Points:
    m = np.array(matrix, np.float64)
    if m.shape not in ((3, 3), (3, 4)):
        raise ValueError(
            f"the matrix of an affine deformation has shape {m.shape}{when}; it must "
            f"be (3, 3) or (3, 4)"
        )
    if not np.isfinite(m).all():
        raise ValueError(
            f"the matrix of an affine deformation is {m.tolist()}{when}; every number "
            f"must be finite"
        )
    return m


def _stretched(rest: Points, centre: Points, factors: list[float]) -> Points:
    points: Points = centre + (rest - centre) * np.array(factors)
    return points


def _linear(deformed: Script, name: str) -> Deformer:
    return Deformer(
        deformed,
        keeps_convexity=True,
        keeps_planarity=True,
        is_portable=True,
        name=name,
    )
