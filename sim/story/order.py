"""The one order in which a story tells its events; how it counts, lists its contacts.

Frame after frame.  Within a frame first what happened to the bodies, in the order of
the world, then pair by pair, in the order of the first body, then of the second.  What
happened to one body: collapsed, expanded, inverted, upright, convexity_lost,
convexity_restored.  To one pair: begin, separate, change, penetrate, end; then, by
identity, split, merge, birth, death; last a brush.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

from sim.events.event import BODY_KINDS, EVENT_KINDS, Event
from sim.events.touch import shown
from sim.table import Table

if TYPE_CHECKING:
    from sim.frame import Frame


BEFORE, AFTER = ((name, f"{name}_a", f"{name}_b") for name in ("before", "after"))
LINEAGE = ("parents", "->", "children")
# the kinds of events in their order, and what their lines say after the bodies
TAILS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(BODY_KINDS, ()),
    "convexity_lost": ("dent", "depth"),
    **dict.fromkeys(("begin", "separate"), AFTER),
    "change": (*BEFORE, "->", *AFTER),
    "penetrate": AFTER,
    "end": BEFORE,
    **dict.fromkeys(("split", "merge"), LINEAGE),
    "birth": ("children", *AFTER),
    "death": ("parents", *BEFORE),
    "brush": AFTER,
}
RANKS = {kind: rank for rank, kind in enumerate(TAILS)}
Rank = tuple[int, bool, int, int, int, int]
Contact = tuple[int, int | None]  # its number, and when it ended


def tail_of(event: Event) -> list[str]:
    """Return the words of an event's line that follow its bodies."""
    names = f"{event.a}/{event.b}" if event.b else event.a
    rest = str(event).removeprefix(f"{event.frame} {event.kind} {names}")
    return rest.split()


def rank(event: Event, place: Mapping[str, int]) -> Rank:
    """Return what a story is sorted by, given the place of every body.

    Raises ValueError if the event is none of this story; says why.
    """
    if event.kind not in RANKS:
        raise ValueError(f"there is no event of kind {shown(event.kind)}")
    pair = event.kind not in BODY_KINDS
    for name in (event.a, event.b)[: 1 + pair]:
        if name not in place:
            known = "/".join(place) or "nobody"
            raise ValueError(
                f"there is no body {shown(name)} here, only {shown(known)}"
            )
    a, b = place[event.a], place[event.b] if pair else 0
    if pair and a >= b:
        raise ValueError(f"the pair is called {event.b}/{event.a} in this story")
    identity = event.contact if pair and event.kind not in EVENT_KINDS else 0
    return event.frame, pair, a, b, RANKS[event.kind], identity


def checked_events(
    events: Iterable[Event],
    bodies: tuple[str, ...],
    frames: range,
    where: Callable[[int], str],
) -> Iterator[Event]:
    """Check the order of events, count their contacts, and let their states go.

    Contacts are counted from 0 in the order in which the story names them first: for
    a story from the first frame of a run on, what the run itself counted.

    Parameters: ``frames``: what the numbers of the frames may be; ``where``: how a
    message calls the k-th event, as in "line 12".

    Raises ValueError if an event is of no frame or body of the story, is not in order,
    or a contact begins twice or goes on after its end; says which event and why.
    """
    place = {name: k for k, name in enumerate(bodies)}
    contacts: dict[tuple[str, str], Contact] = {}
    last: Rank | None = None
    for k, event in enumerate(events):
        try:
            here = rank(event, place)
            if event.frame not in frames:
                told = f"frames {frames.start} to {frames.stop - 1}"
                if len(frames) < 2:
                    told = f"frame {frames.start} alone" if frames else "no frames"
                raise ValueError(f"the story is of {told}")
            if last is not None and here <= last:
                raise ValueError(
                    "it stands behind what it comes before: events are told by frame, "
                    "bodies, pairs, kinds, each once"
                )
            number = event.contact
            if event.kind in EVENT_KINDS:
                number = _contact_of(contacts, event)
        except ValueError as error:
            raise ValueError(f"{where(k)}: {shown(str(event))}: {error}") from None
        last = here
        same = number == event.contact and event.state is None
        yield event if same else replace(event, contact=number, state=None)


def _contact_of(last: dict[tuple[str, str], Contact], event: Event) -> int:
    """Return the number of the contact of an event; keep the last of each pair.

    Raises ValueError if its contact has begun already, or has ended.
    """
    pair, begins = (event.a, event.b), event.kind == "begin"
    number, ended = last.get(pair, (-1, None))
    if begins and number >= 0 and ended is None:
        raise ValueError("this contact has begun already")
    if ended is not None and not begins:
        raise ValueError(f"this contact ended in frame {ended}")
    if number < 0 or begins:
        number = 1 + max((k for k, _ in last.values()), default=-1)
    last[pair] = number, event.frame if event.kind == "end" else None
    return number


COLUMNS = (
    *("a", "b", "contact", "begin", "end", "begin_time", "end_time", "duration"),
    *("least_distance", "greatest_depth", "changes", "features"),
    *("begin_lower", "begin_upper", "end_lower", "end_upper"),
)


def contact_table(frames: Iterable[Frame]) -> Table:
    """Gather what happened to each contact, in the order in which they began.

    Columns: ``a``, ``b``, ``contact`` its identity; ``begin``, ``end`` the frames of
    these events (``end`` None while it lasts), ``begin_time``, ``end_time``,
    ``duration``; ``least_distance`` (signed) and ``greatest_depth`` while it lasted;
    ``changes`` of its closest features, and all ``features`` passed, as ``VF v84 f1 >
    VF v83 f1``; where events say so (``World(between=True)``) the times between which
    it began and ended, else None.
    """
    rows: list[dict[str, Any]] = []
    lasting: dict[tuple[str, str], dict[str, Any]] = {}
    time = 0.0
    for frame in frames:
        before, time = time, frame.time
        for event in frame.events:
            pair = event.a, event.b
            if event.kind in ("begin", "brush"):
                row: dict[str, Any] = {"a": event.a, "b": event.b}
                row |= {"contact": event.contact, "changes": 0}
                row |= {"features": str(event.after)}
                row["least_distance"] = event.state.distance if event.state else inf
                lasting[pair] = row | _times("begin", event, before, time)
                rows.append(lasting[pair])
            elif event.kind == "change" and pair in lasting:
                lasting[pair]["changes"] += 1
                lasting[pair]["features"] += f" > {event.after}"
            if event.kind in ("end", "brush") and pair in lasting:
                lasting.pop(pair).update(_times("end", event, before, time))
        for pair, row in lasting.items():
            row["least_distance"] = min(
                row["least_distance"], frame.pair(*pair).distance
            )
    for row in rows:
        row["greatest_depth"] = max(0.0, -row["least_distance"])
        row["duration"] = row.get("end_time", time) - row["begin_time"]
    return Table.of_rows(rows, COLUMNS)


def _times(name: str, event: Event, before: float, time: float) -> dict[str, float]:
    """Say when a contact began or ended, between two frames where that is told."""
    row: dict[str, float] = {name: event.frame, f"{name}_time": time}
    if event.when is not None:
        lower, upper = (before + x * (time - before) for x in event.when)
        row |= {f"{name}_lower": lower, f"{name}_upper": upper}
    return row
