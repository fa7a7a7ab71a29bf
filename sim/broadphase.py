"""Which bodies are near each other, by their boxes along the world axes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.guard import FARTHEST, NEAREST

Float = np.float64
Rows = NDArray[np.intp]


class BodyBoxes(NamedTuple):
    """The least and the greatest world coordinates of every body, (B, 3) each."""

    low: NDArray[Float]
    high: NDArray[Float]


def boxes_of(bodies: list[NDArray[Float]]) -> BodyBoxes:
    """Bound every body's world points, (V, 3); computed anew whenever asked."""
    low = np.array([points.min(axis=0) for points in bodies]).reshape(-1, 3)
    high = np.array([points.max(axis=0) for points in bodies]).reshape(-1, 3)
    return BodyBoxes(low, high)


def near_pairs(boxes: BodyBoxes, margin: float) -> Rows:
    """List the pairs of boxes that are not farther apart than a margin on any axis.

    Sweep along x, then compare y and z. A box beyond the limits of magnitude, or with
    a coordinate that is not a number, is near everything: the trouble is met and named,
    not passed over.

    Returns
    -------
    (P, 2) array
        ``i < j``, in ascending order.

    Notes
    -----
    Cost: O(B log B) plus the number of pairs that overlap along x.
    """
    low, high = boxes
    reach = np.maximum(abs(low), abs(high)).max(axis=1, keepdims=True)
    sound = (reach < FARTHEST) & ((reach > NEAREST) | (reach == 0.0))
    low = np.where(sound, low, -np.inf)
    high = np.where(sound, high, np.inf)
    order = np.argsort(low[:, 0], kind="stable")
    start = low[order, 0]
    last = np.searchsorted(start, high[order, 0] + margin, side="right")
    count = np.maximum(last - np.arange(len(order)) - 1, 0)
    i = np.repeat(np.arange(len(order)), count)
    j = i + 1 + np.arange(len(i)) - np.repeat(np.cumsum(count) - count, count)
    a, b = order[i], order[j]
    a, b = np.minimum(a, b), np.maximum(a, b)
    near = (low[b] <= high[a] + margin) & (low[a] <= high[b] + margin)
    pairs: Rows = np.stack([a, b], axis=1)[near.all(axis=1)]
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
