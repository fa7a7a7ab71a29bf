"""The triangles that a motion can come to, as seen from a place on its way."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.response.measure import View, near_one, plane, view
from sim.response.obstacles import Index
from sim.response.touching import first_touch
from wingedge.columns import (
    Vector,
    at,
    choose,
    columns,
    cross,
    direction,
    dot,
    length,
    rows,
    subtract,
)
from wingedge.exact.signs import sign
from wingedge.primitives import segment_triangle

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
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

    def view(self, here: Floats) -> View:
        """Measure all triangles from a place."""
        if np.abs(here).max() > _OPEN:
            count = len(self)
            feet = np.zeros((count, 3))
            none = np.zeros(count)
            far = np.full(count, np.inf)
            return View(here, far, feet, none > 0, (none, none, none))
        return view(here, self.corners)

    def sweep(self, seen: View, there: Floats, radii: Floats) -> tuple[Bools, Floats]:
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

    def crosses(self, seen: View, there: Floats) -> bool:
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

    def normals(self, seen: View, which: Rows, start: Floats) -> Floats:
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
    line = near_one(line)
    x, y, z = (np.abs(v) for v in line)
    one, zero = np.ones_like(x), np.zeros_like(x)
    least_x, least_y = (x <= y) & (x <= z), y <= z
    axis = choose(
        least_x,
        (one, zero, zero),
        choose(least_y, (zero, one, zero), (zero, zero, one)),
    )
    off = cross(line, axis)
    return direction(choose(length(off) > 0, off, axis))


def _side(point: Floats, corners: Any) -> NDArray[np.int8]:
    """Find on which side of triangles a point is: 1 in front, -1 behind; exact."""
    a, b, c = (columns(corner) for corner in corners)
    return sign(_above, *columns(point), *a, *b, *c)


def _above(*given: Any) -> Any:
    """Write the volume that is positive where a point is in front of a triangle."""
    px, py, pz, ax, ay, az, bx, by, bz, cx, cy, cz = given
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    wx, wy, wz = px - ax, py - ay, pz - az
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    return nx * wx + ny * wy + nz * wz
