"""What the vertex rings of a convex body prove of a support: a pass over its sides."""

from typing import NamedTuple

from sim.kernels.audit.dents import (
    CLEAR,
    FORGIVEN,
    LARGEST,
    NARROW,
    NOISE,
    SHARP,
    SMALLEST,
    TRIFLE,
    Hinges,
    Measures,
    along,
    dents_of,
    laid_out,
    longest_of,
    measures_of,
    met_by,
    turns,
)
from sim.kernels.exact import ROUNDING, fine_side
from sim.kernels.language import Ints, Later, Vec, kernel, stands_for
from sim.kernels.vector import cross, dot, minus
from sim.kernels.walk.simplex import corner

np = Later("numpy")

# What the pass comes to.
NOTHING = 0
RINGS = 1  # a vertex ring proves a support
EDGES = 2  # and two vertices beside an edge prove that the edge is one
SHOWN = 4  # added to these: they are a convex solid too, seen from outside

THIN = 1e-12  # width of a triangle, per unit of the largest coordinate
FLAT = 1.0 - 1e-8  # squared cosine between two faces above which they may be level
STEEP = 0.25  # and that of a wedge of 60 degrees
SHORT = 1e-4  # length of an edge, per unit of the largest coordinate
COARSE = 14.0  # four longest edges, per unit of size: none is longer than 2 sqrt(3)


# The mean; the square of a normal up to which a triangle may part two others unseen;
# the blur of the volume at a hinge; squares of a width, of a length; 1: ask for EDGES.
Limits = tuple[Vec, float, float, float, float, int]


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
    meets the surface once.  Cost: O(E).
    """
    return proven(hinges, 1)


# What a body is, as far as a pass can say.
UNSURE = 0
DENTED = 1  # a solid seen from outside, with a dent that is deeper than the tolerance
CONVEX = 2  # one that is convex within the tolerance


class Shells(NamedTuple):
    """Many bodies, B of them."""

    hinges: tuple[Hinges, ...]
    total: int  # B
    asked: Ints  # B: 1 where it is asked what they are
    told: Ints  # B, written


@kernel
def judge_each(shells: Shells) -> int:
    """Say what each of the bodies is that are asked; return how many are CONVEX."""
    found = 0
    for k in range(shells.total):
        if shells.asked[k] == 1:
            shells.told[k] = judged(shells.hinges[k])
            found += 1 if shells.told[k] == CONVEX else 0
    return found


@kernel
def judged(hinges: Hinges) -> int:
    """Say what a body is: mostly by signs alone, else by how deep it is dented.

    In a polygon dents are measured otherwise (``wingedge.convexity``), but those that
    are a trifle of the tolerance.  Cost: O(E).
    """
    by = measures_of(hinges.points, hinges.vertices)
    mean, far, _, size = by
    if not SMALLEST < size < LARGEST:
        return UNSURE
    if proof_by(hinges, by, 0) >= SHOWN:
        return CONVEX
    narrow = NARROW * size * (NARROW * size)
    volume, worst, weak, met = dents_of(hinges, mean, narrow)
    if not volume > CLEAR * size * size * size:
        return UNSURE
    tolerance = FORGIVEN * 0.5 * size + NOISE * far
    if hinges.polygons == 0 and worst > tolerance * tolerance * (1.0 + SHARP):
        return DENTED
    trifle = TRIFLE * tolerance
    if worst <= trifle * trifle and weak == 0 and met == 1:
        return CONVEX
    return UNSURE


@kernel
def proven(hinges: Hinges, edges: int) -> int:
    """Return the same as ``ring_proof``; without ``edges`` no EDGES."""
    if hinges.triangles == 0:
        return EDGES
    return proof_by(hinges, measures_of(hinges.points, hinges.vertices), edges)


@kernel
def proof_by(hinges: Hinges, by: Measures, edges: int) -> int:
    """Return it of positions that are measured."""
    mean, far, box, size = by
    thin = THIN * far * (THIN * far)
    coarse = COARSE * (FORGIVEN * size + NOISE * far) * size
    least = max(coarse * coarse, 3.0 * thin * size * size)
    blur = ROUNDING * box[0] * box[1] * box[2]
    limits = (mean, least, blur, thin, SHORT * far * (SHORT * far), edges)
    proof, volume, unsure, met = proof_of(hinges, limits)
    clear = (
        SMALLEST < size < LARGEST
        and volume > CLEAR * size * size * size
        and unsure == 0
        and met == 1
    )
    return proof + SHOWN if clear and proof > NOTHING else proof


@kernel
def proof_each(hinges: Hinges, limits: Limits) -> tuple[int, float, int, int]:
    """Return what rings prove, and six times the volume.

    Then how many triangles are thin, or do not look away from the mean, and how often
    a line from there meets the surface; 0 where rings prove nothing.
    """
    points = hinges.points
    ids = hinges.corner
    mean, least, blur, thin, _, edges = limits
    proof = EDGES if edges == 1 else RINGS
    careful = edges + hinges.polygons > 0
    volume = 0.0
    unsure = 0
    met = 0
    for t in range(hinges.triangles):
        i = 3 * t
        a = corner(points, ids[i])
        b = corner(points, ids[i + 1])
        c = corner(points, ids[i + 2])
        u = minus(b, a)
        v = minus(c, a)
        n = cross(u, v)
        top = dot(n, minus(corner(points, hinges.across[i]), a))
        top = max(top, dot(n, minus(corner(points, hinges.across[i + 1]), b)))
        top = max(top, dot(n, minus(corner(points, hinges.across[i + 2]), c)))
        if top > blur:
            return NOTHING, 0.0, 0, 0
        square = dot(n, n)
        p = minus(a, mean)
        base = dot(n, p)
        volume += base
        if square <= least or base <= blur:
            unsure += 1
            w = minus(c, b)
            longest = max(max(dot(u, u), dot(v, v)), dot(w, w))
            if square <= thin * longest:
                return NOTHING, 0.0, 0, 0
        if careful or not top < -blur:
            for k in range(3):
                proof = min(proof, side_proof(hinges, i, k, n, limits))
            if proof == NOTHING:
                return NOTHING, 0.0, 0, 0
        if n[0] > 0.0:
            met += turns(p, minus(b, mean), minus(c, mean))
    return proof, volume, unsure, met


@kernel
def side_proof(hinges: Hinges, i: int, k: int, n: Vec, limits: Limits) -> int:
    """Return what side k of the triangle at i, of normal n, leaves of a proof.

    Of the two sides at a hinge one is asked.  A level hinge must be open by more than a
    right angle; an inner diagonal must be level.
    """
    _, _, blur, _, short, edges = limits
    ids = hinges.corner
    tail = ids[i + k]
    tip = ids[i if k == 2 else i + k + 1]
    if tail > tip:
        return EDGES
    p = corner(hinges.points, tail)
    q = corner(hinges.points, tip)
    w = corner(hinges.points, hinges.across[i + k])
    over = dot(n, minus(w, p))
    m = cross(minus(p, q), minus(w, q))
    along = dot(n, m)
    inner = hinges.diagonal[i + k] == 1
    side = 1 if over > blur else -1
    if abs(over) <= blur:
        r = corner(hinges.points, ids[i + 2 if k == 0 else i + k - 1])
        side = 0
        if not shares_a_plane(p, q, r, w):
            side = fine_side(p, q, r, w, hinges.expansion)
    if side > 0 or (side == 0 and not along > 0.0) or (side < 0 and inner):
        return NOTHING
    if edges == 0:
        return RINGS
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


@stands_for(proof_each)
def proof_of(hinges: Hinges, limits: Limits) -> tuple[int, float, int, int]:
    """Return the same by elementwise numpy."""
    mean, least, blur, thin, _, edges = limits
    nothing = NOTHING, 0.0, 0, 0
    with np.errstate(all="ignore"):
        corners, n, over = laid_out(hinges)
        square = along(n, n)
        ends = [x - np.array(mean)[:, None] for x in corners]
        base = along(n, ends[0])
        weak = (square <= least) | (base <= blur)
        if (over > blur).any():
            return nothing
        if (weak & (square <= thin * longest_of(corners))).any():
            return nothing
        volume = float(np.add.accumulate(base)[-1])
        met = met_by(ends, n[0])
    ids = np.asarray(hinges.corner).reshape(-1, 3).T
    asked = ids < ids[[1, 2, 0]]
    if edges + hinges.polygons == 0:
        asked &= ~(over.max(axis=0) < -blur)
    proof = EDGES if edges == 1 else RINGS
    for t, k in np.argwhere(asked.T).tolist():
        x, y, z = n[:, t].tolist()
        proof = min(proof, side_proof(hinges, 3 * t, k, (x, y, z), limits))
        if proof == NOTHING:
            return nothing
    return proof, volume, int(np.count_nonzero(weak)), met
