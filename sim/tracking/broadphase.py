"""Which bodies are near enough to be answered for: their boxes in the world, swept."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.engine.bound import Bound, floats
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
            key=floats(np.empty(count)),
            **parted(cells=2, cell=4 * count, start=count, member=sweep.FULL * count),
            **parted(order=count, pairs=16 * count, spare=16 * count),
            room=8 * count,
        )

    def near_pairs(self) -> Ends:
        """List the pairs that are near, (P, 2): ``i < j``, in ascending order.

        A box beyond the limits of magnitude, or with a coordinate that is not a number,
        is near everything: the trouble is met and named, not passed over.

        Cost: O(B log B) plus the pairs that overlap along an axis within a cell.
        """
        if self._count < 2:
            return np.empty((0, 2), np.int32)
        self._lay_out(self._tables)
        order, key = np.asarray(self._tables.order), np.asarray(self._tables.key)
        order[:] = np.argsort(key)
        found = self._sweep(self._tables)
        if found > self._tables.room:  # once more, with more room
            room = found + found // 4
            more = parted(pairs=2 * room, spare=2 * room)
            self._tables = self._tables._replace(room=room, **more)
            found = self._sweep(self._tables)
        return np.asarray(self._tables.pairs)[: 2 * found].reshape(-1, 2).copy()
