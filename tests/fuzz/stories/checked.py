"""Kernels on buffers that refuse every index outside: the interpreter as sanitizer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from sim.engine.bound import Bound


class Checked:
    """A buffer that refuses what compiled code would do to memory that is not its.

    Negative indices wrap in Python and read wild memory when compiled.
    """

    def __init__(self, view, read_only=False):
        self._view = view
        self._read_only = read_only

    def _inside(self, i):
        if type(i) is not int or not 0 <= i < len(self._view):
            raise IndexError(f"element {i} of a buffer of {len(self._view)}")
        return i

    def __getitem__(self, i):
        return self._view[self._inside(i)]

    def __setitem__(self, i, value):
        assert not self._read_only, "kernels write scratch and answers only"
        # A bool is an int, but not to a compiler.
        assert type(value) is (float if self._view.format == "d" else int)
        self._view[self._inside(i)] = value

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._view)


@contextmanager
def checked_kernels() -> Iterator[Callable[[Any], Any]]:
    """Run every kernel interpreted and checked; give what wraps a table."""
    known: dict[int, Any] = {}

    def checked(table: Any) -> Any:
        # ``choose_proofs`` makes a new table: whatever is there is wrapped, once.
        if id(table) not in known:
            known[id(table)] = (
                table,
                getattr(table, "_make", tuple)(
                    Checked(x)
                    if isinstance(x, memoryview)
                    else checked(x)
                    if isinstance(x, tuple)
                    else x
                    for x in table
                ),
            )
        return known[id(table)][1]

    plain = Bound.call
    Bound.call = lambda self, tables: partial(self._entry, *map(checked, tables))
    try:
        yield checked
    finally:
        Bound.call = plain
