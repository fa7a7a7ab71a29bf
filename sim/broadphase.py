"""Which bodies are near enough to be answered for: their boxes in the world, swept."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.guard import FARTHEST, NEAREST
from sim.body.placed import Actor
from sim.engine.bound import Bound, floats, ints
from sim.kernels.sweep import BoxSweep, sweep_boxes

Float = np.float64
Rows = NDArray[np.intp]
CHUNK = 1 << 16  # vertices that are placed at once: what fits into a cache
FULL = 8  # strips that a box lies in, on average, at most


class BodyBoxes(NamedTuple):
    """The least and the greatest world coordinates of every body, (B, 3) each."""

    low: NDArray[Float]
    high: NDArray[Float]


def boxes_of(bodies: Sequence[Actor]) -> BodyBoxes:
    """Bound the world points of every body, computed anew whenever asked.

    Bodies of equally many vertices are placed together.  Cost: O(V).
    """
    boxes = BodyBoxes(np.empty((len(bodies), 3)), np.empty((len(bodies), 3)))
    groups: dict[int, list[int]] = {}
    for k, body in enumerate(bodies):
        if isinstance(body, Body):
            groups.setdefault(body.mesh.n_vertices, []).append(k)
        else:
            points = body.piece_points()
            boxes.low[k], boxes.high[k] = points.min(axis=0), points.max(axis=0)
    for size, group in groups.items():
        step = max(1, CHUNK // size)
        for k in range(0, len(group), step):
            _bound([(n, bodies[n]) for n in group[k : k + step]], boxes)
    return boxes


def _bound(numbered: Iterable[tuple[int, Actor]], boxes: BodyBoxes) -> None:
    """Bound bodies of one size, by the operations of ``Pose.apply`` in its order."""
    numbers, bodies = zip(*numbered, strict=True)
    x, y, z = np.array([body.positions for body in bodies]).transpose(2, 0, 1)
    poses = np.array([body.transform for body in bodies])[..., None]
    with np.errstate(over="ignore", invalid="ignore"):
        for i in range(3):
            m = poses[:, i]
            placed = m[:, 0] * x + m[:, 1] * y + m[:, 2] * z + m[:, 3]
            boxes.low[numbers, i] = placed.min(axis=1)
            boxes.high[numbers, i] = placed.max(axis=1)


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
    found, room = 8 * count, 0
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
    if len(low) < 2:
        return [0, 1, 2], 0.0, 1.0, 1
    middle = low + 0.5 * (high - low)
    begin, end = np.quantile(middle, [0.05, 0.95], axis=0)
    size = np.median(high - low, axis=0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slots = np.nan_to_num((end - begin) / size, posinf=1.0)
    axes = np.argsort(-slots, kind="stable").tolist()
    y = axes[1]
    strips = max(1, int(min(float(slots[y]), float(len(low)))))
    return axes, float(begin[y]), float(end[y] - begin[y]), strips
