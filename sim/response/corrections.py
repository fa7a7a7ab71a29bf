"""Correct motions that meet a plane in three ways, for many at once (Yamazaki 2002).

The article's own forms, one motion and one plane each, with their defects repaired.
What keeps its distance from a whole scene is `sim.response.move_point` and
`move_sphere`.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import Column, Vector, along, choose, dot, rows, subtract
from wingedge.primitives.arguments import lengths, points

EPSILON = 0.001  # eq. 13: a length, whatever the scene; the default of these forms only


def stop_short(
    start: ArrayLike, end: ArrayLike, t: ArrayLike, epsilon: ArrayLike = EPSILON
) -> NDArray[np.float64]:
    """Stop motions a little before the point that they meet (eq. 19, 20).

    Parameters
    ----------
    start, end : (..., 3) array_like
        Where the motions begin and were to end, one frame; shapes broadcast.
    t : (...) array_like
        How much of each motion is made when it meets something, in [0, 1] (eq. 16).
    epsilon : (...) array_like
        How far before that point to stop: a length, along the motion.

    Returns
    -------
    (..., 3) float64
        Points between the start and the point met.

    Raises
    ------
    ValueError
        If a number is not finite, epsilon is negative, or t is not in [0, 1].

    Notes
    -----
    Defect repaired: as printed, a motion that meets something within epsilon moves
    backwards, and one of no length divides by zero; here both stay at the start. The
    distance left to the plane is epsilon times the sine of the angle at which it is
    met, so less than epsilon: `sim.response.move_point` keeps all of it.
    """
    (begin, stop), (short, share) = (
        points(3, start=start, end=end),
        lengths(epsilon=epsilon, t=t),
    )
    if (share > 1).any():
        raise ValueError(f"t is {share.max()}: give a share of the motion, 0 to 1")
    step = subtract(stop, begin)
    way, length = _unit((share * step[0], share * step[1], share * step[2]))
    return rows(along(begin, way, np.maximum(length - short, 0.0)))


def push_off(
    point: ArrayLike, normal: ArrayLike, side: ArrayLike, epsilon: ArrayLike = EPSILON
) -> NDArray[np.float64]:
    """Lift points off the planes that they lie on, to the side they came from (eq. 21).

    Parameters
    ----------
    point : (..., 3) array_like
        Points on planes, one frame; shapes broadcast.
    normal : (..., 3) array_like
        Normals of the planes, any length; of no length, the point stays.
    side : (...) array_like
        Which side each came from: the sign of eq. 10, above 0 in front, below 0 behind.
        0, a start on the plane itself, counts as in front.
    epsilon : (...) array_like
        How far to lift: a length.

    Returns
    -------
    (..., 3) float64

    Raises
    ------
    ValueError
        If a number is not finite, or epsilon is negative.

    Notes
    -----
    Defect repaired, as the article proposes: as printed, what comes from behind is put
    through to the front.
    """
    on, across = points(3, point=point, normal=normal)
    (height,) = lengths(epsilon=epsilon)
    unit, _ = _unit(across)
    return rows(along(on, unit, _facing(side) * height))


def slide(
    end: ArrayLike,
    normal: ArrayLike,
    offset: ArrayLike,
    epsilon: ArrayLike = EPSILON,
    side: ArrayLike = 1,
) -> NDArray[np.float64]:
    """Shift ends of motions along the normal to just before the plane (eq. 22 to 25).

    Parameters
    ----------
    end : (..., 3) array_like
        Where the motions were to end, one frame; shapes broadcast.
    normal, offset : (..., 3), (...) array_like
        The planes ``normal . x = offset``; normals of any length. Of no length, the end
        stays.
    epsilon : (...) array_like
        How far before the plane: a length.
    side : (...) array_like
        Which side each came from, as in `push_off`.

    Returns
    -------
    (..., 3) float64
        At least epsilon from the plane, on that side. An end that is there already
        stays: nothing is drawn to the plane.

    Raises
    ------
    ValueError
        If a number is not finite, or epsilon is negative.

    Notes
    -----
    Defect repaired: as printed, what comes from behind is put through to the front.
    """
    stop, across = points(3, end=end, normal=normal)
    (height,) = lengths(epsilon=epsilon)
    ((level,),) = points(1, offset=np.asarray(offset, np.float64)[..., None])
    unit, size = _unit(across)
    flat = size == 0
    reach = level / np.where(flat, 1.0, size)  # the plane's distance from the origin
    towards = _facing(side)
    before = towards * (dot(unit, stop) - reach)  # eq. 25: -m_0, seen from that side
    shift = np.where(flat, 0.0, np.maximum(height - before, 0.0))  # eq. 22
    return rows(along(stop, unit, towards * shift))  # eq. 23


def _facing(side: ArrayLike) -> Column:
    """Take sides as 1 (in front, or on the plane) or -1."""
    ((given,),) = points(1, side=np.asarray(side, np.float64)[..., None])
    return np.where(given < 0, -1.0, 1.0)


def _unit(vector: Vector) -> tuple[Vector, Column]:
    """Find directions and lengths, also where squares overflow or vanish."""
    x, y, z = np.broadcast_arrays(*vector)
    _, power = np.frexp(np.maximum(np.maximum(np.abs(x), np.abs(y)), np.abs(z)))
    near = np.ldexp(x, -power), np.ldexp(y, -power), np.ldexp(z, -power)
    size = np.sqrt(dot(near, near))
    flat = size == 0
    by = np.where(flat, 1.0, size)
    zero = np.zeros_like(by)
    unit = choose(flat, (zero, zero, zero), (near[0] / by, near[1] / by, near[2] / by))
    return unit, np.ldexp(size, power)
