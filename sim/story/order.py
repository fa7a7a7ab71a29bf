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

from sim.events.event import BETWEEN_KINDS, BODY_KINDS, REGION_KINDS, Event
from sim.events.touch import shown
from sim.table import Table

if TYPE_CHECKING:
    from sim.frame import Frame


IN_A_BODY = {kind: rank for rank, kind in enumerate(BODY_KINDS)}
PAIR_KINDS = (
    *("begin", "separate", "change", "penetrate", "end"),
    *REGION_KINDS,
    *BETWEEN_KINDS,
)
IN_A_PAIR = {kind: rank for rank, kind in enumerate(PAIR_KINDS)}
REGIONS = IN_A_PAIR["split"]  # from here on an event is of one region of the pair
Rank = tuple[int, int, int, int, int, int]


def rank(event: Event, place: Mapping[str, int]) -> Rank:
    """Return what a story is sorted by; no two events have the same.

    Parameters: ``place``: the place of every body in the order of the world.

    Raises ValueError if the event is of no known kind, of a body that is not there, or
    its pair is turned round.
    """
    of_body = event.kind in IN_A_BODY
    if not of_body and event.kind not in IN_A_PAIR:
        raise ValueError(f"there is no event of kind {shown(event.kind)}")
    for name in (event.a,) if of_body else (event.a, event.b):
        if name not in place:
            known = "/".join(place) or "nobody"
            raise ValueError(
                f"there is no body {shown(name)} here, only {shown(known)}"
            )
    a = place[event.a]
    if of_body:
        return event.frame, 0, a, 0, IN_A_BODY[event.kind], 0
    if a >= place[event.b]:
        raise ValueError(f"the pair is called {event.b}/{event.a} in this story")
    kind = IN_A_PAIR[event.kind]
    identity = event.contact if kind >= REGIONS else 0
    return event.frame, 1, a, place[event.b], kind, identity


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
    contacts = Contacts()
    last: Rank | None = None
    for k, event in enumerate(events):
        try:
            here = rank(event, place)
            if event.frame not in frames:
                raise ValueError(f"the story is of {named_frames(frames)}")
            if last is not None and here <= last:
                raise ValueError(
                    "it stands behind what it comes before: events are told by frame, "
                    "bodies, pairs, kinds, each once"
                )
            number = contacts.number(event)
            contacts.check(event, number)
        except ValueError as error:
            raise ValueError(f"{where(k)}: {shown(str(event))}: {error}") from None
        last = here
        same = number == event.contact and event.state is None
        yield event if same else replace(event, contact=number, state=None)


class Contacts:
    """Count the contacts of pairs, from 0, as a story names them."""

    def __init__(self) -> None:
        self._lasting: dict[tuple[str, str], int] = {}
        self._ended: dict[tuple[str, str], int] = {}
        self._count = 0
        self._given: dict[int, int] = {}
        self._counted: dict[int, int] = {}

    def check(self, event: Event, number: int) -> None:
        """Compare how a run numbers a contact with how it is counted here.

        Where a story begins in the midst of a run the two are others, but one contact
        has one number, and a number is of one contact.

        Raises ValueError if it is not.
        """
        if event.state is None or IN_A_PAIR.get(event.kind, REGIONS) >= REGIONS:
            return
        given = event.contact
        told = self._counted.setdefault(number, given)
        if told != given or self._given.setdefault(given, number) != number:
            raise ValueError(
                f"it is told of contact {given}, and that is the number of another one"
                if told == given
                else f"it is told of contact {given}, and began as contact {told}"
            )

    def number(self, event: Event) -> int:
        """Return the identity of what an event happened to.

        Raises ValueError if its contact has begun already, or has ended.
        """
        pair = event.a, event.b
        if IN_A_PAIR.get(event.kind, REGIONS) >= REGIONS:
            return event.contact
        if event.kind == "begin":
            if pair in self._lasting:
                raise ValueError("this contact has begun already")
        elif pair in self._ended:
            raise ValueError(f"this contact ended in frame {self._ended[pair]}")
        if pair not in self._lasting:
            self._lasting[pair] = self._count
            self._count += 1
            self._ended.pop(pair, None)
        if event.kind != "end":
            return self._lasting[pair]
        self._ended[pair] = event.frame
        return self._lasting.pop(pair)


def named_frames(frames: range) -> str:
    """Say which frames there are."""
    if len(frames) < 2:
        return f"frame {frames.start} alone" if frames else "no frames"
    return f"frames {frames.start} to {frames.stop - 1}"


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
            between: dict[str, float] = {}
            if event.when is not None:
                lower, upper = (before + x * (time - before) for x in event.when)
                between = {"lower": lower, "upper": upper}
            if event.kind in ("begin", "brush"):
                state, features = event.state, str(event.after)
                row: dict[str, Any] = {"a": event.a, "b": event.b}
                row |= {"contact": event.contact, "changes": 0, "features": features}
                row |= {"begin": event.frame, "begin_time": time}
                row |= {f"begin_{name}": x for name, x in between.items()}
                row["least_distance"] = inf if state is None else state.distance
                lasting[pair] = row
                rows.append(row)
            elif event.kind == "change" and pair in lasting:
                lasting[pair]["changes"] += 1
                lasting[pair]["features"] += f" > {event.after}"
            if event.kind in ("end", "brush") and pair in lasting:
                row = lasting.pop(pair)
                row |= {"end": event.frame, "end_time": time}
                row |= {f"end_{name}": x for name, x in between.items()}
        for (a, b), row in lasting.items():
            distance = frame.pair(a, b).distance
            row["least_distance"] = min(row["least_distance"], distance)
    for row in rows:
        row["greatest_depth"] = max(0.0, -row["least_distance"])
        row["duration"] = row.get("end_time", time) - row["begin_time"]
    return Table.of_rows(rows, COLUMNS)
