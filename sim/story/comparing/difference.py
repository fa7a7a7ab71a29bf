"""What is different between two stories, for people and for machines."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from sim.events.event import REGION_KINDS, Event
from sim.story.comparing.histories import History, Match
from wingedge import registry

FIRST = 10  # differences that a table shows if nothing else is said


@dataclass(frozen=True)
class Difference:
    """One thing in which the second of two stories differs from the first.

    Attributes
    ----------
    frame : int
        Where it begins, as the first story counts; of what is inserted, the second.
    kind : str
        "lost", "inserted": only the first, only the second tells of it.  "late",
        "early": both do, the second some frames later or earlier.  "feature": other
        closest features.  "lineage": other regions fall apart or become one.
        "numbers": distances, points or normals differ beyond the tolerance.  "bodies",
        "frames", "dt": the runs are of other bodies, frames or time steps.
    pairs : tuple of str
        Whom it is about: ``jelly/table``, or one body; empty for the whole story.
    words : str
        What exactly, in one line.
    a, b : Event or None
        The first event that it is about, of the first story and of the second.
    lag : int
        By how many frames the second is later.
    count : int
        How many events, or frames of numbers, it is about.
    """

    frame: int
    kind: str
    pairs: tuple[str, ...]
    words: str
    a: Event | None = field(default=None, repr=False)
    b: Event | None = field(default=None, repr=False)
    lag: int = 0
    count: int = 1

    @property
    def pair(self) -> str:
        """Whom it is about, in one word: ``jelly/table``; of many the first."""
        more = f" and {len(self.pairs) - 2} more" if len(self.pairs) > 3 else ""
        return ", ".join(self.pairs[:2] if more else self.pairs) + more

    def __str__(self) -> str:
        who = f"{self.pair}: " if self.pairs else ""
        return f"frame {self.frame}, {who}{self.kind}: {self.words}"


@dataclass(frozen=True)
class Comparison:
    """Everything in which two stories differ; true in a condition where nothing does.

    ``str`` is the table of the first differences and the summary.

    Attributes
    ----------
    differences : tuple of Difference
        By frame; what is about the whole story first.
    excused : tuple of Difference
        What counts as equal: features that are equally close, kind "tie", and the same
        event within ``frame_tolerance``.
    pairs : tuple of str
        What was compared: pairs, and bodies to which something happened.
    events : (int, int)
        How many events the two stories have.
    ties_judged : bool
        Whether positions were at hand to tell which features are equally close.
    numbers_compared : bool
        Whether both sides had numbers, and they were compared.
    """

    differences: tuple[Difference, ...]
    excused: tuple[Difference, ...]
    pairs: tuple[str, ...]
    events: tuple[int, int]
    ties_judged: bool
    numbers_compared: bool
    if not TYPE_CHECKING:
        __getattr__ = registry.attributes(f"{__name__}.Comparison")

    @property
    def same(self) -> bool:
        """Whether the two stories are the same, as far as was asked for."""
        return not self.differences

    def __bool__(self) -> bool:
        return self.same

    @property
    def summary(self) -> str:
        """One line: how many differences, and the first of them."""
        ties = sum(found.kind == "tie" for found in self.excused)
        shifts = len(self.excused) - ties
        said = [counted(ties, "tie")] * bool(ties)
        said += [f"{counted(shifts, 'shift')} in time"] * bool(shifts)
        excused = f" ({' and '.join(said)} let pass)" if said else ""
        if self.same:
            numbers = ", and the numbers" if self.numbers_compared else ""
            return f"the same: {counted(self.events[0], 'event')}{numbers}{excused}"
        first, n = self.differences[0], len(self.differences)
        who = f", {first.pair}" if first.pair else ""
        kind = "" if first.kind == "feature" else f"{first.kind} "
        return (
            f"{counted(n, 'difference')}: {'first ' if n > 1 else ''}at frame "
            f"{first.frame}{who}: {kind}{first.words}{excused}"
        )

    def __str__(self) -> str:
        if self.same:
            return self.summary
        told = self.differences[:FIRST]
        rows = [HEAD, *((str(x.frame), x.pair, x.kind, x.words) for x in told)]
        more = len(self.differences) - len(told)
        a, b, c, _ = (max(map(len, column)) for column in zip(*rows, strict=True))
        text = [f"{w:>{a}}  {x:<{b}}  {y:<{c}}  {z}".rstrip() for w, x, y, z in rows]
        text += [f"... and {more} more"] * (more > 0)
        return "\n".join([*text, self.summary])


def counted(n: int, what: str) -> str:
    """Write a number with its noun: ``1 event``, ``2 events``."""
    return f"{n} {what}{'' if n == 1 else 's'}"


HEAD = ("frame", "pair", "kind", "what")


def in_words(event: Event) -> str:
    """Write an event without its frame and its bodies: ``begin VF v12 f5``."""
    return " ".join((event.kind, *event.tail))


class Partners(NamedTuple):
    """Two events of one history that belong together."""

    name: str  # of the history
    a: Event
    b: Event
    same: bool  # whether they say the same, but for their frame and what came before

    @property
    def lag(self) -> int:
        """By how many frames the second is later."""
        return self.b.frame - self.a.frame


def changes(partners: Iterable[Partners], tolerance: float) -> Iterator[Difference]:
    """Tell what matched events say differently, not when; and where regions part.

    Identities of regions are names without a meaning of their own: one more region
    shifts those of all that come later.  What counts is that they correspond, one to
    one.
    """
    partner: dict[tuple[str, int], int] = {}
    for one in partners:
        name, x, y, same = one
        became = f"{in_words(x)} became {in_words(y)}"
        if not same:
            words = became
            if x.after != y.after:
                head = "" if x.kind == "change" else f"{x.kind} "
                words = f"{head}{x.after} became {y.after}"
            elif in_words(x) == in_words(y):
                words = f"{x.kind} {x.who} became {y.who}"
            yield Difference(x.frame, "feature", (name,), words, x, y, one.lag)
        elif x.dent and y.dent:
            off = abs(x.dent.depth - y.dent.depth)
            off /= max(abs(x.dent.depth), abs(y.dent.depth)) or 1.0
            if off > tolerance:
                words = f"{x.kind} by {x.dent.depth:.6g} became {y.dent.depth:.6g}"
                yield Difference(x.frame, "numbers", (name,), words, x, y)
        # of several that part or join only the one that goes on can be told apart
        forth, back = ("a", x.contact), ("b", y.contact)
        if x.kind in REGION_KINDS and (
            partner.setdefault(forth, y.contact) != y.contact
            or partner.setdefault(back, x.contact) != x.contact
        ):
            yield Difference(x.frame, "lineage", (name,), became, x, y)
            partner[forth], partner[back] = y.contact, x.contact


def unmatched(a: History, b: History, match: Match) -> Iterator[Difference]:
    """Tell what only one of the two tells."""
    for kind, history, places in (
        ("lost", a, match.lost),
        ("inserted", b, match.inserted),
    ):
        runs: list[list[Event]] = []
        alone = set(places)
        for k in places:  # one after the other, or a whole contact
            if k - 1 not in alone or history.events[k - 1].kind == "end":
                runs.append([])
            runs[-1].append(history.events[k])
        for events in runs:
            first, n = events[0], len(events)
            words = in_words(first)
            if n > 1:
                whole = first.kind == "begin" and events[-1].kind == "end"
                what = "a whole contact, " if whole else ""
                words = f"{what}{n} events to frame {events[-1].frame}: {words} ..."
            x, y = (first, None) if kind == "lost" else (None, first)
            yield Difference(first.frame, kind, (history.name,), words, x, y, count=n)


def shifts(matched: list[list[Partners]]) -> Iterator[Difference]:
    """Tell what is late or early; what says something else says when for itself.

    One line for all that is late by the same number of frames, one event after the
    other: the first such events of all histories, then the second ones ...

    Parameters: ``matched``: those of every history, in order.
    """
    runs: dict[tuple[int, int], list[Partners]] = {}
    for history in matched:
        times: Counter[int] = Counter()
        for lag, group in groupby(history, key=lambda one: one.lag):
            times[lag] += 1
            runs.setdefault((lag, times[lag]), []).extend(group)
    for (lag, _), told in runs.items():
        run = sorted(told, key=lambda one: one.a.frame)
        first = next((one for one in run if one.same and lag), None)
        if first is None:
            continue
        words = f"by {counted(abs(lag), 'frame')}: "
        if len(run) == 1:
            words += in_words(first.a)
        elif len(run) == sum(map(len, matched)):
            words += f"the whole story, {len(run)} events"
        else:
            words += f"{counted(len(run), 'event')} to frame {run[-1].a.frame}, "
            words += f"from {in_words(first.a)}"
        who = tuple(dict.fromkeys(one.name for one in run))
        kind, count = "late" if lag > 0 else "early", len(run)
        start = run[0].a.frame
        yield Difference(start, kind, who, words, first.a, first.b, lag, count)
