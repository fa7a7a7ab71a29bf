"""What can be compared: stories, runs, what happened to each pair in order.

And which events of two such histories belong together, by ``difflib``.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from os import PathLike
from typing import NamedTuple, Self

import numpy as np

from sim.events.event import BODY_KINDS, REGION_KINDS, Event
from sim.events.touch import Touch
from sim.frame import Frame
from sim.story.recording import Recording
from sim.story.story import Story, is_recording

REGIONS = "#"  # ends the key of what happened to regions
TOUCHED = ("begin", "change", "end")  # what changes the closest features
OVERLAPS = ("penetrate", "separate")
COMPARED = 1_000_000  # pairs of the same event, beyond which it says no lag
Pairs = list[tuple[int, int]]  # a place in A and one in B
Keys = Sequence[Hashable]
Key = tuple[str, ...]
Run = Story | Recording | list[Frame]


class Side(NamedTuple):
    """One of the two that are compared."""

    story: Story
    run: Recording | list[Frame] | None  # None: no positions are known

    @classmethod
    def of(cls, source: Run, *, numbers: bool = False) -> Self:
        """Tell the story of a run, or take a story as it is."""
        run = None if isinstance(source, Story) else source
        return cls(Story.of(source, numbers=numbers), run)

    @property
    def end(self) -> int:
        """The number of the frame after the last one."""
        return self.story.first + self.story.frames

    def has(self, frame: int) -> bool:
        """Say whether it could tell of a frame of this number."""
        return self.story.first <= frame < self.end

    def frame(self, index: int) -> Frame | None:
        """Return the frame of this number, if its positions are known."""
        known = self.run is not None and self.has(index)
        return self.run[index - self.story.first] if known and self.run else None


Source = Side | Story | Recording | str | PathLike[str] | Iterable[Frame]


@contextmanager
def opened(source: Source) -> Iterator[Side]:
    """Read a story, and the run that it is of as far as there is one.

    Raises OSError or ValueError if a file cannot be read, or holds neither a story nor
    a recording; TypeError if the source is something else.
    """
    if isinstance(source, str | PathLike) and is_recording(source):
        with Recording.open(source) as recording:
            yield Side.of(recording)
        return
    if isinstance(source, str | PathLike):
        source = Story.read(source)
    elif not isinstance(source, Story | Iterable):
        raise TypeError(
            f"no story can be told of {type(source).__name__}; give a Story, a "
            f"Recording, the name of a file with one of these, or frames as of "
            f"world.run(100)"
        )
    elif not isinstance(source, Side | Story | Recording):
        source = list(source)  # type: ignore[arg-type]
    yield source if isinstance(source, Side) else Side.of(source)


class History(NamedTuple):
    """What happened to one pair, to its regions, or to one body."""

    key: Key  # (a, b), (a, b, "#") or (a,)
    events: tuple[Event, ...]
    tokens: tuple[Hashable, ...]  # what an event says that those before do not

    @property
    def name(self) -> str:
        """How it is called in a report: ``jelly/table`` or ``jelly``."""
        return "/".join(self.key[:2])


def histories(a: Side, b: Side) -> list[tuple[History, History]]:
    """Sort what happened to bodies that both have, by pair, as the first names it."""
    place = {name: k for k, name in enumerate(a.story.bodies)}
    shared = {*place} & {*b.story.bodies} | {""}
    found: dict[Key, tuple[list[Event], list[Event]]] = {}
    for k, side in enumerate((a, b)):
        for event in side.story.events:
            if event.a in shared and event.b in shared:
                if event.b and place[event.a] > place[event.b]:
                    event = turned(event)
                key: Key = (event.a, event.b) if event.b else (event.a,)
                key += (REGIONS,) * (event.kind in REGION_KINDS)
                found.setdefault(key, ([], []))[k].append(event)
    return [(_history(key, x), _history(key, y)) for key, (x, y) in found.items()]


def turned(event: Event) -> Event:
    """Return an event with the bodies of its pair exchanged."""
    before, after = (
        x and Touch(x.kind[::-1], x.feature_b, x.feature_a, x.ends_b, x.ends_a)
        for x in (event.before, event.after)
    )
    a, b, part_a, part_b = event.named.values()
    bodies = {"a": b, "b": a, "part_a": part_b, "part_b": part_a}
    path = event.path[::-1]
    return replace(event, before=before, after=after, path=path, **bodies)


def _history(key: Key, events: list[Event]) -> History:
    """Find out what each event says that those before it do not.

    Features before an event are those after the last one; an overlap that begins or
    ends touches where the pair touches in that frame anyway.  What is told otherwise
    is said again.
    """
    tokens: list[Hashable] = []
    touch: Touch | None = None
    for _, group in groupby(events, key=lambda event: event.frame):
        together = list(group)
        moves = [event.after for event in together if event.kind in TOUCHED]
        after = moves[-1] if moves else touch
        for event in together:
            known = event.before == touch
            news: tuple[Hashable, ...] = (event.after,)
            if event.kind in OVERLAPS:
                known, news = event.after == after, ()
            elif event.kind in BODY_KINDS:
                news = event.dent[:2] if event.dent else ()
            elif event.kind in REGION_KINDS:
                lineage = len(event.parents), len(event.children)
                known, news = True, (event.before or event.after, *lineage)
            touch = event.after if event.kind in TOUCHED else touch
            rest = () if known else (event.before, event.after)
            tokens.append((event.kind, *news, *rest))
    return History(key, tuple(events), tuple(tokens))


class Match(NamedTuple):
    """Which events of two histories belong together, by their places."""

    paired: Pairs  # in one order; what does not say the same is of one kind
    lost: list[int]
    inserted: list[int]


def matched(a: History, b: History) -> Match:
    """Match the events of two histories; exchanging them exchanges the result.

    First what is the same and in step: late by the lag that is the most frequent among
    all that is the same.  Then, between these, what is the same at any time, and what
    is of the same kind.
    """
    lines_a, lines_b = list(map(str, a.events)), list(map(str, b.events))
    if lines_a == lines_b:
        return Match([(k, k) for k in range(len(lines_a))], [], [])
    if lines_a > lines_b:
        paired, lost, inserted = matched(b, a)
        return Match([(j, i) for i, j in paired], inserted, lost)
    lag, pairs = _lag(a, b), Pairs()
    tokens, kinds = (a.tokens, b.tokens), [[e.kind for e in h.events] for h in (a, b)]
    times = [e.frame + lag for e in a.events], [e.frame for e in b.events]
    for keys, in_step, whole in (
        *((tokens, True, False), (tokens, False, False)),
        *((kinds, False, True), (kinds, True, False)),
    ):
        both = zip(times, keys, strict=True)
        x, y = [list(zip(*one, strict=True)) for one in both] if in_step else keys
        pairs = refined(pairs, x, y, whole=whole)
    only_a = {*range(len(a.events))} - {i for i, _ in pairs}
    only_b = {*range(len(b.events))} - {j for _, j in pairs}
    return Match(pairs, sorted(only_a), sorted(only_b))


def _lag(a: History, b: History) -> int:
    """Return by how many frames the most of all that is the same is later."""
    at: dict[Hashable, tuple[list[int], list[int]]] = {}
    for k, history in enumerate((a, b)):
        for key, event in zip(history.tokens, history.events, strict=True):
            at.setdefault(key, ([], []))[k].append(event.frame)
    lags: Counter[int] = Counter()
    for ours, theirs in at.values():
        if len(ours) * len(theirs) <= COMPARED:
            lags.update(np.subtract.outer(theirs, ours).ravel().tolist())
    return min(lags, key=lambda lag: (-lags[lag], abs(lag), lag), default=0)


def refined(pairs: Pairs, x: Keys, y: Keys, *, whole: bool = False) -> Pairs:
    """Pair what has the same key, in order, between those that are paired.

    The longest blocks in common first, by ``difflib``.

    Parameters: ``whole``: only where all between two of them has the same.
    """
    more: Pairs = []
    for (i, j), (k, p) in pairwise([(-1, -1), *pairs, (len(x), len(y))]):
        ours, theirs = x[i + 1 : k], y[j + 1 : p]
        if ours and theirs and (not whole or ours == theirs):
            blocks = SequenceMatcher(None, ours, theirs).get_matching_blocks()
            for s, t, n in blocks:
                more += ((i + m, j + m - s + t) for m in range(s + 1, s + n + 1))
    return sorted(pairs + more)
