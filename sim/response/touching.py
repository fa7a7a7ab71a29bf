"""When a moving sphere first touches triangles, to rounding, for many at once."""

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import Vector, choose, columns, cross, direction, dot, subtract
from wingedge.primitives import point_triangle

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_STEPS = 64
_TOUCHING = 2.0**-48  # of extents below 1: what a distance may be off


def first_touch(
    here: Floats, there: Floats, radii: Floats, corners: list[Floats]
) -> tuple[Bools, Floats]:
    """Find which triangles a sphere touches from here to there, and how far on.

    Takes a radius for each triangle; coordinates are below 1. What is touched at the
    start is so at 0 where the sphere comes nearer to it, and not where it leaves.
    Returns (N,) bool and the shares of the way, 1 where nothing is.

    Notes
    -----
    A time is one of touching within rounding, or before. The distance from a convex set
    is convex along a line, so Newton's steps from before the touch never pass it, and
    a step to where the distance grows again says that there is none. They begin where
    the sphere touches the triangle's plane, which is where it touches the triangle if
    that is not on its rim. What is asked here need not be exact: the radii leave room
    for what rounding does. `wingedge.primitives.sphere_triangle` decides exactly, at
    some fifty times the cost.
    """
    hit, t = np.zeros(len(radii), np.bool_), np.ones(len(radii))
    begin = _at_plane(here, there, radii, corners)
    rows = np.flatnonzero(begin <= 1.0)
    step = there - here
    at = begin[rows]
    for _ in range(_STEPS):
        if not len(rows):
            return hit, t
        high, closing = _approach(here, step, at, radii[rows], corners, rows)
        touched = (high <= _TOUCHING) & (closing > 0)
        following = at + high / np.where(closing > 0, closing, 1.0)
        # a step too small to be taken is one to where it touches
        touched |= (closing > 0) & (following <= at)
        hit[rows[touched]], t[rows[touched]] = True, at[touched]
        on = ~touched & (closing > 0) & (following <= 1.0)
        rows, at = rows[on], following[on]
    hit[rows], t[rows] = True, at  # not yet, as far as is known
    return hit, t


def _approach(
    here: Floats,
    step: Floats,
    at: Floats,
    radii: Floats,
    corners: list[Floats],
    rows: NDArray[np.intp],
) -> tuple[Floats, Floats]:
    """Measure how far from touching a sphere is on its way, and how fast it nears."""
    place = here + at[:, None] * step
    near = point_triangle.closest(place, *(corner[rows] for corner in corners))
    distance = np.sqrt(near.distance_sq)
    away = columns(place - near.point)
    closing = -dot(away, columns(step)) / np.where(distance > 0, distance, 1.0)
    return distance - radii, closing


def _at_plane(
    here: Floats, there: Floats, radii: Floats, corners: list[Floats]
) -> Floats:
    """Find times before which spheres touch no triangle; beyond 1: they never do.

    A triangle is no nearer than its nearest corner along any direction; along the
    normal of its plane that is nearly the truth.
    """
    points = [columns(corner) for corner in corners]
    unit = direction(plane(*points))
    step = dot(unit, columns(there - here))
    heights = [dot(unit, subtract(columns(here), point)) for point in points]
    behind = heights[0] < 0
    step = np.where(behind, -step, step)
    before = reduce(np.minimum, (np.where(behind, -h, h) for h in heights))
    room, nearing = before - radii - _TOUCHING, step < 0
    share = np.where(nearing, room / np.where(nearing, -step, 1.0), np.inf)
    begin: Floats = np.where(room > 0, share, 0.0)
    return begin


def plane(a: Vector, b: Vector, c: Vector) -> Vector:
    """Return normals of triangles, of any length: none for no area.

    The two shorter edges keep most digits on needles.
    """
    ab, bc, ca = subtract(b, a), subtract(c, b), subtract(a, c)
    lab, lbc, lca = dot(ab, ab), dot(bc, bc), dot(ca, ca)
    from_c = (lab >= lbc) & (lab >= lca)
    from_a = ~from_c & (lbc >= lca)
    first = _choose(from_c, bc, from_a, ca, ab)
    second = _choose(from_c, ca, from_a, ab, bc)
    return cross(near_one(first), near_one(second))


def near_one(a: Vector) -> Vector:
    """Scale by powers of two, exactly, until the largest component is about 1."""
    x, y, z = a
    _, power = np.frexp(np.maximum(np.maximum(np.abs(x), np.abs(y)), np.abs(z)))
    return np.ldexp(x, -power), np.ldexp(y, -power), np.ldexp(z, -power)


def _choose(where: Bools, a: Vector, then: Bools, b: Vector, c: Vector) -> Vector:
    return choose(where, a, choose(then, b, c))
