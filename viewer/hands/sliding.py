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
        All its other bodies are in the way, but those made of pieces.

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
        others = [b for b in world.bodies if isinstance(b, Body) and b is not body]
        self._hand = Hand(body, others)

    def move_to(self, wanted: Pose) -> str:
        """Bring the body as near to a pose as it goes; say what became of it.

        Raises
        ------
        ValueError
            If the pose is not the present one moved and turned.
        """
        drag = self._hand.move_to(wanted)
        touched = ", ".join(
            f"{held.obstacle.name} {held.kind} {held.feature} {held.on}"
            for held in drag.contacts[:2]
        )
        words = drag.reason or drag.response
        return f"{words}: {touched}" if touched else words
