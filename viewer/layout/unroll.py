"""A neighbourhood laid flat: what drops away from the contact is laid outward."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def unrolled(points: Floats, origin: Floats, outward: Floats, up: Floats) -> Floats:
    """Lay points around an origin flat, seen from outside.

    A point goes as far from the middle as it lies beside the origin and below it,
    together: the sides of a box lie around its top as in a net.  Counter-clockwise
    stays counter-clockwise.

    Parameters
    ----------
    points : (n, 3)
    origin : (3,)
        What comes to lie in the middle.
    outward : (3,) unit
        Away from the body.
    up : (3,)
        What is up in the chart, as far as it lies across ``outward``.

    Returns
    -------
    (n, 2)
        To the right and up, in the unit of the points.
    """
    right, above = _axes(outward, up)
    away = points - origin
    flat = np.stack([away @ right, away @ above], axis=-1)
    drop = np.abs(away @ outward)
    length = np.sqrt((flat * flat).sum(axis=-1))
    # straight below the origin there is no way out: it stays in the middle
    ratio = np.where(length > 0.0, drop / np.where(length > 0.0, length, 1.0), 0.0)
    out: Floats = flat * (1.0 + ratio)[:, None]
    return out


def _axes(outward: Floats, up: Floats) -> tuple[Floats, Floats]:
    """Return right and up across a direction; any where ``up`` runs along it."""
    for trial in (up, *np.eye(3)):
        above = trial - (trial @ outward) * outward
        length = float(np.sqrt(above @ above))
        if length > 0.3 * float(np.sqrt(trial @ trial)):
            above = above / length
            return np.cross(above, outward), above
    raise ValueError(f"outward={outward.tolist()} is no unit vector")
