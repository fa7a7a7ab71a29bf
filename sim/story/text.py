"""The one text of a story: a head that says what it is of, and a line per event.

::

    wingedge story 1
    digest 6f1d0c6c6e0a4f9b
    bodies block/table
    frames 120
    first 0
    dt 0.016666666666666666

    17 begin block/table FF f0 f1
    25 change block/table FF f0 f1 -> EF e2(3-1) f1

    numbers 93c5fb0a5d4b1c2e
    17 block/table 0.0005 2.43 0 0 -1
    25 block/table 0.0005 2.43 0 0 -1

What follows the events are the numbers that they were told with, and their own digest;
a story without them ends before (`sim.story.readings`).  Every line of the head is
there, in this order; the digest may be left out by who writes
a story by hand, and is checked where it is there.  Without events there is no empty
line.  What else could be written in two ways is refused, so a text that was read is
printed as it was, with its digest.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from math import isfinite
from typing import NamedTuple, TypeVar

import wingedge
from sim.events.event import Event
from sim.events.touch import is_name, is_number, shown
from sim.story.order import checked_events
from sim.story.readings import Reading, checked, is_float

VERSION = 1
TITLE = "wingedge story"
NUMBERS = "numbers"
DIGEST = re.compile("[0-9a-f]{16}")
Said = TypeVar("Said")
KEYS = ("bodies", "frames", "first", "dt")


class Head(NamedTuple):
    """What a story is of."""

    bodies: tuple[str, ...]
    frames: int
    first: int
    dt: float

    def __str__(self) -> str:
        bodies = f"bodies {'/'.join(self.bodies)}" if self.bodies else "bodies"
        return f"{bodies}\nframes {self.frames}\nfirst {self.first}\ndt {self.dt!r}\n"


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
    _check_title(lines[0])
    has_digest = len(lines) > 1 and lines[1].startswith("digest")
    digest = lines[1].removeprefix("digest ") if has_digest else ""
    if has_digest and not DIGEST.fullmatch(digest):
        raise ValueError(
            f"line 2: {shown(lines[1])} is no digest of 16 hex digits; delete the line "
            "if you write the story by hand"
        )
    at = 2 if has_digest else 1
    head = _head(lines, at)
    at += len(KEYS)
    whole = lines[-1] == ""  # it ends with the end of a line
    rest = lines[at : len(lines) - whole]
    if not (whole or has_digest):
        raise ValueError(
            f"line {len(lines)}: {shown(lines[-1])} has no end, so the text may be cut "
            "short; end its last line as the others"
        )
    if rest[:1] == [""] and len(rest) > 1:
        at, rest = at + 1, rest[1:]
    elif rest:
        raise ValueError(
            f"line {at + 1}: {shown(rest[0])} is not the empty line between the head "
            "and the events; without events, nothing follows the head"
        )
    end = rest.index("", 1) if "" in rest[1:] else len(rest)  # no event is empty
    said, rows = rest[:end], rest[end + 1 :]
    span = range(head.first, head.first + head.frames)
    read = _parsed(_event, said, at)
    events = tuple(
        checked_events(read, head.bodies, span, lambda k: f"line {at + 1 + k}")
    )
    title = at + end + 2  # the line above the numbers
    sealed = _numbers_digest(rows, title, whole) if end < len(rest) else ""
    if has_digest:
        _check_digest(2, digest, "events", said, "delete line 2")
    read_rows = _parsed(Reading.parse, rows[1:], title)
    found = checked(read_rows, events, lambda k: f"line {title + 1 + k}")
    numbers = tuple(found)
    if sealed:
        _check_digest(title, sealed, NUMBERS, rows[1:], f"write '{NUMBERS}' alone")
    return head, events, numbers


def _check_title(line: str) -> None:
    number = line.removeprefix(f"{TITLE} ")
    if number == line or not is_number(number):
        raise ValueError(
            f"line 1: {shown(line)} begins no story; one begins with "
            f"'{TITLE} {VERSION}'"
        )
    if int(number) != VERSION:
        raise ValueError(
            f"line 1: a story of version {number}, and this is wingedge "
            f"{wingedge.__version__} which reads version {VERSION}; run "
            "'pip install -U wingedge'"
        )


def _check_digest(line: int, digest: str, what: str, said: list[str], do: str) -> None:
    found = digest_of(said)
    if digest != found:
        raise ValueError(
            f"line {line}: the digest is {digest}, and that of the {what} {found}: "
            "they were edited by hand, cut short or damaged; if you mean them as they "
            f"are, {do}"
        )


def _head(lines: list[str], at: int) -> Head:
    values = []
    for number, key in enumerate(KEYS, start=at):
        if number >= len(lines):
            raise ValueError(
                f"line {len(lines)}: the text ends here, and should go on with "
                f"'{key} ...'; it is cut short"
            )
        line = lines[number]
        word, _, value = line.partition(" ")
        if word != key or (line != word) != (value != ""):
            raise ValueError(
                f"line {number + 1}: {shown(line)} should say '{key} ...'; the head of "
                f"a story has the lines {', '.join(KEYS)}"
            )
        dt = key == "dt" and is_float(value, repr) and not value.startswith("-")
        if key != "bodies" and not (dt or (key != "dt" and is_number(value))):
            raise ValueError(
                f"line {number + 1}: {shown(value)} is no {WANTED[key]} as stories "
                "write it"
            )
        values.append(value)
    names = tuple(values[0].split("/")) if values[0] else ()
    head = Head(names, int(values[1]), int(values[2]), float(values[3]))
    try:
        check_head(head)
    except ValueError as error:
        raise ValueError(f"line {at + 1}: {error}") from None
    return head


def _numbers_digest(rows: list[str], at: int, whole: bool) -> str:
    """Read the line above the numbers: their digest, empty if it is left out."""
    title = rows[0] if rows else ""
    word, _, digest = title.partition(" ")
    if word != NUMBERS or (title != word and not DIGEST.fullmatch(digest)):
        raise ValueError(
            f"line {at}: {shown(title)} does not begin the numbers of the events; "
            f"'{NUMBERS}' does, with their digest or without"
        )
    if len(rows) < 2 or not (whole or digest):
        raise ValueError(
            f"line {at}: the text ends before its numbers do; it is cut short"
        )
    return digest


def _parsed(parse: Callable[[str], Said], lines: list[str], at: int) -> Iterator[Said]:
    """Read line after line; ``at`` is the number of the one above them."""
    for number, line in enumerate(lines, start=at + 1):
        try:
            yield parse(line)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None


def _event(line: str) -> Event:
    event = Event.parse(line)
    if "\r" in line:
        raise ValueError(f"{shown(line)} is no line of text")
    return event


WANTED = {
    "frames": "number of frames",
    "first": "number of the first frame",
    "dt": "time between two frames",
}


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
