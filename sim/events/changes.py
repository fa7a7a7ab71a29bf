"""What happened in a frame, told when somebody reads it."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.events.event import Event, events_between, region_events
from sim.result.answers import PairAnswers


class Changes(NamedTuple):
    """The pairs of a frame of which there may be something to tell, in their order."""

    before: PairAnswers  # those of them that were answered for in the frame before
    after: PairAnswers
    known: NDArray[np.bool_]  # which those are
    contacts: NDArray[np.int32]  # identities of what lasts, begins or ends; else -1

    def events(self) -> Iterator[Event]:
        """Tell what happened, pair by pair."""
        old = iter(self.before)
        rows = zip(self.after, self.known, self.contacts.tolist(), strict=True)
        for state, known, contact in rows:
            before = next(old) if known else None
            yield from events_between(before, state, contact)
            yield from region_events(before, state)


class FrameEvents(Sequence[Event]):
    """The events of a frame, as a tuple; those of pairs are told when first asked for.

    Cost: some 50 us an event, once.
    """

    def __init__(self, of_bodies: tuple[Event, ...], changes: Changes) -> None:
        self._told = of_bodies
        self._untold: Changes | None = changes

    def _all(self) -> tuple[Event, ...]:
        if self._untold is not None:
            self._told = (*self._told, *self._untold.events())
            self._untold = None
        return self._told

    def __len__(self) -> int:
        """Count the events."""
        return len(self._all())

    def __getitem__(self, k: Any) -> Any:
        """Return an event by its place, or those of a slice."""
        return self._all()[k]

    def __iter__(self) -> Iterator[Event]:
        """Go through the events in their order."""
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        """Compare event by event."""
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __add__(self, other: Sequence[Event]) -> tuple[Event, ...]:
        """Return these events, and then others."""
        return (*self._all(), *other)

    def __radd__(self, other: Sequence[Event]) -> tuple[Event, ...]:
        """Return other events, and then these."""
        return (*other, *self._all())

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what happened, not what it is told from."""
        return tuple, (self._all(),)

    def __repr__(self) -> str:
        """Show the events."""
        return repr(self._all())
