"""The faces of a surface of triangles, each against the vertices across its sides."""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.vector import cross, dot, least, minus, most, plus, put
from sim.kernels.walk.simplex import corner

# What an audit comes to.
CONVEX = 0
DENTED = 1
UNSURE = 2

# Where ``AuditBuffers.found`` holds what.
SIZE = 0  # largest extent about the middle of the bounding box
TOLERANCE = 1  # dents up to here count as none
VOLUME = 2  # six times
WORST = 3  # the deepest dent: its square, with its sign
FOUND_FLOATS = 4

# Where ``AuditBuffers.told`` holds what.
SIDE = 0  # of the deepest dent: 3 * triangle + k
STAR = 1  # 1 if every face looks away from the mean
FRONT = 2  # how often the surface is met from the mean along +x
BACK = 3  # and along -x, counted downwards
THIN = 4  # faces that may part two others unseen
BORDER = 5  # polygons that may be flat or not
SIGN = 6  # 1, or -1 for a body that is inside-out
TOLD_INTS = 7


class AuditBuffers(NamedTuple):
    """One surface: its topology, and room that every audit fills anew."""

    points: Floats  # 3 per vertex, body frame
    vertices: int
    faces: int
    triangles: int  # of the fans of all faces
    polygons: int  # 1: some face has more than one triangle
    planar: float  # how far a polygon may leave its plane, per unit of size
    fan: Ints  # F + 1: where the triangles of a face begin
    corner: Ints  # 3 per triangle
    across: Ints  # 3 per triangle: the third corner across the side k to k + 1
    apex: Ints  # 3 per triangle: the vertex across that is farthest off, at rest
    face: Ints  # 3 per triangle: the face across
    tail: Ints  # 3 per triangle: where the edge of the side begins
    tip: Ints  # 3 per triangle: and ends
    diagonal: Ints  # 3 per triangle: 1 where the side is a diagonal of its face
    bend: Ints  # room: 1 per face, how it leaves its plane
    area: Floats  # room: 3 per face, twice its vector area
    local: Floats  # room: 3 per vertex, about the mean
    found: Floats  # room, see above
    told: Ints  # room, see above


FORGIVEN = 1e-9  # dent that counts as none, per unit of size: as ``wingedge.convexity``
NOISE = 8.0 * 2.220446049250313e-16  # and per unit of the largest coordinate
COARSE = 14.0  # four longest edges, per unit of size: none is longer than 2 sqrt(3)
SHARP = 1e-3  # share of a squared tolerance within which rounding could decide
NONE = -1e300  # no dent yet: lower than any


@kernel
def range_each(points: Floats, count: int) -> tuple[Vec, Vec, Vec]:
    """Return the least and the largest coordinates, and the sum of all vertices."""
    p = corner(points, 0)
    low = p
    high = p
    total = p
    for v in range(1, count):
        p = corner(points, v)
        total = plus(total, p)
        low = least(low, p)
        high = most(high, p)
    return low, high, total


@kernel
def farthest(low: Vec, high: Vec) -> float:
    """Return the largest coordinate of a box, whatever its sign."""
    far = max(max(-low[0], -low[1]), max(-low[2], high[0]))
    return max(far, max(high[1], high[2]))


@kernel
def measure_each(shell: AuditBuffers) -> None:
    """Write the size, the tolerance, and the positions about their mean.

    The size is not a number, or infinite, where a coordinate is.  Cost: O(V).
    """
    points = shell.points
    count = shell.vertices
    low, high, total = range_each(points, count)
    write_measures(shell, low, high, total[0] + total[1] + total[2])
    n = float(count)
    mean = (total[0] / n, total[1] / n, total[2] / n)
    for v in range(count):
        put(shell.local, 3 * v, minus(corner(points, v), mean))


@kernel
def write_measures(shell: AuditBuffers, low: Vec, high: Vec, total: float) -> None:
    """Write size and tolerance as ``wingedge.positions.extent`` defines them."""
    half = max(half_of(low[0], high[0]), half_of(low[1], high[1]))
    half = max(half, half_of(low[2], high[2]))
    found = shell.found
    found[SIZE] = half + (total - total)  # an order-free witness: 0 or not a number
    found[TOLERANCE] = FORGIVEN * half + NOISE * farthest(low, high)


@kernel
def half_of(low: float, high: float) -> float:
    """Return the larger distance of two ends from their middle."""
    middle = low / 2.0 + high / 2.0
    return max(high - middle, middle - low)


@kernel
def judge_each(shell: AuditBuffers) -> None:
    """Compare every triangle of a surface of triangles with those across its sides.

    Cost: O(E); compiled 4.5 ns per edge.
    """
    local = shell.local
    ids = shell.corner
    across = shell.across
    found = shell.found
    told = shell.told
    tolerance = found[TOLERANCE]
    coarse = COARSE * tolerance * found[SIZE]
    coarse = coarse * coarse
    volume = 0.0
    worst = NONE
    floor = NONE
    side = 0
    star = 1
    front = 0
    back = 0
    thin = 0
    for t in range(shell.triangles):
        k = 3 * t
        a = corner(local, ids[k])
        b = corner(local, ids[k + 1])
        c = corner(local, ids[k + 2])
        n = cross(minus(b, a), minus(c, a))
        square = dot(n, n)
        base = dot(n, a)
        volume += base
        if base <= 0.0:
            star = 0
        if square <= coarse:
            thin += is_thin(a, b, c, square, tolerance)
            square = 1.0 if square == 0.0 else square  # then its normal is 0 as well
        h = dot(n, corner(local, across[k]))
        g = dot(n, corner(local, across[k + 1]))
        f = dot(n, corner(local, across[k + 2]))
        top = max(max(h, g), f) - base
        power = top * abs(top)
        if power > floor * square and power / square > worst:
            worst = power / square
            floor = below(worst)
            side = k if h >= g and h >= f else (k + 1 if g >= f else k + 2)
        if a[2] * b[2] <= 0.0 or a[2] * c[2] <= 0.0:  # else met by no line along x
            turns = crossing(a[1], a[2], b[1], b[2]) + crossing(b[1], b[2], c[1], c[2])
            turns = turns + crossing(c[1], c[2], a[1], a[2])
            if n[0] > 0.0:
                front += turns
            else:
                back += turns
    found[VOLUME] = volume
    found[WORST] = worst + 0.0  # no -0.0
    told[SIDE] = side
    told[STAR] = star
    told[FRONT] = front
    told[BACK] = back
    told[THIN] = thin


@kernel
def below(worst: float) -> float:
    """Return a number so little below a dent that no deeper one is missed by it.

    What is not more than this times the square of its normal need not be divided.
    """
    return worst - 1e-15 * abs(worst)


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
def is_thin(a: Vec, b: Vec, c: Vec, square: float, tolerance: float) -> int:
    """Say 1 for a triangle without width: it may part two others unseen."""
    u = minus(b, a)
    v = minus(c, b)
    w = minus(a, c)
    longest = max(max(dot(u, u), dot(v, v)), dot(w, w))
    return 1 if square <= 17.0 * tolerance * tolerance * longest else 0


@kernel
def turn(shell: AuditBuffers) -> None:
    """Put every vertex on the other side of the mean: what was outside is inside."""
    local = shell.local
    for i in range(3 * shell.vertices):
        local[i] = -local[i]
