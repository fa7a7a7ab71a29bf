"""Events as a table for other programs: a row per event, and the same as JSON.

=====================  ================================================================
``frame``  int         when it happened
``kind``               as in `Event.kind`
``a``, ``b``           names of the bodies; ``b`` is empty where it happened to one
``contact``  int       which contact, or which region of the pair; of a body -1
``before``, ``after``  the kind of the closest features, as VF; empty: not told
``before_a`` ...       four columns of features as lines have them, ``e7(3-9)``: A's and
                       B's, before and after
``dent``, ``depth``    the feature of a dent, and how deep it is (not told: NaN)
``parents``,
``children``           identities of regions, ``1+4``; empty: none
``when_lower``,
``when_upper``,
``time``  float        as in `Event.when` and `Event.time`, where any event has them
``part_a``, ``part_b`` the parts of the features, where any event has one
=====================  ================================================================

The line of an event is all here.
"""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from sim.events.event import TAILS, Event
from sim.events.touch import AGAIN
from sim.table import Table

COLUMNS = (
    *("frame", "kind", "a", "b", "contact", "before", "before_a", "before_b"),
    *("after", "after_a", "after_b", "dent", "depth", "parents", "children"),
)
PARTS = ("part_a", "part_b")
TIMES = ("when_lower", "when_upper", "time")  # as well, where any event has them
NUMBERS = {"frame": np.int64, "contact": np.int64} | dict.fromkeys(
    ("depth", *TIMES), np.float64
)
UNTOLD = {"contact": -1, "depth": np.nan} | dict.fromkeys(TIMES, np.nan)


def table_of(events: Iterable[Event]) -> Table:
    """Return the table of events, a row each."""
    rows = list(map(row_of, events))
    names = COLUMNS + TIMES * any("time" in row for row in rows)
    names += PARTS * any(name in row for row in rows for name in PARTS)
    every = {n: [row.get(n, UNTOLD.get(n, "")) for row in rows] for n in names}
    return Table({n: np.array(x, NUMBERS.get(n, np.str_)) for n, x in every.items()})


def row_of(event: Event) -> dict[str, Any]:
    """Return what an event says by column: the words of its line."""
    row: dict[str, Any] = {"frame": event.frame, "kind": event.kind, "a": event.a}
    if event.b:
        row |= {"b": event.b, "contact": event.contact}
    row |= zip(TAILS[event.kind], event.tail, strict=False)
    row |= {name: part for name in PARTS if (part := getattr(event, name))}
    row.pop("->", None)
    for name in {"parents", "children"} & row.keys():
        row[name] = row[name].replace("#", "")
    if "depth" in row:
        row["depth"] = float(row["depth"])
        if row["dent"] == AGAIN:
            del row["dent"]
    if event.when is not None:
        row |= zip(TIMES, (*event.when, event.time), strict=True)
    return row


def json_of(event: Event) -> str:
    """Write an event as one JSON object: its columns that it tells, and its line."""
    return json.dumps(row_of(event) | {"line": str(event)}, ensure_ascii=False)
