"""Hold a set of triangles, scaled so that no product over- or underflows.

Beside it: distances of boxes, where segments enter them, and exact times.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import columns, cross, dot, length, subtract
from wingedge.exact import first_common, integer_points
from wingedge.primitives import arguments
from wingedge.tables import frozen

Floats = NDArray[np.float64]
Longs = NDArray[np.intp]

# Of the largest coordinate. What an index may drop is farther by more than this than
# what it keeps: 100 times the rounding of a nearest point (2^-52, measured on needles
# as thin as 1e-18) and of a height over a plane (14 * 2^-53).
SLACK = 2.0**-46
FAR = 400  # exponent of the farthest query: its square is finite


class TriangleSet:
    """Triangles as given; their corners and boxes by a power of two below 1."""

    def __init__(self, points: ArrayLike, faces: ArrayLike | None = None) -> None:
        self.triangles = _triangles(points, faces)
        self.largest = np.abs(self.triangles).max(initial=0.0)
        self.exponent = int(np.frexp(self.largest)[1])
        self._corners = [
            np.ascontiguousarray(self.scaled(self.triangles[:, k])) for k in range(3)
        ]
        self._lower = np.minimum.reduce(self._corners)
        self._upper = np.maximum.reduce(self._corners)

    def scaled(self, lengths: Floats, times: int = -1) -> Floats:
        """Scale, or undo it (``times`` 1); of two lengths none gets the larger one."""
        with np.errstate(over="ignore", under="ignore"):
            return np.ldexp(lengths, times * self.exponent)

    def corners(self, triangle: Longs) -> tuple[Floats, Floats, Floats]:
        """Take the three corners of triangles, (K, 3) each, scaled."""
        a, b, c = self._corners
        return a[triangle], b[triangle], c[triangle]

    def box(self, triangle: Longs) -> "Box":
        """Take the boxes of triangles, scaled."""
        return Box(self._lower[triangle], self._upper[triangle])

    def queries(self, **named: ArrayLike) -> Floats:
        """Check the one array of query points that is named, and scale it."""
        arguments.points(3, **named)
        ((name, given),) = named.items()
        p = self.scaled(np.asarray(given, np.float64))
        if np.abs(p).max(initial=0.0) > 2.0**FAR:
            row = np.argwhere(np.abs(p) > 2.0**FAR)[0]
            at = "".join(f"[{k}]" for k in row)
            raise ValueError(
                f"{name}{at} is {np.asarray(given, np.float64)[tuple(row)]}, over "
                f"2^{FAR} times the largest coordinate of the triangles, "
                f"{self.largest}: scale one of them"
            )
        return p

    def slack(self, *points: Floats) -> Floats:
        """Return what rounding may take from a distance or height of (N, 3) points."""
        largest: Floats = np.abs(np.stack(points)).max(axis=(0, 2), initial=1.0)
        return SLACK * largest


def _triangles(points: ArrayLike, faces: ArrayLike | None) -> Floats:
    array = np.array(points, dtype=np.float64, order="C")
    rows = None if faces is None else np.asarray(faces)
    if rows is not None and rows.size:
        if array.ndim != 2 or array.shape[1] != 3:
            raise ValueError(f"points: expected positions (V, 3), got {array.shape}")
        if rows.ndim != 2 or rows.shape[1] != 3 or rows.dtype.kind not in "iu":
            raise ValueError(
                f"faces: expected whole numbers (T, 3), got {rows.dtype} {rows.shape}; "
                f"polygons as triangles are mesh.fan.vertex"
            )
        for row, k in np.argwhere((rows < 0) | (rows >= len(array))):
            raise ValueError(
                f"faces[{row}][{k}] is {rows[row, k]}: points has {len(array)} rows"
            )
        array = array[rows]
    elif rows is not None or array.size == 0:
        array = np.zeros((0, 3, 3))
    if array.ndim != 3 or array.shape[1:] != (3, 3):
        raise ValueError(
            f"points: expected triangles (T, 3, 3), or positions (V, 3) with faces; "
            f"got {array.shape}"
        )
    arguments.points(3, triangles=array)
    return frozen(array)


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
    """Return how far points are from boxes at least, (K,); inside minus how deep."""
    p = box.sides(points[query])
    beyond = np.maximum(box.lower - p, p - box.upper)
    far: Floats = length(columns(np.maximum(beyond, 0.0)))
    deep = beyond.max(axis=1)
    return np.asarray(np.where(deep > 0, np.maximum(far, deep), deep))


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
