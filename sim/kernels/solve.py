"""One frame of one pair, stage after stage: where to begin reading the kernels.

Each stage tries to name the closest features and to prove the distance; the first that
can ends the frame.  What it found is measured once more by one fixed expression per
kind (``closest.answer``), so that an answer does not depend on the way that led to it:
warm equals cold, to the bit.

====================  ===========================  ====================================
stage                 where                        ends with
====================  ===========================  ====================================
hull or not           are_hulls                    whether polytopes may be asked
last polytope         overlap.depth.stays_deep     CERTIFIED, or nothing
last features         closest.answer.settle        CERTIFIED, or a hint
neighbours            closest.answer.follow        CERTIFIED, or no hint is left
walk (GJK)            closest.answer.walk_anew     CERTIFIED, OVERLAP, UNPROVEN, LOST
polytope (EPA)        overlap.depth.measure_depth  CERTIFIED, BOUNDED, UNPROVEN
cold repetition       all of these once more       the same
surfaces              surface.search.true_frame    CERTIFIED, SEARCHED, or what is left
interval              tracking.brute.interval      of OVERLAP: bounds, far apart
last resort           tracking.brute.exhaustive    of the rest: an answer, exhaustive
====================  ===========================  ====================================

The last two are asked by ``sim.tracking.fallback``, by the status that is left.  What a
stage needs and nobody laid out, an audit, trees, the last answer, is WANTED: the caller
lays it out and asks again.

A stage reads positions, poses and topology of this frame, of the one before only ids.
"""

from math import sqrt

from sim.kernels import layout
from sim.kernels.audit.hinges import DENTED, SIGNS, judged
from sim.kernels.audit.sag import placed_sag
from sim.kernels.closest.answer import follow, walk_anew
from sim.kernels.language import Later, Vec, kernel
from sim.kernels.overlap.depth import measure_depth, stays_deep
from sim.kernels.vector import HERE, back, cross, dot, length, minus, point, pull, unit
from sim.kernels.walk.gjk import seed
from sim.kernels.workspace import (
    NEW,
    UNASKED,
    UNKNOWN,
    BodyView,
    Result,
    Workspace,
    origin_of,
    start_counting,
)

wings = Later()
Named = tuple[int, int, int, int, int]  # whether it is known, what of A, what of B


@kernel
def solve(a: BodyView, b: BodyView, hulls: int, pair: Workspace) -> int:
    """Answer one frame of two bodies in kernel order; return the status.

    ``pair.simplex`` holds last frame's simplex (0 points: start cold), ``pair.result``
    and the scratch of the views last frame's features, tried first while they are
    ``known``.  ``hulls`` 1: both are taken for their hulls, whatever is known of them,
    and nothing else.  Cost: O(1) while the features last.
    """
    result = pair.result
    origin = origin_of(a, b)
    last = features_of(result)
    warm = pair.simplex[0] > 0
    convex = hulls
    status = layout.UNPROVEN
    for turn in range(2):
        # Once more and cold, where last frame's parts might decide what is level.
        if turn == 1:
            if not warm or result.borderline == 0:
                break
            pair.simplex[0] = pair.hull.filled[0] = 0
        # Among axes of equal overlap last frame's is kept.
        guide = result.normal if result.by_hull == 1 else HERE
        result.by_hull = result.outward_seen = 0
        result.strict = 1
        start_counting(result)
        # Hull or not: of new positions that is asked where it matters.
        convex = convex if convex == 1 else are_hulls(a, b, 0, pair)
        # Bodies that overlapped: last frame's polytope, while it proves that they do.
        if pair.hull.filled[0] > 0:
            convex = convex if convex == 1 else are_hulls(a, b, 1, pair)
            if convex == 1 and stays_deep(a, b, origin, guide, pair):
                status = layout.CERTIFIED
                continue
        # Last frame's features, then the neighbours that they point to.
        if follows_last(a, b, origin, pair):
            status = layout.CERTIFIED
            continue
        # A walk to the supports, and the features around them.
        status = walk_anew(a, b, origin, pair)
        # Touch and overlap: the polytope of the difference bounds the depth.
        if status != layout.CERTIFIED:
            convex = convex if convex == 1 else are_hulls(a, b, 1, pair)
            if convex == 1:
                status = measure_depth(a, b, origin, guide, pair)
    # Of bodies that are not convex, or but for rounding, surfaces may tell more.
    proven = status == layout.CERTIFIED
    done = hulls == 1 or (proven and is_sure(a, b, convex, last, pair))
    if done or (status == layout.BOUNDED and not result.dent > 0.0):
        return status
    both = convexity_of(a) * convexity_of(b)
    if both == 0:
        return layout.WANTED
    result.outward_seen = 1
    # So near, hulls know the normal better than points do.
    nearly = both == 4 and (convex == 0 or proven)
    if nearly and are_near(a, b, origin, status, pair):
        return layout.CERTIFIED
    # Surfaces.  Of those that cross the caller asks an interval, the rest exhaustively.
    return search_surfaces(a, b, pair)


@kernel
def features_of(result: Result) -> Named:
    """Return what was named last: numbers and dimensions."""
    one = result.part_a
    two = result.part_b
    return result.known, one.name, one.dimension, two.name, two.dimension


@kernel
def follows_last(a: BodyView, b: BodyView, origin: Vec, pair: Workspace) -> bool:
    """Say whether last frame's features or what they point to hold; seed a walk."""
    result = pair.result
    if pair.simplex[0] == 0:
        seed(a, b, origin, pair)
    elif result.known == 1 and follow(a, b, origin, result.normal, pair):
        return True
    result.known = 0
    return False


@kernel
def renew(side: BodyView, far: float) -> None:
    """Forget what was shown of positions but of new ones: ``far``, see ``Proofs``."""
    if side.proofs.scanned == NEW:
        side.proofs.audited = 0
        side.sag[0] = 0.0 if far > 0.0 else UNASKED
        side.sag[1] = side.sag[2] = 0.0
        side.proofs.far = far


@kernel
def is_hull(side: BodyView, ask: int) -> bool:
    """Say whether a body may be taken for its hull.

    ``ask``: one whose positions are new is looked at for it, once a frame, in O(E).
    """
    if ask == 1 and side.sag[0] == UNASKED:
        told, _, side.proofs.far = judged(side.hinges, SIGNS)
        side.sag[0] = 0.0 if side.proofs.far > 0.0 else UNKNOWN
        side.proofs.audited = 1 if told == DENTED else 0
    return side.proofs.scanned == 0 or side.sag[0] >= 0.0


@kernel
def are_hulls(a: BodyView, b: BodyView, ask: int, pair: Workspace) -> int:
    """Return 1 where both bodies may be taken for their hulls; note their dents."""
    pair.result.dent = 0.0
    if not (is_hull(a, ask) and is_hull(b, ask)):
        return 0
    pair.result.dent = dent_of(a, 0) + dent_of(b, 0)
    return 1


@kernel
def is_solid(side: BodyView) -> bool:
    """Say whether a body is known to be convex, without any dent."""
    return side.proofs.scanned == 0 or side.sag[0] == 0.0


@kernel
def convexity_of(side: BodyView) -> int:
    """Return 2 for a body that is convex within tolerance, 1 for another; 0: unknown.

    Its faces run as seen from outside then.  Of one with a dent a pass shows both, of
    others the body is asked.  Cost: O(E), once per positions.
    """
    if is_hull(side, 1) and is_solid(side):
        return 2
    return side.proofs.audited


@kernel
def dent_of(side: BodyView, at: int) -> float:
    """Return how far, in the world, the hull reaches beyond a body; 3: if audited."""
    return 0.0 if is_solid(side) else placed_sag(side.sag, at, side.pose)


@kernel
def is_sure(
    a: BodyView, b: BodyView, convex: int, last: Named, pair: Workspace
) -> bool:
    """Say whether surfaces cannot tell more than hulls of an answer that these prove.

    Of bodies that are not convex, but for rounding, they may: whether another part
    stands as high, and what is so near that a walk from cold would end inside.
    """
    result = pair.result
    if a.proofs.scanned + b.proofs.scanned == 0:
        result.outward_seen = 1
        return True
    n = result.normal
    result.outward_seen = 1 if faces(a, n) and faces(b, back(n)) else 0
    stays = result.parallel == 1 and last == features_of(result)
    others = result.other_support == 1 and not stays
    if not (others or result.distance <= layout.BLIND * result.size):
        return True
    if convex == 0 and are_hulls(a, b, 1, pair) == 0:
        return False
    return not result.dent > layout.EQUAL * result.size


@kernel
def are_near(
    a: BodyView, b: BodyView, origin: Vec, status: int, pair: Workspace
) -> bool:
    """Say whether nearly convex bodies are near by their hulls, as they may be said."""
    result = pair.result
    if status != layout.CERTIFIED and status != layout.LOST:
        result.dent = dent_of(a, 3) + dent_of(b, 3)
        status = measure_depth(a, b, origin, HERE, pair)
    near = result.distance <= layout.NEAR * result.size
    return near and status == layout.CERTIFIED


@kernel
def search_surfaces(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Search both surfaces, from where the last search ended; return the status.

    WANTED where no trees are laid out; or several places are equally near, and the one
    of the frame before, which is kept, is not.
    """
    state = pair.search.state
    asks = state.others == 1 and state.told == 0
    if asks or a.tree.leaves == 0 or b.tree.leaves == 0:
        return layout.WANTED
    state.leaf_a = pair.leaves[0]
    state.leaf_b = pair.leaves[1]
    status = layout.WANTED
    status = wings.true_frame(a, b, pair)
    pair.leaves[0] = state.leaf_a
    pair.leaves[1] = state.leaf_b
    found = status == layout.CERTIFIED or status == layout.SEARCHED
    if found and state.others == 1 and state.told == 0:
        return layout.WANTED
    state.told = 0
    result = pair.result
    if status == layout.SEARCHED:
        result.by_hull = 2
        limit = layout.RELATIVE * abs(result.distance) + layout.ABSOLUTE * result.size
        if result.upper - result.lower <= limit:
            status = layout.CERTIFIED
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
def faces(side: BodyView, way: Vec) -> bool:
    """Say whether an answer shows that a body is seen from outside; most others are."""
    seen = side.proofs.scanned < NEW or is_hull(side, 0)
    return seen or is_upright(side, way) or is_hull(side, 1)
