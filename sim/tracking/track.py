"""The answers of a whole trajectory, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.kernels import trajectory
from sim.kernels.trajectory import AnswerRows
from sim.result.answers import Answers, Whose
from sim.result.state import PairState
from sim.table import Table

if TYPE_CHECKING:
    from sim.body.body import Body


class Track(Answers):
    """One answer per frame of a trajectory, T in all; a value that never changes.

    World frame, length unit of the input.  ``track[t]`` is the ``PairState`` of frame
    t, the same to the bit as that of a loop over ``update``; the attributes are the
    same numbers as arrays.
    """

    def __init__(self, a: Body, b: Body, first: int, frames: int) -> None:
        super().__init__(frames)
        self._whose = a, b, (a.edition, b.edition)
        self._first = first  # number of the first frame

    def whose(self, k: int) -> Whose:
        """Return the number of a frame, the bodies, and which meshes they had."""
        return self._first + k, *self._whose

    def __getitem__(self, t: int) -> PairState:  # type: ignore[override]  # no slices
        """Return the state of frame t, counted from the first of the trajectory."""
        try:
            k = range(self._length)[t]
        except IndexError:
            raise IndexError(f"frame {t} of a track of {self._length} frames") from None
        except TypeError:
            k = None
        if not isinstance(k, int):
            raise TypeError(
                f"a track takes one frame number, got {t!r}; slice its arrays instead"
            )
        return self.state(k)

    def table(self) -> Table:
        """Return the frames as a table, a row each; see ``Frame.table``."""
        return Table({"frame": self._first + np.arange(len(self)), **self.columns()})

    def __repr__(self) -> str:
        """Name the bodies and count the frames."""
        a, b, _ = self._whose
        return f"Track({a.name}/{b.name}, {self._length} frames)"

    def took(self, rows: AnswerRows) -> None:
        """Note how far the kernels got."""
        self._length = rows.cursor[trajectory.FRAME]
        self.parts_used = rows.cursor[trajectory.PARTS_USED]
        self.corners_used = rows.cursor[trajectory.CORNERS_USED]

    def append(self, state: PairState) -> None:
        """Add the row of one more frame."""
        self.put(self._length, state)
        self._length += 1
