"""Seals: checksums by which a recording knows its own bits.

The head has one, every frame has two: one of its story, which is read without
positions, and one of all that is read of it. Frames are sealed with the seal of the
head and with their place, so a frame of another recording, or from another place, is
none of this one.  BLAKE2 (RFC 7693), 64 bits: a damaged frame passes once in 2^64.
"""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from sim.story.file.layout import SHARED, STORY

SIZE = 8  # bytes
Array = NDArray[Any]
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


def _add(total: Any, name: str, item: h5py.Group | h5py.Dataset) -> None:
    if isinstance(item, h5py.Dataset):
        data = item[()]
        _say(total, name, str(item.dtype), str(item.shape))
        total.update(np.ascontiguousarray(data).tobytes())
        return
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
