"""How convex a closed surface is, and what its vertex rings prove: one pass over sides.

Of each triangle what stands over its sides, by floats; signs that these leave open are
decided without rounding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sim.kernels.exact import ROUNDING, Expansion, fine_side
from sim.kernels.language import Floats, Ints, Later, Vec, kernel, stands_for
from sim.kernels.vector import cross, dot, least, minus, most, plus, point, turn_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]
else:
    np = Later("numpy")

# What a body is, as far as a pass can say.
UNSURE = 0
DENTED = 1  # a solid seen from outside, with a dent that is deeper than the tolerance
CONVEX = 2  # one that is convex within the tolerance

# What is asked of a pass.
KIND = 0  # which of these
PROOF = 1  # and what rings prove
SIGNS = 2  # or whether signs alone prove it convex

# What rings prove of a support.
NOTHING = 0
RINGS = 1  # a vertex ring proves one
EDGES = 2  # and two vertices beside an edge prove that the edge is one

FORGIVEN = 1e-9  # dent that counts as none, per unit of size: as ``wingedge.convexity``
NOISE = 8.0 * 2.220446049250313e-16  # and per unit of the largest coordinate
CLEAR = 1e-9  # six volumes that have a sure sign, per cube of the size
SHARP = 1e-3  # share of a squared tolerance within which rounding could decide
TRIFLE = 1e-5  # share of the tolerance that stays within it, along any fan, while
NARROW = 1e-4  # its triangles are wider, per unit of size
SMALLEST, LARGEST = 1e-29, 1e29  # sizes of which no power overflows or vanishes
THIN = 1e-12  # width of a triangle, per unit of the largest coordinate
FLAT = 1.0 - 1e-8  # squared cosine between two faces above which they may be level
STEEP = 0.25  # and that of a wedge of 60 degrees
SHORT = 1e-4  # length of an edge, per unit of the largest coordinate
INFINITE = float("inf")
COARSE = 14.0  # four longest edges, per unit of size: none is longer than 2 sqrt(3)


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


class Shells(NamedTuple):
    """Many bodies, B of them."""

    hinges: tuple[Hinges, ...]
    total: int  # B
    ask: int  # KIND or PROOF
    told: Ints  # B, written: what each is
    proof: Ints  # B, written: that, or NOTHING
    far: Floats  # B, written: see ``Proofs``


# What is measured of positions: their mean, the largest coordinate, the extents of
# their box, the longest of these.
Measures = tuple[Vec, float, Vec, float]

# The mean; the square of a normal up to which a triangle may part two others unseen;
# the blur of the volume at a hinge; squares of a width, of a narrow one, of a normal
# above which no triangle is any of these.
Limits = tuple[Vec, float, float, float, float, float]

# Six times the greatest volume over a side, infinite where rings prove nothing, and of
# the body; how often a line from the mean meets the surface, how many triangles are
# thin or do not look away from the mean; the square of the deepest dent, how many
# triangles are narrow or look towards the mean.
Findings = tuple[float, float, int, int, float, int]


@kernel
def judge_each(shells: Shells) -> int:
    """Say what each of the bodies is, and what its rings prove; return 0."""
    for k in range(shells.total):
        shells.told[k], shells.proof[k], shells.far[k] = judged(
            shells.hinges[k], shells.ask
        )
    return 0


@kernel
def judged(hinges: Hinges, ask: int) -> tuple[int, int, float]:
    """Say what a body is, what its rings prove of a support, how far signs prove it.

    Cost: O(E); signs of sides that floats leave open are asked where something hangs on
    them: as much again.

    RINGS: no hinge is reflex and every polygon lies in one plane, decided without
    rounding.  Only then does "no ring neighbour is higher" prove a support: dents add
    up along the surface, however small each of them is, and a pose may magnify them.
    Signs it cannot change.  A hinge that is level must not fold back.

    EDGES: no wedge is sharper than 60 degrees, so that the rounding of its faces does
    not grow at an edge; no two faces are level with each other and no edge is short, so
    that nothing else at its ends can be level with it.

    CONVEX by signs alone: every triangle looks away from the mean, none is thin, and a
    line from there meets the surface once.  Else by how deep its dents are.  In a
    polygon these are measured otherwise (``wingedge.convexity``), but those
    that are a trifle of the tolerance.
    """
    if hinges.triangles == 0:
        return CONVEX, EDGES, INFINITE
    mean, far, box, size = measures_of(hinges.points, hinges.vertices)
    thin = THIN * far * (THIN * far)
    coarse = COARSE * (FORGIVEN * size + NOISE * far) * size
    least = max(coarse * coarse, 3.0 * thin * size * size)
    blur = ROUNDING * box[0] * box[1] * box[2]
    narrow = NARROW * size * (NARROW * size)
    near = max(least, 4.0 * narrow * size * size)
    short = SHORT * far * (SHORT * far)
    limits = (mean, least, blur, thin, narrow, near)
    over, volume, met, unsure, worst, weak = found(hinges, limits)
    solid = SMALLEST < size < LARGEST and volume > CLEAR * size * size * size
    tolerance = FORGIVEN * 0.5 * size + NOISE * far
    trifle = TRIFLE * tolerance
    strict = unsure == 0 and over < -blur and hinges.polygons == 0
    convex = strict or (worst <= trifle * trifle and weak == 0)
    proof = NOTHING
    unclear = ask == PROOF or not (convex if ask == KIND else strict)
    if unclear and over <= blur and over < INFINITE:
        proof = sides_proof(hinges, blur, short)
    signs = strict or (unsure == 0 and proof > NOTHING)
    if solid and met == 1 and (convex or signs):
        return CONVEX, proof, far if signs else 0.0
    dented = hinges.polygons == 0 and worst > tolerance * tolerance * (1.0 + SHARP)
    return DENTED if solid and dented else UNSURE, proof, 0.0


@kernel
def measures_each(points: Floats, count: int) -> Measures:
    """Measure positions.  Cost: O(V)."""
    p = point(points, 0)
    low = p
    high = p
    total = p
    for v in range(1, count):
        p = point(points, v)
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
def turns(p: Vec, q: Vec, r: Vec) -> int:
    """Count how often a triangle is met on the way from 0 along +x."""
    if not (p[2] * q[2] <= 0.0 or p[2] * r[2] <= 0.0):
        return 0
    first = turn_of(p[1], p[2], q[1], q[2]) + turn_of(q[1], q[2], r[1], r[2])
    return first + turn_of(r[1], r[2], p[1], p[2])


@kernel
def found_each(hinges: Hinges, limits: Limits) -> Findings:
    """Look at all triangles."""
    points = hinges.points
    ids = hinges.corner
    mean, least, blur, thin, narrow, near = limits
    over = -INFINITE
    volume = 0.0
    met = 0
    unsure = 0
    worst = 0.0
    weak = 0
    for t in range(hinges.triangles):
        i = 3 * t
        a = point(points, ids[i])
        b = point(points, ids[i + 1])
        c = point(points, ids[i + 2])
        u = minus(b, a)
        v = minus(c, a)
        n = cross(u, v)
        top = dot(n, minus(point(points, hinges.across[i]), a))
        top = max(top, dot(n, minus(point(points, hinges.across[i + 1]), b)))
        top = max(top, dot(n, minus(point(points, hinges.across[i + 2]), c)))
        square = dot(n, n)
        p = minus(a, mean)
        base = dot(n, p)
        volume += base
        over = max(over, top)
        if top > 0.0 and square > 0.0:
            worst = max(worst, top * top / square)
        if square <= near or base <= blur:
            w = minus(c, b)
            longest = max(max(dot(u, u), dot(v, v)), dot(w, w))
            if square <= least or base <= blur:
                unsure += 1
                if square <= thin * longest:
                    over = INFINITE
            if base <= 0.0 or square <= narrow * longest:
                weak += 1
        if n[0] > 0.0:
            met += turns(p, minus(b, mean), minus(c, mean))
    return over, volume, met, unsure, worst, weak


@stands_for(found_each)
def found(hinges: Hinges, limits: Limits) -> Findings:
    """Look at them by elementwise numpy."""
    mean, least, blur, thin, narrow, _ = limits
    points = np.asarray(hinges.points).reshape(-1, 3)
    ids, across = (
        np.asarray(some).reshape(-1, 3).T for some in (hinges.corner, hinges.across)
    )
    with np.errstate(all="ignore"):
        a, b, c = (points[row].T for row in ids)
        u, v, w = b - a, c - a, c - b
        n = np.stack([u[k - 2] * v[k - 1] - u[k - 1] * v[k - 2] for k in range(3)])
        pairs = zip(across, (a, b, c), strict=True)
        top = np.max([along(n, points[x].T - p) for x, p in pairs], axis=0)
        square = along(n, n)
        ends = [x - np.array(mean)[:, None] for x in (a, b, c)]
        base = along(n, ends[0])
        longest = np.max([along(side, side) for side in (u, v, w)], axis=0)
        depth = np.where((top > 0.0) & (square > 0.0), top * top / square, 0.0)
        unsure = (square <= least) | (base <= blur)
        weak = (base <= 0.0) | (square <= narrow * longest)
        none = (unsure & (square <= thin * longest)).any()
        over = INFINITE if none else float(np.fmax.reduce(top, initial=-INFINITE))
        volume = float(np.add.accumulate(base)[-1])
    counts = int(np.count_nonzero(unsure)), float(depth.max())
    return over, volume, met_by(ends, n[0]), *counts, int(np.count_nonzero(weak))


def along(u: Column, v: Column) -> Column:
    """Return the scalar products of columns (3, n), summed in order."""
    product: Column = u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
    return product


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


@kernel
def sides_proof(hinges: Hinges, blur: float, short: float) -> int:
    """Return what all sides prove, to the sign; ``short``: the square of a length."""
    points = hinges.points
    ids = hinges.corner
    proof = EDGES
    for t in range(hinges.triangles):
        a = point(points, ids[3 * t])
        u = minus(point(points, ids[3 * t + 1]), a)
        n = cross(u, minus(point(points, ids[3 * t + 2]), a))
        for k in range(3):
            proof = min(proof, side_proof(hinges, 3 * t, k, n, blur, short))
        if proof == NOTHING:
            break
    return proof


@kernel
def side_proof(
    hinges: Hinges, i: int, k: int, n: Vec, blur: float, short: float
) -> int:
    """Return what side k of the triangle at i, of normal n, leaves of a proof.

    Of the two sides at a hinge one is asked.  A level hinge must be open by more than a
    right angle; an inner diagonal must be level.
    """
    ids = hinges.corner
    tail = ids[i + k]
    tip = ids[i if k == 2 else i + k + 1]
    if tail > tip:
        return EDGES
    p = point(hinges.points, tail)
    q = point(hinges.points, tip)
    w = point(hinges.points, hinges.across[i + k])
    over = dot(n, minus(w, p))
    m = cross(minus(p, q), minus(w, q))
    along = dot(n, m)
    inner = hinges.diagonal[i + k] == 1
    side = 1 if over > blur else -1
    if abs(over) <= blur:
        r = point(hinges.points, ids[i + 2 if k == 0 else i + k - 1])
        side = 0
        if not shares_a_plane(p, q, r, w):
            side = fine_side(p, q, r, w, hinges.expansion)
    if side > 0 or (side == 0 and not along > 0.0) or (side < 0 and inner):
        return NOTHING
    u = minus(q, p)
    most = (STEEP if along < 0.0 else FLAT) * (dot(n, n) * dot(m, m))
    level = along * along > most and (along < 0.0 or not inner)
    return RINGS if level or (dot(u, u) < short and not inner) else EDGES


@kernel
def shares_a_plane(p: Vec, q: Vec, r: Vec, w: Vec) -> bool:
    """Say whether four vertices have one coordinate in common."""
    x = p[0] == q[0] and q[0] == r[0] and r[0] == w[0]
    y = p[1] == q[1] and q[1] == r[1] and r[1] == w[1]
    z = p[2] == q[2] and q[2] == r[2] and r[2] == w[2]
    return x or y or z
