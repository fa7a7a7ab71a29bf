"""Measure the triangles near a motion, and sweep spheres among them."""

from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.response.obstacles import Index
from wingedge.columns import (
    Column,
    Vector,
    at,
    choose,
    columns,
    cross,
    direction,
    dot,
    length,
    near_one,
    quotient,
    rows,
    subtract,
)
from wingedge.primitives import point_triangle, segment_segment, segment_triangle
from wingedge.signs import sign, volume

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class TriangleDistances(NamedTuple):
    """Distances of triangles from one place, or from one for each triangle."""

    here: Floats  # (3,) or (N, 3)
    distance: Floats  # (N,) to each triangle
    foot: Floats  # (N, 3) the point of each nearest to the place
    inside: Bools  # (N,) whether that is within the triangle, not on its rim
    away: Vector  # (N,) unit vectors from there to the place; none for no distance


def view(here: Floats, corners: list[Floats]) -> TriangleDistances:
    """Look at triangles from places.

    Directions are square to the edge that a foot is on, to rounding: as differences of
    two points they would be off by rounding over distance, and a sphere that slides
    along an edge would run into it.
    """
    near = point_triangle.closest(here, *corners)
    away = columns(here - near.point)
    flat = [near.weights[:, k] == 0 for k in range(3)]
    points = [columns(corner) for corner in corners]
    for k in range(3):
        on_edge = flat[k] & ~flat[k - 1] & ~flat[k - 2]
        edge = subtract(points[k - 1], points[k - 2])
        across = away
        for _ in range(2):
            share = quotient(dot(across, edge), dot(edge, edge))
            across = subtract(across, _times(share, edge))
        away = choose(on_edge, across, away)
    inside = ~(flat[0] | flat[1] | flat[2])
    distance = np.sqrt(near.distance_sq)
    return TriangleDistances(here, distance, near.point, inside, direction(away))


def plane(a: Vector, b: Vector, c: Vector) -> Vector:
    """Return normals of triangles, of any length: none for no area.

    The two shorter edges keep most digits on needles.
    """
    ab, bc, ca = subtract(b, a), subtract(c, b), subtract(a, c)
    lab, lbc, lca = dot(ab, ab), dot(bc, bc), dot(ca, ca)
    from_c = (lab >= lbc) & (lab >= lca)
    from_a = ~from_c & (lbc >= lca)
    first = choose(from_c, bc, choose(from_a, ca, ab))
    second = choose(from_c, ca, choose(from_a, ab, bc))
    return cross(near_one(first)[0], near_one(second)[0])


def _times(share: Floats, a: Vector) -> Vector:
    return share * a[0], share * a[1], share * a[2]


_STEPS = 12
_HALVINGS = 60
_TOUCHING = 2.0**-48  # of extents below 1: what a distance may be off
_FOOT = 2.0**-46  # and a difference of two points, with room


def first_touch(
    here: Floats, there: Floats, radii: Floats, corners: list[Floats]
) -> tuple[Bools, Floats]:
    """Find which triangles a sphere touches from here to there, and how far on.

    Takes a radius for each triangle; coordinates are below 1. What is touched at the
    start is so at 0 where the sphere comes nearer to it, and not where it leaves.
    Returns (N,) bool and the shares of the way, 1 where nothing is touched.

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
    begin, nearing_plane = _planes(here, step, radii, corners)
    rows = np.flatnonzero(begin <= 1.0)
    at = begin[rows]
    blur = _FOOT * float(length(columns(step)))
    for _ in range(_STEPS):
        if not len(rows):
            return hit, t
        seen = view(here + at[:, None] * step, [corner[rows] for corner in corners])
        high = seen.distance - radii[rows]
        known = np.maximum(seen.distance, _TOUCHING)
        closing = blur / known - dot(seen.away, columns(step))
        closing = np.where(seen.inside, nearing_plane[rows], closing)
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
) -> tuple[Column, Column]:
    """Find a time before which no triangle is touched, and how fast planes are neared.

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
    return np.where(room > 0, begin, 0.0), closing


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


Rows = NDArray[np.intp]

# what sweeping, moving and measuring may be off, of the largest coordinate, with room
ROUNDING = 2.0**-44
# out here nothing is near, and squares would end where floats do
_OPEN = 2.0**10


class Surroundings:
    """Hold the triangles near a motion, scaled by a power of two.

    Scaled, the largest coordinate is in [0.5, 1): squares neither overflow nor vanish,
    whatever the unit, and the answers are the same bits in all of them.
    """

    def __init__(self, index: Index, centre: Floats, reach: float, keep: float) -> None:
        with np.errstate(over="ignore"):
            found = index.near(centre - reach, centre + reach)
        self.ids = np.asarray(found, np.intp)
        triangles = np.asarray(index.triangles, np.float64)[self.ids]
        largest = max(float(np.abs(centre).max()), keep)
        if triangles.size:
            largest = max(largest, float(np.abs(triangles).max()))
        self.power = int(np.frexp(largest)[1])
        corners = np.ldexp(triangles, -self.power)
        self.corners = [np.ascontiguousarray(corners[:, k]) for k in range(3)]
        self._lower, self._upper = corners.min(axis=1), corners.max(axis=1)
        self.rounding = ROUNDING  # of a largest coordinate between 0.5 and 1

    def __len__(self) -> int:
        return len(self.ids)

    def view(self, here: Floats) -> TriangleDistances:
        """Measure all triangles from a place."""
        if np.abs(here).max() > _OPEN:
            none, feet = np.zeros(len(self)), np.zeros((len(self), 3))
            away = (none, none, none)
            return TriangleDistances(here, none + np.inf, feet, none > 0, away)
        return view(here, self.corners)

    def sweep(
        self, seen: TriangleDistances, there: Floats, radii: Floats
    ) -> tuple[Bools, Floats]:
        """Sweep a sphere, of a radius of its own for each triangle: who is met, when.

        Triangles of a radius below 0 are left out. Returns (N,) bool and the shares of
        the way, 1 where nothing is met.
        """
        here = seen.here
        hit, t = np.zeros(len(self), np.bool_), np.ones(len(self))
        low = np.minimum(here, there) - radii[:, None]
        high = np.maximum(here, there) + radii[:, None]
        asked = ((self._lower <= high) & (self._upper >= low)).all(axis=1)
        asked &= radii >= 0
        # what the whole way does not come near
        asked &= seen.distance - radii <= length(columns(there - here))
        rows = np.flatnonzero(asked)
        if len(rows):
            corners = [corner[rows] for corner in self.corners]
            hit[rows], t[rows] = first_touch(here, there, radii[rows], corners)
        return hit, t

    def crosses(self, seen: TriangleDistances, there: Floats) -> bool:
        """Tell, without rounding, whether a motion goes into what it begins on.

        Asked for triangles so near that rounding hides the side: what begins on one
        exactly may leave it to the front. All others are swept with a radius that
        rounding cannot use up.
        """
        rows = np.flatnonzero(seen.distance <= 4.0 * self.rounding)
        if not len(rows):
            return False
        corners = [corner[rows] for corner in self.corners]
        hit = segment_triangle.hit(seen.here, there, *corners).hit
        corners = [corner[hit] for corner in corners]
        starts_on = segment_triangle.hit(seen.here, seen.here, *corners).hit
        return not bool((starts_on & (_side(there, corners) >= 0)).all())

    def normals(self, seen: TriangleDistances, which: Rows, start: Floats) -> Floats:
        """Return unit vectors from triangles to the place.

        Across the triangle where its inside is nearest, to the side of the start,
        without rounding; the front counts for a start on the triangle. From the nearest
        point where that is on the rim. A triangle of no area has no sides: square to it
        for a place on it.
        """
        corners = [corner[which] for corner in self.corners]
        a, b, c = (columns(corner) for corner in corners)
        across = direction(plane(a, b, c))
        towards = np.where(_side(start, corners) < 0, -1.0, 1.0)
        face = towards * across[0], towards * across[1], towards * across[2]
        away = at(seen.away, which)
        apart = seen.distance[which] > self.rounding
        by_face = (seen.inside[which] | ~apart) & (length(across) > 0)
        out = choose(by_face, face, away)
        lost = ~by_face & ~apart & (length(away) == 0)
        if lost.any():
            out = choose(lost, _off_line(a, b, c), out)
        return rows(out)


def _off_line(a: Vector, b: Vector, c: Vector) -> Vector:
    """Return unit vectors square to the longest edges of triangles."""
    ab, bc, ca = subtract(b, a), subtract(c, b), subtract(a, c)
    lab, lbc, lca = dot(ab, ab), dot(bc, bc), dot(ca, ca)
    line = choose(lab >= np.maximum(lbc, lca), ab, choose(lbc >= lca, bc, ca))
    line, _ = near_one(line)
    axis = columns(np.eye(3)[np.abs(rows(line)).argmin(axis=1)])
    off = cross(line, axis)
    return direction(choose(length(off) > 0, off, axis))


def _side(point: Floats, corners: Any) -> NDArray[np.int8]:
    """Find on which side of triangles a point is: 1 in front, -1 behind; exact."""
    a, b, c = (columns(corner) for corner in corners)
    return sign(volume, *a, *b, *c, *columns(point))
