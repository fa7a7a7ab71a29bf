"""A story: everything that happened in a run, as a value with one written form."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from math import inf, nextafter
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sim.errors import RecordingError
from sim.events.event import EVENT_KINDS, Event
from sim.events.patterns import pairs_like
from sim.story.file import MAGIC, SIGNATURE
from sim.story.order import checked_events, rank, spans_of
from sim.story.text import (
    Head,
    Reading,
    check_head,
    checked,
    digest_of,
    parse_story,
    print_story,
    readings_of,
)
from sim.table import Table
from wingedge.registry import wings

if TYPE_CHECKING:
    from sim.frame import Frame


def time_between(times: list[tuple[int, float]]) -> float:
    """Return the dt of which all times are multiples to the bit; 0.0 if there is none.

    Where several are, the one that is a whole fraction of 1, or else the shortest in
    digits.

    Parameters: ``times`` list of (index, time): ``time == index * dt``, rounded to
    float64.
    """
    known = [(index, time) for index, time in times if index > 0]
    if not known:
        return 0.0
    middle = known[0][1] / known[0][0]
    below, above = nextafter(middle, -inf), nextafter(middle, inf)
    near = middle, below, above, nextafter(below, -inf), nextafter(above, inf)
    fitting = (dt for dt in near if dt > 0.0 and all(i * dt == t for i, t in known))
    return min(
        fitting, key=lambda dt: (len(repr(1.0 / dt)), len(repr(dt))), default=0.0
    )


SUFFIXES = (".vtkhdf", ".hdf", ".h5", ".hdf5")  # of recordings


def is_recording(path: str | PathLike[str]) -> bool:
    """Say whether a file begins as recordings do; it may still be damaged."""
    try:
        with Path(fspath(path)).open("rb") as file:
            return file.read(len(MAGIC)).startswith((SIGNATURE, MAGIC))
    except FileNotFoundError:
        said = f"{fspath(path)}: no such file; check the path"
        raise FileNotFoundError(said) from None


def check_name(path: Path, option: str = "") -> None:
    """Refuse the name of another kind of file."""
    if path.suffix and path.suffix.lower() not in SUFFIXES:
        raise RecordingError(
            f"{option}{path}: give a name that ends in .vtkhdf, which ParaView opens"
        )


def check_replaced(path: Path) -> None:
    """Refuse to replace what is not HDF5: a script or a mesh, by a slip of hand."""
    try:
        foreign = path.is_file() and path.stat().st_size and not is_recording(path)
    except OSError:  # who may write there says so
        return
    if foreign:
        raise RecordingError(
            f"{path}: the file there is no recording; give another name, or remove it "
            "first"
        )


@dataclass(frozen=True, repr=False)
class Story:
    r"""What happened in a run: its events in order, without positions and states.

    A value: two stories are equal where they say the same, and ``str`` is the one text
    of it, which ``Story.parse`` reads back; docs/stories.md has its grammar.  The order
    of the events is that of `sim.story.order`.

    Raises ValueError if an event is of no body or frame of the story, not in its place,
    or its contact begins twice or goes on after its end; or if numbers are of no event.

    Attributes
    ----------
    bodies : tuple of str
        The names of all bodies, in the order of the world.
    frames, first : int
        Of how many frames it tells, and the number of the first of them.
    dt : float
        The time between two frames; 0.0 where nobody knows.
    events : tuple of Event
        In their order, without ``state``.  ``contact`` counts the contacts of the
        story from 0 in the order in which they are named first: from the first frame
        of a run on, it is the number that the run itself gave.
    numbers : tuple of Reading
        What was measured when something happened to a pair; empty where the story was
        told without: see `sim.story.text`.
    resolution : float
        At which it was told, the largest of all bodies; 0.0 where nobody knows.

    Examples
    --------
    >>> from sim import Story, scenes
    >>> story = Story.of(scenes.load("tip").run(40))
    >>> print(*story.lines, sep="\n")
    17 begin block/table FF f0 f1
    25 change block/table FF f0 f1 -> EF e2(3-1) f1
    >>> Story.parse(str(story)) == story
    True
    """

    bodies: tuple[str, ...]
    frames: int
    first: int
    dt: float
    events: tuple[Event, ...]
    numbers: tuple[Reading, ...] = ()
    resolution: float = field(default=0.0, compare=False)

    def __post_init__(self) -> None:
        whole = tuple(self.bodies), int(self.frames), int(self.first), float(self.dt)
        head = Head(*whole, float(self.resolution))
        check_head(head)
        span = range(head.first, head.first + head.frames)
        told = checked_events(self.events, head.bodies, span, lambda k: f"event {k}")
        events = tuple(told)
        rows = checked(self.numbers, events, lambda k: f"row {k} of numbers")
        values = head._asdict() | {"events": events, "numbers": tuple(rows)}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(
        cls,
        source: "Story | Iterable[Frame]",
        dt: float | None = None,
        *,
        numbers: bool = False,
    ) -> "Story":
        """Tell the story of a recording, or of frames that follow one another.

        Raises ValueError if a frame is missing between two others, or their bodies
        differ; TypeError if the source is something else.

        Parameters
        ----------
        source : Recording, or iterable of Frame
            Such as ``world.run(100)``, of which nothing but the events is kept.
        dt : float, optional
            The time between two frames, if it cannot be read off them: frame 0 alone
            does not say it.
        numbers : bool
            Whether to keep distance, normal and point of every event of a pair, too; a
            story has those that it has.
        """
        from sim.frame import Frame

        if isinstance(source, Story):
            return source
        if isinstance(source, wings.Recording):
            own: Story = source.story
            return replace(own, numbers=readings_of(source.events)) if numbers else own
        frames: Any = source
        if not isinstance(source, Iterable) or isinstance(source, str | PathLike):
            frames = [source]
        events, times = list[Event](), list[tuple[int, float]]()
        names: tuple[str, ...] = ()
        for frame in frames:
            if not isinstance(frame, Frame):
                raise TypeError(
                    "a story is told of a Recording or of Frames, got "
                    f"{type(frame).__name__}; write Story.of(world.run(100)), or, of a "
                    "file, Story.read(path)"
                )
            here = tuple(body.name for body in frame.bodies)
            if times and (frame.index != times[-1][0] + 1 or here != names):
                raise ValueError(
                    f"frame {frame.index} of {'/'.join(here)} does not follow frame "
                    f"{times[-1][0]} of {'/'.join(names)}; give frames of one run, one "
                    "after the other"
                )
            names = here
            times.append((frame.index, frame.time))
            events += frame.events
        step = time_between(times) if dt is None else dt
        first = times[0][0] if times else 0
        rows = readings_of(events) if numbers else ()
        return cls(names, len(times), first, step, tuple(events), rows)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a story from its text.

        Raises ValueError naming the line: if it is no story, of a newer version, cut
        short, damaged or changed by hand under a digest.
        """
        head, events, numbers = parse_story(text)
        return cls(*head[:4], events, numbers, head.resolution)

    @classmethod
    def read(cls, path: str | PathLike[str]) -> "Story":
        """Read a story from a file: its text, or a recording.

        Raises OSError if there is no such file; ValueError if it holds no story; names
        the file and the line.
        """
        if is_recording(path):
            with wings.Recording.open(path) as recording:
                story: Story = recording.story
            return story
        data = Path(fspath(path)).read_bytes()
        try:
            return cls.parse(data.decode())
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise ValueError(
                f"{fspath(path)}, line {line}: is no text in UTF-8; give a story or a "
                "recording"
            ) from None
        except ValueError as error:
            raise ValueError(f"{fspath(path)}, {error}") from None

    def write(self, path: str | PathLike[str]) -> None:
        """Write the text into a file."""
        Path(fspath(path)).write_bytes(str(self).encode())

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Every event in its written form."""
        return tuple(map(str, self.events))

    @cached_property
    def digest(self) -> str:
        """Sum up the lines of the events, and nothing else, in 16 hex digits.

        What ``Recording.story_digest`` is, too.
        """
        return digest_of(self.lines)

    def table(self) -> Table:
        """Return one row per event; `sim.events.rows` says the columns."""
        from sim.events.rows import table_of

        return table_of(self.events)

    def spans(self, pattern: str | None = None) -> Table:
        """Return every contact as a row; see ``sim.story.order.contact_table``.

        Distance, depth and area are None: ``recording.contacts(pattern)`` knows them,
        and what touches all the time without an event, in a part of a run.

        Parameters: ``pattern``: of which bodies, in either order, as ``foot/table``,
        ``foot/*`` or ``*/table``.  Raises ValueError if it names no body of the story.
        """
        of = {k: [*of] for k, of in groupby(self.events, lambda event: event.frame)}
        marks = {self.first, self.first + self.frames - 1, *of}
        marks.update(k - 1 for k in of if k > self.first)
        moments = ((k * self.dt, of.get(k, ()), None) for k in sorted(marks))
        return spans_of(moments, pairs_like(pattern, self.bodies))

    def without(self, pattern: str) -> "Story":
        """Tell the same without what is of such bodies or parts, as ``foot.heel/*``.

        As if they had not touched: a "change" from a part that is left out is a
        "begin", one to it an "end".  Raises ValueError as ``spans``.
        """
        meant, told = pairs_like(pattern, self.bodies), list[Event]()
        last: dict[tuple[str, str], tuple[bool, Event]] = {}
        for event in self.events:
            out, kept = meant(event.named), event
            if event.kind in EVENT_KINDS:
                was, before = last.get((event.a, event.b), (out, event))
                last[event.a, event.b] = out, event
                if event.kind == "change" and was != out:
                    kept = replace(event, kind="begin", before=None)
                    if out:
                        kept = replace(event, kind="end", after=None, **before.named)
            told += [kept] * (kept is not event or not out)
        place = {name: k for k, name in enumerate(self.bodies)}
        told.sort(key=lambda event: rank(event, place))
        pairs = {(event.frame, event.a, event.b) for event in told}
        rows = tuple(row for row in self.numbers if row.key in pairs)
        return replace(self, events=tuple(told), numbers=rows)

    def touching(self, pattern: str | None, time: float) -> bool:
        """Say whether such bodies touch at a time; between frames as in the last one.

        Raises ValueError as ``spans``, or if the story does not tell of that time.
        """
        ends = self.first * self.dt, (self.first + self.frames - 1) * self.dt
        if not (self.dt and ends[0] <= time <= ends[1]):
            told = f"{ends[0]:g} to {ends[1]:g} by steps of {self.dt:g}"
            raise ValueError(f"the story tells of times {told}, not of {time:g}")
        return any(
            (row["begin"] is None or row["begin_time"] <= time)
            and (row["end"] is None or time < row["end_time"])
            for row in self.spans(pattern)
        )

    def first_span(self, pattern: str | None = None) -> dict[str, Any] | None:
        """Return the first contact of such bodies, a row of ``spans``; None: none."""
        return next(iter(self.spans(pattern)), None)

    def in_the_air(self, pattern: str | None = None) -> Table:
        """Return when no such bodies touch: begin, end, begin_time, end_time, duration.

        A "brush" parts two rows.  The first may begin with the story; ``end`` is None
        while it lasts.  Raises ValueError as ``spans``.
        """
        here, after, dt = self.first, self.first + self.frames, self.dt
        rows = list[dict[str, Any]]()
        for span in [*self.spans(pattern), {"begin": after, "end": after}]:
            begin = here if span["begin"] is None else span["begin"]
            if here < begin:
                row = {"begin": here, "begin_time": here * dt}
                row["duration"] = (min(begin, after - 1) - here) * dt
                if begin < after:
                    row |= {"end": begin, "end_time": begin * dt}
                rows.append(row)
            here = max(here, after if span["end"] is None else span["end"])
        columns = "begin", "end", "begin_time", "end_time", "duration"
        return Table.of_rows(rows, columns)

    def margins(self, recording: Any) -> Table:
        """Return how sure each event of it is; see ``sim.story.margins``."""
        from sim.story.margins import margins

        return margins(self, recording)

    def __str__(self) -> str:
        """Return the one text of the story, which ends with the end of a line."""
        whole = self.bodies, self.frames, self.first, self.dt, self.resolution
        return print_story(Head(*whole), self.lines, self.numbers)

    def __repr__(self) -> str:
        """Say of what it tells, and how much."""
        return (
            f"Story({'/'.join(self.bodies)!r}, {self.frames} frames from {self.first}, "
            f"{len(self.events)} events, digest {self.digest})"
        )
