"""When two surfaces first meet in a while, by all their pieces that may, exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.between.moves import Array, Move, placed
from sim.kernels.surface.boxes import Tree
from sim.tracking.broadphase import BodyBoxes, BroadPhase
from wingedge.primitives import moving_point_triangle, moving_segment_segment

PAD = 64.0 * 2.0**-52  # of coordinates
Ids = NDArray[np.intp]  # (k, n) vertices of points, segments or triangles
Box = tuple[Array, Array]  # (V, 3) each: where a vertex is at least, and at most


def pieces_of(tree: Tree) -> list[Ids]:
    """List the points, the segments and the triangles of a surface."""
    found = ((range(tree.size), 1), (tree.segment, 2), (tree.triangle, 3))
    return [np.array(ids, int).reshape(-1, size) for ids, size in found]


def first_meeting(
    moves: tuple[Move, Move], pieces: list[list[Ids]], span: tuple[float, float]
) -> tuple[float, float] | None:
    """Find between which times pieces of two surfaces first meet, up to a time.

    They are known to be apart until ``span`` begins.  Exact for vertices as they are
    placed in floats at both ends of the way; None where none meet before its end.
    Cost: O(V log V), and 2 to 30 us a pair whose boxes meet in that while.
    """
    ways = _placed(moves)
    pad = PAD * max(float(np.abs(x).max()) for ends in ways for x in ends)
    boxes = []
    for start, end in ways:
        x, y = ((1.0 - t) * start + t * end for t in span)
        boxes.append((np.minimum(x, y) - pad, np.maximum(x, y) + pad))
    floor = np.maximum(*(low.min(axis=0) for low, _ in boxes))
    roof = np.minimum(*(high.max(axis=0) for _, high in boxes))
    near = [
        [_within(box, ids, floor, roof) for ids in own]
        for box, own in zip(boxes, pieces, strict=True)
    ]
    times: list[list[float]] = []
    for i, kind in enumerate((moving_point_triangle, moving_segment_segment)):
        for a, b in ((0, 1), (1, 0))[: 2 - i]:  # whose points, whose triangles
            p, q = _pairs((boxes[a], near[a][i]), (boxes[b], near[b][2 - i]))
            ends = zip(ways[a], ways[b], strict=True)
            met = kind.hit(*(np.concatenate([x[p], y[q]], axis=1) for x, y in ends))
            times += np.stack([met.lower, met.upper], axis=1)[met.hit].tolist()
    lower, upper = min(times, default=(2.0, 2.0))
    return (lower, upper) if lower <= span[1] else None


def _placed(moves: tuple[Move, Move]) -> list[tuple[Array, Array]]:
    """Place all vertices at both ends, counted from the origin of the first body."""
    a, b = moves
    return [
        (
            placed(move.start, move.start_map[:, :3])
            + (move.start_map[:, 3] - a.start_map[:, 3]),
            placed(move.end, move.end_map[:, :3])
            + (move.end_map[:, 3] - a.end_map[:, 3]),
        )
        for move in (a, b)
    ]


def _within(box: Box, ids: Ids, floor: Array, roof: Array) -> Ids:
    """Return the pieces whose boxes reach into a box."""
    inside = (box[0][ids].min(axis=1) <= roof) & (box[1][ids].max(axis=1) >= floor)
    found: Ids = ids[inside.all(axis=1)]
    return found


def _pairs(one: tuple[Box, Ids], other: tuple[Box, Ids]) -> tuple[Ids, Ids]:
    """Return the vertices of pairs of pieces of two bodies whose boxes meet."""
    count = len(one[1])
    boxes = BodyBoxes.of(count + len(other[1]))
    sides = one, other
    boxes.low[:] = np.concatenate([box[0][ids].min(axis=1) for box, ids in sides])
    boxes.high[:] = np.concatenate([box[1][ids].max(axis=1) for box, ids in sides])
    found = BroadPhase(boxes, 0.0).near_pairs()
    found = found[(found[:, 0] < count) & (found[:, 1] >= count)]
    return one[1][found[:, 0]], other[1][found[:, 1] - count]
