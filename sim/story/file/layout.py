"""What a recording keeps of a frame, and how that is packed and sealed.

The rows of a frame, table after table and their sizes before them, lie in ``data``; its
row of ``frames`` says where they end, and seals them.  Positions and hulls, to which
several frames may refer, lie in tables of their own, and ``sums`` has their seals.
"""

from collections.abc import Mapping
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

POINTS, FACES = np.dtype("(3,)<f8"), np.dtype("(3,)<i4")
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


def counted_from(rows: Rows, start: Mapping[str, int]) -> dict[str, Array]:
    """Return rows that say where lists end, counted from so many rows before."""
    found = dict(rows)
    for name, columns in LISTS.items():
        found[name] = found[name].copy()
        for column, table in columns.items():
            found[name][column] += start.get(table, 0)
    return found
