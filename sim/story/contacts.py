"""Every contact of a run as one row: when, how long, how deep, over which features."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sim.table import Table

if TYPE_CHECKING:
    from sim.events.event import Event
    from sim.frame import Frame

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
    time = before = 0.0
    for frame in frames:
        before, time = time, frame.time
        for event in frame.events:
            pair = event.a, event.b
            if event.kind == "begin":
                rows.append(_begun(event, time))
                lasting[pair] = rows[-1]
            elif event.kind == "brush":
                rows.append({**_begun(event, time), **_ended(event, time)})
                _put_times(rows[-1], event, before, time, "end")
            if event.kind in ("begin", "brush"):
                _put_times(rows[-1], event, before, time, "begin")
            row = lasting.get(pair)
            if row is not None and event.kind == "change":
                row["changes"] += 1
                row["features"] += f" > {event.after}"
            if row is not None and event.kind == "end":
                row |= _ended(event, time)
                _put_times(row, event, before, time, "end")
                del lasting[pair]
        for (a, b), row in lasting.items():
            distance = frame.pair(a, b).distance
            row["least_distance"] = min(row["least_distance"], distance)
    for row in rows:
        row["greatest_depth"] = max(0.0, -row["least_distance"])
        row["duration"] = row.get("end_time", time) - row["begin_time"]
    return Table.of_rows(rows, COLUMNS)


def _begun(event: Event, time: float) -> dict[str, Any]:
    return {
        **{"a": event.a, "b": event.b, "contact": event.contact},
        **{"begin": event.frame, "begin_time": time},
        **{"changes": 0, "features": str(event.after)},
        "least_distance": float("inf") if event.state is None else event.state.distance,
    }


def _ended(event: Event, time: float) -> dict[str, Any]:
    return {"end": event.frame, "end_time": time}


def _put_times(
    row: dict[str, Any], event: Event, before: float, time: float, what: str
) -> None:
    if event.when is not None:
        lower, upper = event.when
        row[f"{what}_lower"] = before + lower * (time - before)
        row[f"{what}_upper"] = before + upper * (time - before)
