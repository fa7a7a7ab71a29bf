"""The bytes of a recording: the header and frame after frame, each with its seal.

``MAGIC``, and blocks one behind the other: the header (`sim.story.file.header`), what
is carried into the first frame, then one for each frame.  A block is a row of ``BLOCK``
and the bytes that it counts; its seal, BLAKE2 of 64 bits, is of both, of its place, and
of the header.  A run appends to a file that holds nothing else: what a kill leaves is
read up to the first block without its seal.  A recording that was ended keeps the same
bytes in an HDF5 file, as ``journal`` of its group ``wingedge``.
"""

from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import wingedge
from sim.errors import RecordingError, reason
from sim.story.file import MAGIC, SIGNATURE, hdf5

Bytes = NDArray[np.uint8]
# 8: what kernels write, as it is; 7: a journal; 6 and older: tables of HDF5
FORMAT = 8
READER = "0.3.0"  # the first wingedge that reads it, for older ones to name
SIZE = 8  # bytes of a seal
BLOCK = np.dtype(
    [
        *(("bytes", "<i8"), ("index", "<i8"), ("time", "<f8")),
        *(("next_contact", "<i8"), ("seal", "<u8")),
    ]
)
HEAD, START, AHEAD = 0, 1, 2  # the blocks before those of frames, and how many


def sealed(
    key: bytes, place: int, data: bytes, index: int, time: float, next_contact: int
) -> bytes:
    """Make a block; its last bytes before ``data`` are the seal.

    Parameters: ``key``: the seal of the header, nothing for the header itself.
    """
    row = np.array((len(data), index, time, next_contact, 0), BLOCK).tobytes()[:-SIZE]
    return b"".join([row, seal(key, place, row, data), data])


def seal(key: bytes, place: int, row: bytes, data: bytes) -> bytes:
    """Sum up a block: its place, its row but for the seal, and its bytes."""
    total = blake2b(place.to_bytes(SIZE, "little") + row, key=key, digest_size=SIZE)
    total.update(data)
    return total.digest()


class Journal:
    """Read the blocks of a recording, whole or cut short.

    Attributes: ``blocks`` (n,): their rows, not held against their seals.

    Parameters: ``frames``: how many there are; None: as many as have their seals.

    Raises ValueError if it does not begin as one.
    """

    def __init__(self, data: Bytes, frames: int | None = None) -> None:
        self.data = data
        if data[: len(MAGIC)].tobytes() != MAGIC:
            raise ValueError("it begins otherwise")
        self.key, self._begins, rows = b"", list[int](), list[Any]()
        end = len(MAGIC)
        while (begin := end + BLOCK.itemsize) <= len(data):
            row = data[end:begin].view(BLOCK)[0]
            follows = len(rows) <= AHEAD or row["index"] == int(rows[-1]["index"]) + 1
            if not (follows and 0 <= row["bytes"] <= len(data) - begin):
                break
            self._begins.append(begin)
            try:
                frames is None and self.block(len(rows))
            except ValueError:
                break
            rows.append(row)
            self.key = self.key or row["seal"].tobytes()
            end = begin + int(row["bytes"])
        if len(rows) < AHEAD:
            raise ValueError("its head is not what was written")
        found = len(rows) - AHEAD
        lost = 0 if frames is None else frames - found  # cannot be found
        if not 0 <= lost <= len(data) or (lost and end == len(data)):
            raise ValueError(f"it has {found} frames, or {frames}")
        rest = np.zeros(lost, BLOCK)
        rest["index"] = np.arange(lost) + (int(rows[-1]["index"]) + 1 if found else 0)
        self.blocks = np.concatenate([np.array(rows, BLOCK), rest])

    def block(self, place: int) -> bytes:
        """Read the bytes of a block.

        Raises ValueError if they are not what was written.
        """
        if place < len(self._begins):
            at = self._begins[place]
            row = self.data[at - BLOCK.itemsize : at].tobytes()
            data = self.data[at : at + int.from_bytes(row[:8], "little")].tobytes()
            key = self.key if place else b""
            if seal(key, place, row[:-SIZE], data) == row[-SIZE:]:
                return data
        what = "its head" if place < AHEAD else f"frame {place - AHEAD}"
        raise ValueError(f"{what} is not what was written")


def open_journal(path: Path) -> Journal:
    """Find the journal in a file, and map it.

    Raises RecordingError if the file is no recording or one of another format; names
    the file, its format, and what reads it.  ValueError or OSError if it is damaged.
    """
    if not path.exists():
        raise RecordingError(f"{path}: there is no such file; check the name")
    if not path.is_file():
        what = "a folder" if path.is_dir() else "no file but a pipe or a device"
        raise RecordingError(f"{path}: is {what}; give the name of a recording")
    try:
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
    except OSError as error:
        raise RecordingError(
            f"{path}: cannot be read ({error.strerror}); check who may read it"
        ) from error
    if head == MAGIC:
        return Journal(np.memmap(path, np.uint8, "r"))
    if not head:
        raise RecordingError(f"{path}: the file is empty; record the run again")
    if not head.startswith(SIGNATURE):
        raise RecordingError(
            f"{path}: is no recording; give a .vtkhdf file written by world.record"
        )
    h5py = hdf5()
    try:
        opened = h5py.File(path, "r", locking=False)
    except OSError as error:
        raise RecordingError(
            f"{path}: cannot be read ({reason(error)}); it may be cut off - copy "
            f"it once more, or record the run again"
        ) from error
    with opened as file:
        _check_here(file, "wingedge")
        group = file.get("wingedge")
        if not isinstance(group, h5py.Group) or "format" not in group.attrs:
            raise RecordingError(
                f"{path}: is an HDF5 file but no recording of a run; give a file "
                "written by world.record"
            )
        _check_format(group.attrs, path)
        _check_here(group, "journal")
        stored = group["journal"].id
        at, (size,), frames = stored.get_offset(), stored.shape, group.attrs["frames"]
        if at is None or stored.dtype != np.uint8:  # not in one piece of this file
            raise ValueError("its frames are stored otherwise")
    if at + size > path.stat().st_size:
        raise ValueError("its end is missing")
    return Journal(np.memmap(path, np.uint8, "r", at, (size,)), int(frames))


def _check_here(group: Any, name: str) -> None:
    """Refuse to follow a link: to another file, or to a pipe."""
    link = group.get(name, getlink=True) if name in group else None
    if link is not None and not isinstance(link, hdf5().HardLink):
        raise ValueError(f"{name!r} is elsewhere; copy it here")


def _check_format(said: Any, path: Path) -> None:
    written, version = int(said["format"]), said.get("wingedge")
    if written != FORMAT:
        todo = f"record the run again, or read it with wingedge {version}"
        if written > FORMAT:
            todo = f"run 'pip install \"wingedge>={said.get('read_by', version)}\"'"
        raise RecordingError(
            f"{path}: is of format {written} by wingedge {version}, and this is "
            f"wingedge {wingedge.__version__} which reads format {FORMAT}; {todo}"
        )
