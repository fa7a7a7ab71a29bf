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
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.events.event import BODY_KINDS, EVENT_KINDS, TAILS, Event
from sim.events.patterns import Meant, check_known, pairs_like
from sim.events.touch import Touch, shown
from sim.table import Table

if TYPE_CHECKING:
    from sim.frame import Frame
    from sim.result.state import PairState

RANKS = {kind: rank for rank, kind in enumerate(TAILS)}
Rank = tuple[int, bool, int, int, int, int]
Contact = tuple[int, int | None]  # its number, and when it ended


def rank(event: Event, place: Mapping[str, int]) -> Rank:
    """Return what a story is sorted by, given the place of every body.

    Raises ValueError if the event is none of this story; says why.
    """
    if event.kind not in RANKS:
        raise ValueError(f"there is no event of kind {shown(event.kind)}")
    pair = event.kind not in BODY_KINDS
    for name in (event.a, event.b)[: 1 + pair]:
        check_known(name, place)
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
    *("a", "part_a", "b", "part_b", "contact"),
    *("begin", "end", "begin_time", "end_time", "duration"),
    *("least_distance", "greatest_depth", "area", "changes", "features"),
    *("begin_lower", "begin_upper", "end_lower", "end_upper"),
)
Moment = tuple[float, Iterable[Event], "Frame | None"]  # when, what, and how all was


def contact_table(frames: Iterable[Frame], pattern: str | None = None) -> Table:
    """Gather what happened to each contact, in the order in which they began.

    The bodies touch in the frames ``range(begin, end)``; in a "brush", which is a row
    of its own, in none.  Where a "change" goes over to another part, one row ends and
    the next begins.

    Columns: ``a``, ``part_a``, ``b``, ``part_b`` ("" for no part), ``contact`` its
    identity; ``begin``, ``end`` the frames of these events, ``begin_time``,
    ``end_time``; ``begin`` None where it began before the first frame, ``end`` None
    while it lasts; ``duration``, within these frames; ``least_distance`` (signed),
    ``greatest_depth`` and greatest ``area`` in them; ``changes`` of its closest
    features, and all ``features`` passed, as ``VF v84 f1 > VF v83 f1``; where events
    say so (``World(between=True)``) the times between which it began and ended.

    Parameters: ``pattern``: of which bodies, as ``foot/*``; see ``pairs_like``.
    """
    rest = iter(frames)
    first = next(rest, None)
    if first is None:
        return Table.of_rows([], COLUMNS)
    parts = [part for body in first.bodies for part in body.mesh.part_names]
    meant = pairs_like(pattern, [body.name for body in first.bodies], parts)
    whole = chain([first], rest)
    return spans_of(((frame.time, frame.events, frame) for frame in whole), meant)


def spans_of(moments: Iterable[Moment], meant: Meant) -> Table:
    """Gather the contacts of some pairs, as ``contact_table`` does.

    What only a frame knows, distance, depth and area, is None where there is none.
    """
    rows: list[dict[str, Any]] = []
    lasting: dict[tuple[str, str], dict[str, Any]] = {}

    def opened(touch: Touch | None, a: str, b: str, **parts: str) -> dict[str, Any]:
        rows.append({"a": a, "b": b, "changes": 0, "features": str(touch)} | parts)
        lasting.setdefault((a, b), rows[-1])
        return rows[-1]

    times = list[float]()
    for time, events, frame in moments:
        times.append(time)
        for event in events:
            pair, kind = (event.a, event.b), event.kind
            if kind not in (*EVENT_KINDS, "brush"):
                continue
            row = lasting.get(pair)
            moves = row and kind == "change" and not event.named.items() <= row.items()
            if moves:
                lasting.pop(pair).update(_times("end", event, times))
            if row is None or moves or kind == "brush":
                touch = event.after if moves else event.before or event.after
                row = opened(touch, **event.named)
            row["contact"] = event.contact
            if kind in ("begin", "brush") or moves:
                row |= _times("begin", event, times)
                _measure(row, event.state)
            elif kind == "change":
                row["changes"] += 1
                row["features"] += f" > {event.after}"
            if kind in ("end", "brush"):
                row |= _times("end", event, times)
                if lasting[pair] is row:
                    del lasting[pair]
        for state in frame.pairs if frame and len(times) == 1 else ():  # since before
            pair = state.a.name, state.b.name
            if state.regime != "separated" and pair not in lasting:
                touch = Touch.of(state)
                opened(touch, *pair, **touch.parts(state.mesh_a, state.mesh_b))
        for pair, row in lasting.items():
            _measure(row, frame.pair(*pair) if frame else None)
    rows = list(filter(meant, rows))
    for row in rows:
        if "least_distance" in row:
            row["greatest_depth"] = max(0.0, -row["least_distance"])
        end = row.get("end_time", times[-1])
        row["duration"] = end - row.get("begin_time", times[0])
    return Table.of_rows(sorted(rows, key=lambda row: row.get("begin", -1)), COLUMNS)


def _measure(row: dict[str, Any], state: PairState | None) -> None:
    if state is not None:
        row["least_distance"] = min(row.get("least_distance", inf), state.distance)
        row["area"] = max(row.get("area", 0.0), state.area)


def _times(name: str, event: Event, times: list[float]) -> dict[str, float]:
    """Say when a contact began or ended, between two frames where that is told."""
    before, time = times[-2:] if len(times) > 1 else (times[0], times[0])
    row: dict[str, float] = {name: event.frame, f"{name}_time": time}
    if event.when is not None and before < time:
        lower, upper = (before + x * (time - before) for x in event.when)
        row |= {f"{name}_lower": lower, f"{name}_upper": upper}
    return row


NOBODY = inf, 0, ""  # is nearest: there is no pair


def nearest_pair(frame: Frame) -> tuple[float, int, str]:
    """Say which bodies of a frame are nearest, for a run in which nothing happens.

    Returns (distance, number of the frame, words): the least of several is the nearest.
    """
    if not len(frame.pairs):
        return NOBODY
    state, index = frame.pairs[int(np.argmin(frame.pairs.distance))], frame.index
    who = f"; nearest: {state.a.name}/{state.b.name}"
    return (
        state.distance,
        index,
        f"{who}, distance {state.distance:.6g} in frame {index}",
    )
