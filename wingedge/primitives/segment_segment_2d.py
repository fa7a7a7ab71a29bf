"""Tell whether and where two segments of the plane meet."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import Column, quotient
from wingedge.primitives.arguments import (
    broadcast,
    exponent,
    lengths,
    points,
    shift,
    unboxed,
)
from wingedge.primitives.plane import near_segment, on_segment, pick
from wingedge.primitives.point_line import Point, side_of
from wingedge.primitives.point_segment import foot

KINDS = ("apart", "touching", "crossing", "overlap")
APART, TOUCHING, CROSSING, OVERLAP = range(4)


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


class _CommonPoint(NamedTuple):
    """One point: its parameters along both segments, and how far they are there."""

    s: Column
    t: Column
    point: Point
    distance: Column


def meet(
    p0: ArrayLike,
    p1: ArrayLike,
    q0: ArrayLike,
    q1: ArrayLike,
    *,
    tolerance: ArrayLike = 0.0,
) -> SegmentMeeting2D:
    """Tell how segments p0 p1 and q0 q1 meet, and where.

    Parameters
    ----------
    p0, p1, q0, q1 : (..., 2) array_like
        Segment ends, one frame; shapes broadcast. A segment of no length is its point.
    tolerance : (...) array_like
        A length: segments that have no point in common, but are no further apart than
        this where they are nearest, count as touching.

    Notes
    -----
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
    a, b, c, d, reach = broadcast(
        *points(2, p0=p0, p1=p1, q0=q0, q1=q1), *lengths(tolerance=tolerance)
    )
    of_p, of_q = (
        (side_of(a, c, d), side_of(b, c, d)),
        (side_of(c, a, b), side_of(d, a, b)),
    )
    meets = [on_segment(end, c, d, s) for end, s in zip((a, b), of_p, strict=True)]
    meets += [on_segment(end, a, b, s) for end, s in zip((c, d), of_q, strict=True)]
    crossing = (of_p[0] * of_p[1] < 0) & (of_q[0] * of_q[1] < 0)
    shared, same_way = _shared(a, b, c, d)
    overlap = shared & (of_p[0] == 0) & (of_p[1] == 0)
    touching = meets[0] | meets[1] | meets[2] | meets[3]
    if reach.any():
        for three in ((a, c, d), (b, c, d), (c, a, b), (d, a, b)):
            touching = touching | near_segment(*three, reach)
    kind = np.where(overlap, OVERLAP, np.where(touching, TOUCHING, APART))
    kind = np.where(crossing, CROSSING, kind)

    at_a, at_b, at_c, at_d = ends = _ends(a, b, c, d, meets)
    start = _nearest(ends, meets, crossing, _crossing(a, b, c, d))
    start = _choose(
        overlap, _choose(meets[0], at_a, _choose(same_way, at_c, at_d)), start
    )
    end = _choose(
        overlap, _choose(meets[1], at_b, _choose(same_way, at_d, at_c)), start
    )
    point, last = (np.stack(place.point, axis=-1) for place in (start, end))
    return unboxed(
        SegmentMeeting2D(
            kind != APART,
            np.array(KINDS)[kind],
            start.s,
            start.t,
            point,
            np.where(crossing, 0.0, start.distance),
            np.stack([start.s, end.s], axis=-1),
            np.stack([start.t, end.t], axis=-1),
            np.stack([point, last], axis=-2),
        )
    )


def _shared(
    a: Point, b: Point, c: Point, d: Point
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell whether a b and c d, on one line, share a piece, and go the same way."""
    shared, same_way = np.zeros((2, *a[0].shape), dtype=bool)
    for u, v, x, y in zip(a, b, c, d, strict=True):
        low = np.maximum(np.minimum(u, v), np.minimum(x, y))
        here = low < np.minimum(np.maximum(u, v), np.maximum(x, y))
        shared = shared | here
        same_way = same_way | (here & ((u < v) == (x < y)))
    return shared, same_way


def _ends(
    a: Point, b: Point, c: Point, d: Point, meets: list[NDArray[np.bool_]]
) -> tuple[_CommonPoint, _CommonPoint, _CommonPoint, _CommonPoint]:
    """Put every end on the other segment; ``meets`` tells which are on it exactly."""
    zero = np.zeros_like(a[0])
    out = []
    for end, at, here in ((a, zero, meets[0]), (b, zero + 1, meets[1])):
        t, _, distance, _ = foot(end, c, d)
        out.append(_CommonPoint(at, t, end, np.where(here, 0.0, distance)))
    for end, at, here in ((c, zero, meets[2]), (d, zero + 1, meets[3])):
        s, (x, y), distance, _ = foot(end, a, b)
        point = pick(here, end, (x, y))
        out.append(_CommonPoint(s, at, point, np.where(here, 0.0, distance)))
    return out[0], out[1], out[2], out[3]


def _crossing(a: Point, b: Point, c: Point, d: Point) -> _CommonPoint:
    """Find where lines cross, kept within both segments."""
    k = exponent(*a, *b, *c, *d)
    ax, ay, bx, by, cx, cy, dx, dy = shift((*a, *b, *c, *d), -k)
    ux, uy, vx, vy, x, y = bx - ax, by - ay, dx - cx, dy - cy, cx - ax, cy - ay
    s = np.minimum(np.maximum(quotient(x * vy - y * vx, ux * vy - uy * vx), 0.0), 1.0)
    px, py = shift((ax + s * ux, ay + s * uy), k)
    t, _, distance, _ = foot((px, py), c, d)
    return _CommonPoint(s, t, (px, py), distance)


def _nearest(
    ends: tuple[_CommonPoint, ...],
    meets: list[NDArray[np.bool_]],
    crossing: NDArray[np.bool_],
    cross: _CommonPoint,
) -> _CommonPoint:
    """Take the end that meets the other segment, else the nearest place.

    A crossing may be badly known along segments that are nearly parallel, to the point
    that it falls outside the shorter one: then an end of that is nearer.
    """
    best = cross
    least = np.where(crossing, cross.distance, np.inf)
    for end, here in zip(ends, meets, strict=True):
        distance = np.where(here, -1.0, end.distance)
        better = distance < least
        best, least = _choose(better, end, best), np.where(better, distance, least)
    return best


def _choose(where: NDArray[np.bool_], a: _CommonPoint, b: _CommonPoint) -> _CommonPoint:
    """Take a where the condition holds, b elsewhere."""
    s, t, distance = (
        np.where(where, u, v)
        for u, v in ((a.s, b.s), (a.t, b.t), (a.distance, b.distance))
    )
    return _CommonPoint(s, t, pick(where, a.point, b.point), distance)
