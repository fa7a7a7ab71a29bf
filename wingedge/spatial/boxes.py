"""Measure boxes: how far points are from them, where segments enter them."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import columns, cross, dot, length, subtract
from wingedge.exact import first_common, integer_points

Floats = NDArray[np.float64]
Longs = NDArray[np.intp]

# Of the largest coordinate. What an index may drop is farther by more than this than
# what it keeps: 100 times the rounding of a nearest point (2^-52, measured on needles
# as thin as 1e-18) and of a height over a plane (14 * 2^-53).
SLACK = 2.0**-46


class Box(NamedTuple):
    """Boxes along the axes and, where planes divide, along a normal: sides x y z h."""

    lower: Floats  # (K, 3), or (K, 4)
    upper: Floats
    normal: Floats | None = None  # (K, 3) unit, along which h counts

    def sides(self, p: Floats) -> Floats:
        """Return the coordinates of points (K, 3) along the sides."""
        if self.normal is None:
            return p
        return np.column_stack([p, *heights([p], self.normal)])


def heights(points: Iterable[Floats], normal: Floats) -> Floats:
    """Return how high each of several points (K, 3) is along normals, (n, K)."""
    return np.array([dot(columns(p), columns(normal)) for p in points])


def gaps(points: Floats, query: Longs, box: Box) -> Floats:
    """Return how far points are from boxes at least, (K,)."""
    p = box.sides(points[query])
    beyond = np.maximum(np.maximum(box.lower - p, p - box.upper), 0.0)
    return np.asarray(np.maximum(length(columns(beyond)), beyond.max(axis=1)))


def entries(
    starts: Floats, ends: Floats, slack: Floats, query: Longs, box: Box
) -> Floats:
    """Return where segments enter boxes, in [0, 1]; inf where they do not.

    The boxes are grown by ``slack``, which has to be more than rounding takes from a
    difference of coordinates: then no segment that meets a box is said to miss it, and
    none enters later than it does. Slabs after Kay and Kajiya (1986); what rounding
    may do to them: Ize (2013).
    """
    start, end = box.sides(starts[query]), box.sides(ends[query])
    step, room = end - start, slack[query, None]
    below, above = box.lower - room - start, box.upper + room - start
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        first, last = np.sort([below / step, above / step], axis=0)
    flat = step == 0
    enter = np.where(flat, 0.0, first).max(axis=1, initial=0.0)
    leave = np.where(flat, 1.0, last).min(axis=1, initial=1.0)
    beside = (flat & ((below > 0) | (above < 0))).any(axis=1)
    return np.where((enter <= leave) & ~beside, enter, np.inf)


def exact_time(t: float, start: Floats, end: Floats, corners: Any) -> Fraction:
    """Return the time whose rounded value is t, of a segment that meets a triangle.

    Parameters: ``t``: as `segment_triangle.hit` gave it; 0 is exact; ``start``, ``end``
    (3,); ``corners``: three (3,).
    """
    if t == 0.0:
        return Fraction(0)
    s, e, a, b, c = integer_points(start, end, *corners)
    normal = cross(subtract(b, a), subtract(c, a))
    rate = dot(normal, subtract(e, s))
    if rate != 0:
        return Fraction(int(dot(normal, subtract(a, s))), int(rate))
    # in one plane, and not inside at the start: the first point on an edge
    shared = [first_common(s, e, u, v) for u, v in ((a, b), (b, c), (c, a))]
    return min(times[0] for times in shared if times)
