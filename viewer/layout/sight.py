"""Say what hides places from an eye, and what stands in front of them."""

import numpy as np
from numpy.typing import NDArray

from viewer.arrays import Floats

_TOUCHING = 1e-3  # of the size of what may hide: nearer surfaces are the place's own


def surfaces_before(spot: Floats, ways: Floats, triangles: Floats) -> NDArray[np.intp]:
    """Count the surfaces that hide a spot from each of (n, 3) directions, (n,).

    ``triangles`` (t, 3, 3) are of closed bodies; those that the spot lies on hide
    nothing. Cost O(n t): 72 directions and 3000 triangles take a millisecond or two.
    """
    return np.asarray(_crossed(spot, ways, triangles).sum(axis=1))


def hides(spot: Floats, eye: Floats, triangles: Floats) -> bool:
    """Tell whether a body with these triangles (t, 3, 3) hides a spot from an eye."""
    return bool(_crossed(spot, (eye - spot)[None], triangles, 1.0).any())


def boxes_between(
    spots: Floats, eye: Floats, low: Floats, high: Floats
) -> NDArray[np.bool_]:
    """Tell which of (n, 3) boxes are between which of (k, 3) spots and an eye, (k, n).

    Where one is not, what it holds hides nothing.
    """
    at, way = spots[:, None], (eye - spots)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (low - at) / way, (high - at) / way
    first = np.fmax.reduce(np.minimum(one, other), axis=-1)
    last = np.fmin.reduce(np.maximum(one, other), axis=-1)
    return np.asarray(np.fmax(first, 0.0) <= np.fmin(last, 1.0))


def _crossed(
    spot: Floats, ways: Floats, triangles: Floats, most: float = np.inf
) -> NDArray[np.bool_]:
    """Tell which rays cross which triangles, (n, t), beyond the spot and up to most."""
    a, b, c = (triangles - spot).transpose(1, 0, 2)
    sides = np.cross(a, b), np.cross(b, c), np.cross(c, a)
    one, two, three = (ways @ side.T for side in sides)
    whole, volume = one + two + three, (a * sides[1]).sum(axis=1)
    inside = ((one >= 0) & (two >= 0) & (three >= 0)) | (
        (one <= 0) & (two <= 0) & (three <= 0)
    )
    size = float(np.ptp(triangles.reshape(-1, 3), axis=0).max(initial=0.0))
    long = np.sqrt((ways * ways).sum(axis=1, keepdims=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        part = volume / whole
    return np.asarray(inside & (part * long > _TOUCHING * size) & (part < most))
