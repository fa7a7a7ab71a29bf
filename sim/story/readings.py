"""The numbers of a story: how far, which way and where, when something happened.

One row per pair and frame in which an event of the pair was told::

    37 jelly/table 0.0005 2.6 0 0 -1 0.25 0.1 0.0005

The frame, the bodies, the signed distance and ``state.size``; then the unit normal from
A to B; then the closest point on A where there is only one.  A row of an "end" has
neither: the features that they would be of are not told.  Normals have 12 decimals,
lengths 12 significant digits, and more where it takes more to 1e-12 of the size, far
from the origin: much more than the 1e-9 that are compared.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Self

from sim.events.event import EVENT_KINDS, Event
from sim.events.touch import shown

DIGITS = 12
EXACT = 17  # digits that no double needs more than
REAL = r" (?!-0(?: |$))-?[0-9]+(?:\.[0-9]+)?(?:e[+-][0-9]{2,3})?"
ROW = re.compile(rf"([0-9]{{1,18}}) ([^/]+)/(.+?)((?:{REAL}){{2,8}})")
EXAMPLE = "37 jelly/table 0.0005 2.6 0 0 -1 0.25 0.1 0.0005"
Vec = tuple[float, ...]  # three numbers, or none
Key = tuple[int, str, str]  # frame and bodies


class Reading(NamedTuple):
    """What was measured of a pair in a frame in which something happened to it."""

    frame: int
    a: str
    b: str
    distance: float  # signed, negative overlapping
    size: float  # what the tolerance of lengths is per unit of
    normal: Vec = ()  # from A to B; none at an "end"
    point: Vec = ()  # on A; none where it is not unique

    @classmethod
    def of(cls, event: Event) -> Self | None:
        """Read the numbers off the state of an event; None where it has none.

        Kept are as many digits as stories write.
        """
        state = event.state
        if state is None or event.kind not in EVENT_KINDS:
            return None
        n = state.numbers
        told = event.kind != "end"
        return cls(
            event.frame,
            event.a,
            event.b,
            _rounded(n.distance, n.size),
            _rounded(n.size, n.size),
            tuple(round(x, DIGITS) + 0.0 for x in n.normal) if told else (),
            tuple(_rounded(x, n.size) for x in n.point_a) if told and n.unique else (),
        )

    @classmethod
    def parse(cls, line: str) -> Self:
        """Read a row back.

        Raises ValueError if it is none, or written in another way.
        """
        if found := ROW.fullmatch(line):
            frame, a, b, values = found.groups()
            distance, size, *rest = map(float, values.split())
            vectors = tuple(rest[:3]), tuple(rest[3:])
            reading = cls(int(frame), a, b, distance, size, *vectors)
            if len(rest) in (0, 3, 6) and str(reading) == line:
                return reading
        raise ValueError(
            f"{shown(line)} is no row of numbers; one looks like {EXAMPLE!r}"
        )

    @property
    def key(self) -> Key:
        """Of which pair and frame it is."""
        return self.frame, self.a, self.b

    def __str__(self) -> str:
        values = (self.distance, self.size, *self.normal, *self.point)
        return " ".join([f"{self.frame} {self.a}/{self.b}", *map(_printed, values)])


def readings_of(events: Iterable[Event]) -> tuple[Reading, ...]:
    """Read the numbers off events that still have their states, in their order."""
    found: dict[Key, Reading] = {}
    for event in events:
        reading = Reading.of(event)
        if reading is not None:  # an "end" is the last of its frame
            found[reading.key] = reading
    return tuple(found.values())


def checked(
    readings: Iterable[Reading], events: Iterable[Event], where: Callable[[int], str]
) -> Iterator[Reading]:
    """Check that numbers are of events of a story, and in their order.

    Parameters: ``where``: how a message calls the k-th row, as in "line 12".

    Raises ValueError saying which row is of no event, or not in its place.
    """
    told = (event for event in events if event.kind in EVENT_KINDS)
    keys = iter(dict.fromkeys((event.frame, event.a, event.b) for event in told))
    for k, reading in enumerate(readings):
        if reading.key not in keys:  # nor behind the last one
            raise ValueError(
                f"{where(k)}: {shown(str(reading))}: there is no event of this pair in "
                "this frame, or it is not in the order of the events, each once"
            )
        yield reading


def _rounded(x: float, size: float) -> float:
    """Round to as many digits as count at this size; 0 for what is rounding."""
    if abs(x) < 1e-14 * size:
        return 0.0
    found = (float(f"{x:.{digits}g}") for digits in range(DIGITS, EXACT))
    return next((y for y in found if abs(y - x) <= 1e-12 * size), x)


def _printed(x: float) -> str:
    """Write a number in 12 digits, or in as many as it has."""
    found = (f"{x:.{digits}g}" for digits in range(DIGITS, EXACT + 1))
    return next(text for text in found if float(text) == x)
