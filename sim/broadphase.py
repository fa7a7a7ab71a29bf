"""Which bodies are near enough to be answered for: their boxes in the world, swept."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.guard import FARTHEST, NEAREST
from sim.engine.bound import Bound, floats, ints
from sim.kernels.sweep import BoxSweep, sweep_boxes

Float = np.float64
Rows = NDArray[np.intp]
SOME = 500  # boxes, about, that the axes are chosen by
FEW = 200  # boxes that need no strips, nor a choice of axes
FULL = 8  # strips that a box lies in, on average, at most


class BodyBoxes(NamedTuple):
    """The least and the greatest world coordinates of every body, (B, 3) each."""

    low: NDArray[Float]
    high: NDArray[Float]


def near_pairs(boxes: BodyBoxes, margin: float) -> Rows:
    """List the pairs of boxes that are not farther apart than a margin on any axis.

    A box beyond the limits of magnitude, or with a coordinate that is not a number, is
    near everything: the trouble is met and named, not passed over.

    Returns (P, 2) array: ``i < j``, in ascending order.

    Cost: O(B log B) plus the pairs that overlap along an axis within a strip of space.
    """
    count = len(boxes.low)
    if count < 2:
        return np.zeros((0, 2), np.intp)
    reach = np.maximum(abs(boxes.low), abs(boxes.high)).max(axis=1, keepdims=True)
    sound = (reach < FARTHEST) & ((reach > NEAREST) | (reach == 0.0))
    low = np.where(sound, boxes.low, -np.inf)
    high = np.where(sound, boxes.high, np.inf) + margin
    axes, begin, span, strips = _strips(*(box[sound[:, 0]] for box in (low, high)))
    order = np.argsort(low[:, axes[0]], kind="stable")
    low, high = low[order][:, axes], high[order][:, axes]
    while True:
        scale = strips / span if strips > 1 else 0.0
        with np.errstate(invalid="ignore", over="ignore"):
            ends = [np.nan_to_num((x[:, 1] - begin) * scale) for x in (low, high)]
        first, last = (np.clip(end, 0, strips - 1).astype(np.int32) for end in ends)
        members = int((last - first).sum()) + count
        if strips == 1 or members <= FULL * count + strips:
            break
        strips //= 2
    found, room = 16 * count, 0
    while found > room:  # once more where there were more pairs than places
        room = found
        pairs = np.empty(2 * room, np.int32)
        tables = BoxSweep(
            low=floats(np.ascontiguousarray(low)),
            high=floats(np.ascontiguousarray(high)),
            first=ints(first),
            last=ints(last),
            start=ints(np.empty(strips + 1, np.int32)),
            member=ints(np.empty(members, np.int32)),
            strips=strips,
            total=count,
            pairs=ints(pairs),
            room=room,
        )
        found = Bound(sweep_boxes)(tables)
    a, b = order[pairs[: 2 * found].reshape(-1, 2)].T
    key = np.sort(np.minimum(a, b) * count + np.maximum(a, b))
    return np.stack(np.divmod(key, count), axis=1)


def _strips(
    low: NDArray[Float], high: NDArray[Float]
) -> tuple[list[int], float, float, int]:
    """Choose the axes: along the first boxes overlap least, along the next come strips.

    Returns the axes, where strips begin, how far they go, and how many there are.
    """
    if len(low) < FEW:
        return [0, 1, 2], 0.0, 1.0, 1
    some = slice(None, None, 1 + len(low) // SOME)
    middle = low[some] + 0.5 * (high[some] - low[some])
    begin, end = np.quantile(middle, [0.05, 0.95], axis=0)
    size = np.median(high[some] - low[some], axis=0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slots = np.nan_to_num((end - begin) / size, posinf=1.0)
    axes = np.argsort(-slots, kind="stable").tolist()
    y = axes[1]
    strips = max(1, int(min(float(slots[y]), float(len(low)))))
    return axes, float(begin[y]), float(end[y] - begin[y]), strips
