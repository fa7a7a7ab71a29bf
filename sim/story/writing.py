"""The forms of a story for other programs: columns, JSON Lines, CSV, a live log.

The columns of numpy have one row per event:

======================  ===============================================================
``frame``  int64        when it happened
``kind``  str           as in `Event.kind`
``a``, ``b``  str       names of the bodies; ``b`` is empty where it happened to one
``contact``  int64      which contact, or which region of the pair; -1 for a body
``before``, ``after``   str: the kind of the closest features, as VF; empty: not told
``before_a`` ...        four columns of features: A's and B's, before and after
``dent``, ``depth``     the feature of a dent, and how deep it is (NaN: not told)
``parents``, \
``children``            int64 (n,): identities of regions, -1 where there are fewer
======================  ===============================================================

A feature is a row of its own: ``letter`` v, e, f, l (a lid of a hull) or empty,
``number`` int64 (-1: none) and ``vertices`` int64 (n,): tail and tip of an edge, the
vertices of a lid, -1 where there are fewer.  Strings and lists are as wide as the
longest of the story needs.  The line of an event is all here, and is made of it again.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.errors import RecordingError, advice
from sim.events.event import Event
from sim.events.touch import Dent, Ends, Touch, print_feature, shown
from sim.story.file.replacing import put
from wingedge import Feature

SPOTS = ("before_a", "before_b", "after_a", "after_b", "dent")
Place = tuple[Feature, Ends | None] | None  # None: not told
Spot = tuple[str, int, tuple[int, ...]]  # letter, number, vertices
NOWHERE: Spot = ("", -1, ())
NUMBERED = {"v": "vertex", "e": "edge", "f": "face"}
Row = Any  # of a structured array


def rows_of(events: Sequence[Event]) -> NDArray[Any]:
    """Return the table of events, a structured array (n,)."""
    spots = [[_spot(place) for place in _places(event)] for event in events]
    lineages = [ids for event in events for ids in (event.parents, event.children)]
    name = max((len(n) for event in events for n in (event.a, event.b)), default=0)
    corners = max(2, *(len(s[2]) for row in spots for s in row), 2)
    identities = max(1, *map(len, lineages), 1)
    rows = [
        (
            *(event.frame, event.kind, event.a, event.b, event.contact),
            *(touch.kind if touch else "" for touch in (event.before, event.after)),
            *((*spot[:2], _filled(spot[2], corners)) for spot in places),
            event.dent.depth if event.dent else np.nan,
            *(_filled(ids, identities) for ids in (event.parents, event.children)),
        )
        for event, places in zip(events, spots, strict=True)
    ]
    return np.array(rows, _columns(name, corners, identities))


def events_of(table: NDArray[Any]) -> tuple[Event, ...]:
    """Read events back from their table.

    Raises ValueError if the columns are others, or a row says what no event can; names
    the row.
    """
    wanted = set(_columns(1, 2, 1).names or ())
    missing = sorted(wanted - set(table.dtype.names or ()))
    if missing:
        raise ValueError(f"the table has no column {', '.join(missing)}")
    found = []
    for k, row in enumerate(table):
        try:
            found.append(_event(row))
        except (ValueError, KeyError) as error:
            raise ValueError(f"row {k} of the table is no event: {error}") from None
    return tuple(found)


def _columns(name: int, corners: int, identities: int) -> np.dtype[Any]:
    spot = [("letter", "U1"), ("number", np.int64), ("vertices", np.int64, (corners,))]
    ids = (identities,)
    text = f"U{max(name, 1)}"
    return np.dtype(
        [
            ("frame", np.int64),
            ("kind", "U18"),
            ("a", text),
            ("b", text),
            ("contact", np.int64),
            ("before", "U2"),
            ("after", "U2"),
            *((spot_name, spot) for spot_name in SPOTS),
            ("depth", np.float64),
            ("parents", np.int64, ids),
            ("children", np.int64, ids),
        ]
    )


def _places(event: Event) -> list[Place]:
    """List the features that an event names, in the order of ``SPOTS``."""
    found: list[Place] = []
    for x in (event.before, event.after):
        found += [(x.feature_a, x.ends_a), (x.feature_b, x.ends_b)] if x else [None] * 2
    dent = event.dent
    return [*found, (dent.place, dent.ends) if dent and dent.place else None]


def _spot(place: Place) -> Spot:
    if place is None:
        return NOWHERE
    feature, ends = place
    if feature.kind == "lid":
        return "l", -1, feature.vertices
    return feature.kind[0], feature.index, ends or ()


def _filled(values: Sequence[int], room: int) -> list[int]:
    return [*values, *[-1] * (room - len(values))]


def _event(row: Row) -> Event:
    """Read one row back, by way of its line: what no line says is refused."""
    before, after = (_touch(row, name) for name in ("before", "after"))
    dent = None
    if not np.isnan(row["depth"]):
        place, ends = _feature(row["dent"]) if row["dent"]["letter"] else (None, None)
        dent = Dent(place, ends, float(row["depth"]))
    kind, a, b = (str(row[name]) for name in ("kind", "a", "b"))
    event = Event(
        int(row["frame"]),
        kind,
        a,
        b,
        int(row["contact"]),
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
    if not row[name]:
        return None
    (a, ends_a), (b, ends_b) = (_feature(row[f"{name}_{side}"]) for side in "ab")
    return Touch(str(row[name]), a, b, ends_a, ends_b)


def _feature(row: Row) -> tuple[Feature, Ends | None]:
    letter, vertices = str(row["letter"]), _ids(row["vertices"])
    if letter == "l":
        return Feature.lid(vertices), None
    feature = Feature(NUMBERED[letter], int(row["number"]))
    return feature, (vertices[0], vertices[1]) if len(vertices) == 2 else None


def _ids(values: Iterable[int]) -> tuple[int, ...]:
    return tuple(int(value) for value in values if value >= 0)


# Features as in the lines, "e7(3-9)"; identities of regions joined by "+".
CSV = (
    *("frame", "kind", "a", "b", "contact", "before", "before_a", "before_b"),
    *("after", "after_a", "after_b", "dent", "depth", "parents", "children"),
)
TIMES = ("when_lower", "when_upper", "time")  # as well, where any event has them


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
    """Write events as CSV (RFC 4180): the columns of ``CSV``, then one row each.

    Where any is timed, those of ``TIMES``, too.
    """
    events = list(events)
    timed = any(event.when is not None for event in events)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV + TIMES * timed)
    for event in events:
        names = [print_feature(*place) if place else "" for place in _places(event)]
        kinds = [touch.kind if touch else "" for touch in (event.before, event.after)]
        writer.writerow(
            [
                *(event.frame, event.kind, event.a, event.b),
                event.contact if event.b else "",
                *(kinds[0], *names[:2], kinds[1], *names[2:]),
                event.dent.depth if event.dent else "",
                *("+".join(map(str, ids)) for ids in (event.parents, event.children)),
                *((*(event.when or ("", "")), event.time) * timed),
            ]
        )
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
