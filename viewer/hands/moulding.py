"""Squash, twist and bend a shape, and slide a body along others."""

from collections.abc import Mapping
from math import radians
from types import MappingProxyType
from typing import NamedTuple

from sim import Body, Compound, Pose, World
from sim.body.placed import Actor
from sim.deform.deformer import squash, stack
from sim.deform.sections import bend, twist
from sim.response.hand import Hand
from viewer.arrays import Floats


class Moulding(NamedTuple):
    """How much a shape is deformed, along its own z axis and about its middle."""

    squash: float = 0.0  # by which part of its height it is pressed; negative stretches
    twist: float = 0.0  # degrees, of its upper end against its lower one
    bend: float = 0.0  # degrees, of the whole arc


# What the sliders run through. A squash of 1 leaves nothing.
RANGES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"squash": (-0.8, 0.8), "twist": (-180.0, 180.0), "bend": (-180.0, 180.0)}
)


def moulded(rest: Floats, mould: Moulding) -> Floats:
    """Deform a shape: squash, then twist, then bend; ValueError where that folds it."""
    if not len(rest):
        return rest.copy()
    about = (rest.min(axis=0) + rest.max(axis=0)) / 2
    layers = []
    if mould.squash != 0.0:
        layers.append(squash(mould.squash, about=about))
    if mould.twist != 0.0:
        layers.append(twist(radians(mould.twist), about=about))
    if mould.bend != 0.0:
        layers.append(bend(radians(mould.bend), about=about))
    return stack(*layers)(rest) if layers else rest.copy()


class Sliding:
    """Move one body of a world, none of pieces, among those that are in the way."""

    def __init__(self, body: Actor, world: World) -> None:
        if not isinstance(body, Body):
            raise TypeError(
                f"'{body.name}' is made of pieces: it cannot slide; switch that off (x)"
            )
        others = [
            other
            for other in world.bodies
            if other is not body and not world.ignores(body.name, other.name)
        ]
        self._compounds = [other for other in others if isinstance(other, Compound)]
        self._names = {
            piece.name: other.name
            for other in self._compounds
            for piece in other.pieces
        }
        solid = [other for other in others if isinstance(other, Body)]
        pieces = [piece for other in self._compounds for piece in other.pieces]
        self._hand = Hand(body, solid + pieces)

    def move_to(self, wanted: Pose) -> str:
        """Bring the body as near to a rigid pose as it goes; say what became of it."""
        for compound in self._compounds:
            compound.settle()  # its pieces are where it is now
        drag = self._hand.move_to(wanted)
        named = self._names  # pieces, by their compounds
        touched = ", ".join(
            f"{named.get(o := c.obstacle.name, o)} {c.kind} {c.feature} {c.on}"
            for c in drag.contacts[:2]
        )
        words = drag.reason or drag.response
        return f"{words}: {touched}" if touched else words
