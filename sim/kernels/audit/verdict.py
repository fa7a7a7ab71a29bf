"""The audit of new positions: whether a surface is convex, and where it is not.

Two passes: over the vertices, to measure the body and to put it about its mean; over
the faces, each against the vertices across its sides.  A surface that is convex across
every side, looks away from one point everywhere and is met once on a line through it
is convex as a whole: seen from the point, it covers every direction once.  What is
clear is decided here; what is not (flat, thin, many-fold, within rounding of the
tolerance) is left to ``wingedge.convexity``, which is slower and decides all.

A polygon whose corners lie in one plane within the tolerance has that plane, and its
inner diagonals are nothing.  One that left its plane is the fan of triangles from its
first corner, and the diagonals are hinges like every edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.kernels.audit.facets import (
    BACK,
    BORDER,
    COARSE,
    CONVEX,
    DENTED,
    FRONT,
    NONE,
    SHARP,
    SIDE,
    SIGN,
    SIZE,
    STAR,
    THIN,
    TOLERANCE,
    UNSURE,
    VOLUME,
    WORST,
    AuditBuffers,
    below,
    crossing,
    is_thin,
    judge_each,
    measure_each,
    range_each,
    turn,
    write_measures,
)
from sim.kernels.language import Floats, Later, Vec, kernel, stands_for
from sim.kernels.vector import HERE, cross, dot, minus, plus, put
from sim.kernels.walk.simplex import corner

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]
    Flags = NDArray[np.bool_]
else:
    np = Later("numpy")


@stands_for(range_each)
def range_of(points: Floats, count: int) -> tuple[Vec, Vec, Vec]:
    """Return the least and the largest coordinates, and the sum of all vertices."""
    rows = np.asarray(points).reshape(count, 3)
    with np.errstate(invalid="ignore", over="ignore"):
        sums = np.add.accumulate(rows, axis=0)[-1]
    found = (rows.min(axis=0), rows.max(axis=0), sums)
    return tuple(tuple(row.tolist()) for row in found)  # type: ignore[return-value]


@stands_for(measure_each)
def measure(shell: AuditBuffers) -> None:
    """Write size, tolerance, and the positions about their mean.  Cost: O(V)."""
    points = np.asarray(shell.points).reshape(-1, 3)
    count = float(shell.vertices)
    with np.errstate(invalid="ignore", over="ignore"):
        low, high, (sx, sy, sz) = range_of(shell.points, shell.vertices)
        write_measures(shell, low, high, sx + sy + sz)
        mean = np.array([sx / count, sy / count, sz / count])
        np.asarray(shell.local).reshape(-1, 3)[...] = points - mean


@stands_for(judge_each)
def judge(shell: AuditBuffers) -> None:
    """Compare every triangle with those across its sides.  Cost: O(E)."""
    found = shell.found
    told = shell.told
    tolerance = found[TOLERANCE]
    coarse = COARSE * tolerance * found[SIZE]
    coarse = coarse * coarse
    with np.errstate(all="ignore"):
        local = np.asarray(shell.local).reshape(-1, 3).T.copy()
        corners = np.asarray(shell.corner).reshape(-1, 3)
        a, b, c = (local[:, corners[:, k]] for k in range(3))
        n = crossed(b - a, c - a)
        square = along(n, n)
        base = along(n, a)
        star = not (base <= 0.0).any()
        x, y, z = local[:, np.asarray(shell.across)].reshape(3, -1, 3)
        heights = n[0, :, None] * x + n[1, :, None] * y + n[2, :, None] * z
        top = heights.max(axis=1) - base
        depth = top * np.abs(top) / np.where(square == 0.0, 1.0, square)
        t = int(depth.argmax())
        found[VOLUME] = float(np.add.accumulate(base)[-1]) + 0.0
        found[WORST] = float(depth[t]) + 0.0
        told[SIDE] = 3 * t + int(heights[t].argmax())
        told[STAR] = 1 if star else 0
        thin = _is_thin(a, b, c, square, coarse, tolerance)
        told[THIN] = int(np.count_nonzero(thin))
        told[FRONT], told[BACK] = crossings(a, b, c, n[0])


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


def _is_thin(
    a: Column, b: Column, c: Column, square: Column, coarse: float, tolerance: float
) -> Flags:
    """Say which triangles have no width."""
    thin = square <= coarse
    if thin.any():
        ends = [corner[:, thin] for corner in (a, b, c)]
        lengths = [along(s, s) for s in (ends[k] - ends[k - 1] for k in range(3))]
        longest = np.maximum(np.maximum(lengths[0], lengths[1]), lengths[2])
        thin[thin] = square[thin] <= 17.0 * tolerance * tolerance * longest
    return thin


def crossings(a: Column, b: Column, c: Column, nx: Column) -> tuple[int, int]:
    """Count how often the surface is met along +x, and along -x."""
    above = [corner[2] > 0.0 for corner in (a, b, c)]
    some = np.flatnonzero((above[0] != above[1]) | (above[0] != above[2]))
    turns = np.zeros(len(some), np.int64)
    ends = [corner[:, some] for corner in (a, b, c)]
    for p, q in ((0, 1), (1, 2), (2, 0)):
        (_, y, z), (_, v, w) = ends[p], ends[q]
        cross = y * w - v * z
        turns += (z <= 0.0) & (w > 0.0) & (cross > 0.0)
        turns -= (z > 0.0) & (w <= 0.0) & (cross < 0.0)
    ahead = nx[some] > 0.0
    return int(np.add.reduce(turns[ahead])), int(np.add.reduce(turns[~ahead]))


# How a polygon lies in its plane.
FLAT = 0
LOOSE = 1
WARPED = 2


@kernel
def judge_panels(shell: AuditBuffers) -> None:
    """Compare every face of a surface with the vertices across its sides."""
    found = shell.found
    told = shell.told
    found[VOLUME] = 0.0
    found[WORST] = NONE
    told[SIDE] = 0
    told[STAR] = 1
    told[FRONT] = 0
    told[BACK] = 0
    told[THIN] = 0
    told[BORDER] = 0
    for f in range(shell.faces):
        sweep_face(shell, f)
    for f in range(shell.faces):
        first = shell.fan[f]
        last = shell.fan[f + 1]
        if shell.bend[f] == WARPED:
            for t in range(first, last):
                panel(shell, t, t + 1, normal_of(shell, t), WARPED)
        else:
            n = (shell.area[3 * f], shell.area[3 * f + 1], shell.area[3 * f + 2])
            panel(shell, first, last, n, shell.bend[f])
    found[WORST] = found[WORST] + 0.0  # no -0.0


@kernel
def sweep_face(shell: AuditBuffers, f: int) -> None:
    """Add up the volume and what meets the line, and say how the face is bent.

    Notes twice its vector area: Newell's.
    """
    found = shell.found
    told = shell.told
    first = shell.fan[f]
    last = shell.fan[f + 1]
    area = HERE
    for t in range(first, last):
        n = normal_of(shell, t)
        area = n if t == first else plus(area, n)
        told[FRONT] += met(shell, t, n[0], 1)
        told[BACK] += met(shell, t, n[0], 0)
        found[VOLUME] += above(shell, n, shell.corner[3 * t])
    put(shell.area, 3 * f, area)
    shell.bend[f] = FLAT
    if last - first > 1:
        shell.bend[f] = bend_of(shell, first, last, area)


@kernel
def normal_of(shell: AuditBuffers, t: int) -> Vec:
    """Return twice the vector area of a triangle."""
    a = corner(shell.local, shell.corner[3 * t])
    b = corner(shell.local, shell.corner[3 * t + 1])
    c = corner(shell.local, shell.corner[3 * t + 2])
    return cross(minus(b, a), minus(c, a))


@kernel
def above(shell: AuditBuffers, n: Vec, v: int) -> float:
    """Return how high a vertex lies along a vector, times its length."""
    return dot(n, corner(shell.local, v))


@kernel
def met(shell: AuditBuffers, t: int, nx: float, ahead: int) -> int:
    """Count how often a triangle is met along +x (``ahead``), or along -x."""
    if (nx > 0.0) != (ahead == 1):
        return 0
    _, ay, az = corner(shell.local, shell.corner[3 * t])
    _, by, bz = corner(shell.local, shell.corner[3 * t + 1])
    _, cy, cz = corner(shell.local, shell.corner[3 * t + 2])
    if not (az * bz <= 0.0 or az * cz <= 0.0):
        return 0  # by no line along x
    turns = crossing(ay, az, by, bz) + crossing(by, bz, cy, cz)
    return turns + crossing(cy, cz, ay, az)


@kernel
def bend_of(shell: AuditBuffers, first: int, last: int, n: Vec) -> int:
    """Say how a polygon leaves the plane through its first corner; note what is close.

    LOOSE: by more than the tolerance, less than the mesh forgives.
    """
    tolerance = shell.found[TOLERANCE]
    planar = max(tolerance, shell.planar * shell.found[SIZE])
    square = dot(n, n)
    base = above(shell, n, shell.corner[3 * first])
    off = 0.0
    for t in range(first, last):
        h = above(shell, n, shell.corner[3 * t + 1]) - base
        g = above(shell, n, shell.corner[3 * t + 2]) - base
        off = max(off, max(h * h, g * g))
    near = tolerance * tolerance * square
    far = planar * planar * square
    if near * (1.0 - SHARP) < off and off < near * (1.0 + SHARP):
        shell.told[BORDER] += 1
    if far * (1.0 - SHARP) < off and off < far * (1.0 + SHARP):
        shell.told[BORDER] += 1
    if off > far:
        return WARPED
    return LOOSE if off > near else FLAT


@kernel
def panel(shell: AuditBuffers, first: int, last: int, n: Vec, bend: int) -> None:
    """Compare one plane with the vertices across the sides of its triangles."""
    found = shell.found
    told = shell.told
    tolerance = found[TOLERANCE]
    square = dot(n, n)
    base = above(shell, n, shell.corner[3 * first])
    if base <= 0.0 or square <= 0.0:
        told[STAR] = 0
    coarse = COARSE * tolerance * found[SIZE]
    narrow = square <= coarse * coarse
    thin = 0
    floor = below(found[WORST])
    for t in range(first, last):
        if last - first > 1 and dot(normal_of(shell, t), n) <= 0.0:
            told[STAR] = 0  # a polygon that overlaps itself
        a = corner(shell.local, shell.corner[3 * t])
        b = corner(shell.local, shell.corner[3 * t + 1])
        c = corner(shell.local, shell.corner[3 * t + 2])
        if narrow:
            thin = max(thin, is_thin(a, b, c, square, tolerance))
        for k in range(3 * t, 3 * t + 3):
            if square > 0.0 and (bend == WARPED or shell.diagonal[k] == 0):
                base = above(shell, n, shell.tail[k])
                warped = shell.bend[shell.face[k]] == WARPED
                far = shell.across[k] if warped else shell.apex[k]
                top = above(shell, n, far) - base
                if bend == LOOSE:
                    top = max(top, above(shell, n, shell.tip[k]) - base)
                power = top * abs(top)
                if power > floor * square and power / square > found[WORST]:
                    found[WORST] = power / square
                    floor = below(found[WORST])
                    told[SIDE] = k
    told[THIN] += thin


CLEAR = 1e-9  # six volumes that have a sure sign, per cube of the size
LARGEST = 1e40  # sixth powers, as in squared volumes, stay finite
SMALLEST = 1e-40  # and those of dents within the tolerance stay normal


@kernel
def audit(shell: AuditBuffers) -> int:
    """Audit the positions of a shell; return CONVEX, DENTED or UNSURE.

    Cost: O(E); compiled 5 ns per edge, 22 of polygons.
    """
    told = shell.told
    found = shell.found
    told[SIGN] = 1
    told[BORDER] = 0
    measure(shell)
    size = found[SIZE]
    if not (size > SMALLEST and size < LARGEST):
        return UNSURE
    look(shell)
    volume = found[VOLUME]
    clear = CLEAR * size * size * size
    if not (volume > clear or volume < -clear):
        return UNSURE
    if volume < 0.0:
        told[SIGN] = -1
        turn(shell)
        look(shell)
    tolerance = found[TOLERANCE]
    if told[BORDER] > 0:
        return UNSURE
    if found[WORST] > tolerance * tolerance * (1.0 + SHARP):
        return DENTED
    if found[WORST] > tolerance * tolerance * (1.0 - SHARP) or told[THIN] > 0:
        return UNSURE
    if told[STAR] == 1 and told[FRONT] == 1 and told[BACK] == -1:
        return CONVEX
    return UNSURE


@kernel
def look(shell: AuditBuffers) -> None:
    """Compare every face with the vertices across its sides."""
    if shell.polygons == 1:
        judge_panels(shell)
    else:
        judge(shell)
