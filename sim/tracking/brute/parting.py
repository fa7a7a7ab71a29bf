"""A short way on which two surfaces that cross part: the far end of an interval.

Where a body is not convex the hulls' penetration may be many times too deep.  B is
moved along the hulls' axis, and along the ways on which the deepest vertices leave, to
where a search of both surfaces shows them apart, and back to where they touch.
"""

from typing import NamedTuple

from sim.kernels.surface.boxes import TIES
from sim.kernels.vector import HERE, back, dot, minus, unit
from sim.result.answer import Vec
from sim.tracking.brute.axes import Axis
from sim.tracking.brute.nearest import Nearest
from sim.tracking.brute.solid import Deepest, nearest_parted
from sim.tracking.buffers import Buffers

FIRST = 1.0 / 64.0  # of the hulls' penetration: the shortest shift that is tried
STEPS = 12  # back to the touch, at most: each ends a face's part of the way
APART = 1e-12  # per unit of size: of surfaces nearer than that a search is not sure
SHALLOW = 1e-4  # per unit of size: where hulls overlap by less, theirs is the way
SAVED = 1e-3  # a way that is shorter by no more than this part is none


class Parting(NamedTuple):
    """Where two surfaces touch once B has moved along a direction."""

    shift: float
    normal: Vec
    pair: Nearest  # the closest places there
    unique: bool | None  # whether no others are as near; None: not known


def shortest_parting(
    buffers: Buffers, axis: Axis, in_b: Deepest, in_a: Deepest, size: float
) -> Parting | None:
    """Return the shortest way to part that is found, None where the axis is as short.

    Cost: up to some ten searches of both surfaces a direction.
    """
    ways = [axis.normal]
    if in_b.depth > 0.0:  # a vertex of A leaves B: B goes the other way
        ways.append(back(unit(minus(in_b.point, in_b.at))))
    if in_a.depth > 0.0:
        ways.append(unit(minus(in_a.point, in_a.at)))
    found: Parting | None = None
    least = max(in_a.depth, in_b.depth)
    most = -axis.gap  # along the axis the hulls are apart there
    least = least if least <= most else 0.0  # what crosses itself has no inside
    for way in ways if most > SHALLOW * size else ():
        if least >= most - SAVED * most:
            break  # the deepest vertex leaves no shorter way
        shift = max(least, -axis.gap * FIRST)
        free = None
        while free is None and shift < 2.0 * most and way != HERE:
            last = axis._replace(normal=way, gap=-min(shift, most))
            free = _parted(buffers, last, size)
            shift *= 2.0
        if free is not None:
            parting = _touching(buffers, axis, free, least, size)
            if parting.shift < most - SAVED * most:
                found, most = parting, parting.shift
    return found


def _parted(buffers: Buffers, axis: Axis, size: float) -> Parting | None:
    """Move B along an axis by its gap; None where the surfaces may meet there."""
    pair = nearest_parted(buffers, axis)
    if pair is None or pair.distance <= APART * size:
        return None
    alone = buffers.trees.tables[2].counts[TIES] <= 1
    return Parting(-axis.gap, axis.normal, pair, alone)


def _touching(
    buffers: Buffers, axis: Axis, free: Parting, least: float, size: float
) -> Parting:
    """Move B back to where the surfaces touch; they are apart wherever it ends."""
    near = 4.0 * APART * size
    for _ in range(STEPS):
        d, way = free.pair.distance, free.normal
        if d <= near:
            break
        across = unit(minus(free.pair.point_b, free.pair.point_a))
        # As far as the plane between the closest places; else as is free for sure.
        for step in (d / max(dot(across, way), 0.01), d):
            shift = max(free.shift - step + 0.5 * near, least)
            nearer = _parted(buffers, axis._replace(normal=way, gap=-shift), size)
            if nearer is not None:
                free = nearer
                break
        else:
            break
    return free
