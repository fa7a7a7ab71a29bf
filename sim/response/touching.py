"""When a moving sphere first touches triangles, to rounding, for many at once."""

from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.response.measure import plane, view
from wingedge.columns import Column, columns, direction, dot, length, subtract
from wingedge.primitives import point_triangle, segment_segment

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_STEPS = 12
_HALVINGS = 60
_TOUCHING = 2.0**-48  # of extents below 1: what a distance may be off
_FOOT = 2.0**-46  # and a difference of two points, with room


class _Planes(NamedTuple):
    """How a motion lies to the planes of triangles."""

    begin: Column  # a time before which none is touched; beyond 1: it never is
    closing: Column  # how fast the motion nears the plane; below 0: it leaves it


def first_touch(
    here: Floats, there: Floats, radii: Floats, corners: list[Floats]
) -> tuple[Bools, Floats]:
    """Find which triangles a sphere touches from here to there, and how far on.

    Takes a radius for each triangle; coordinates are below 1. What is touched at the
    start is so at 0 where the sphere comes nearer to it, and not where it leaves.
    Returns (N,) bool and the shares of the way, 1 where nothing is touched.

    Notes
    -----
    A time is one of touching within rounding, or before. The distance from a convex set
    is convex along a line, so Newton's steps from before the touch never pass it, and
    one to where the distance grows again says that there is none. They begin where the
    sphere touches the triangle's plane, which is where it touches the triangle if that
    is not on its rim. How fast the distance shrinks is known to rounding over distance
    only: steps are as short as that asks for, and what they leave open is asked of the
    distance of the whole way, which is known to rounding. What is asked here need not
    be exact: the radii leave room for what rounding does.
    `wingedge.primitives.sphere_triangle` decides exactly, at some ten times the cost.
    """
    hit, t = np.zeros(len(radii), np.bool_), np.ones(len(radii))
    step = there - here
    planes = _planes(here, step, radii, corners)
    rows = np.flatnonzero(planes.begin <= 1.0)
    at = planes.begin[rows]
    blur = _FOOT * float(length(columns(step)))
    for _ in range(_STEPS):
        if not len(rows):
            return hit, t
        seen = view(here + at[:, None] * step, [corner[rows] for corner in corners])
        high = seen.distance - radii[rows]
        known = np.maximum(seen.distance, _TOUCHING)
        closing = blur / known - dot(seen.away, columns(step))
        closing = np.where(seen.inside, planes.closing[rows], closing)
        nearing = closing > 0
        touched = (high <= _TOUCHING) & nearing
        hit[rows[touched]], t[rows[touched]] = True, at[touched]
        ahead = at + high / np.where(nearing, closing, 1.0)
        on = ~touched & nearing & (ahead <= 1.0)
        rows, at = rows[on], ahead[on]
    left = [corner[rows] for corner in corners]
    hit[rows], t[rows] = _settled(here, step, at, radii[rows], left)
    return hit, t


def _planes(
    here: Floats, step: Floats, radii: Floats, corners: list[Floats]
) -> _Planes:
    """See how a motion lies to planes.

    A triangle is no nearer than its nearest corner along any direction; along the
    normal of its plane, rounded or not, that is nearly the truth.
    """
    points = [columns(corner) for corner in corners]
    unit = direction(plane(*points))
    heights = [dot(unit, subtract(columns(here), point)) for point in points]
    behind = heights[0] < 0
    closing = dot(unit, columns(step))
    closing = np.where(behind, closing, -closing)
    low = reduce(np.minimum, (np.where(behind, -h, h) for h in heights))
    room, nearing = low - radii, closing > 0
    begin = np.where(nearing, room / np.where(nearing, closing, 1.0), np.inf)
    return _Planes(np.where(room > 0, begin, 0.0), closing)


def _settled(
    here: Floats, step: Floats, at: Floats, radii: Floats, corners: list[Floats]
) -> tuple[Bools, Floats]:
    """Ask whether anything is touched after some time, and when, by halving."""
    there = here + step
    place = here + at[:, None] * step
    # where it comes nearest: through the plane, at the end, or to an edge
    unit = direction(plane(*(columns(corner) for corner in corners)))
    height = dot(unit, subtract(columns(place), columns(corners[0])))
    change = height - dot(unit, subtract(columns(there), columns(corners[0])))
    share = height / np.where(change == 0, 1.0, change)
    least = at + np.where((share > 0) & (share < 1), share, 1.0) * (1.0 - at)
    through = here + least[:, None] * step
    low = np.sqrt(point_triangle.closest(through, *corners).distance_sq)
    end = np.sqrt(point_triangle.closest(there, *corners).distance_sq)
    least, low = np.where(end < low, 1.0, least), np.minimum(end, low)
    for k in range(3):
        pair = segment_segment.closest(place, there, corners[k - 1], corners[k])
        distance = np.sqrt(pair.distance_sq)
        least = np.where(distance < low, at + pair.s * (1.0 - at), least)
        low = np.minimum(distance, low)
    hit: Bools = np.asarray(low <= radii)
    before, after = at, least
    for _ in range(_HALVINGS if hit.any() else 0):
        middle = 0.5 * (before + after)
        near = point_triangle.closest(here + middle[:, None] * step, *corners)
        beyond = np.sqrt(near.distance_sq) <= radii
        before, after = (
            np.where(beyond, before, middle),
            np.where(beyond, middle, after),
        )
    return hit, np.where(hit, before, 1.0)
