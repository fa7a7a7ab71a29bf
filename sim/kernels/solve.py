"""One frame of one pair, stage after stage: where to begin reading the kernels.

Each stage tries to name the closest features and to prove the distance; the first that
can ends the frame.  What it found is measured once more by one fixed expression per
kind (``closest.answer``), so that an answer does not depend on the way that led to it:
warm equals cold, to the bit.

====================  ===========================  ====================================
stage                 where                        ends with
====================  ===========================  ====================================
last polytope         overlap.depth.stays_deep     CERTIFIED, or nothing
last features         closest.answer.settle        CERTIFIED, or a hint
neighbours            closest.answer.follow        CERTIFIED, or no hint is left
walk (GJK)            closest.answer.walk_anew     CERTIFIED, OVERLAP, UNPROVEN, LOST
polytope (EPA)        overlap.depth.measure_depth  CERTIFIED, BOUNDED, UNPROVEN
surfaces              surface.search.true_frame    CERTIFIED, SEARCHED, or what is left
last resort           tracking.brute.exhaustive    an answer, exhaustive
====================  ===========================  ====================================

The last two are stages of a frame that is not certified here: ``sim.tracking.fallback``
asks them in this order, since trees and audits are made only when needed.

A stage reads positions, poses and topology of this frame, of the one before only ids.
"""

from math import sqrt

from sim.kernels import layout
from sim.kernels.audit.hinges import judged
from sim.kernels.audit.sag import placed_sag
from sim.kernels.closest.answer import follow, walk_anew
from sim.kernels.language import Vec, kernel
from sim.kernels.overlap.depth import measure_depth, stays_deep
from sim.kernels.vector import HERE, back, cross, dot, length, minus, point, pull, unit
from sim.kernels.walk.gjk import seed
from sim.kernels.workspace import (
    NEW,
    UNASKED,
    UNKNOWN,
    BodyView,
    Workspace,
    origin_of,
    start_counting,
)


@kernel
def renew(side: BodyView, far: float) -> None:
    """Forget what was shown of positions but of new ones: ``far``, see ``Proofs``."""
    if side.proofs.scanned == NEW:
        side.sag[0] = 0.0 if far > 0.0 else UNASKED
        side.sag[1] = side.sag[2] = 0.0
        side.proofs.far = far


@kernel
def is_hull(side: BodyView, ask: int) -> bool:
    """Say whether a body may be taken for its hull.

    ``ask``: whether one whose positions are new is looked at for it, once a frame.
    Cost: then O(E).
    """
    if ask == 1 and side.sag[0] == UNASKED:
        _, _, side.proofs.far = judged(side.hinges, 0, 0)
        side.sag[0] = 0.0 if side.proofs.far > 0.0 else UNKNOWN
    return side.proofs.scanned == 0 or side.sag[0] >= 0.0


@kernel
def are_hulls(a: BodyView, b: BodyView, ask: int, pair: Workspace) -> int:
    """Return 1 where both bodies may be taken for their hulls; note their dents."""
    pair.result.dent = 0.0
    if not (is_hull(a, ask) and is_hull(b, ask)):
        return 0
    if a.proofs.scanned > 0:
        pair.result.dent += placed_sag(a.sag, a.pose)
    if b.proofs.scanned > 0:
        pair.result.dent += placed_sag(b.sag, b.pose)
    return 1


@kernel
def solve(a: BodyView, b: BodyView, convex: int, pair: Workspace) -> int:
    """Answer one frame of two bodies; return the status.

    ``pair.simplex`` holds last frame's simplex (0 points: start cold), ``pair.result``
    and the scratch of the views last frame's features, tried first while they are
    ``known``.  ``convex`` is 1 where both bodies are: only then are they taken for
    their hulls where they touch or overlap; of positions that are new it is asked
    there.  Cost: O(1) while the features last.
    """
    result = pair.result
    origin = origin_of(a, b)
    # Among axes of equal overlap last frame's is kept.
    guide = result.normal if result.by_hull == 1 else HERE
    result.by_hull = 0
    result.strict = 1
    start_counting(result)

    # Bodies that overlapped: last frame's polytope, while it proves that they do.
    if pair.hull.filled[0] > 0:
        if convex == 0:
            convex = are_hulls(a, b, 1, pair)
        if convex == 1 and stays_deep(a, b, origin, guide, pair):
            return layout.CERTIFIED

    # Last frame's features, then the neighbours that they point to.
    if pair.simplex[0] == 0:
        seed(a, b, origin, pair)
    elif result.known == 1 and follow(a, b, origin, result.normal, pair):
        return layout.CERTIFIED
    result.known = 0

    # A walk to the supports, and the features around them.
    status = walk_anew(a, b, origin, pair)
    if status == layout.CERTIFIED:
        return status

    # Touch and overlap: the polytope of the difference bounds the depth.
    if convex == 0:
        convex = are_hulls(a, b, 1, pair)
    if convex == 1:
        result.strict = 0
        status = measure_depth(a, b, origin, guide, pair)
    return status


FLAT = 1e-6  # volume of three edges per product of their lengths


@kernel
def is_upright(side: BodyView, way: Vec) -> bool:
    """Say whether the part that stands highest along ``way`` faces it, in a solid.

    Of the edges at its first vertex the flattest is one of the convex hull too, and
    what stands highest there lies between the normals of its faces: their sum faces
    the same way, of a surface seen from outside.  Where that is unsure, or some four
    vertices lie in a plane, the volume must tell.  Cost: O(degree).
    """
    points = side.points
    members = side.mark[side.size]
    if members == 0:
        return False
    v = side.members[0]
    p = point(points, v)
    d = pull(side.pose, way)
    first = side.start[v]
    last = side.start[v + 1]
    best = -1
    flattest = 0.0
    for k in range(first, last):
        e = minus(point(points, side.star[k]), p)
        steep = min(0.0, dot(unit(e), d))
        if (members == 1 or side.mark[side.star[k]] == 1) and (
            best < 0 or steep > flattest
        ):
            best = k
            flattest = steep
    if best < 0:
        return False
    e = minus(point(points, side.star[best]), p)
    before = side.star[last - 1 if best == first else best - 1]
    after = side.star[first if best == last - 1 else best + 1]
    one = dot(unit(cross(minus(point(points, before), p), e)), d)
    other = dot(unit(cross(e, minus(point(points, after), p))), d)
    if not one + other > FLAT * sqrt(dot(d, d)):
        return False
    third = side.size // 3
    p = point(points, 0)
    e = minus(point(points, third), p)
    f = minus(point(points, 2 * third), p)
    g = minus(point(points, side.size - 1), p)
    return abs(dot(cross(e, f), g)) > FLAT * (length(e) * length(f) * length(g))


@kernel
def solve_anew(a: BodyView, b: BodyView, convex: int, pair: Workspace) -> int:
    """Answer as from cold wherever last frame's parts might decide what is level."""
    warm = pair.simplex[0] > 0
    status = solve(a, b, convex, pair)
    if warm and pair.result.borderline == 1:
        pair.simplex[0] = pair.hull.filled[0] = 0
        status = solve(a, b, convex, pair)
    return status


@kernel
def one_frame(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Answer one frame for two bodies in kernel order; return the status.

    Bodies that both prove by their rings are convex; others are taken for their hulls
    once it is known how far these reach beyond them; of new positions that is asked
    where it matters.  A body that is not convex to rounding may reach as far in two
    places at once, which is for a search of its surface to tell.
    """
    result = pair.result
    if a.proofs.scanned + b.proofs.scanned == 0:
        result.dent = 0.0
        status = solve_anew(a, b, 1, pair)
        result.outward_seen = 1 if status == layout.CERTIFIED else 0
        return status
    known = result.known
    last = (result.part_a.name, result.part_b.name)
    kinds = (result.part_a.dimension, result.part_b.dimension)
    status = solve_anew(a, b, are_hulls(a, b, 0, pair), pair)
    result.outward_seen = 0
    if status == layout.CERTIFIED:
        n = result.normal
        result.outward_seen = 1 if faces(a, n) and faces(b, back(n)) else 0
    # Surfaces can tell what hulls cannot: whether another part stands as high, and what
    # is so near that a walk from cold would end inside.
    stays = known == 1 and last == (result.part_a.name, result.part_b.name)
    stays = stays and kinds == (result.part_a.dimension, result.part_b.dimension)
    others = result.other_support == 1 and not (stays and result.parallel == 1)
    unsure = others or result.distance <= layout.BLIND * result.size
    if unsure and status == layout.CERTIFIED:
        convex = are_hulls(a, b, 1, pair)
        if convex == 0 or result.dent > layout.EQUAL * result.size:
            return layout.UNPROVEN
    return status


@kernel
def faces(side: BodyView, way: Vec) -> bool:
    """Say whether an answer shows that a body is seen from outside; most others are."""
    seen = side.proofs.scanned < NEW or is_hull(side, 0)
    return seen or is_upright(side, way) or is_hull(side, 1)


@kernel
def hull_frame(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Answer one frame for two bodies that are taken for their hulls."""
    return solve_anew(a, b, 1, pair)
