"""What can be compared, and its events by whom they happen to, ready to be aligned."""

from collections.abc import Container, Hashable, Iterable, Iterator
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

REGIONS = "#"  # ends the key of a thread of regions
TOUCHED = ("begin", "change", "end")  # what changes the closest features
OVERLAPS = ("penetrate", "separate")
Key = tuple[str, ...]


class Thread(NamedTuple):
    """What happened to one pair, to its regions, or to one body."""

    key: Key  # (a, b), (a, b, "#") or (a,)
    events: tuple[Event, ...]
    implied: tuple[bool, ...]  # what an event leaves behind is said by those before it
    now: tuple[Touch | None, ...]  # the closest features after each event
    frames: tuple[int, ...]  # the frame of each event

    @property
    def name(self) -> str:
        """How it is called in a report: ``jelly/table`` or ``jelly``."""
        return "/".join(self.key[:2])


def threads(events: Iterable[Event], turn: Container[Key]) -> dict[Key, Thread]:
    """Sort events by whom they happen to, in the order in which that begins.

    Parameters: ``events``: in the order of their story; ``turn``: the pairs that the
    other story has in the other order: A and B are exchanged.
    """
    found: dict[Key, list[Event]] = {}
    for event in events:
        if (event.a, event.b) in turn:
            event = turned(event)
        found.setdefault(_key(event), []).append(event)
    return {key: _thread(key, happened) for key, happened in found.items()}


def turned(event: Event) -> Event:
    """Return an event with the bodies of its pair exchanged."""
    before, after = (
        x and Touch(x.kind[::-1], x.feature_b, x.feature_a, x.ends_b, x.ends_a)
        for x in (event.before, event.after)
    )
    path = event.path[::-1]
    return replace(event, a=event.b, b=event.a, before=before, after=after, path=path)


def essence(thread: Thread, k: int) -> Hashable:
    """Return what an event says that those before it do not.

    Features before an event are those after the last one; an overlap that begins or
    ends touches where the pair touches in that frame anyway.
    """
    event = thread.events[k]
    if event.kind in ("birth", "death"):
        return event.kind, event.before or event.after
    if event.kind in ("split", "merge"):
        return event.kind, len(event.parents), len(event.children)
    if event.kind in BODY_KINDS:
        return event.kind, event.dent and (event.dent.place, event.dent.ends)
    if event.kind in ("begin", "change", "brush"):
        return event.kind, event.after
    return (event.kind,)


def _key(event: Event) -> Key:
    if event.kind in BODY_KINDS:
        return (event.a,)
    if event.kind in REGION_KINDS:
        return event.a, event.b, REGIONS
    return event.a, event.b


def _thread(key: Key, events: list[Event]) -> Thread:
    """Find out what the events of a thread leave behind, frame by frame."""
    implied: list[bool] = []
    now: list[Touch | None] = []
    touch: Touch | None = None
    for _, together in groupby(events, key=lambda event: event.frame):
        group = list(together)
        moves = [event.after for event in group if event.kind in TOUCHED]
        before, after = touch, moves[-1] if moves else touch
        for event in group:
            if event.kind in OVERLAPS:
                implied.append(event.after == after)
            else:
                implied.append(event.before == before or event.kind in REGION_KINDS)
            if event.kind in TOUCHED:
                before = event.after
            now.append(after)
        touch = after
    frames = tuple(event.frame for event in events)
    return Thread(key, tuple(events), tuple(implied), tuple(now), frames)


Source = Story | Recording | str | PathLike[str] | Iterable[Frame]
Frames = Recording | list[Frame]


class Side(NamedTuple):
    """One of the two that are compared."""

    story: Story
    run: Frames | None  # None: no positions are known

    def frame(self, index: int) -> Frame | None:
        """Return the frame of this number, if its positions are known."""
        k = index - self.story.first
        if self.run is None or not 0 <= k < len(self.run):
            return None
        return self.run[k]


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
