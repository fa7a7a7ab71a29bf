"""How sure events are: recorded frames, told again at coarser resolutions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np

from sim.events.event import Event
from sim.progress import progress
from sim.table import Table
from sim.tracking.options import thresholds

Pair = tuple[str, str]
RUNGS = 25  # of the ladder at most, two a decade: from a quarter of the room down


def margins(recording: Any) -> Table:
    """Say of each event how far positions may be off before it is in doubt.

    Columns: frame, line, margin [length unit of the input]; in the order of the story.
    Of "begin" and "end" half of how far the distance goes beyond its threshold before
    the opposite event, a quarter of the room between contact and release at most; of
    all others the least resolution on a ladder of half decades at which the story has
    no such line, infinite where there is none.

    Cost: the frames are answered for once a rung, 25 times at most.
    """
    events = list(recording.story.events)
    told = []
    rungs = ladder(recording)
    for r in progress(rungs, len(rungs), "telling again"):
        frames = recording.rerun(resolution=r)
        told.append(Counter(_text(e) for frame in frames for e in frame.events))
    seen, found = Counter[str](), []
    beyond = _beyond(recording, _rooms(recording))
    for event in events:
        text = _text(event)
        seen[text] += 1
        rows = zip(rungs, told, strict=True)
        gone = (r for r, lines in rows if lines[text] < seen[text])
        known = event.kind in ("begin", "end")
        found.append(next(beyond) if known else next(gone, inf))
    return Table(
        {
            "frame": np.array([event.frame for event in events], int),
            "line": np.array([str(event) for event in events], str),
            "margin": np.array(found, float),
        }
    )


def ladder(recording: Any) -> list[float]:
    """List resolutions beyond the run's own, up to what leaves room for contacts."""
    own = max(recording.rules.resolution, default=0.0)
    top = min((room / 4.0 for _, room in _rooms(recording).values()), default=0.0)
    rungs = (top * 10.0 ** (-k / 2) for k in reversed(range(RUNGS)))
    return [r for r in rungs if r > own]


def _rooms(recording: Any) -> dict[Pair, tuple[float, float]]:
    """Return where the contact of each pair of the story begins, and its room."""
    bodies = {body.name: body for body in recording._reader.make_bodies()}
    given = recording.rules.contact_distance
    pairs = {(event.a, event.b) for event in recording.story.events if event.b}
    ends = {p: thresholds(bodies[p[0]], bodies[p[1]], given, None) for p in pairs}
    return {p: (contact, release - contact) for p, (contact, release) in ends.items()}


def _beyond(recording: Any, rooms: dict[Pair, tuple[float, float]]) -> Iterator[float]:
    """Go through begins and ends: how sure they are, by the distances that follow."""
    asked = [e for e in recording.story.events if e.kind in ("begin", "end")]
    open_: dict[Pair, int] = {}
    far = dict.fromkeys(range(len(asked)), 0.0)
    at = 0
    for frame in recording:
        while at < len(asked) and asked[at].frame == frame.index:
            open_[asked[at].a, asked[at].b] = at
            at += 1
        names = [body.name for body in frame.bodies]
        rows = zip(frame.pairs.a, frame.pairs.b, frame.pairs.distance, strict=True)
        near = {(names[i], names[j]): float(d) for i, j, d in rows}
        for pair, k in open_.items():
            contact, room = rooms[pair]
            d = near.get(pair, inf)
            went = contact - d if asked[k].kind == "begin" else d - contact - room
            far[k] = max(far[k], min(0.5 * went, 0.25 * room))
    return iter(far.values())


def _text(event: Event) -> str:
    """Return the line of an event without its frame, which noise may move."""
    return str(event).split(" ", 1)[1]
