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

The line of an event is all here, and is made of it again.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sim.errors import RecordingError, advice
from sim.events.event import Event
from sim.events.touch import (
    Dent,
    Ends,
    Touch,
    identities,
    parse_feature,
    print_feature,
    shown,
)
from sim.story.file.replacing import put
from sim.table import Table
from wingedge import Feature

Place = tuple[Feature, Ends | None] | None  # None: not told
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
                [UNTOLD.get(name, "") if r[name] is None else r[name] for r in rows],
                NUMBERS.get(name, np.str_),
            )
            for name in names
        }
    )


def events_of(table: Mapping[str, ArrayLike] | Table) -> tuple[Event, ...]:
    """Read events back from their table.

    Raises ValueError if the columns are others, or a row says what no event can; names
    the row.
    """
    missing = [name for name in COLUMNS if name not in table]
    if missing:
        raise ValueError(f"the table has no column {', '.join(missing)}")
    columns = (np.asarray(table[name]).tolist() for name in COLUMNS)
    found = []
    for k, values in enumerate(zip(*columns, strict=True)):
        row = {
            n: None if _is_untold(v) else v
            for n, v in zip(COLUMNS, values, strict=True)
        }
        try:
            found.append(_event(row))
        except (TypeError, ValueError) as error:
            raise ValueError(f"row {k} of the table is no event: {error}") from None
    return tuple(found)


def _rows(events: Iterable[Event]) -> tuple[list[Row], tuple[str, ...]]:
    """Return what every event says by column, None where nothing, and the columns."""
    told = list(events)
    names = COLUMNS + TIMES * any(event.when is not None for event in told)
    return [dict(zip(names, _values(event), strict=False)) for event in told], names


def _values(event: Event) -> tuple[object, ...]:
    features = [print_feature(*place) if place else None for place in _places(event)]
    return (
        *(event.frame, event.kind, event.a, event.b or None),
        event.contact if event.b else None,
        *(event.before and event.before.kind, *features[:2]),
        *(event.after and event.after.kind, *features[2:]),
        event.dent and event.dent.depth,
        *("+".join(map(str, x)) or None for x in (event.parents, event.children)),
        *(*(event.when or (None, None)), event.time),
    )


def _is_untold(value: object) -> bool:
    return value is None or value == "" or value != value  # not a number


def _places(event: Event) -> list[Place]:
    """List the features that an event names, in the order of ``SPOTS``."""
    found: list[Place] = []
    for x in (event.before, event.after):
        found += [(x.feature_a, x.ends_a), (x.feature_b, x.ends_b)] if x else [None] * 2
    dent = event.dent
    return [*found, (dent.place, dent.ends) if dent and dent.place else None]


def _event(row: Row) -> Event:
    """Read one row back, by way of its line: what no line says is refused."""
    before, after = (_touch(row, name) for name in ("before", "after"))
    dent = None
    if row["depth"] is not None:
        place, ends = parse_feature(row["dent"]) if row["dent"] else (None, None)
        dent = Dent(place, ends, float(row["depth"]))
    event = Event(
        int(row["frame"]),
        *(row["kind"], row["a"], row["b"] or ""),
        -1 if row["contact"] is None else int(row["contact"]),
        before,
        after,
        parents=_ids(row["parents"]),
        children=_ids(row["children"]),
        dent=dent,
    )
    read = Event.parse(str(event)).of(None, event.contact)
    if read != event:
        raise ValueError(f"it says more than its line, {shown(str(event))}")
    return read


def _touch(row: Row, name: str) -> Touch | None:
    said = row[name], row[f"{name}_a"], row[f"{name}_b"]
    return None if said == (None,) * 3 else Touch.parse(" ".join(map(str, said)))


def _ids(text: str | None) -> tuple[int, ...]:
    return identities(f"#{text}".replace("+", "+#")) if text else ()


def json_of(event: Event) -> str:
    """Write an event as one JSON object; what it does not say is left out."""
    said: dict[str, object] = {"frame": event.frame, "kind": event.kind, "a": event.a}
    if event.b:
        said |= {"b": event.b, "contact": event.contact}
    *places, dent = map(_json_place, _places(event))
    for name, touch, at in (("before", event.before, 0), ("after", event.after, 2)):
        if touch is not None:
            a, b = places[at : at + 2]
            said[name] = {"kind": touch.kind, "a": a, "b": b}
    said |= {"parents": event.parents} if event.parents else {}
    said |= {"children": event.children} if event.children else {}
    if event.dent is not None:
        said |= {"dent": dent} if dent else {}
        said["depth"] = event.dent.depth
    if event.when is not None:
        said |= {"when": event.when, "time": event.time}
    said["line"] = str(event)
    return json.dumps(said, ensure_ascii=False)


def csv_of(events: Iterable[Event]) -> str:
    """Write events as CSV (RFC 4180): the names of the columns, then one row each."""
    rows, names = _rows(events)
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _json_place(place: Place) -> dict[str, object] | None:
    """Say a feature by its name, and by the vertices that name it."""
    if place is None:
        return None
    feature, ends = place
    said: dict[str, object] = {"feature": str(feature)}
    vertices = ends or (feature.vertices if feature.kind == "lid" else ())
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
