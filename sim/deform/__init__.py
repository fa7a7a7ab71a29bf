"""Deformations: functions of the rest shape and time that give positions.

A deformer is any function ``(rest, t) -> points``, both (V, 3), body frame. Those made
here also say what they keep: ``keeps_convexity``, ``keeps_planarity``, ``is_portable``
(see `Deformer`). Amounts are numbers or functions of time. The modules, by what they
need to know: a matrix (`deformer`), where a vertex lies along an axis (`sections`),
where it lies (`fields`), which vertex it is (`morphs`, `modes`).
"""

from sim.arguments import Amount
from sim.deform.deformer import Deformer, Points, affine, scale, shear, squash, stack
from sim.deform.fields import dent, lattice, noise, wave
from sim.deform.modes import modal
from sim.deform.morphs import blend, keyframes, samples
from sim.deform.sections import bend, bulge, taper, twist

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
    "modal",
    "noise",
    "samples",
    "scale",
    "shear",
    "squash",
    "stack",
    "taper",
    "twist",
    "wave",
]
