"""The triangles of a surface: how they lie, and how deep the deepest dent is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sim.kernels.exact import Expansion
from sim.kernels.language import Floats, Ints, Later, Vec, kernel, stands_for
from sim.kernels.vector import cross, dot, least, minus, most, plus
from sim.kernels.walk.simplex import corner

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]
else:
    np = Later("numpy")

FORGIVEN = 1e-9  # dent that counts as none, per unit of size: as ``wingedge.convexity``
NOISE = 8.0 * 2.220446049250313e-16  # and per unit of the largest coordinate
CLEAR = 1e-9  # six volumes that have a sure sign, per cube of the size
SHARP = 1e-3  # share of a squared tolerance within which rounding could decide
TRIFLE = 1e-5  # share of the tolerance that stays within it, along any fan, while
NARROW = 1e-4  # its triangles are wider, per unit of size
SMALLEST, LARGEST = 1e-29, 1e29  # sizes of which no power overflows or vanishes
NONE = -1e300  # no dent yet: lower than any


class Hinges(NamedTuple):
    """The triangles of the fans of a mesh, and what lies across their sides."""

    points: Floats  # 3 per vertex, body frame
    vertices: int
    triangles: int  # 0: nothing is to be proven
    corner: Ints  # 3 per triangle, counter-clockwise seen from outside
    across: Ints  # 3 per triangle: the third corner across the side from k to k + 1
    diagonal: Ints  # 3 per triangle: 1 where that belongs to the same face
    polygons: int  # 1: some are
    expansion: Expansion


# What is measured of positions: their mean, the largest coordinate, the extents of
# their box, the longest of these.
Measures = tuple[Vec, float, Vec, float]


@kernel
def measures_each(points: Floats, count: int) -> Measures:
    """Measure positions.  Cost: O(V)."""
    p = corner(points, 0)
    low = p
    high = p
    total = p
    for v in range(1, count):
        p = corner(points, v)
        total = plus(total, p)
        low = least(low, p)
        high = most(high, p)
    return measured(low, high, total, count)


@stands_for(measures_each)
def measures_of(points: Floats, count: int) -> Measures:
    """Measure them by elementwise numpy."""
    rows = np.asarray(points).reshape(count, 3)
    with np.errstate(invalid="ignore", over="ignore"):
        sums = np.add.accumulate(rows, axis=0)[-1]
    low, high, total = (
        tuple(row.tolist()) for row in (rows.min(axis=0), rows.max(axis=0), sums)
    )
    return measured(low, high, total, count)


@kernel
def measured(low: Vec, high: Vec, total: Vec, count: int) -> Measures:
    """Return the measures of a box, and of the sum of all vertices."""
    n = float(count)
    far = max(max(-low[0], -low[1]), max(-low[2], high[0]))
    box = minus(high, low)
    return (
        (total[0] / n, total[1] / n, total[2] / n),
        max(far, max(high[1], high[2])),
        box,
        max(max(box[0], box[1]), box[2]),
    )


@kernel
def crossing(y: float, z: float, v: float, w: float) -> int:
    """Count how a side from (y, z) to (v, w) crosses the half-line from 0 along y.

    1 upwards, -1 downwards, else 0; summed over a triangle, how often it winds round
    0.  Half-open, and odd to the bit: what one of two triangles at a side misses, the
    other has.
    """
    if z <= 0.0 and w > 0.0 and y * w - v * z > 0.0:
        return 1
    if z > 0.0 and w <= 0.0 and y * w - v * z < 0.0:
        return -1
    return 0


@kernel
def turns(p: Vec, q: Vec, r: Vec) -> int:
    """Count how often a triangle is met on the way from 0 along +x."""
    if not (p[2] * q[2] <= 0.0 or p[2] * r[2] <= 0.0):
        return 0
    first = crossing(p[1], p[2], q[1], q[2]) + crossing(q[1], q[2], r[1], r[2])
    return first + crossing(r[1], r[2], p[1], p[2])


@kernel
def dents_each(
    hinges: Hinges, mean: Vec, narrow: float
) -> tuple[float, float, int, int]:
    """Return six times the volume, and the deepest dent: its square, with its sign.

    Then how many triangles are narrow, or do not look away from the mean, and how often
    a line from there meets the surface.  Cost: O(E).
    """
    points = hinges.points
    ids = hinges.corner
    volume = 0.0
    worst = NONE
    weak = 0
    met = 0
    for t in range(hinges.triangles):
        i = 3 * t
        a = corner(points, ids[i])
        b = corner(points, ids[i + 1])
        c = corner(points, ids[i + 2])
        u = minus(b, a)
        v = minus(c, a)
        w = minus(c, b)
        n = cross(u, v)
        square = dot(n, n)
        top = dot(n, minus(corner(points, hinges.across[i]), a))
        top = max(top, dot(n, minus(corner(points, hinges.across[i + 1]), b)))
        top = max(top, dot(n, minus(corner(points, hinges.across[i + 2]), c)))
        if square > 0.0:
            worst = max(worst, top * abs(top) / square)
        p = minus(a, mean)
        base = dot(n, p)
        volume += base
        longest = max(max(dot(u, u), dot(v, v)), dot(w, w))
        if base <= 0.0 or square <= narrow * longest:
            weak += 1
        if n[0] > 0.0:
            met += turns(p, minus(b, mean), minus(c, mean))
    return volume, worst, weak, met


@stands_for(dents_each)
def dents_of(hinges: Hinges, mean: Vec, narrow: float) -> tuple[float, float, int, int]:
    """Return the same by elementwise numpy."""
    with np.errstate(all="ignore"):
        corners, n, over = laid_out(hinges)
        square, top = along(n, n), over.max(axis=0)
        depth = top * np.abs(top) / square
        ends = [x - np.array(mean)[:, None] for x in corners]
        base = along(n, ends[0])
        weak = (base <= 0.0) | (square <= narrow * longest_of(corners))
        volume = float(np.add.accumulate(base)[-1])
        worst = float(depth[square > 0.0].max(initial=NONE))
        return volume, worst, int(np.count_nonzero(weak)), met_by(ends, n[0])


def laid_out(hinges: Hinges) -> tuple[list[Column], Column, Column]:
    """Return the corners of all triangles, their normals, what stands over their sides.

    As columns, (3, T); of the sides the volume at the hinge.
    """
    points = np.asarray(hinges.points).reshape(-1, 3)
    ids = (np.asarray(some).reshape(-1, 3).T for some in (hinges.corner, hinges.across))
    corners, across = ([points[row].T for row in rows] for rows in ids)
    a, b, c = corners
    n = crossed(b - a, c - a)
    over = [along(n, w - p) for w, p in zip(across, corners, strict=True)]
    return corners, n, np.stack(over)


def longest_of(corners: list[Column]) -> Column:
    """Return the square of the longest side of triangles."""
    a, b, c = corners
    u, v, w = (along(s, s) for s in (b - a, c - a, c - b))
    longest: Column = np.maximum(np.maximum(u, v), w)
    return longest


def met_by(ends: list[Column], nx: Column) -> int:
    """Count how often triangles that look along +x are met from 0 along it."""
    above = [corner[2] > 0.0 for corner in ends]
    some = np.flatnonzero((above[0] != above[1]) | (above[0] != above[2]))
    some = some[nx[some] > 0.0]
    total = 0
    for p, q in ((0, 1), (1, 2), (2, 0)):
        (_, y, z), (_, v, w) = ends[p][:, some], ends[q][:, some]
        area = y * w - v * z
        total += int(np.count_nonzero((z <= 0.0) & (w > 0.0) & (area > 0.0)))
        total -= int(np.count_nonzero((z > 0.0) & (w <= 0.0) & (area < 0.0)))
    return total


def crossed(u: Column, v: Column) -> Column:
    """Return the vector products of columns (3, n)."""
    x = u[1] * v[2] - u[2] * v[1]
    y = u[2] * v[0] - u[0] * v[2]
    z = u[0] * v[1] - u[1] * v[0]
    return np.stack([x, y, z])


def along(u: Column, v: Column) -> Column:
    """Return the scalar products of columns (3, n), summed in order."""
    product: Column = u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
    return product
