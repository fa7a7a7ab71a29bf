"""Frames that somebody else makes, and hands over one by one."""

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from viewer.playing.sources import KEPT_BYTES, KEPT_FRAMES

if TYPE_CHECKING:
    from sim import Event, Frame


class Pushed:
    """The frames that were handed over, as many as there is room for."""

    out_of_reach = "another loop moves these bodies: here they can be read only"

    def __init__(self, keep_bytes: int = KEPT_BYTES) -> None:
        self._room = keep_bytes
        self._events: list[tuple[int, Event]] = []
        self._ended = False
        self._kept: deque[tuple[Frame, int]] = deque()  # and what it weighs
        self._weight = 0
        self._count = 0
        self.trouble: Exception | None = None

    @property
    def dt(self) -> float:
        """The time between two frames; 1/60 where that cannot be told."""
        if len(self._kept) < 2:
            return 1 / 60
        passed = self._kept[-1][0].time - self._kept[-2][0].time
        return passed if passed > 0 else 1 / 60

    @property
    def first(self) -> int:
        """The place of the oldest frame that is still there."""
        return self._count - len(self._kept)

    @property
    def ended(self) -> bool:
        """Whether `end` was called: until then another one may come."""
        return self._ended

    def __len__(self) -> int:
        """Count the frames that were handed over."""
        return self._count

    def __getitem__(self, k: int) -> "Frame":
        """Return a frame that is still there."""
        if not self.first <= k < self._count:
            raise IndexError(
                f"frame {k} is not there; frames {self.first} to {self._count - 1} are"
            )
        return self._kept[k - self.first][0]

    def extend(self) -> bool:
        """Return False: frames are handed over, not asked for."""
        return False

    def append(self, frame: "Frame", events: "Sequence[Event] | None" = None) -> None:
        """Take a frame; ``events`` instead of its own, where they are given."""
        told = frame.events if events is None else tuple(events)
        last = self._kept[-1][0].bodies if self._kept else ()
        shared = {id(body.points) for body in last}
        weight = sum(
            b.points.nbytes for b in frame.bodies if id(b.points) not in shared
        )
        self._kept.append((frame, weight))
        self._events += ((self._count, event) for event in told)
        self._weight += weight
        self._count += 1
        while self._weight > self._room or len(self._kept) > KEPT_FRAMES:
            if len(self._kept) == 1:
                break  # the present frame is shown, however heavy
            self._weight -= self._kept.popleft()[1]
        gone = bisect_left(self._events, self.first, key=lambda placed: placed[0])
        del self._events[:gone]

    def end(self, trouble: Exception | None = None) -> None:
        """Say that no frame comes after the last one, and why, if it went wrong."""
        self._ended = True
        self.trouble = trouble

    def events(self) -> "Sequence[tuple[int, Event]]":
        """Everything that happened in frames that are there, with their places."""
        return self._events
