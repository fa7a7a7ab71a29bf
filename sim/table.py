"""A table: columns as arrays, for whatever people do with results."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

AXES = ("x", "y", "z")
SHOWN = 10  # rows that are printed of a long table
Column = NDArray[Any]


class Table:
    """Columns of equal length by name; ``table["distance"]`` is one, an array.

    Iterating gives the rows as dicts.  A column of vectors, (n, 3), is one array here
    and in xarray, and three columns in rows, CSV and pandas: ``normal_x``,
    ``normal_y``, ``normal_z``.

    ``name in table`` asks for a column.

    Raises ValueError if columns differ in length, one is neither flat nor of vectors,
    or one has the name that a vector's axis gets.

    Parameters
    ----------
    columns : mapping of str to (n,) or (n, 3) array_like
        In their order.

    Examples
    --------
    >>> table = Table({"frame": [0, 1], "distance": [0.5, 0.25]})
    >>> list(table)[1]
    {'frame': 1, 'distance': 0.25}
    >>> print(table)
    frame  distance
        0       0.5
        1      0.25
    """

    __slots__ = ("_columns", "_length")

    def __init__(self, columns: Mapping[str, ArrayLike]) -> None:
        self._columns = {name: _column(name, data) for name, data in columns.items()}
        counts = {name: len(column) for name, column in self._columns.items()}
        if len(set(counts.values())) > 1:
            lengths = ", ".join(f"{name} {count}" for name, count in counts.items())
            raise ValueError(f"columns differ in length: {lengths}")
        self._length = next(iter(counts.values()), 0)
        vectors = [name for name, column in self._columns.items() if column.ndim == 2]
        axes = {f"{name}_{axis}" for name in vectors for axis in AXES}
        if taken := sorted(self._columns.keys() & axes):
            raise ValueError(
                f"column {taken[0]!r} has the name of an axis of {taken[0][:-2]!r}; "
                f"call it otherwise"
            )

    @classmethod
    def of_rows(cls, rows: Iterable[Mapping[str, Any]], names: Sequence[str]) -> Self:
        """Make a table of rows with these columns; what a row lacks is None."""
        kept = list(rows)
        return cls({name: _gathered([row.get(name) for row in kept]) for name in names})

    @classmethod
    def stacked(cls, tables: Iterable[Table]) -> Self:
        """Put tables of the same columns one below the other."""
        parts = list(tables)
        names = parts[0].columns if parts else ()
        return cls({n: np.concatenate([part[n] for part in parts]) for n in names})

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return tuple(self._columns)

    def __getitem__(self, name: str) -> Column:
        """Return a column, the array itself.

        Raises KeyError if there is none of that name; names those that there are.
        """
        try:
            return self._columns[name]
        except KeyError:
            known = ", ".join(self._columns)
            raise KeyError(f"there is no column {name!r}; there are {known}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Go through the rows: plain Python numbers and texts by column."""
        flat = self.flat()
        for values in zip(*(column.tolist() for column in flat.values()), strict=True):
            yield dict(zip(flat, values, strict=True))

    def __len__(self) -> int:
        return self._length

    def __repr__(self) -> str:
        flat = self.flat()
        shown = min(self._length, SHOWN)
        cells = [
            [name, *map(_shown, column[:shown].tolist())]
            for name, column in flat.items()
        ]
        widths = [max(map(len, column)) for column in cells]
        lines = [
            "  ".join(f"{cell:>{w}}" for cell, w in zip(row, widths, strict=True))
            for row in zip(*cells, strict=True)
        ]
        if self._length > shown:
            lines.append(f"... {self._length} rows")
        return "\n".join(lines)

    def flat(self) -> dict[str, Column]:
        """Return the columns with one number or text in every row."""
        flat: dict[str, Column] = {}
        for name, column in self._columns.items():
            if column.ndim == 1:
                flat[name] = column
            else:
                flat |= {f"{name}_{axis}": column[:, k] for k, axis in enumerate(AXES)}
        return flat

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame``; ImportError says what to install."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise ImportError("to_pandas() needs pandas: pip install pandas") from None
        return DataFrame(self.flat())

    def to_xarray(self) -> Any:
        """Return an ``xarray.Dataset`` over ``row``, vectors over ``axis`` too.

        Raises ImportError if xarray is not installed; says what to install.
        """
        try:
            from xarray import Dataset
        except ImportError:
            raise ImportError("to_xarray() needs xarray: pip install xarray") from None
        dims = ("row", "axis")
        held = {n: (dims[: c.ndim], c) for n, c in self._columns.items()}
        vectors = any(column.ndim == 2 for column in self._columns.values())
        return Dataset(held, coords={"axis": list(AXES)} if vectors else None)

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """Return the table as CSV, numbers to the last bit; also write it to a file.

        But 0 has no sign in it: -0.0 is written 0.0.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        flat = self.flat()
        writer.writerow(flat)
        columns = (c + 0.0 if c.dtype.kind == "f" else c for c in flat.values())
        writer.writerows(zip(*(c.tolist() for c in columns), strict=True))
        if path is not None:
            Path(path).write_text(text.getvalue(), encoding="utf-8", newline="")
        return text.getvalue()


def _column(name: str, data: ArrayLike) -> Column:
    column = np.asarray(data)
    if column.ndim == 1 or (column.ndim == 2 and column.shape[1] == len(AXES)):
        return column
    raise ValueError(
        f"column {name!r} has shape {column.shape}; give (n,) or vectors (n, 3)"
    )


def _gathered(values: list[Any]) -> Column:
    """Return values as an array of numbers or texts, of anything where they mix."""
    kinds = {bool if isinstance(v, bool) else type(v) for v in values}
    if kinds <= {int, float} or len(kinds) == 1:
        with_type = np.array(values)
        if with_type.ndim == 1:
            return with_type
    column = np.empty(len(values), object)
    column[:] = values
    return column


def _shown(value: object) -> str:
    return f"{value + 0.0:.6g}" if isinstance(value, float) else str(value)
