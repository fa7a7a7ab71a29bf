"""The constraint of contact: what is held goes along the others, never through them."""

from typing import TYPE_CHECKING

from sim import Body, Compound, Pose
from sim.response import Hand

if TYPE_CHECKING:
    from sim import World


class Sliding:
    """Move one body of a world among the others.

    Parameters
    ----------
    body : Body
    world : World
        All its other bodies are in the way, those made of pieces too, but those that
        the world ignores beside this one.

    Raises
    ------
    TypeError
        If the body is made of pieces.
    """

    def __init__(self, body: "Body | Compound", world: "World") -> None:
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
        """Bring the body as near to a pose as it goes; say what became of it.

        Raises
        ------
        ValueError
            If the pose is not the present one moved and turned.
        """
        for compound in self._compounds:
            compound.settle()  # its pieces are where it is now
        drag = self._hand.move_to(wanted)
        touched = ", ".join(
            f"{self._called(held.obstacle.name)} {held.kind} {held.feature} {held.on}"
            for held in drag.contacts[:2]
        )
        words = drag.reason or drag.response
        return f"{words}: {touched}" if touched else words

    def _called(self, obstacle: str) -> str:
        """Name an obstacle as the world does; a piece with its compound."""
        return self._names.get(obstacle, obstacle)
