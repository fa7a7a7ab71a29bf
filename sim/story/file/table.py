"""Tables that grow in an HDF5 file which may lose its writer at any moment.

HDF5 keeps the index of a dataset in several places of a file, and a process that dies
while they are written leaves them at odds. So the index is touched rarely: a table
takes room for many rows at once, rows are then written straight into that room, and
what counts as written is told by one number, stored last.
"""

import os
from collections.abc import Iterable
from typing import Any

import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t
from numpy.typing import DTypeLike, NDArray

SMALL = 64 * 1024  # bytes that HDF5 may put behind the last table
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
        self._exact = exact
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
        kind = h5t.py_create(self.dtype, logical=True)
        self._id = h5d.create(group.id, name.encode(), kind, space, made, dapl=opened)
        # selections are kept: making one costs as much as writing a row
        self._space = space
        self._origin = (0,) * len(width)
        self._one = h5s.create_simple((1, *width))

    def make_room(self, rows: int) -> bool:
        """Take room for so many more rows; return whether that changed the file."""
        missing = self.count + rows - self._capacity
        if missing <= 0 or self._exact:
            return False
        self._extend(-(-missing // self._room) * self._room)
        return True

    def append(self, rows: NDArray[Any]) -> None:
        """Write rows into the room that was made for them."""
        n = len(rows)
        if self._exact:
            self._extend(n)
        if n and self._stored:
            data = np.ascontiguousarray(rows, self.dtype)
            self._space.select_hyperslab((self.count, *self._origin), data.shape)
            memory = self._one if n == 1 else h5s.create_simple(data.shape)
            self._id.write(memory, self._space, data)
        self.count += n

    def trim(self) -> None:
        """Give back the rows that were never written."""
        self._extend(self.count - self._capacity)

    def chunks(self) -> list[tuple[int, int]]:
        """List where the rows lie in the file: first byte and length of every piece."""
        found: list[tuple[int, int]] = []
        if self._stored:
            self._id.chunk_iter(lambda at: found.append((at.byte_offset, at.size)))
        return found

    def _extend(self, rows: int) -> None:
        self._capacity += rows
        self._id.set_extent((self._capacity, *self._width))
        self._space = self._id.get_space()


Rows = list[tuple[Table, NDArray[Any]]]


def make_room(file: h5py.File, rows: Rows) -> None:
    """Take room for rows of several tables, before any of them is written."""
    if any([table.make_room(len(data)) for table, data in rows]):
        flush(file)


def flush(file: h5py.File) -> None:
    """Hand everything that was written to the system.

    Readers refuse a file that is shorter than it says. HDF5 writes the length first and
    lengthens the file afterwards, so that is done here beforehand.
    """
    if file.driver == "sec2" and os.name == "posix":
        fd, size = file.id.get_vfd_handle(), file.id.get_filesize()
        if os.fstat(fd).st_size < size:
            os.ftruncate(fd, size + SMALL)
    file.flush()


def append(rows: Rows) -> None:
    """Write rows of several tables."""
    for table, data in rows:
        table.append(data)


def trim(tables: Iterable[Table]) -> None:
    """Give back what several tables did not use."""
    for table in tables:
        table.trim()
