"""What can be compared: stories, runs, and what happened to each pair in order."""

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from os import PathLike
from typing import NamedTuple

from sim.events.event import BODY_KINDS, REGION_KINDS, Event
from sim.events.touch import Touch
from sim.frame import Frame
from sim.story.recording import Recording
from sim.story.story import Story, is_recording

REGIONS = "#"  # ends the key of what happened to regions
TOUCHED = ("begin", "change", "end")  # what changes the closest features
OVERLAPS = ("penetrate", "separate")
Key = tuple[str, ...]
Source = Story | Recording | str | PathLike[str] | Iterable[Frame]


class Side(NamedTuple):
    """One of the two that are compared."""

    story: Story
    run: Recording | list[Frame] | None  # None: no positions are known

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


@contextmanager
def opened(source: Source) -> Iterator[Side]:
    """Read a story, and the run that it is of as far as there is one.

    Raises OSError or ValueError if a file cannot be read, or holds neither a story nor
    a recording; TypeError if the source is something else.
    """
    if isinstance(source, Story):
        yield Side(source, None)
    elif isinstance(source, Recording):
        yield Side(Story.of(source), source)
    elif isinstance(source, str | PathLike):
        if is_recording(source):
            with Recording.open(source) as recording:
                yield Side(Story.of(recording), recording)
        else:
            yield Side(Story.read(source), None)
    elif isinstance(source, Iterable):
        frames = list(source)
        yield Side(Story.of(frames), frames)
    else:
        raise TypeError(
            f"no story can be told of {type(source).__name__}; give a Story, a "
            f"Recording, the name of a file with one of these, or frames as of "
            f"world.run(100)"
        )


class History(NamedTuple):
    """What happened to one pair, to its regions, or to one body."""

    key: Key  # (a, b), (a, b, "#") or (a,)
    events: tuple[Event, ...] = ()
    tokens: tuple[Hashable, ...] = ()  # what an event says that those before do not
    implied: tuple[bool, ...] = ()  # whether those before say the rest

    @property
    def name(self) -> str:
        """How it is called in a report: ``jelly/table`` or ``jelly``."""
        return "/".join(self.key[:2])

    @property
    def frames(self) -> list[int]:
        """The frame of each event."""
        return [event.frame for event in self.events]


def histories(a: Side, b: Side) -> list[tuple[History, History]]:
    """Sort what happened to bodies that both have, by pair, as the first names it."""
    place = {name: k for k, name in enumerate(a.story.bodies)}
    shared = {*place} & {*b.story.bodies} | {""}
    sorted_by_key: list[dict[Key, list[Event]]] = [{}, {}]
    for side, events in zip((a, b), sorted_by_key, strict=True):
        for event in side.story.events:
            if event.a in shared and event.b in shared:
                if event.b and place[event.a] > place[event.b]:
                    event = turned(event)
                key: Key = (event.a, event.b) if event.b else (event.a,)
                key += (REGIONS,) * (event.kind in REGION_KINDS)
                events.setdefault(key, []).append(event)
    ours, theirs = sorted_by_key
    return [
        (_history(key, ours.get(key, [])), _history(key, theirs.get(key, [])))
        for key in ours | theirs
    ]


def turned(event: Event) -> Event:
    """Return an event with the bodies of its pair exchanged."""
    before, after = (
        x and Touch(x.kind[::-1], x.feature_b, x.feature_a, x.ends_b, x.ends_a)
        for x in (event.before, event.after)
    )
    path = event.path[::-1]
    return replace(event, a=event.b, b=event.a, before=before, after=after, path=path)


def _history(key: Key, events: list[Event]) -> History:
    """Find out what each event says that those before it do not.

    Features before an event are those after the last one; an overlap that begins or
    ends touches where the pair touches in that frame anyway.
    """
    tokens: list[Hashable] = []
    implied: list[bool] = []
    touch: Touch | None = None
    for _, group in groupby(events, key=lambda event: event.frame):
        together = list(group)
        moves = [event.after for event in together if event.kind in TOUCHED]
        after = moves[-1] if moves else touch
        for event in together:
            known = event.before == touch or event.kind in REGION_KINDS
            news: Hashable = event.after
            if event.kind in OVERLAPS:
                news, known = None, event.after == after
            elif event.kind in BODY_KINDS:
                news = event.dent and event.dent[:2]
            elif event.kind in REGION_KINDS:
                lineage = len(event.parents), len(event.children)
                news = event.before or event.after or lineage
            touch = event.after if event.kind in TOUCHED else touch
            tokens.append((event.kind, news))
            implied.append(known)
    return History(key, tuple(events), tuple(tokens), tuple(implied))
