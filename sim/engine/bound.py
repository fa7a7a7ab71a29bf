"""One entry with the buffers that it is called on again and again."""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Callable
from functools import partial
from operator import is_
from typing import Any, Self
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from sim.engine.library import ENGINE
from sim.kernels.language import Record

Table = tuple[Any, ...] | Record  # a NamedTuple of buffers, numbers and records


class Bound:
    """Call an entry on tables of buffers, by the engine that runs at that moment.

    What an entry remembers lies in its caller's buffers: either engine goes on there.
    """

    __slots__ = ("_brief", "_entry", "_laid")

    def __init__(self, entry: Callable[..., int], *, brief: bool = False) -> None:
        ENGINE.obey_environment()
        self._entry, self._brief = entry, brief
        # one value, replaced at once: threads may ask about one body together
        self._laid = NOT_LAID

    def __call__(self, *tables: Table) -> int:
        """Run the entry; the same tables (by identity) are laid out only once."""
        return self.on(tables)

    def on(self, tables: tuple[Table, ...]) -> int:
        """Run the entry on a tuple of tables; at once if it is the tuple of before."""
        return self.call(tables)()

    def call(self, tables: tuple[Table, ...]) -> Callable[[], int]:
        """Return what runs the entry on these tables, by the engine of this moment."""
        compiled = ENGINE.compiled
        if compiled is None:
            return ENGINE.interpreted(partial(self._entry, *tables))
        known, by, call = self._laid
        if tables is not known or compiled is not by:
            same = len(known) == len(tables) and all(map(is_, tables, known))
            if not same or compiled is not by:
                at = list(map(Address, tables))
                call = compiled.call(self._entry.__name__, at, self._brief)
                self._laid = tables, compiled, call
        return call


class Address(int):
    """Where a table is laid out: it stays there while somebody has this number."""

    def __new__(cls, table: Table) -> Self:
        """Lay the table out, unless it is."""
        cells = laid_out(table)
        made = super().__new__(cls, cells.address)
        made.__dict__["cells"] = cells
        return made


class Cells:
    """A table laid out for compiled code: 64 bits a field; of a table in it, where."""

    __slots__ = ("__weakref__", "address", "array", "inner", "table")

    def __init__(self, table: Table) -> None:
        self.table = table  # its buffers, and so their addresses, live as long
        if isinstance(table, Record):
            self.address = ctypes.addressof(table)
            return
        self.inner: list[Cells] = []
        cells: list[int] = []
        for field in table:
            if type(field) is memoryview:  # nearly all
                cells.append(address(field))
            elif isinstance(field, int):
                cells.append(field)
            elif isinstance(field, (tuple, Record)):
                self.inner.append(laid_out(field))
                cells.append(self.inner[-1].address)
            elif isinstance(field, float):
                cells += struct.unpack("q", struct.pack("d", field))
            else:
                cells.append(address(field))  # which says what is wrong
        self.array = array("q", cells)
        self.address, _ = self.array.buffer_info()


Laid = tuple[tuple[Table, ...], object, Callable[[], int]]
"""Tables, the engine that they were laid out for, and the call."""

NOT_LAID: Laid = ((), None, int)
NOTHING = memoryview(bytearray(8))  # stands for an array without a number
addressof, byte_of = ctypes.addressof, ctypes.c_char.from_buffer

_places: dict[int, tuple[int, ref[memoryview]]] = {}  # by the buffer's id
_cells: dict[int, ref[Cells]] = {}  # by the table's id


def laid_out(table: Table) -> Cells:
    """Lay a table out for compiled code, once for all entries that are called on it."""
    known = _cells.get(id(table))
    cells = known() if known else None
    if cells is None:
        cells = Cells(table)
        _cells[id(table)] = ref(cells, partial(_cells.pop, id(table)))
    return cells


def address(buffer: memoryview) -> int:
    """Return where a C-contiguous buffer begins."""
    if type(buffer) is not memoryview or not buffer.c_contiguous:
        raise TypeError(f"kernels need contiguous memoryviews, got {type(buffer)}")
    if not buffer.readonly:
        return addressof(byte_of(buffer if buffer.nbytes else NOTHING))
    if id(buffer) not in _places:  # what is read-only is of a mesh, and stays
        place = int(np.asarray(buffer).ctypes.data)
        _places[id(buffer)] = place, ref(buffer, partial(_places.pop, id(buffer)))
    return _places[id(buffer)][0]


def floats(array: NDArray[np.float64]) -> memoryview[float]:
    """View a C-contiguous float64 array as a flat buffer; no copy."""
    return array.data.cast("B").cast("d") if array.size else NOTHING.cast("d")


def ints(array: NDArray[np.int32]) -> memoryview[int]:
    """View a C-contiguous int32 array as a flat buffer; no copy."""
    return array.data.cast("B").cast("i") if array.size else NOTHING.cast("i")
