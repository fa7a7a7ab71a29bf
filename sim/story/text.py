"""The one text of a story: a head that says what it is of, and a line per event.

docs/stories.md shows it.  Every line of the head is there, in its order, but for that
of the resolution, where it was told at none; the digests may be left out by who writes
a story by hand, and are checked where they are there.  Without events there is no empty
line.  What else could be written in two ways is refused, so a text that was read is
printed as it was, with its digest.

The numbers, where there are any, have one row per pair and frame in which an event of
the pair was told: the frame, the bodies, the signed distance and ``state.size``; then
the unit normal from A to B; then the closest point on A where there is only one.  Of an
"end" neither is told.  Normals have 12 decimals, lengths 12 significant digits, and
more where it takes more to 1e-12 of the size: more than the 1e-9 that are compared.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import zip_longest
from math import isfinite
from typing import Any, NamedTuple, Self, TypeVar

import wingedge
from sim.events.event import EVENT_KINDS, Event
from sim.events.touch import is_number, shown
from sim.story.order import checked_events
from wingedge.features import is_name

VERSION = 1
TITLE = "wingedge story"
NUMBERS = "numbers"
SEALS = ("digest ", f"{NUMBERS} ")
Said = TypeVar("Said")
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
    """Read the numbers off events that still have their states, in their order.

    Kept are as many digits as stories write.
    """
    found: dict[Key, Reading] = {}
    for event in events:
        if event.state is None or event.kind not in EVENT_KINDS:
            continue
        n, key = event.state.numbers, (event.frame, event.a, event.b)
        distance, size, *point = (
            _rounded(x, n.size) for x in (n.distance, n.size, *n.point_a)
        )
        normal = tuple(round(x, DIGITS) + 0.0 for x in n.normal)
        told = event.kind != "end"  # the last of its frame
        vectors = normal * told, tuple(point) * (told and n.unique)
        found[key] = Reading(*key, distance, size, *vectors)
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


class Head(NamedTuple):
    """What a story is of."""

    bodies: tuple[str, ...]
    frames: int
    first: int
    dt: float
    resolution: float = 0.0

    def __str__(self) -> str:
        bodies = f"bodies {'/'.join(self.bodies)}" if self.bodies else "bodies"
        told = f"resolution {self.resolution!r}\n" if self.resolution else ""
        numbers = f"frames {self.frames}\nfirst {self.first}\ndt {self.dt!r}\n"
        return f"{bodies}\n{numbers}{told}"


KEYS: dict[str, Callable[[str], Any]] = {
    "bodies": lambda value: tuple(value.split("/")) if value else (),
    **{"frames": int, "first": int, "dt": float, "resolution": float},
}


def digest_of(lines: Iterable[str]) -> str:
    """Sum up the lines of events, and nothing else, in 16 hex digits (BLAKE2b)."""
    total = blake2b(digest_size=8)
    for line in lines:
        total.update(f"{line}\n".encode())
    return total.hexdigest()


def print_story(
    head: Head, lines: Iterable[str], readings: Iterable[Reading] = ()
) -> str:
    """Write the text of a story, given the lines of its events, and its numbers."""
    said, rows = tuple(lines), tuple(map(str, readings))
    title = f"{TITLE} {VERSION}\ndigest {digest_of(said)}\n{head}"
    told = ("", *said) if said else ()
    measured = ("", f"{NUMBERS} {digest_of(rows)}", *rows) if rows else ()
    return title + "".join(f"{line}\n" for line in (*told, *measured))


def parse_story(text: str) -> tuple[Head, tuple[Event, ...], tuple[Reading, ...]]:
    """Read the text of a story; what is wrong in a line is said before the digest.

    The ends of lines may be those of Windows.

    Raises ValueError naming the line: if it is none, or of a newer version, cut short,
    damaged, or another one than its digest says.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    number = lines[0].removeprefix(f"{TITLE} ")
    if number == lines[0] or not is_number(number):
        raise ValueError(
            f"line 1: {shown(lines[0])} begins no story; one begins with "
            f"'{TITLE} {VERSION}'"
        )
    if int(number) != VERSION:
        raise ValueError(
            f"line 1: a story of version {number}, and this is wingedge "
            f"{wingedge.__version__} which reads version {VERSION}; run "
            "'pip install -U wingedge'"
        )
    at = 2 if lines[1:2] and lines[1].startswith("digest") else 1
    head, first = _head(lines, at)
    first += lines[first : first + 1] == [""]
    rest = lines[first : len(lines) - (lines[-1] == "")]
    end = rest.index("", 1) if "" in rest[1:] else len(rest)  # no event is empty
    title = first + end + 2  # the number of the line above the numbers
    above = "".join(rest[end + 1 : end + 2])
    if end < len(rest) and not f"{above} ".startswith(f"{NUMBERS} "):
        raise ValueError(
            f"line {title}: {shown(above)} does not begin the numbers of the events; "
            f"'{NUMBERS}' does, with their digest or without"
        )
    span = range(head.first, head.first + head.frames)
    named = frozenset(head.bodies)
    read = _parsed(lambda line: Event.parse(line, named), rest[:end], first)
    where = first + 1
    events = tuple(
        checked_events(read, head.bodies, span, lambda k: f"line {where + k}")
    )
    rows = _parsed(Reading.parse, rest[end + 2 :], title)
    numbers = tuple(checked(rows, events, lambda k: f"line {title + 1 + k}"))
    _check_printed(lines, print_story(head, map(str, events), numbers).split("\n"))
    return head, events, numbers


def _head(lines: list[str], at: int) -> tuple[Head, int]:
    """Read the head that begins behind so many lines; behind how many it ends, too."""
    values = []
    for number, (key, read) in enumerate(KEYS.items(), start=at + 1):
        word, _, value = "".join(lines[number - 1 : number]).partition(" ")
        if key == "resolution" and not word.startswith(key):
            break
        if word != key:
            said = shown(lines[number - 1]) if number <= len(lines) else "its end"
            raise ValueError(
                f"line {number}: {said} should say '{key} ...'; the head of a story "
                f"has the lines {', '.join([*KEYS][:4])}"
            )
        try:
            values.append(read(value))
        except ValueError:
            raise ValueError(
                f"line {number}: {shown(value)} is no number as '{key}' has one"
            ) from None
    head = Head(*values)
    try:
        check_head(head)
    except ValueError as error:
        raise ValueError(f"line {at + 1}: {error}") from None
    return head, at + len(values)


def _check_printed(lines: list[str], printed: list[str]) -> None:
    """Refuse what is not written as a story is printed, but for digests left out."""
    if not lines[1].startswith("digest"):
        del printed[1]
    seals = [k for k, line in enumerate(printed) if line.startswith(SEALS)]
    for k, (said, wanted) in enumerate(zip_longest(lines, printed)):
        if said == wanted or (k in seals and said == NUMBERS):
            continue
        if said is None:
            if seals and lines[seals[-1]] == printed[seals[-1]]:
                return  # the digest says that it is whole
            raise ValueError(
                f"line {k}: {shown(lines[-1])} has no end, so the text may be cut "
                "short; end its last line as the others"
            )
        if k in seals:
            what = f"write '{NUMBERS}' alone" if k > 1 else "delete line 2"
            raise ValueError(
                f"line {k + 1}: {shown(said)} should be '{wanted}': lines below were "
                f"edited by hand, cut short or damaged; if you mean them as they are, "
                f"{what}"
            )
        should = "not be there" if wanted is None else f"be {shown(wanted)}"
        raise ValueError(f"line {k + 1}: {shown(said)} should {should}")


def _parsed(parse: Callable[[str], Said], lines: list[str], at: int) -> Iterator[Said]:
    """Read line after line; ``at`` is the number of the one above them."""
    for number, line in enumerate(lines, start=at + 1):
        try:
            yield parse(line)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None


def check_head(head: Head) -> None:
    """Refuse what a story cannot be of.

    Raises ValueError saying what is wrong.
    """
    for name in head.bodies:
        if not is_name(name):
            raise ValueError(
                f"a body cannot be called {shown(name)}: a name is of printable "
                "letters without '/' and '->'"
            )
    if len(set(head.bodies)) < len(head.bodies):
        twice = next(n for n in head.bodies if head.bodies.count(n) > 1)
        raise ValueError(f"two bodies are called {shown(twice)}")
    if head.frames < 0 or head.first < 0:
        raise ValueError(
            f"{head.frames} frames from frame {head.first} on: neither is below 0"
        )
    if not (isfinite(head.dt) and head.dt >= 0.0):
        raise ValueError(f"dt={head.dt!r} is no time; it is finite, 0.0 if not known")
    if not (isfinite(head.resolution) and head.resolution >= 0.0):
        raise ValueError(f"resolution={head.resolution!r} is no length")
