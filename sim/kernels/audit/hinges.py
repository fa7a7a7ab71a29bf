"""What the vertex rings of a convex body prove of a support: a pass over its edges."""

from typing import TYPE_CHECKING, NamedTuple

from sim.kernels.audit.facets import COARSE, FORGIVEN, NOISE, crossing, farthest
from sim.kernels.audit.verdict import CLEAR, along, crossed, crossings, range_of
from sim.kernels.exact import ROUNDING, Expansion, fine_side
from sim.kernels.language import Floats, Ints, Later, Vec, kernel, stands_for
from sim.kernels.vector import cross, dot, minus, put
from sim.kernels.walk.simplex import corner

if TYPE_CHECKING:
    import numpy as np
else:
    np = Later("numpy")

# What the pass comes to.
REFUSED = -1  # new positions that are not finite, or of no common size: not taken
NOTHING = 0
RINGS = 1  # a vertex ring proves a support
EDGES = 2  # and two vertices beside an edge prove that the edge is one
SHOWN = 4  # added to these: they are a convex solid too, seen from outside

THIN = 1e-12  # width of a triangle, per unit of the largest coordinate
FLAT = 1.0 - 1e-8  # squared cosine between two faces above which they may be level
STEEP = 0.25  # and that of a wedge of 60 degrees
SHORT = 1e-4  # length of an edge, per unit of the largest coordinate
HARMLESS, COMMON = 1e-25, 1e20  # new positions that reach this far need no look
SMALLEST, LARGEST = 1e-29, 1e29  # sizes of which no power overflows or vanishes


Limits = tuple[float, float, float]  # of a volume, of squares of a width, of a length


class Hinges(NamedTuple):
    """The edges and the inner diagonals of the fans, each with its two triangles."""

    points: Floats  # 3 per vertex, body frame
    vertices: int
    triangles: int
    corner: Ints  # 3 per triangle, counter-clockwise seen from outside
    hinges: int  # 0: nothing is to be proven
    tail: Ints  # 1 per hinge
    tip: Ints
    left: Ints  # the third corner of the triangle on the left
    right: Ints
    diagonal: Ints  # 1: both triangles belong to one face
    one: Ints  # the triangle on the left
    two: Ints
    normal: Floats  # room: 4 per triangle, its normal and the square of that
    expansion: Expansion
    given: Floats  # 3 per vertex: new positions
    fresh: int  # 1: take them; 0: ask those that are in place


@kernel
def ring_proof(hinges: Hinges) -> int:
    """Return what the rings of a convex body prove: NOTHING, RINGS or EDGES.

    RINGS: no hinge is reflex and every polygon lies in one plane, decided without
    rounding.  Only then does "no ring neighbour is higher" prove a support: dents add
    up along the surface, however small each of them is, and a pose may magnify them.
    Signs it cannot change.  A hinge that is level must not fold back.

    EDGES: no wedge is sharper than 60 degrees, so that the rounding of its faces does
    not grow at an edge; no two faces are level with each other and no edge is short, so
    that nothing else at its ends can be level with it.

    With SHOWN the audit would say that they are a convex solid, so that it need not be
    asked: every triangle looks away from the mean, none is thin, and a line from there
    meets the surface once.

    New positions are measured and taken first, in the same pass.  Cost: O(E).
    """
    return proven(hinges)


@kernel
def proven(hinges: Hinges) -> int:
    """Return the same; an entry is called by no other kernel."""
    fresh = hinges.fresh == 1
    given = hinges.given if fresh else hinges.points
    low, high, total = range_of(given, hinges.vertices)
    far = farthest(low, high)
    if fresh:
        sum = total[0] + total[1] + total[2]
        if not (far > HARMLESS and far < COMMON and sum - sum == 0.0):
            return REFUSED
        take_each(hinges)
    if hinges.hinges == 0:
        return EDGES
    count = float(hinges.vertices)
    mean = (total[0] / count, total[1] / count, total[2] / count)
    x, y, z = high[0] - low[0], high[1] - low[1], high[2] - low[2]
    size = max(max(x, y), z)
    thin = THIN * far * (THIN * far)
    coarse = COARSE * (FORGIVEN * size + NOISE * far) * size
    limits = (ROUNDING * x * y * z, thin, SHORT * far * (SHORT * far))
    least = max(coarse * coarse, 3.0 * thin * size * size)
    volume, unsure, turns = normals_of(hinges, mean, least, limits[0])
    clear = (
        SMALLEST < size < LARGEST
        and volume > CLEAR * size * size * size
        and unsure == 0
        and turns == 1
    )
    proof = proof_of(hinges, limits, clear)
    return proof + SHOWN if clear and proof > NOTHING else proof


class Offers(NamedTuple):
    """New positions of many bodies, B of them, one after the other."""

    taken: tuple[Hinges, ...]
    offered: tuple[Hinges, ...]  # the same of the positions in ``given``
    total: int  # B
    flat: Floats  # 3 per vertex
    start: Ints  # B: its first vertex
    found: Ints  # B: what ``ring_proof`` says of each


@kernel
def look_at_offers(offers: Offers) -> int:
    """Ask what rings prove at new positions, and take none; return how many refuse."""
    refused = 0
    for k in range(offers.total):
        hinges = offers.offered[k]
        at = 3 * offers.start[k]
        for i in range(3 * hinges.vertices):
            hinges.given[i] = offers.flat[at + i]
        offers.found[k] = proven(hinges)
        refused += 1 if offers.found[k] == REFUSED else 0
    return refused


@kernel
def take_offers(offers: Offers) -> int:
    """Put the positions that were looked at where the bodies have theirs."""
    for k in range(offers.total):
        take_each(offers.taken[k])
    return offers.total


@kernel
def normals_each(
    hinges: Hinges, mean: Vec, least: float, blur: float
) -> tuple[float, int, int]:
    """Write the normals; return six times the volume.

    Then how many triangles are thin, or do not look away from the mean, and how often
    a line from there meets the surface.
    """
    points = hinges.points
    normal = hinges.normal
    volume = 0.0
    unsure = 0
    turns = 0
    for t in range(hinges.triangles):
        a = corner(points, hinges.corner[3 * t])
        b = corner(points, hinges.corner[3 * t + 1])
        c = corner(points, hinges.corner[3 * t + 2])
        n = cross(minus(b, a), minus(c, a))
        a = minus(a, mean)
        b = minus(b, mean)
        c = minus(c, mean)
        square = dot(n, n)
        base = dot(n, a)
        put(normal, 4 * t, n)
        normal[4 * t + 3] = square
        volume += base
        if square <= least or base <= blur:
            unsure += 1
        if (a[2] * b[2] <= 0.0 or a[2] * c[2] <= 0.0) and n[0] > 0.0:
            turns += crossing(a[1], a[2], b[1], b[2]) + crossing(b[1], b[2], c[1], c[2])
            turns += crossing(c[1], c[2], a[1], a[2])
    return volume, unsure, turns


@stands_for(normals_each)
def normals_of(
    hinges: Hinges, mean: Vec, least: float, blur: float
) -> tuple[float, int, int]:
    """Write the same normals by elementwise numpy, and return the same."""
    corners = np.asarray(hinges.corner).reshape(-1, 3)
    points = np.asarray(hinges.points).reshape(-1, 3)
    with np.errstate(all="ignore"):
        a, b, c = (points[corners[:, k]].T for k in range(3))
        n = crossed(b - a, c - a)
        eye = np.array(mean)[:, None]
        a, b, c = a - eye, b - eye, c - eye
        square, base = along(n, n), along(n, a)
        np.asarray(hinges.normal).reshape(-1, 4)[...] = np.vstack([n, square]).T
        volume = float(np.add.accumulate(base)[-1])
        turns, _ = crossings(a, b, c, n[0])
    unsure = int(np.count_nonzero((square <= least) | (base <= blur)))
    return volume, unsure, turns


@kernel
def take_each(hinges: Hinges) -> None:
    """Put new positions where the body has its own."""
    for i in range(3 * hinges.vertices):
        hinges.points[i] = hinges.given[i]


@kernel
def side_across(hinges: Hinges, k: int, over: float, blur: float) -> int:
    """Return 1 where a hinge is reflex, -1 where convex, 0 where level; exactly.

    ``over``: the volume at the hinge in float64; ``blur``: what that may be off.
    """
    if over > blur:
        return 1
    if over < -blur:
        return -1
    if shares_a_plane(hinges, k):
        return 0
    p = hinges.points
    return fine_side(
        corner(p, hinges.tail[k]),
        corner(p, hinges.tip[k]),
        corner(p, hinges.left[k]),
        corner(p, hinges.right[k]),
        hinges.expansion,
    )


@kernel
def allowed(side: int, along: float, diagonal: int) -> bool:
    """Say whether a hinge may be one of a convex body.

    ``along``: the scalar product of the two normals, positive where the hinge is open
    by more than a right angle.  A level one must be open; a diagonal must be level.
    """
    if side == 0:
        return along > 0.0
    return side < 0 and diagonal == 0


@kernel
def shares_a_plane(hinges: Hinges, k: int) -> bool:
    """Say whether all four vertices at a hinge have one coordinate in common."""
    p = hinges.points
    a = 3 * hinges.tail[k]
    b = 3 * hinges.tip[k]
    c = 3 * hinges.left[k]
    d = 3 * hinges.right[k]
    for i in range(3):
        if p[a + i] == p[b + i] == p[c + i] == p[d + i]:
            return True
    return False


@kernel
def proof_each(hinges: Hinges, limits: Limits, clear: bool) -> int:
    """Return what rings prove; see ``ring_proof``."""
    points = hinges.points
    normal = hinges.normal
    blur, thin, short = limits
    proof = EDGES
    for k in range(hinges.hinges):
        p = corner(points, hinges.tail[k])
        i = 4 * hinges.one[k]
        n = (normal[i], normal[i + 1], normal[i + 2])
        over = dot(n, minus(corner(points, hinges.right[k]), p))
        convex = over < -blur and hinges.diagonal[k] == 0
        if clear and convex and proof == RINGS:
            continue
        j = 4 * hinges.two[k]
        u = minus(corner(points, hinges.tip[k]), p)
        uu = dot(u, u)
        nn = normal[i + 3]
        mm = normal[j + 3]
        along = dot(n, (normal[j], normal[j + 1], normal[j + 2]))
        if not (clear and convex):
            if min(nn, mm) <= thin * uu:
                return NOTHING
            side = side_across(hinges, k, over, blur)
            if not allowed(side, along, hinges.diagonal[k]):
                return NOTHING
        level = along * along
        most = (STEEP if along < 0.0 else FLAT) * (nn * mm)
        inner = hinges.diagonal[k] == 1
        if (level > most and (along < 0.0 or not inner)) or (uu < short and not inner):
            proof = RINGS
    return proof


@stands_for(proof_each)
def proof_of(hinges: Hinges, limits: Limits, clear: bool) -> int:
    """Return what rings prove, by elementwise numpy: the same answer."""
    points = np.asarray(hinges.points).reshape(-1, 3)
    normal = np.asarray(hinges.normal).reshape(-1, 4)
    blur, thin, short = limits
    tail = points[np.asarray(hinges.tail)]
    u = (points[np.asarray(hinges.tip)] - tail).T
    n, m = normal[np.asarray(hinges.one)].T, normal[np.asarray(hinges.two)].T
    diagonal = np.asarray(hinges.diagonal) == 1
    over = along(n, (points[np.asarray(hinges.right)] - tail).T)
    uu = along(u, u)
    if (np.minimum(n[3], m[3]) <= thin * uu).any():
        return NOTHING
    if (over > blur).any() or (diagonal & (over < -blur)).any():
        return NOTHING
    way = along(n, m)
    for k in np.flatnonzero(over >= -blur).tolist():
        side = side_across(hinges, k, float(over[k]), blur)
        if not allowed(side, float(way[k]), hinges.diagonal[k]):
            return NOTHING
    with np.errstate(over="ignore", invalid="ignore"):  # an eighth power of a length
        steep = way < 0.0
        level = way * way > np.where(steep, STEEP, FLAT) * (n[3] * m[3])
    blunt = ~(level & (steep | ~diagonal)) & (diagonal | (uu >= short))
    return EDGES if blunt.all() else RINGS
