"""Tell whether and where two segments of the plane meet."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import quotient
from wingedge.primitives.arguments import (
    answered,
    exponent,
    flat,
    lengths,
    points,
    shift,
)
from wingedge.primitives.plane import near_segment, on_segment, pick, together
from wingedge.primitives.point_line import Point, side_of
from wingedge.primitives.point_segment import foot

Bools = NDArray[np.bool_]
KINDS = ("apart", "touching", "crossing", "overlap")
APART, TOUCHING, CROSSING, OVERLAP = range(4)
# places that may be the common one: where the lines cross, and every end
LINES, P0, P1, Q0, Q1 = range(5)
OF_P = np.array([[True], [True], [False], [False]])


class SegmentMeeting2D(NamedTuple):
    """How segments p and q meet, and where.

    Where they overlap, the common piece goes from ``ends[:, 0]`` to ``ends[:, 1]`` in
    the direction of p, and ``s``, ``t``, ``point`` are of its start; elsewhere both
    ends are the point.
    """

    hit: NDArray[np.bool_]  # (N,) exact: no further apart than the tolerance
    kind: NDArray[np.str_]  # (N,) exact: apart, touching, crossing or overlap
    s: NDArray[np.float64]  # (N,) in [0, 1] along p
    t: NDArray[np.float64]  # (N,) in [0, 1] along q
    point: NDArray[np.float64]  # (N, 2) common; of p, nearest to q, where there is none
    distance: NDArray[np.float64]  # (N,) 0 where they have a point in common
    s_range: NDArray[np.float64]  # (N, 2) the common piece along p, ascending
    t_range: NDArray[np.float64]  # (N, 2) the same along q
    ends: NDArray[np.float64]  # (N, 2, 2) the same as points


def meet(
    p0: ArrayLike,
    p1: ArrayLike,
    q0: ArrayLike,
    q1: ArrayLike,
    *,
    tolerance: ArrayLike = 0.0,
) -> SegmentMeeting2D:
    """Tell how segments p0 p1 and q0 q1 meet, and where.

    Parameters: ``p0``, ``p1``, ``q0``, ``q1`` (..., 2): segment ends, one frame; shapes
    broadcast. A segment of no length is its point; ``tolerance`` (...): a length:
    segments that have no point in common, but are no further apart than this where they
    are nearest, count as touching.

    ``crossing``: one common point, an end of neither. ``overlap``: a common piece of
    some length. ``touching``: one common point that is an end, or no further apart
    than the tolerance. Kinds and hits are those of exact arithmetic. An end that is
    the common point is given to the bit, with its parameter 0 or 1. Any other point
    is within 2e-15 of the largest coordinate of both segments; the closer to parallel,
    the further along them it may be off: by that over the sine of the angle.

    After Marupeke's 2-D collision no. 10, t1 = (v x v2) / (v1 x v2), with three
    repairs. It calls parallel segments apart, also where one lies on the other. Its
    margin 0.00001 is a part of the segment, not a length: 1 cm for a segment of 1 km.
    A segment of no length is parallel to everything, so it hits nothing. Cost: 2 us
    in bulk, three times that with a tolerance.
    """
    split = points(2, p0=p0, p1=p1, q0=q0, q1=q1)
    shape, a, b, c, d, (reach,) = flat(*split, lengths(tolerance=tolerance))
    # all four ends, each with the segment that it is not of
    ends, tails, tips = (
        together(*x) for x in ((a, b, c, d), (c, c, a, a), (d, d, b, b))
    )
    sides = side_of(ends, tails, tips)
    meets = on_segment(ends, tails, tips, sides)
    crossing = (sides[0] * sides[1] < 0) & (sides[2] * sides[3] < 0)
    shared, same_way = _shared(a, b, c, d)
    overlap = shared & (sides[:2] == 0).all(axis=0)
    touching = meets.any(axis=0)
    if reach.any():
        touching = touching | near_segment(ends, tails, tips, reach).any(axis=0)
    kind = np.where(overlap, OVERLAP, np.where(touching, TOUCHING, APART))
    kind = np.where(crossing, CROSSING, kind)

    on_other, (x, y), gap, _ = foot(ends, tails, tips)
    gap = np.where(meets, 0.0, gap)
    on_own = np.broadcast_to([[0.0], [1.0], [0.0], [1.0]], gap.shape)
    parameters = pick(OF_P, (on_own, on_other), (on_other, on_own))
    at_ends = [*parameters, *pick(OF_P | meets, ends, (x, y)), gap]
    places = np.concatenate([_crossing(a, b, c, d), at_ends], axis=1)
    # A crossing may be badly known along segments that are nearly parallel, to the
    # point that it falls outside the shorter one: then an end of that is nearer.
    nearness = np.where(crossing, places[-1, LINES], np.inf)
    nearest = np.argmin([nearness, *np.where(meets, -1.0, gap)], axis=0)
    begin = np.where(meets[0], P0, np.where(same_way, Q0, Q1))
    finish = np.where(meets[1], P1, np.where(same_way, Q1, Q0))
    row = np.arange(len(nearest))
    first, last = (
        places[:, np.where(overlap, which, nearest), row] for which in (begin, finish)
    )
    s_range, t_range, x, y, distance = np.stack([first, last], axis=-1)
    return answered(
        SegmentMeeting2D,
        shape,
        kind != APART,
        np.array(KINDS)[kind],
        *first[:2],
        first[2:4].T,
        np.where(crossing, 0.0, distance[:, 0]),
        s_range,
        t_range,
        np.stack([x, y], axis=-1),
    )


def _shared(a: Point, b: Point, c: Point, d: Point) -> tuple[Bools, Bools]:
    """Tell whether a b and c d, on one line, share a piece, and go the same way."""
    shared, same_way = np.zeros((2, *a[0].shape), dtype=bool)
    for u, v, x, y in zip(a, b, c, d, strict=True):
        low = np.maximum(np.minimum(u, v), np.minimum(x, y))
        here = low < np.minimum(np.maximum(u, v), np.maximum(x, y))
        shared = shared | here
        same_way = same_way | (here & ((u < v) == (x < y)))
    return shared, same_way


def _crossing(a: Point, b: Point, c: Point, d: Point) -> NDArray[np.float64]:
    """Find where lines cross, kept within both segments: s, t, x, y, how far off."""
    k = exponent(*a, *b, *c, *d)
    ax, ay, bx, by, cx, cy, dx, dy = shift((*a, *b, *c, *d), -k)
    ux, uy, vx, vy, x, y = bx - ax, by - ay, dx - cx, dy - cy, cx - ax, cy - ay
    s = np.minimum(np.maximum(quotient(x * vy - y * vx, ux * vy - uy * vx), 0.0), 1.0)
    px, py = shift((ax + s * ux, ay + s * uy), k)
    t, _, distance, _ = foot((px, py), c, d)
    return np.stack([s, t, px, py, distance])[:, None]
