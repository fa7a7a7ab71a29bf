"""Deformations: functions of the rest shape and time that give positions.

A deformer is any function ``(rest, t) -> points``, both (V, 3), body frame. Those made
here also say what they keep: ``keeps_convexity``, ``keeps_planarity``, ``is_portable``
(see `Deformer`). The modules, by what they need to know: a matrix (`deformer`), where a
vertex lies along an axis (`sections`), where it lies (`fields`), which vertex it is
(`morphs`). What several of them take means the same everywhere:

``amount`` (also ``angle``, ``depth``, ``weights``)
    A number, or a function of time; 0 leaves the body as it is.
``axis`` (also ``along``, ``towards``)
    0, 1, 2 or "x", "y", "z"; what is measured along it, or moved.
``about`` : (3,)
    The point that stays, or a point of the axis, body frame; the origin if left out.
``span`` : (low, high)
    The range along the axis in which something happens, body frame; beyond its ends the
    body goes on rigidly, or as it was. Left out it is the extent of the rest shape; one
    that is flat along the axis lies at its low end.

ValueError is raised for a number that is not finite, an unknown axis and an empty span
at once; for what functions of time return when it is called, with the time.
"""

from typing import TYPE_CHECKING

from sim.arguments import Amount
from sim.deform.deformer import Deformer, Points, affine, scale, shear, squash, stack
from sim.deform.fields import dent, lattice, wave
from sim.deform.morphs import blend, keyframes, samples
from sim.deform.sections import bend, bulge, taper, twist
from wingedge import registry as _registry

__all__ = [
    "Amount",
    "Deformer",
    "Points",
    "affine",
    "bend",
    "blend",
    "bulge",
    "dent",
    "keyframes",
    "lattice",
    "samples",
    "scale",
    "shear",
    "squash",
    "stack",
    "taper",
    "twist",
    "wave",
]

if not TYPE_CHECKING:  # else every name would be one
    __getattr__, __dir__ = _registry.export(__name__, __all__, {})
