"""A moment between two frames, and what is so then."""

from __future__ import annotations

from typing import Any, Protocol

from sim.between.moves import Move, world_at
from sim.result.state import PairState
from sim.result.witness import distance_rate


class Way(Protocol):
    """What an instant asks of the passage that it is of."""

    moves: tuple[Move, Move]

    @property
    def touch(self) -> Instant | None:
        """The first instant."""

    def at(self, t: float) -> PairState:
        """Answer for the bodies as they are at a time."""

    def differentiated(self, instant: Instant) -> Any:
        """Differentiate the time of an instant."""


class Instant:
    """A moment between two frames, as an interval that is proven to hold it.

    Attributes
    ----------
    lower, upper : float
        Times in [0, 1]: 0 the frame before, 1 this one.
    """

    __slots__ = ("_passage", "_speed", "asked", "lower", "upper")

    def __init__(
        self, passage: Way, lower: float, upper: float, speed: float | None = None
    ) -> None:
        self._passage = passage
        self._speed = speed  # once it was asked for
        self.asked: PairState | None = None  # the state, once it was
        self.lower = lower
        self.upper = upper

    @property
    def speed(self) -> float:
        """By which the distance falls (grows, at a parting), per frame.

        Of the closest points where the bodies are still apart, with which it is the
        derivative where no other points are as near.  Cost: an answer, O(V), once.
        """
        if self._speed is None:
            passage, closes = self._passage, self is self._passage.touch
            t = self.lower if closes else self.upper
            here = [world_at(move, t) for move in passage.moves]
            ways = [world_at(move, 1.0) - world_at(move, 0.0) for move in passage.moves]
            rate = distance_rate(passage.at(t), here, ways)
            self._speed = -rate if closes else rate
        return self._speed

    @property
    def state(self) -> PairState:
        """The closest features where the bodies have just met, or not yet parted."""
        if self.asked is None:
            passage = self._passage
            t = self.upper if self is passage.touch else self.lower
            self.asked = passage.at(t)
        return self.asked

    def derivatives(self) -> Any:
        """Differentiate the time by where the bodies start and end.

        Raises ValueError where it has no derivative, and says why: the bodies graze,
        or meet in features that name no single normal.  Cost: an answer, O(V).

        Returns: ``sim.gradients.onset.OnsetDerivatives``.
        """
        return self._passage.differentiated(self)

    def __repr__(self) -> str:
        """Show the interval."""
        return f"Instant({self.lower!r}, {self.upper!r})"
