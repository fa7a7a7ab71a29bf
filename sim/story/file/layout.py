"""What a recording keeps of a frame, and how that is packed and sealed.

The rows of a frame, table after table and their sizes before them, lie in ``data``; its
row of ``frames`` says where they end, and seals them.  Positions and hulls, to which
several frames may refer, lie in tables of their own, and ``sums`` has their seals.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.story.file.states import LISTS, MARK, RAGGED, STATE

Array = NDArray[Any]
Rows = Mapping[str, Array]  # by table

FRAME = np.dtype(
    [
        *(("index", "<i8"), ("time", "<f8"), ("next_contact", "<i8")),
        *(("end", "<i8"), ("seal", "<u8")),  # in ``data``; of the frame
    ]
)
EVENT = np.dtype([("contact", "<i8"), ("state", "<i8")])
PLACEMENT = np.dtype(
    [
        ("transform", "<f8", (12,)),
        ("points", "<i8"),  # row of ``positions``, or one of the numbers below
        ("open", "u1"),  # the sum of OPEN, CUT, NEW
        ("standing", "i1", (3,)),  # convex, inverted, collapsed; UNKNOWN: not looked at
        ("hull", "<i8"),  # row of ``hulls``, or NO_HULL
        ("hull_faces", "<i8"),  # and how many rows from there on
    ]
)
MEMORY = np.dtype([("contact", "<i8"), ("next_region", "<i8")])
# Where the positions of a body are, if not from a row of ``positions`` on.
AT_REST = -1
IN_WORLD = -2  # the pose is the identity: they are the points that VTK reads
# Positions are written freely; it jumped here on purpose; positions are new.
OPEN, CUT, NEW = 1, 2, 4
NO_STATE = -1  # of an event that happened to one body
NO_HULL = -1  # the body is itself, or its hull was not asked for
UNKNOWN = (-1, -1, -1)

POINTS, FACES = np.dtype(("<f8", (3,))), np.dtype(("<i4", (3,)))
SHARED = {"positions": POINTS, "hulls": FACES}  # body frame; triangles of a hull
REGIONS: dict[str, np.dtype[Any]] = {
    "region_ends": np.dtype("<i8"),  # per state: where its regions end
    "region_marks": MARK,  # per region: which it is, and where its faces end
    "region_faces": np.dtype("(2,)<i4"),  # pairs of faces, A's first
    "region_states": STATE,  # a region is written as a state is
    **{f"region_{name}": kind for name, kind in RAGGED.items()},
}
TABLES: dict[str, np.dtype[Any]] = {
    "events": EVENT,
    "lines": np.dtype("u1"),  # the lines of the events, UTF-8
    "placements": PLACEMENT,
    "sums": np.dtype("(2,)<u8"),  # per body: seals of positions and hull; 0: none
    "states": STATE,
    "memories": MEMORY,  # beside every state
    "overlaps": np.dtype("<i4"),  # A, B, how many ids, and those; `tracking.carried`
    **RAGGED,
    **REGIONS,
    "law": np.dtype("u1"),  # what it remembers, packed
}
EMPTY: Rows = {k: np.empty((0, *kind.shape), kind.base) for k, kind in TABLES.items()}
SIZE = 8  # bytes of a seal


def seal(*parts: bytes | Array, key: bytes = b"") -> bytes:
    """Sum up bytes and rows."""
    total = blake2b(key=key, digest_size=SIZE)
    for part in parts:
        total.update(part if isinstance(part, bytes) else part.tobytes())
    return total.digest()


def frame_seal(head: bytes, place: int, row: Array, data: bytes) -> int:
    """Sum up a frame: its row of ``frames`` but for the seal, and its packed rows."""
    parts = place.to_bytes(SIZE, "little"), row.tobytes()[:-SIZE], data
    return int.from_bytes(seal(*parts, key=head), "little")


def pack(rows: Rows) -> bytes:
    """Turn the rows of a frame into bytes."""
    parts = [
        np.asarray(rows.get(name, EMPTY[name]), kind.base).tobytes()
        for name, kind in TABLES.items()
    ]
    return b"".join([np.array([*map(len, parts)], "<i8").tobytes(), *parts])


def unpack(data: bytes) -> dict[str, Array]:
    """Return the rows that were packed, read-only.

    Raises ValueError if the tables have other sizes.
    """
    sizes = np.frombuffer(data, "<i8", len(TABLES))
    ends = sizes.nbytes + np.cumsum(sizes)
    if sizes.min() < 0 or ends[-1] != len(data):
        raise ValueError("its tables end elsewhere")
    cuts = zip(TABLES.items(), (ends - sizes).tolist(), ends.tolist(), strict=True)
    return {name: np.frombuffer(data[i:j], kind) for (name, kind), i, j in cuts}


def stacked(parts: Sequence[Rows], names: Iterable[str]) -> dict[str, Array]:
    """Put tables of frames one behind the other; ends of lists are counted through."""
    every = {name: [rows[name] for rows in parts] for name in names}
    found = {k: np.concatenate([EMPTY[k], *rows]) for k, rows in every.items()}
    for name, columns in LISTS.items():
        if name in found:
            counts = np.array([*map(len, every[name])], int)
            for column, table in columns.items():
                before = np.cumsum([0, *map(len, every[table])])[:-1]
                found[name][column] += np.repeat(before, counts)
    return found


AHEAD = 1 << 16  # bytes of a table to read at once: the frames after this one
Sums = Callable[[int, Array], Array]  # seals of what the bodies of a frame refer to


class Pieces:
    """Read rows of a table, and those that follow them ahead."""

    def __init__(self, group: Any, name: str, kind: np.dtype[Any]) -> None:
        data = self._data = group[name]
        if data.dtype != kind.base or data.shape[1:] != kind.shape:
            raise TypeError(f"the columns of {name!r} are others")
        self._name, self._more = name, AHEAD // kind.itemsize
        self._at, self._ahead = 0, data[:0]

    def rows(self, first: int, last: int) -> Array:
        """Return some rows.

        Raises ValueError if they are not there.
        """
        whole = len(self._data)
        if not 0 <= first <= last <= whole:
            what = f"rows {first} to {last} of {whole} in {self._name!r}"
            raise ValueError(f"{what} are missing")
        if not self._at <= first <= last <= self._at + len(self._ahead):
            more = max(last, min(first + self._more, whole))
            self._at, self._ahead = first, self._data[first:more]
        found: Array = self._ahead[first - self._at : last - self._at]
        return found


class Packed:
    """The rows of a frame lie in one place, under one seal."""

    def __init__(self, group: Any, steps: int) -> None:
        self.frames = Pieces(group, "frames", FRAME).rows(0, steps)
        self._data = Pieces(group, "data", np.dtype("u1"))

    def rows(self, k: int, head: bytes, _: Sums) -> Rows:
        """Read the rows of a frame.

        Raises ValueError if they are not what was written.
        """
        row = self.frames[k]
        begin = int(self.frames["end"][k - 1]) if k else 0
        data = self._data.rows(begin, int(row["end"])).tobytes()
        if frame_seal(head, k, row, data) != row["seal"]:
            raise ValueError(f"frame {k} is not what was written")
        return unpack(data)


STORY = ("frames", "events", "lines")  # what the first of two seals is of
FORMER: dict[str, np.dtype[Any]] = {
    "frames": np.dtype(FRAME.descr[:3]),
    "events": np.dtype([*EVENT.descr, ("line", "<i8")]),
    **{name: TABLES[name] for name in ("lines", "placements")},
    **SHARED,
    **{
        k: TABLES[k]
        for k in TABLES
        if k not in ("events", *STORY, "placements", "sums")
    },
}


class Former:
    """Up to format 5 each table was a dataset, and a frame had two seals."""

    def __init__(self, group: Any, steps: int) -> None:
        there = {name: kind for name, kind in FORMER.items() if name in group}
        self._tables = {name: Pieces(group, name, kind) for name, kind in there.items()}
        self.frames = self._tables["frames"].rows(0, steps)
        ends = np.dtype(("<i8", (len(there),)))
        self._ends = Pieces(group, "ends", ends).rows(0, steps)
        self._seals = Pieces(group, "seals", np.dtype("(2,)<u8")).rows(0, steps)

    def rows(self, k: int, head: bytes, sums: Sums) -> Rows:
        """Read the rows of a frame.

        Raises ValueError if they are not what was written.
        """
        ends = self._ends[k]
        begin = self._ends[k - 1] if k else 0 * ends
        found = {
            name: table.rows(first, last)
            for (name, table), first, last in zip(
                self._tables.items(), begin.tolist(), ends.tolist(), strict=True
            )
            if name not in SHARED
        }
        told = [found[name] for name in STORY]
        story = seal(k.to_bytes(8, "little"), ends, *told, key=head)
        rest = [rows for name, rows in found.items() if name not in STORY]
        seals = sums(k, found["placements"])
        whole = seal(*rest, seals[seals != 0], key=story)
        if story + whole != self._seals[k].tobytes():
            raise ValueError(f"frame {k} is not what was written")
        before = dict(zip(self._tables, begin.tolist(), strict=True))
        events = np.zeros(len(found["events"]), EVENT)
        for column in EVENT.names or ():
            events[column] = found["events"][column]
        events["state"][events["state"] != NO_STATE] -= before["states"]
        for name, columns in LISTS.items():
            if name in found:
                found[name] = found[name].copy()
                for column, table in columns.items():
                    found[name][column] -= before[table]
        return {**EMPTY, **found, "events": events, "sums": seals}
