"""On which side of a plane a point lies, without rounding.

Adaptive: a determinant in float64 that is too near zero for its rounding is computed
again with twice the digits, and what is still open there as an expansion, a sum of
floats that is exact: Dekker (1971); Shewchuk (1997), DOI 10.1007/PL00009321.  Exact as
long as products of three coordinate differences neither overflow nor vanish.
"""

from typing import NamedTuple

from sim.kernels.language import Floats, Vec, kernel
from sim.kernels.vector import put

Pair = tuple[float, float]  # a sum of two floats, the second the rounding of the first
FineVec = tuple[Pair, Pair, Pair]

SPLIT = 134217729.0  # 2^27 + 1: halves the digits of a float
ROUNDING = 96.0 * 1.1102230246251565e-16
"""Of the determinant in float64, per product of the extents along the three axes.

Every difference, product and sum rounds by 2^-53: less than 8 of them in a row, six
products of three differences.  Doubled, so that the sum may be taken in any order.
"""
FINE = 1.262177448353619e-29  # 2^-96: of pairs, per sum of the sizes of their products


class Expansion(NamedTuple):
    """Scratch for numbers that are kept exactly."""

    parts: Floats  # 18: nine differences, then what rounding took from each
    sums: Floats  # 256: floats that do not overlap, the smallest first


@kernel
def two_sum(a: float, b: float) -> Pair:
    """Add two floats without loss."""
    s = a + b
    t = s - a
    return (s, (a - (s - t)) + (b - t))


@kernel
def two_product(a: float, b: float) -> Pair:
    """Multiply two floats without loss."""
    p = a * b
    s = SPLIT * a
    high = s - (s - a)
    low = a - high
    t = SPLIT * b
    upper = t - (t - b)
    lower = b - upper
    return (p, low * lower - (((p - high * upper) - low * upper) - high * lower))


@kernel
def pair_product(a: Pair, b: Pair) -> Pair:
    """Multiply two pairs, to some 100 bits."""
    p, e = two_product(a[0], b[0])
    e += a[0] * b[1] + a[1] * b[0]
    s = p + e
    return (s, e - (s - p))


@kernel
def pair_minus(a: Pair, b: Pair) -> Pair:
    """Subtract two pairs, to some 100 bits of the larger one."""
    return pair_plus(a, (-b[0], -b[1]))


@kernel
def pair_plus(a: Pair, b: Pair) -> Pair:
    """Add two pairs, to some 100 bits of the larger one."""
    s, e = two_sum(a[0], b[0])
    e += a[1] + b[1]
    t = s + e
    return (t, e - (t - s))


@kernel
def exactly(v: Vec) -> FineVec:
    """Return a vector as one of pairs."""
    return (v[0], 0.0), (v[1], 0.0), (v[2], 0.0)


@kernel
def fine_minus(p: Vec, q: Vec) -> FineVec:
    """Return the way from the second point to the first, without loss."""
    return two_sum(p[0], -q[0]), two_sum(p[1], -q[1]), two_sum(p[2], -q[2])


@kernel
def fine_cross(u: FineVec, v: FineVec) -> FineVec:
    """Return the vector product, to twice the digits."""
    ux, uy, uz = u
    vx, vy, vz = v
    return (
        pair_minus(pair_product(uy, vz), pair_product(uz, vy)),
        pair_minus(pair_product(uz, vx), pair_product(ux, vz)),
        pair_minus(pair_product(ux, vy), pair_product(uy, vx)),
    )


@kernel
def fine_dot(u: FineVec, v: FineVec) -> Pair:
    """Return the scalar product, to twice the digits."""
    xy = pair_plus(pair_product(u[0], v[0]), pair_product(u[1], v[1]))
    return pair_plus(xy, pair_product(u[2], v[2]))


@kernel
def fine_normal(a: Vec, b: Vec, c: Vec) -> FineVec:
    """Return the normal of a triangle, as long as it comes, to twice the digits."""
    return fine_cross(fine_minus(b, a), fine_minus(c, a))


@kernel
def fine_side(a: Vec, b: Vec, c: Vec, d: Vec, expansion: Expansion) -> int:
    """Say the same for a point near the plane: by pairs, else exactly."""
    u = fine_minus(b, a)
    v = fine_minus(c, a)
    w = fine_minus(d, a)
    ux, uy, uz = u
    vx, vy, vz = v
    wx, wy, wz = w
    size = (
        (abs(uy[0] * vz[0]) + abs(uz[0] * vy[0])) * abs(wx[0])
        + (abs(uz[0] * vx[0]) + abs(ux[0] * vz[0])) * abs(wy[0])
        + (abs(ux[0] * vy[0]) + abs(uy[0] * vx[0])) * abs(wz[0])
    )
    if size == 0.0:
        return 0
    height = fine_dot(fine_cross(u, v), w)
    if height[0] > FINE * size:
        return 1
    if height[0] < -FINE * size:
        return -1
    parts = expansion.parts
    write_parts(parts, 0, u)
    write_parts(parts, 3, v)
    write_parts(parts, 6, w)
    return exact_side(expansion)


@kernel
def write_parts(parts: Floats, at: int, way: FineVec) -> None:
    """Write down a difference of two points."""
    x, y, z = way
    put(parts, at, (x[0], y[0], z[0]))
    put(parts, at + 9, (x[1], y[1], z[1]))


@kernel
def exact_side(expansion: Expansion) -> int:
    """Return the sign of the determinant of three differences, each a pair."""
    parts = expansion.parts
    n = 0
    for i in range(3):
        j = (i + 1) % 3
        k = (i + 2) % 3
        for low in range(8):
            u = parts[i + 9 * (low % 2)]
            at_v = 3 + 9 * (low // 2 % 2)
            at_w = 6 + 9 * (low // 4)
            n = add_product(expansion.sums, n, u, parts[at_v + j], parts[at_w + k])
            n = add_product(expansion.sums, n, -u, parts[at_v + k], parts[at_w + j])
    if n == 0:
        return 0
    return 1 if expansion.sums[n - 1] > 0.0 else -1


@kernel
def add_product(sums: Floats, n: int, x: float, y: float, z: float) -> int:
    """Add the product of three floats to an expansion; return its new length."""
    if x == 0.0 or y == 0.0 or z == 0.0:
        return n
    p, rest = two_product(x, y)
    q, lost = two_product(rest, z)
    n = grow(sums, n, lost)
    n = grow(sums, n, q)
    q, lost = two_product(p, z)
    n = grow(sums, n, lost)
    return grow(sums, n, q)


@kernel
def grow(sums: Floats, n: int, term: float) -> int:
    """Add a float to an expansion, dropping zeros; return its new length."""
    m = 0
    for i in range(n):
        term, lost = two_sum(term, sums[i])
        if lost != 0.0:
            sums[m] = lost
            m += 1
    if term != 0.0:
        sums[m] = term
        m += 1
    return m
