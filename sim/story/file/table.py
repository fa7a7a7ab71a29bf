"""Tables that grow in an HDF5 file which may lose its writer at any moment.

HDF5 keeps the index of a dataset in several places of a file, and a process that dies
while they are written leaves them at odds. So the index is touched rarely: a table
takes room for many rows at once, rows are then written straight into that room, and
what counts as written is told by one number, stored last.
"""

import os
from typing import Any

import h5py
import numpy as np
from h5py import h5d, h5i, h5p, h5s, h5t
from numpy.typing import DTypeLike, NDArray

from sim.story.file.replacing import lengthen

SMALL = 64 * 1024  # bytes that HDF5 may put behind the last table
INDEX = 8 * 1024  # bytes that a new piece of a table may take in the index of HDF5
AHEAD = 16  # frames like this one to take room for: taking it costs a flush
LARGE = 2 * 1024 * 1024  # bytes of room to take at once, at most


class Table:
    """Append rows to a dataset of the shape (rows, *width).

    Parameters
    ----------
    group : h5py.Group
        Where it is made, under ``name``.
    room : int
        Rows to take room for at once; the chunk of the dataset.
    constant : int, optional
        What every row holds; then nothing is stored but the number of rows.
    exact : bool
        The dataset never has more rows than were written, for readers that ask it.
    """

    def __init__(
        self,
        group: h5py.Group,
        name: str,
        dtype: DTypeLike,
        width: tuple[int, ...] = (),
        *,
        room: int,
        constant: int | None = None,
        exact: bool = False,
    ) -> None:
        self.dtype = np.dtype(dtype)
        self.count = 0
        self._width = width
        row = self.dtype.itemsize * int(np.prod(width, dtype=np.int64))
        self._room = max(1, min(room, LARGE // max(1, row)))
        self._capacity = 0 if exact else self._room
        self.exact = exact
        self._bytes = row * self._room
        made = h5p.create(h5p.DATASET_CREATE)
        made.set_chunk((self._room, *width))
        made.set_obj_track_times(False)
        self._stored = constant is None
        if self._stored:
            made.set_alloc_time(h5d.ALLOC_TIME_EARLY)
            made.set_fill_time(h5d.FILL_TIME_NEVER)
        else:
            made.set_fill_value(np.array(constant, self.dtype))
        opened = h5p.create(h5p.DATASET_ACCESS)
        opened.set_chunk_cache(1, 0, 0.0)  # rows go to the file, not to a cache
        shape = (self._capacity, *width)
        space = h5s.create_simple(shape, (h5s.UNLIMITED, *width))
        self._kind = h5t.py_create(self.dtype, logical=True)
        self._id = h5d.create(
            group.id, name.encode(), self._kind, space, made, dapl=opened
        )
        self._name, self._opened = h5i.get_name(self._id), opened
        # selections are kept: making one costs as much as writing a row
        self._space = space
        self._origin = (0,) * len(width)
        self._one = h5s.create_simple((1, *width))

    def move(self, file: h5py.File) -> None:
        """Go on with the same table in a copy of the file in which it was made."""
        self._id = h5d.open(file.id, self._name, self._opened)
        self._space = self._id.get_space()

    def need(self, rows: int) -> int:
        """Return how many bytes of the file so many more rows may take, at most."""
        rooms = -(-(self.count + rows) // self._room)
        more = rooms - -(-self._capacity // self._room)
        return more * (self._bytes + INDEX) if more > 0 and self._stored else 0

    def is_full(self, rows: int) -> bool:
        """Say whether so many more rows have no room yet."""
        beyond = self.count + rows > self._capacity
        return self.need(rows) > 0 if self.exact else beyond

    def make_room(self, rows: int) -> None:
        """Take room for so many more rows."""
        if not self.exact and self.is_full(rows):
            self._extend(-(-(self.count + rows) // self._room) * self._room)

    def append(self, rows: NDArray[Any]) -> None:
        """Write rows into the room that was made for them."""
        n = len(rows)
        if self.exact:
            self._extend(self.count + n)
        if n and self._stored:
            data = np.ascontiguousarray(rows, self.dtype)
            self._space.select_hyperslab((self.count, *self._origin), data.shape)
            memory = self._one if n == 1 else h5s.create_simple(data.shape)
            self._id.write(memory, self._space, data, self._kind)
        self.count += n

    def trim(self) -> None:
        """Give back the rows that were never written."""
        self._extend(self.count)

    def _extend(self, rows: int) -> None:
        """Let the dataset have so many rows; asked for again it changes nothing."""
        self._id.set_extent((rows, *self._width))
        self._space = self._id.get_space()
        self._capacity = rows


Rows = list[tuple[Table, NDArray[Any]]]


def make_room(file: h5py.File, rows: Rows) -> None:
    """Take room for rows of several tables, before any of them is written.

    HDF5 does not survive a disk that is full: what it cannot write when it closes a
    file ends the process.  So there is room in the file before HDF5 hears of it.  That
    also keeps a file from ever being shorter than it says, which readers refuse.

    Raises OSError if the disk is full; the file is as it was, to HDF5 too.
    """
    if not any(table.is_full(len(data)) for table, data in rows):
        return
    ahead = [(table, AHEAD * len(data)) for table, data in rows]
    need = sum(table.need(n) for table, n in ahead)
    if need and file.driver == "sec2" and os.name == "posix":
        size = file.id.get_filesize() + need + SMALL
        lengthen(file.id.get_vfd_handle(), size)
    for table, n in ahead:
        table.make_room(n)
    file.flush()


def append(rows: Rows) -> None:
    """Write rows of several tables."""
    for table, data in rows:
        table.append(data)
