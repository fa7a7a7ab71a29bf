"""Tables that grow in an HDF5 file which may lose its writer at any moment.

HDF5 keeps the index of a dataset in several places of a file, and a process that dies
while they are written leaves them at odds. So the index is touched rarely: a table
takes room for many rows at once, rows are then written straight into that room, past
HDF5, and what counts as written is told by one number, stored last.
"""

import errno
import os
from collections.abc import Mapping
from typing import IO, Any, NamedTuple

import h5py
import numpy as np
from h5py import h5d, h5p

from sim.story.file.layout import Array, Rows
from sim.story.file.replacing import put

SMALL = 64 * 1024  # bytes that HDF5 may put behind the last table
INDEX = 8 * 1024  # bytes that a new piece of a table may take in the index of HDF5
AHEAD = 16  # frames like this one to take room for: taking it costs a flush
LARGE = 2 * 1024 * 1024  # bytes of room to take at once, at most
ROOM = 64  # frames to take room for at once
ITEMS = 1024  # the same for what comes in varying number
UNKNOWN = (errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)  # the call is none here
BLOCK = 1 << 16


class Column(NamedTuple):
    """The rows of one table that grows: a dataset."""

    kind: Any = "<i8"
    room: int = ITEMS  # rows to take room for at once; the chunk of the dataset
    constant: int | None = None  # what every row holds: only their number is stored
    exact: bool = False  # never longer than what was written, for readers that ask it

    def create(self, file: h5py.Group, path: str) -> None:
        """Make the dataset, with its first room."""
        kind = np.dtype(self.kind)
        room = max(1, min(self.room, LARGE // kind.itemsize))
        made = h5p.create(h5p.DATASET_CREATE)
        made.set_obj_track_times(False)
        if self.constant is None:
            made.set_alloc_time(h5d.ALLOC_TIME_EARLY)
            made.set_fill_time(h5d.FILL_TIME_NEVER)
        file.create_dataset(
            path,
            (0 if self.exact else room, *kind.shape),
            kind.base,
            maxshape=(None, *kind.shape),
            chunks=(room, *kind.shape),
            fillvalue=self.constant,
            dcpl=made,
        )


class Table:
    """Append rows to a dataset that a `Column` made.

    Parameters: ``raw``: the same file, without a buffer.
    """

    def __init__(
        self, file: h5py.File, raw: IO[bytes], path: str, column: Column
    ) -> None:
        opened = h5p.create(h5p.DATASET_ACCESS)
        opened.set_chunk_cache(1, 0, 0.0)  # HDF5 itself keeps no rows
        self._id = h5d.open(file.id, path.encode(), opened)
        self._raw = raw
        self._kind = np.dtype(column.kind)
        self.exact, self._stored = column.exact, column.constant is None
        self.count = 0
        self._capacity, *_ = self._id.shape
        self._room, *_ = self._id.get_create_plist().get_chunk()
        self._row = self._kind.itemsize
        self._places: list[int] = []  # where in the file each room begins

    def need(self, rows: int) -> int:
        """Return how many bytes of the file so many more rows may take, at most."""
        rooms = -(-(self.count + rows) // self._room)
        more = rooms - -(-self._capacity // self._room)
        return more * (self._row * self._room + INDEX) if self._stored else 0

    def is_full(self, rows: int) -> bool:
        """Say whether so many more rows have no room yet."""
        return self.count + rows > self._capacity and (
            not self.exact or self.need(rows) > 0
        )

    def make_room(self, rows: int) -> None:
        """Take room for so many more rows."""
        if not self.exact and self.is_full(rows):
            self._extend(-(-(self.count + rows) // self._room) * self._room)

    def append(self, rows: Array) -> None:
        """Write rows into the room that was made for them."""
        n = len(rows)
        if self.exact:
            self._extend(self.count + n)
        data = (
            np.asarray(rows, self._kind.base).tobytes() if n and self._stored else b""
        )
        at, size = self.count * self._row, self._room * self._row
        while data:
            room, within = divmod(at, size)
            self._raw.seek(self._place(room) + within)
            put(self._raw, data[: size - within])
            data, at = data[size - within :], at + size - within
        self.count += n

    def trim(self) -> None:
        """Give back the rows that were never written."""
        self._extend(self.count)

    def _place(self, room: int) -> int:
        for k in range(len(self._places), room + 1):
            at = (k * self._room, *(0 for _ in self._kind.shape))
            self._places.append(self._id.get_chunk_info_by_coord(at).byte_offset)
        return self._places[room]

    def _extend(self, rows: int) -> None:
        """Let the dataset have so many rows; asked for again it changes nothing."""
        self._id.set_extent((rows, *self._kind.shape))
        self._capacity = rows
        del self._places[-(-rows // self._room) :]  # HDF5 gives it to others


def make_room(file: h5py.File, tables: Mapping[str, Table], rows: Rows) -> None:
    """Take room for rows of several tables, before any of them is written.

    HDF5 does not survive a disk that is full: what it cannot write when it closes a
    file ends the process.  So there is room in the file before HDF5 hears of it.  That
    also keeps a file from ever being shorter than it says, which readers refuse.

    Raises OSError if the disk is full; the file is as it was, to HDF5 too.
    """
    if not any(tables[name].is_full(len(data)) for name, data in rows.items()):
        return
    ahead = [(tables[name], AHEAD * len(data)) for name, data in rows.items()]
    need = sum(max(0, table.need(n)) for table, n in ahead)
    if need and file.driver == "sec2" and os.name == "posix":
        size = file.id.get_filesize() + need + SMALL
        lengthen(file.id.get_vfd_handle(), size)
    for table, n in ahead:
        table.make_room(n)
    file.flush()


def lengthen(fd: int, size: int) -> None:
    """Give a file room up to a size: what is written there later finds its place.

    Raises OSError if there is none; the file is as long as it was.
    """
    was = os.fstat(fd).st_size
    if was >= size:
        return
    try:
        try:
            os.posix_fallocate(fd, was, size - was)
        except (AttributeError, OSError) as error:
            if getattr(error, "errno", None) not in (None, *UNKNOWN):
                raise
            for at in range(was, size, BLOCK):
                os.pwrite(fd, bytes(min(BLOCK, size - at)), at)
    except OSError:
        os.ftruncate(fd, was)
        raise
