"""Hold a set of triangles, scaled so that no product over- or underflows.

Beside it: lists of pairs of a query and a triangle, distances of boxes, exact times.
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
    """Triangles and their boxes, and both times a power of two: largest number < 1."""

    def __init__(self, points: ArrayLike, faces: ArrayLike | None = None) -> None:
        self.triangles = _triangles(points, faces)
        self.lowest, self.highest = (
            self.triangles.min(axis=1),
            self.triangles.max(axis=1),
        )
        largest = np.abs(self.triangles).max(initial=0.0)
        self.exponent = int(np.frexp(largest)[1])
        self.lower, self.upper = self.scaled(self.lowest), self.scaled(self.highest)
        self._corners = [
            np.ascontiguousarray(self.scaled(self.triangles[:, k])) for k in range(3)
        ]

    def scaled(self, lengths: Floats) -> Floats:
        """Scale; keeps every order, since rounding at the ends of floats does."""
        with np.errstate(over="ignore", under="ignore"):
            return np.ldexp(lengths, -self.exponent)

    def restored(self, lengths: Floats) -> Floats:
        """Undo `scaled`."""
        with np.errstate(over="ignore", under="ignore"):
            return np.ldexp(lengths, self.exponent)

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
                f"{np.abs(self.triangles).max(initial=0.0)}: scale one of them"
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


def unique(pairs: Pairs, n: int) -> Pairs:
    """Sort pairs, of n triangles, by query and triangle; drop repeated ones."""
    code = np.unique(pairs[0] * n + pairs[1])
    return code // n, code % n


def spread(first: Longs, count: Longs) -> Pairs:
    """Count up from every first: the row that it is of, and the number."""
    return np.repeat(np.arange(len(first)), count), ranges(first, count)


def gaps(p: Floats, lower: Floats, upper: Floats) -> Floats:
    """Return the distances from points to boxes, (K,); 0 inside."""
    return length(columns(np.maximum(np.maximum(lower - p, p - upper), 0.0)))


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
        for k in range(3):
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
