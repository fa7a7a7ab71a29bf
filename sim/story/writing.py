"""The forms of a story for other programs: a table, JSON Lines, CSV, a live log.

The table and CSV have one row per event and the same columns:

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
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from sim.errors import RecordingError, advice
from sim.events.event import Event
from sim.events.touch import AGAIN
from sim.story.file.replacing import put
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
    """Write an event as one JSON object; what it does not say is left out."""
    row = _row(event)
    said = dict(list(row.items())[: 5 if event.b else 3])
    for name in ("before", "after"):
        if name in row:
            a, b = (_json_place(row[f"{name}_{side}"]) for side in "ab")
            said[name] = {"kind": row[name], "a": a, "b": b}
    said |= {"parents": event.parents} if event.parents else {}
    said |= {"children": event.children} if event.children else {}
    said |= {"dent": _json_place(row["dent"])} if "dent" in row else {}
    said |= {"depth": row["depth"]} if "depth" in row else {}
    if event.when is not None:
        said |= {"when": event.when, "time": event.time}
    return json.dumps(said | {"line": str(event)}, ensure_ascii=False)


def csv_of(events: Iterable[Event]) -> str:
    """Write events as CSV (RFC 4180): the names of the columns, then one row each."""
    return Table.of_rows(*_rows(events)).to_csv()


def _json_place(word: str) -> dict[str, object]:
    """Say a feature by its name, and by the vertices that name it."""
    name, bracket, rest = word.partition("(")
    said: dict[str, object] = {"feature": word if name == "l" else name}
    vertices = [int(k) for k in rest[:-1].split("-")] if bracket else []
    return said | ({"vertices": vertices} if vertices else {})


Tell = Callable[[int, Iterable[Event]], int]


@contextmanager
def logged(path: str | PathLike[str] | None) -> Iterator[Tell]:
    """Open a text file, and give a function that writes events into it.

    ``tell(end, events)`` writes them behind the first ``end`` bytes, hands them to the
    system, and returns where they end: an interrupted frame is told again at the same
    place.  The file is left as it is until then.  Without a path it does nothing.

    Raises RecordingError if the file cannot be written.
    """
    if path is None:
        yield lambda end, events: end
        return
    name = fspath(path)
    fresh = not Path(name).exists()
    try:
        file = open(name, "ab", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise RecordingError(
            f"{name}: the log cannot be written ({error.strerror}); {advice(error)}"
        ) from error
    plain = Path(name).is_file()

    def tell(end: int, events: Iterable[Event]) -> int:
        text = "".join(f"{json_of(event)}\n" for event in events).encode()
        try:
            if plain:
                file.truncate(end)  # and what is written goes to the end
            put(file, text)
        except OSError as error:
            raise RecordingError(
                f"{name}: the log could not be written ({error.strerror}); is the disk "
                "full?"
            ) from error
        return end + len(text)

    with file:
        try:
            yield tell
        except BaseException:
            if fresh and not file.tell():
                with suppress(OSError):  # nothing was told: nothing is left behind
                    Path(name).unlink()
            raise
