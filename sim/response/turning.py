"""Small turns without sines: unit quaternions and their vectors.

A turn by the angle t about the unit axis u is named by the vector ``2 tan(t/2) u``: of
small turns, radians.  Rational, so the same bits on every machine.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sim.arguments import Vec
from sim.body.pose import Pose, determinant, product

Float = np.float64
ORTHONORMAL = 1e-9  # as Pose.rigid


def turn_between(start: NDArray[Float], end: NDArray[Float]) -> tuple[Vec, float]:
    """Return the turn that takes one linear part to another: unit axis, 2 tan(t/2).

    Infinite for half a turn, 0 about x for none.

    Raises
    ------
    ValueError
        If ``end`` is not ``start`` turned: a hand does not deform.
    """
    turn = product(end, inverse(start))
    if np.abs(product(turn, turn.T) - np.eye(3)).max() > ORTHONORMAL:
        raise ValueError(
            "the target pose is not the body's pose turned and shifted: a hand does "
            "not stretch a body; set body.points, or body.pose before the move"
        )
    x, y, z, w = quaternion(turn)
    size = sqrt(x * x + y * y + z * z)
    if size == 0.0:
        return (1.0, 0.0, 0.0), 0.0
    angle = 2.0 * size / w if w > 0.0 else float("inf")
    return (x / size, y / size, z / size), angle


def turn_by(axis: Vec, angle: float) -> NDArray[Float]:
    """Return the rotation matrix about a unit axis, of the angle 2 atan(angle / 2)."""
    h = 0.5 * angle
    return Pose.rigid((h * axis[0], h * axis[1], h * axis[2], 1.0)).linear


def quaternion(turn: NDArray[Float]) -> tuple[float, float, float, float]:
    """Return x, y, z, w with w >= 0 of a rotation matrix (Shepperd 1978).

    Divides by the largest of the four, so no digits are lost at half turns.
    """
    (a, b, c), (d, e, f), (g, h, i) = turn.tolist()
    squares = (1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i, 1.0 + a + e + i)
    k = squares.index(max(squares))
    s = sqrt(squares[k])
    table = (
        (s, (b + d) / s, (c + g) / s, (h - f) / s),
        ((b + d) / s, s, (f + h) / s, (c - g) / s),
        ((c + g) / s, (f + h) / s, s, (d - b) / s),
        ((h - f) / s, (c - g) / s, (d - b) / s, s),
    )
    x, y, z, w = table[k]
    flip = -1.0 if w < 0.0 else 1.0
    return 0.5 * flip * x, 0.5 * flip * y, 0.5 * flip * z, 0.5 * flip * w


def inverse(linear: NDArray[Float]) -> NDArray[Float]:
    """Invert a (3, 3) matrix of positive determinant by its cofactors."""
    (a, b, c), (d, e, f), (g, h, i) = linear.tolist()
    det = determinant((a, b, c, 0.0, d, e, f, 0.0, g, h, i, 0.0))
    cofactors = [
        [e * i - f * h, c * h - b * i, b * f - c * e],
        [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d],
    ]
    return np.array(cofactors, Float) / det
