"""What a recording keeps of a frame, and how that is packed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.story.file.states import LISTS, MARK, RAGGED, STATE

Array = NDArray[Any]
Rows = Mapping[str, Array]  # by table

EVENT = np.dtype([("contact", "<i8"), ("state", "<i8")])
PLACEMENT = np.dtype(
    [
        ("transform", "<f8", (12,)),
        ("points", "<i8"),  # the frame that has its ``positions``, or AT_REST
        ("open", "u1"),  # the sum of OPEN, CUT, NEW
        ("standing", "i1", (3,)),  # convex, inverted, collapsed; UNKNOWN: not looked at
        ("hull", "<i8"),  # the frame that has its hull, or NO_HULL
        ("hull_faces", "<i8"),  # and of how many triangles that is
    ]
)
MEMORY = np.dtype([("contact", "<i8"), ("next_region", "<i8")])
AT_REST = -1
# Positions are written freely; it jumped here on purpose; positions are new.
OPEN, CUT, NEW = 1, 2, 4
NO_STATE = -1  # of an event that happened to one body
NO_HULL = -1  # the body is itself, or its hull was not asked for
UNKNOWN = (-1, -1, -1)

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
    "positions": np.dtype(("<f8", (3,))),  # body frame, of bodies with new ones
    "hulls": np.dtype(("<i4", (3,))),  # triangles, of bodies with new ones
    "states": STATE,
    "memories": MEMORY,  # beside every state
    "overlaps": np.dtype("<i4"),  # A, B, how many ids, and those; `tracking.carried`
    **RAGGED,
    **REGIONS,
    "law": np.dtype("u1"),  # what it remembers, packed
}
EMPTY: Rows = {k: np.empty((0, *kind.shape), kind.base) for k, kind in TABLES.items()}


def pack(rows: Rows) -> bytes:
    """Turn the rows of a frame into bytes: how long each table is, then all of them."""
    parts = [
        np.asarray(rows[name], kind.base).tobytes() if name in rows else b""
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
