"""Find where a segment meets a plane, and the plane of a triangle."""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge import columns as vec
from wingedge.columns import columns, cross, dot, rows, subtract
from wingedge.exact import integer_points, ratios, unit
from wingedge.primitives.arguments import answered, around, flat, numbers, points
from wingedge.signs import sign

# of the square of a triangle's longest edge: a normal from less would be 1e-11 off
THIN = 1e-4


class TrianglePlane(NamedTuple):
    """Planes: the points x where normal . x = offset."""

    normal: NDArray[np.float64]  # (N, 3) unit; above it a b c run counter-clockwise
    offset: NDArray[np.float64]  # (N,) how far the plane is from the origin, along it


class SegmentPlaneHit(NamedTuple):
    """Whether segments meet planes, and where first; nan where they do not."""

    hit: NDArray[np.bool_]  # (N,) touching counts
    case: NDArray[np.str_]  # (N,) "A" one side of the plane, "B" an end on it, "C" both
    t: NDArray[np.float64]  # (N,) in [0, 1] from start to end
    point: NDArray[np.float64]  # (N, 3)
    start_height: NDArray[np.float64]  # (N,) normal . start - offset
    end_height: NDArray[np.float64]  # (N,)


def plane(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> TrianglePlane:
    """Find the planes of triangles.

    Parameters: ``a``, ``b``, ``c`` (..., 3): corners, one frame; shapes broadcast.

    The normal is within 1e-11 however thin the triangle is, the offset within rounding
    of the coordinates. A triangle of no area, exactly, has no plane: both are 0, and no
    point is on a side of it.

    Yamazaki (2002), eq. 8 and 9, which divide by zero at no area. Cost: 0.2 us each in
    bulk, 0.2 ms for one, 20 us for each needle, taken in whole numbers.
    """
    shape, *p = flat(*points(3, a=a, b=b, c=c))
    across = cross(*around(p)[0])
    normal = rows(vec.direction(across))
    for row in np.flatnonzero(vec.length(across) < THIN):
        u, v, w = integer_points(*(vec.at(point, row) for point in p))
        exact = cross(subtract(v, u), subtract(w, u))
        normal[row] = unit(exact) if any(exact) else 0.0
    offset = dot(columns(normal), p[0])
    return answered(TrianglePlane, shape, normal, offset)


def hit(
    start: ArrayLike, end: ArrayLike, normal: ArrayLike, offset: ArrayLike
) -> SegmentPlaneHit:
    """Find the first points of segments on planes.

    Parameters: ``start``, ``end`` (..., 3): segment ends. A segment of no length is its
    point; ``normal``, ``offset`` (..., 3), (...): planes as of `plane`. Normals need no
    unit length: heights are in multiples of it. A normal of 0 has every point in its
    plane if the offset is 0, else none.

    ``hit``, ``case`` and the signs of the heights are exact for the floats as they
    stand. ``t`` is within 6e-14, the heights and ``point`` within that times the
    segment and rounding of the coordinates. A segment in the plane meets it at its
    start.

    Yamazaki (2002), eq. 10-12 and 14-16; eq. 16 divides by zero where the segment is
    parallel to the plane. For triangles `segment_triangle.hit` decides by the corners
    themselves, where a normal and an offset are rounded. Cost: 2 us per pair in bulk,
    0.5 ms for one.
    """
    split = points(3, start=start, end=end, normal=normal)
    shape, s, e, n, (c,) = flat(*split, numbers(offset=offset))
    one = np.ones_like(c)
    before, after = (sign(_height, *x, *n, c, one) for x in (s, e))
    met = np.flatnonzero(before * after <= 0)
    (t,) = ratios(_time, *(x[met] for x in (*s, *e, *n, c, one)))
    t = vec.clipped(t, before[met] == 0, after[met] == 0)
    first, last = vec.at(s, met), vec.at(e, met)
    point = vec.choose(t == 1.0, last, vec.along(first, subtract(last, first), t))
    times, places = np.full(len(c), np.nan), np.full((len(c), 3), np.nan)
    times[met], places[met] = t, rows(point)
    heights = _signed([*s, *n, c, one], before), _signed([*e, *n, c, one], after)
    hits = before * after <= 0
    case = case_of(before, after)
    return answered(SegmentPlaneHit, shape, hits, case, times, places, *heights)


def case_of(before: Any, after: Any) -> NDArray[np.str_]:
    """Name how both ends lie, by their signs: one side "A", an end on it "B", "C"."""
    case: NDArray[np.str_] = np.choose(before * after + 1, ["C", "B", "A"])
    return case


def _signed(x: list[Any], signs: Any) -> NDArray[np.float64]:
    """Find heights, from fractions where rounding has lost their sign."""
    with np.errstate(over="ignore", invalid="ignore"):
        out: NDArray[np.float64] = _height(*x)
    for row in np.flatnonzero(~(np.sign(out) == signs) | ~np.isfinite(out)):
        exact = float(_height(*(Fraction(float(column[row])) for column in x)))
        out[row] = exact if exact else signs[row] * 5e-324
    return out


def _height(*x: Any) -> Any:
    """Find the height of a point above a plane: eq. 10 and 11."""
    return dot(x[0:3], x[3:6]) - x[6] * x[7]


def _time(*x: Any) -> Any:
    """Find when a segment is on a plane: eq. 16, numerator and denominator.

    The last value is 1: it gives the offset the unit of the products.
    """
    s, e, n, c, one = x[0:3], x[3:6], x[6:9], x[9], x[10]
    return c * one - dot(n, s), dot(n, subtract(e, s))
