"""A shape that is squashed, twisted and bent by hand."""

from collections.abc import Mapping
from math import radians
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import deform

Floats = NDArray[np.float64]


class Mould(NamedTuple):
    """How much a shape is deformed, along its own z axis and about its middle."""

    squash: float = 0.0  # by which part of its height it is pressed; negative stretches
    twist: float = 0.0  # degrees, of its upper end against its lower one
    bend: float = 0.0  # degrees, of the whole arc


# What the sliders run through. A squash of 1 leaves nothing.
RANGES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"squash": (-0.8, 0.8), "twist": (-180.0, 180.0), "bend": (-180.0, 180.0)}
)


def moulded(rest: Floats, mould: Mould) -> Floats:
    """Deform a shape: squash, then twist, then bend; a fresh (V, 3) array.

    Raises
    ------
    ValueError
        If an amount is not finite or leaves nothing of the body, or the bend would
        fold it (see `sim.deform`).
    """
    if not len(rest):
        return rest.copy()
    about = (rest.min(axis=0) + rest.max(axis=0)) / 2
    layers = []
    if mould.squash != 0.0:
        layers.append(deform.squash(mould.squash, about=about))
    if mould.twist != 0.0:
        layers.append(deform.twist(radians(mould.twist), about=about))
    if mould.bend != 0.0:
        layers.append(deform.bend(radians(mould.bend), about=about))
    return deform.stack(*layers)(rest) if layers else rest.copy()
