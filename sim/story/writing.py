"""The forms of a story for other programs: a table, JSON Lines, CSV.

They have one row per event and the same columns:

=====================  ================================================================
``frame``  int         when it happened
``kind``               as in `Event.kind`
``a``, ``b``           names of the bodies; ``b`` is empty where it happened to one
``contact``  int       which contact, or which region of the pair; of a body -1, in CSV
                       empty
``before``, ``after``  the kind of the closest features, as VF; empty: not told
``before_a`` ...       four columns of features as lines have them, ``e7(3-9)``: A's and
                       B's, before and after
``dent``, ``depth``    the feature of a dent, and how deep it is (not told: NaN, in CSV
                       empty)
``parents``,
``children``           identities of regions, ``1+4``; empty: none
``when_lower``,
``when_upper``,
``time``  float        as in `Event.when` and `Event.time`, where any event has them
=====================  ================================================================

The line of an event is all here.
"""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from sim.events.event import Event
from sim.events.touch import AGAIN
from sim.story.order import TAILS, tail_of
from sim.table import Table

COLUMNS = (
    *("frame", "kind", "a", "b", "contact", "before", "before_a", "before_b"),
    *("after", "after_a", "after_b", "dent", "depth", "parents", "children"),
)
TIMES = ("when_lower", "when_upper", "time")  # as well, where any event has them
NUMBERS = {"frame": np.int64, "contact": np.int64} | dict.fromkeys(
    ("depth", *TIMES), np.float64
)
UNTOLD = {"contact": -1, "depth": np.nan} | dict.fromkeys(TIMES, np.nan)
Row = dict[str, Any]


def table_of(events: Iterable[Event]) -> Table:
    """Return the table of events, a row each."""
    rows, names = _rows(events)
    return Table(
        {
            name: np.array(
                [row.get(name, UNTOLD.get(name, "")) for row in rows],
                NUMBERS.get(name, np.str_),
            )
            for name in names
        }
    )


def _rows(events: Iterable[Event]) -> tuple[list[Row], tuple[str, ...]]:
    """Return what every event says by column, and the columns."""
    told = list(events)
    rows = list(map(_row, told))
    for event, row in zip(told, rows, strict=True):
        if event.when is not None:
            row |= zip(TIMES, (*event.when, event.time), strict=True)
    return rows, COLUMNS + TIMES * any("time" in row for row in rows)


def _row(event: Event) -> Row:
    """Return what an event says by column: the words of its line."""
    row: Row = {"frame": event.frame, "kind": event.kind, "a": event.a}
    if event.b:
        row |= {"b": event.b, "contact": event.contact}
    row |= zip(TAILS[event.kind], tail_of(event), strict=False)
    row.pop("->", None)
    for name in {"parents", "children"} & row.keys():
        row[name] = row[name].replace("#", "")
    if "depth" in row:
        row["depth"] = float(row["depth"])
        if row["dent"] == AGAIN:
            del row["dent"]
    return row


def json_of(event: Event) -> str:
    """Write an event as one JSON object: its columns, and its line.

    What it does not say is left out.
    """
    (row,), _ = _rows([event])
    return json.dumps(row | {"line": str(event)}, ensure_ascii=False)


def csv_of(events: Iterable[Event]) -> str:
    """Write events as CSV (RFC 4180): the names of the columns, then one row each."""
    return Table.of_rows(*_rows(events)).to_csv()
