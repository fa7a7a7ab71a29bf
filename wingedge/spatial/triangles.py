"""Hold a set of triangles, scaled so that no product over- or underflows.

Beside it: distances of boxes, where segments enter them, and exact times.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import columns, cross, dot, length, subtract
from wingedge.exact import first_common, integer_points
from wingedge.primitives import arguments
from wingedge.tables import frozen, ranges

Floats = NDArray[np.float64]
Longs = NDArray[np.intp]
Bools = NDArray[np.bool_]
Pairs = tuple[Longs, Longs]  # (K,) rows of a query, and (K,) triangles to try on them

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
        self.lower = np.minimum.reduce(self._corners)
        self.upper = np.maximum.reduce(self._corners)

    def scaled(self, lengths: Floats, times: int = -1) -> Floats:
        """Scale, or undo it (``times`` 1); of two lengths none gets the larger one."""
        with np.errstate(over="ignore", under="ignore"):
            return np.ldexp(lengths, times * self.exponent)

    def corners(self, triangle: Longs) -> tuple[Floats, Floats, Floats]:
        """Take the three corners of triangles, (K, 3) each, scaled."""
        a, b, c = self._corners
        return a[triangle], b[triangle], c[triangle]

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
    if faces is not None:
        array = _gathered(array, np.asarray(faces))
    elif array.size == 0:
        array = np.zeros((0, 3, 3))
    if array.ndim != 3 or array.shape[1:] != (3, 3):
        raise ValueError(
            f"points: expected triangles (T, 3, 3), or positions (V, 3) with faces; "
            f"got {array.shape}"
        )
    arguments.points(3, triangles=array)
    return frozen(array)


def _gathered(points: Floats, faces: NDArray[Any]) -> Floats:
    if faces.size == 0:
        return np.zeros((0, 3, 3))
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError(f"points: expected positions (V, 3), got {points.shape}")
    if faces.ndim != 2 or faces.shape[1] != 3 or faces.dtype.kind not in "iu":
        raise ValueError(
            f"faces: expected whole numbers (T, 3), got {faces.dtype} {faces.shape}; "
            f"polygons as triangles are mesh.fan.vertex"
        )
    wrong = np.argwhere((faces < 0) | (faces >= len(points)))
    if len(wrong):
        row = tuple(wrong[0].tolist())
        raise ValueError(
            f"faces[{row[0]}][{row[1]}] is {faces[row]}: points has {len(points)} rows"
        )
    gathered: Floats = points[faces]
    return gathered


def spread(first: Longs, count: Longs, node: Longs) -> Pairs:
    """Count up from the first of every node: its row here, and the number."""
    row = np.repeat(np.arange(len(node)), count[node])
    return row, ranges(first[node], count[node])


def extent(corners: tuple[Floats, ...], normal: Floats) -> tuple[Floats, Floats]:
    """Return the least and the greatest height of triangles along normals, (K,)."""
    heights = [dot(columns(corner), columns(normal)) for corner in corners]
    return np.minimum.reduce(heights), np.maximum.reduce(heights)


def gaps(p: Floats, lower: Floats, upper: Floats) -> Floats:
    """Return how far points are from boxes at least, (K,); 0 inside.

    Columns are x, y, z and, where there is a fourth, a height along a unit normal.
    """
    beyond = np.maximum(np.maximum(lower - p, p - upper), 0.0)
    far = length(columns(beyond))
    return far if beyond.shape[1] == 3 else np.maximum(far, beyond[:, 3])


def entries(
    start: Floats, end: Floats, lower: Floats, upper: Floats, slack: Floats
) -> Floats:
    """Return where segments enter boxes, in [0, 1]; inf where they do not.

    The boxes are grown by ``slack``, which has to be more than rounding takes from a
    difference of coordinates: then no segment that meets a box is said to miss it, and
    none enters later than it does. Slabs after Kay and Kajiya (1986); what rounding
    may do to them: Ize (2013).
    """
    enter, leave = np.zeros(len(start)), np.ones(len(start))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for k in range(lower.shape[1]):
            step = end[:, k] - start[:, k]
            below = lower[:, k] - slack - start[:, k]
            above = upper[:, k] + slack - start[:, k]
            flat = step == 0
            first, last = below / step, above / step
            first, last = np.minimum(first, last), np.maximum(first, last)
            beside = flat & ((below > 0) | (above < 0))
            enter = np.where(flat, enter, np.maximum(enter, first))
            leave = np.where(flat, leave, np.minimum(leave, last))
            leave = np.where(beside, -1.0, leave)
    return np.where(enter <= leave, enter, np.inf)


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
