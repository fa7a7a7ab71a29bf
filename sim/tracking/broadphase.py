"""Which bodies are near enough to be answered for: their boxes in the world, swept."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.engine.bound import Bound, floats, ints
from sim.kernels import sweep
from sim.tracking.buffers import parted

Float = np.float64
Ends = NDArray[np.int32]


class BodyBoxes(NamedTuple):
    """The least and the greatest world coordinates of every body, (B, 3) each.

    And how far it goes from the middle of its box at most, (B,), or infinity.
    """

    low: NDArray[Float]
    high: NDArray[Float]
    radius: NDArray[Float]

    @classmethod
    def of(cls, count: int) -> "BodyBoxes":
        """Make room for so many; no radius is known."""
        low, high = np.empty((2, count, 3))
        return cls(low, high, np.full(count, np.inf))


class BroadPhase:
    """Find the near pairs of bodies by their boxes, again and again in the same room.

    Parameters: ``boxes``: read anew every time; ``margin``: pairs farther apart than
    this, along any axis or as balls about the middles of their boxes, are not near.
    """

    def __init__(self, boxes: BodyBoxes, margin: float) -> None:
        count = self._count = len(boxes.low)
        self._lay_out = Bound(sweep.lay_out_boxes)
        self._sweep = Bound(sweep.sweep_boxes)
        self._order, self._key = np.empty(count, np.int32), np.empty(count)
        if count < 2:
            return
        low, high, radius = map(floats, boxes)
        self._tables = sweep.BoxSweep(
            low=low,
            high=high,
            radius=radius,
            margin=margin,
            total=count,
            some=floats(np.empty(sweep.SOME)),
            box=floats(np.empty(sweep.SIZE * count)),
            key=floats(self._key),
            order=ints(self._order),
            **parted(cells=2, cell=4 * count, start=count, member=sweep.FULL * count),
            **self._make_room(8 * count),
        )

    def _make_room(self, room: int) -> dict[str, Any]:
        self._pairs, spare = np.empty((2, 2 * room), np.int32)
        return {"pairs": ints(self._pairs), "spare": ints(spare), "room": room}

    def near_pairs(self) -> Ends:
        """List the pairs that are near.

        A box beyond the limits of magnitude, or with a coordinate that is not a number,
        is near everything: the trouble is met and named, not passed over.

        Returns (P, 2) array: ``i < j``, in ascending order.

        Cost: O(B log B) plus the pairs that overlap along an axis within a cell.
        """
        if self._count < 2:
            return np.empty((0, 2), np.int32)
        self._lay_out(self._tables)
        self._order[:] = np.argsort(self._key)
        found = self._sweep(self._tables)
        if found > self._tables.room:  # once more, with more room
            more = self._make_room(found + found // 4)
            self._tables = self._tables._replace(**more)
            found = self._sweep(self._tables)
        return self._pairs[: 2 * found].reshape(-1, 2).copy()
