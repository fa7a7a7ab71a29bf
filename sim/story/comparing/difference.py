"""What is different between two stories, for people and for machines."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sim.events.event import Event
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
        "lost", "inserted": only the first, only the second tells of it.  "reordered":
        both do, but something else comes between.  "late", "early": both do, the second
        some frames later or earlier.  "feature": other closest features.  "lineage":
        other regions fall apart or become one.  "numbers": distances, points or normals
        differ beyond the tolerance.  "bodies", "frames", "dt": the runs are of other
        bodies, frames or time steps.
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
