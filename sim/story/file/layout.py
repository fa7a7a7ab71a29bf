"""Which tables a recording has, and what stands in their rows.

The rows that a frame adds to them are sealed together (``sim.story.file.layout``);
``ENDS`` says for every frame where they end.
"""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from sim.contact_manager import ContactRules
from sim.story.file.states import RAGGED, STATE
from sim.story.file.states import TABLES as REGION_TABLES
from sim.story.file.table import ROOM, Column

FRAME = np.dtype([("index", "<i8"), ("time", "<f8"), ("next_contact", "<i8")])
EVENT = np.dtype([("contact", "<i8"), ("state", "<i8"), ("line", "<i8")])
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

STORY = ("frames", "events", "lines")  # what a story is told from
SHARED = ("positions", "hulls")  # rows that several frames may refer to
OVERLAPS = "overlaps"  # not in files of format 4
ENDS = "ends"  # (tables,) for every frame: how many rows there are of each
SEALS = "seals"  # (2,) for every frame: of its story, and of all of it


def tables(
    rules: ContactRules, bodies: int = 1, vertices: int = 1
) -> dict[str, Column]:
    """Name the tables that a run fills, in the order in which they are sealed."""
    each, all_of = ROOM * max(1, bodies), ROOM * max(1, vertices)
    found = {
        "frames": Column(FRAME, room=ROOM),
        "events": Column(EVENT, room=ROOM),
        "lines": Column("u1"),  # the lines of the events, UTF-8
        "placements": Column(PLACEMENT, room=each),
        "positions": Column("<f8", (3,), all_of),  # body frame
        "hulls": Column("<i4", (3,)),  # triangles of what stands for a body
        "states": Column(STATE, room=each),
        "memories": Column(MEMORY, room=each),  # beside every state
        OVERLAPS: Column("<i4"),  # A, B, how many ids, and those; `tracking.carried`
        **{name: Column(kind) for name, kind in RAGGED.items()},
    }
    if rules.regions:
        found |= {name: Column(*both) for name, both in REGION_TABLES.items()}
    if rules.law:
        found["law"] = Column("u1")  # what it remembers, packed
    return found


def behind(count: int) -> dict[str, Column]:
    """Name what is told of every frame of so many tables."""
    return {ENDS: Column("<i8", (count,), ROOM), SEALS: Column("<u8", (2,), ROOM)}


SIZE = 8  # bytes
Array = NDArray[Any]
DEEPEST = 4  # groups in groups of a head
HEAD = ("meshes", "bodies", "start", "notes", "versions")


def head_seal(group: h5py.Group) -> bytes:
    """Sum up what is fixed for the whole run: attributes, and all that lies in HEAD."""
    total = blake2b(digest_size=SIZE)
    _add_attributes(total, "", group)
    for name in HEAD:
        if name in group:
            _add(total, name, group[name])
    return total.digest()


def points_seal(points: Array) -> bytes:
    """Sum up positions, or other rows that several frames refer to."""
    return blake2b(np.ascontiguousarray(points).data, digest_size=SIZE).digest()


def story_seal(
    head: bytes, place: int, ends: Array, rows: Mapping[str, Array]
) -> bytes:
    """Sum up what the story of a frame is told from."""
    total = blake2b(place.to_bytes(8, "little"), key=head, digest_size=SIZE)
    total.update(ends.tobytes())
    for name in STORY:
        total.update(rows[name].tobytes())
    return total.digest()


def frame_seal(
    story: bytes, rows: Mapping[str, Array], shared: Iterable[bytes]
) -> bytes:
    """Sum up a whole frame, given the seals of the positions and hulls it refers to."""
    total = blake2b(key=story, digest_size=SIZE)
    for name, data in rows.items():
        if name not in STORY and name not in SHARED:
            total.update(data.tobytes())
    for seal in shared:
        total.update(seal)
    return total.digest()


def seals(
    head: bytes, place: int, ends: Array, rows: Mapping[str, Array], shared: list[bytes]
) -> Array:
    """Return the row of the seals of a frame."""
    story = story_seal(head, place, ends, rows)
    return np.frombuffer(story + frame_seal(story, rows, shared), "<u8").reshape(1, 2)


def _add(total: Any, name: str, item: h5py.Group | h5py.Dataset) -> None:
    if isinstance(item, h5py.Dataset):
        data = item[()]
        _say(total, name, str(item.dtype), str(item.shape))
        total.update(np.ascontiguousarray(data).tobytes())
        return
    if name.count("/") > DEEPEST:
        raise ValueError(f"{name[:40]!r} ... is inside itself")
    _add_attributes(total, name, item)
    for key in sorted(item):
        _add(total, f"{name}/{key}", item[key])


def _add_attributes(total: Any, name: str, group: h5py.Group) -> None:
    for key in sorted(group.attrs):
        if key != "seal":
            value = group.attrs[key]
            said = value if isinstance(value, str) else np.asarray(value).tolist()
            _say(total, name, key, repr(said))


def _say(total: Any, *words: str) -> None:
    for word in words:
        text = word.encode()
        total.update(len(text).to_bytes(8, "little") + text)
