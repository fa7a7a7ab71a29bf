"""How sure events are: recorded frames, told again at coarser resolutions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from math import inf
from typing import Any

from sim.contact_manager import retold
from sim.progress import progress
from sim.table import Table

RUNGS = 25  # of the ladder at most, two a decade: from a quarter of the room down


def margins(story: Any, recording: Any) -> Table:
    """Say of each event of a story how far positions may be off before it is in doubt.

    Columns: frame, line, margin [length unit of the input]; in the order of the story.
    Of "begin" and "end" half of how far the distance goes beyond its threshold before
    the opposite event, a quarter of the room between contact and release at most; of
    all others the least resolution on a ladder of half decades at which the story has
    no such line, infinite where there is none.

    Cost: the frames are answered for once a rung, 25 times at most.
    """
    rules, stage = recording.rules, recording._reader.stage()
    place = {name: k for k, name in enumerate(recording.bodies)}
    pairs = {(event.a, event.b) for event in story.events if event.b}
    contact = {who: stage.ends(*map(place.__getitem__, who))[0] for who in pairs}
    top = 0.25 * min(contact.values(), default=0.0)
    ladder = (top * 10.0 ** (-k / 2) for k in reversed(range(RUNGS)))
    rungs = [r for r in ladder if r > max(rules.resolution, default=0.0)]
    told = list[tuple[float, Counter[str]]]()  # without frames, which noise may move
    for r in progress(rungs, len(rungs), "telling again"):
        events = chain.from_iterable(x.events for x in retold(recording, rules, r))
        told.append((r, Counter(str(event).partition(" ")[2] for event in events)))
    seen, rows, beyond = Counter[str](), [], _beyond(story, recording, contact)
    for event in story.events:
        text = str(event).partition(" ")[2]
        seen[text] += 1
        gone = (r for r, lines in told if lines[text] < seen[text])
        margin = next(beyond if event.kind in ("begin", "end") else gone, inf)
        rows.append({"frame": event.frame, "line": str(event), "margin": margin})
    return Table.of_rows(rows, ("frame", "line", "margin"))


def _beyond(
    story: Any, recording: Any, contact: dict[tuple[str, str], float]
) -> Iterator[float]:
    """Go through begins and ends: how sure they are, by the distances that follow."""
    asked = [e for e in story.events if e.kind in ("begin", "end")]
    last: dict[tuple[str, str], int] = {}  # of these, by pair
    far, at = [0.0] * len(asked), 0
    for frame in recording:
        while at < len(asked) and asked[at].frame == frame.index:
            last[asked[at].a, asked[at].b] = at
            at += 1
        near = {(x.a.name, x.b.name): x.distance for x in frame.pairs}
        for pair, k in last.items():
            c, d = contact[pair], near.get(pair, inf)
            went = c - d if asked[k].kind == "begin" else d - 2.0 * c
            far[k] = max(far[k], min(0.5 * went, 0.25 * c))
    return iter(far)
