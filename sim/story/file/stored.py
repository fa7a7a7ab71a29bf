"""The rows of frames, held against their seals: as they are written, and as they were.

Attributes of both kinds: ``frames``, index, time and next contact of each.
"""

from collections.abc import Callable
from typing import Any

import h5py
import numpy as np

from sim.story.file import layout
from sim.story.file.layout import EMPTY, FRAME, SHARED, TABLES, Array, Rows

AHEAD = 1 << 16  # bytes of a table to read at once: the frames after this one
Sums = Callable[[int, Array], Array]  # seals of what the bodies of a frame refer to


class Pieces:
    """Read rows of a table, and those that follow them ahead."""

    def __init__(self, group: h5py.Group, name: str, kind: np.dtype[Any]) -> None:
        data = self._data = group[name]
        if data.dtype != kind.base or data.shape[1:] != kind.shape:
            raise TypeError(f"the columns of {name!r} are others")
        self._name, self._more = name, AHEAD // kind.itemsize
        self._at, self._ahead = 0, data[:0]

    def rows(self, first: int, last: int) -> Array:
        """Return some rows.

        Raises ValueError if they are not there.
        """
        whole = len(self._data)
        if not 0 <= first <= last <= whole:
            what = f"rows {first} to {last} of {whole} in {self._name!r}"
            raise ValueError(f"{what} are missing")
        if not self._at <= first <= last <= self._at + len(self._ahead):
            more = max(last, min(first + self._more, whole))
            self._at, self._ahead = first, self._data[first:more]
        found: Array = self._ahead[first - self._at : last - self._at]
        return found


class Packed:
    """The rows of a frame lie in one place, under one seal."""

    def __init__(self, group: h5py.Group, steps: int) -> None:
        self.frames = Pieces(group, "frames", FRAME).rows(0, steps)
        self._data = Pieces(group, "data", np.dtype("u1"))

    def rows(self, k: int, head: bytes, _: Sums) -> Rows:
        """Read the rows of a frame.

        Raises ValueError if they are not what was written.
        """
        row = self.frames[k]
        begin = int(self.frames["end"][k - 1]) if k else 0
        data = self._data.rows(begin, int(row["end"])).tobytes()
        if layout.frame_seal(head, k, row, data) != row["seal"]:
            raise ValueError(f"frame {k} is not what was written")
        return layout.unpack(data)


STORY = ("frames", "events", "lines")  # what the first of two seals is of
FORMER: dict[str, np.dtype[Any]] = {
    "frames": np.dtype(FRAME.descr[:3]),
    "events": np.dtype([*layout.EVENT.descr, ("line", "<i8")]),
    **{name: TABLES[name] for name in ("lines", "placements")},
    **SHARED,
    **{
        k: TABLES[k]
        for k in TABLES
        if k not in ("events", *STORY, "placements", "sums")
    },
}


class Former:
    """Up to format 5 each table was a dataset, and a frame had two seals."""

    def __init__(self, group: h5py.Group, steps: int) -> None:
        there = {name: kind for name, kind in FORMER.items() if name in group}
        self._tables = {name: Pieces(group, name, kind) for name, kind in there.items()}
        self.frames = self._tables["frames"].rows(0, steps)
        ends = np.dtype(("<i8", (len(there),)))
        self._ends = Pieces(group, "ends", ends).rows(0, steps)
        self._seals = Pieces(group, "seals", np.dtype("(2,)<u8")).rows(0, steps)

    def rows(self, k: int, head: bytes, sums: Sums) -> Rows:
        """Read the rows of a frame.

        Raises ValueError if they are not what was written.
        """
        ends = self._ends[k]
        begin = self._ends[k - 1] if k else 0 * ends
        found = {
            name: table.rows(first, last)
            for (name, table), first, last in zip(
                self._tables.items(), begin.tolist(), ends.tolist(), strict=True
            )
            if name not in SHARED
        }
        told = [found[name] for name in STORY]
        story = layout.seal(k.to_bytes(8, "little"), ends, *told, key=head)
        rest = [rows for name, rows in found.items() if name not in STORY]
        seals = sums(k, found["placements"])
        whole = layout.seal(*rest, seals[seals != 0], key=story)
        if story + whole != self._seals[k].tobytes():
            raise ValueError(f"frame {k} is not what was written")
        start = dict(zip(self._tables, (-begin).tolist(), strict=True))
        events = np.zeros(len(found["events"]), layout.EVENT)
        events["contact"], events["state"] = (found["events"][c] for c in EVENT)
        events["state"][events["state"] != layout.NO_STATE] += start["states"]
        found |= {"events": events, "sums": seals}
        return layout.counted_from({**EMPTY, **found}, start)


EVENT = layout.EVENT.names or ()
