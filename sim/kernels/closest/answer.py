"""One frame of one pair: walk, name the features, measure them, prove the bound.

Everything that is reported is computed once more from the features that were
found, by one fixed expression per kind, so an answer does not depend on the way
that led to it: warm equals cold to the bit.
"""

from sim.kernels import layout
from sim.kernels.closest.level_parts import lay_patch
from sim.kernels.closest.measure import (
    between_lines,
    choose,
    hint_nearer_end,
    level_normal,
    levels,
    lift,
    name_corners,
)
from sim.kernels.closest.naming import (
    STEPS,
    adopt,
    cross_face,
    flood,
    holds,
    remember,
    step,
)
from sim.kernels.closest.patch import near_enough
from sim.kernels.closest.support_feature import differs
from sim.kernels.closest.vertex_face import apart, vertex_and_face
from sim.kernels.language import Vec, kernel
from sim.kernels.vector import HERE, along, back, dot, pull
from sim.kernels.walk import gjk
from sim.kernels.walk.gjk import difference, walk
from sim.kernels.walk.support import height, is_ringed, rise, scan
from sim.kernels.workspace import BodyView, Workspace


@kernel
def direction(
    a: BodyView, b: BodyView, origin: Vec, guide: Vec, pair: Workspace
) -> tuple[bool, Vec]:
    """Return the unit normal that the named parts themselves define.

    A face knows it best, then two crossing edges, then the points.  Says False
    where the parts do not face each other along ``guide``.
    """
    result = pair.result
    flat_a = result.part_a.dimension == 2
    flat_b = result.part_b.dimension == 2
    result.parallel = 0
    result.by_points = 0
    result.turned = 0.0
    if flat_a:
        n = level_normal(a, result.part_a.faces, guide)
        if flat_b and not dot(n, level_normal(b, result.part_b.faces, back(n))) < 0.0:
            return False, n
    elif flat_b:
        n = back(level_normal(b, result.part_b.faces, back(guide)))
    else:
        n = between_lines(a, b, origin, guide, pair)
    return dot(n, guide) > 0.0, n


@kernel
def measure(a: BodyView, b: BodyView, origin: Vec, n: Vec, pair: Workspace) -> bool:
    """Measure the named parts along their own normal: distance, points, bounds.

    The bounds are without allowance, the lower one only as good as the proof that
    the parts are supports.  Returns False where they do not overlap.
    """
    result = pair.result
    flat = result.part_a.dimension == 2 or result.part_b.dimension == 2
    result.corners = 0
    result.normal = n
    if not flat and result.parallel == 0:
        return True
    if result.part_a.dimension == 0 and result.part_b.faces == 1:
        vertex_and_face(a, b, origin, n, -1.0, pair)
        return True
    if result.part_b.dimension == 0 and result.part_a.faces == 1:
        vertex_and_face(b, a, origin, n, 1.0, pair)
        return True
    high_a, low_a, reach_a = levels(a, HERE, n)
    high_b, low_b, reach_b = levels(b, origin, n)
    size = max(reach_a, reach_b)
    slack = pair.tolerance * size
    rough = max(high_a - low_a, high_b - low_b)
    if not flat:
        gap = result.distance
        more = layout.BLUR * size * (size / gap) if gap > 0.0 else 0.0
        if differs(rough, slack + more, result):
            return False
    else:
        result.size = size
        result.miss = 0.0
        result.distance = result.lower = low_b - high_a
        if differs(rough, slack, result):
            # A line off the face: it is its nearer end that may be closest.
            if result.part_a.dimension == 1:
                hint_nearer_end(a, HERE, n, pair.hint, layout.HINT_A)
            elif result.part_b.dimension == 1:
                hint_nearer_end(b, origin, back(n), pair.hint, layout.HINT_B)
            pair.note[layout.NOTE_TEST] = layout.LEVEL
            return False
    if result.part_a.dimension == 0 or result.part_b.dimension == 0:
        # A vertex beside an area is its side's: see ``vertex_face.is_over``.
        gap = max(0.0, result.distance)
        slack = min(slack, layout.BLUR * size + pair.tolerance * gap)
        if result.strict == 1:
            slack = 0.0
    found = lay_patch(a, b, slack, pair)
    result.corners = found
    beside = slack if found > 0 else 0.0
    for k in range(found):
        beside = min(beside, pair.patch[4 * k + 3])
    if beside > layout.BLUR * size:
        result.borderline = 1  # one is all beside the other: their rims are as near
    lift(a, b, origin, (low_a, high_b), pair)
    name_corners(a, b, found, pair)
    if found == 0:
        if flat:
            pair.note[layout.NOTE_TEST] = layout.OUTLINES
        return not flat
    k = choose(a, b, found, layout.ALLOWANCE * size, pair)
    result.parallel = 0 if found == 1 else 1
    if flat:
        k = near_enough(k, found, pair)
        gap = result.distance
        result.upper = max(pair.patch[4 * k + 3], gap)
        x = (pair.patch[4 * k], pair.patch[4 * k + 1], pair.patch[4 * k + 2])
        result.point_a = x
        result.point_b = along(x, gap, n)
    return True


@kernel
def excess(side: BodyView, n: Vec, pair: Workspace) -> float:
    """Return by how much any vertex stands above the named part; 0 as a rule.

    A scan of all vertices, for a body whose rings prove nothing.  It notes whether
    others than those of the part stand as high, to rounding.
    """
    pair.result.scans += 1
    d = pull(side.pose, n)
    count = side.mark[side.size]
    highest = height(side.points, side.members[0], d)
    for k in range(1, count):
        highest = max(highest, height(side.points, side.members[k], d))
    floor = highest - layout.EQUAL * pair.result.size
    own = 0
    while own < count and is_ringed(side, side.members[own], d, floor, 1):
        own += 1
    if own == count:
        return 0.0
    own = 0
    for k in range(count):
        if height(side.points, side.members[k], d) >= floor:
            own += 1
    reached, beyond = rise(side.points, side.size, d, floor, highest)
    if reached > own:
        pair.result.other_support = 1
    if beyond == 0 and highest - highest == 0.0:
        return 0.0
    _, best = scan(side.points, side.size, d, pair.result)
    return max(0.0, best - highest)


@kernel
def certify(a: BodyView, b: BodyView, pair: Workspace) -> bool:
    """Turn the measured bounds into proven ones; say whether they certify."""
    result = pair.result
    size = result.size
    allowance = layout.ALLOWANCE * size
    more = 0.0
    if a.proofs.scanned + b.proofs.scanned > 0:
        pair.result.other_support = 0
        n = pair.result.normal
        if a.proofs.scanned > 0:
            more += excess(a, n, pair)
        if b.proofs.scanned > 0:
            more += excess(b, back(n), pair)
    lower = result.lower - more - allowance
    upper = result.upper + allowance
    result.lower = lower
    result.upper = upper
    limit = layout.RELATIVE * abs(result.distance) + layout.ABSOLUTE * size
    # Of a dented body last frame's part may be all but the highest: cold finds another.
    proven = upper - lower <= limit and more <= layout.EQUAL * size
    pair.note[layout.NOTE_TEST] = layout.SETTLED if proven else layout.BOUNDS
    return proven


@kernel
def settle(a: BodyView, b: BodyView, origin: Vec, guide: Vec, pair: Workspace) -> bool:
    """Answer from the named parts if they are the closest features, and prove it.

    Their own normal must name them again: that makes the answer a fixed point,
    whatever led here.  A normal that comes from points must tell them from what lies
    within its own blur, so that a face wins over its own edge.
    """
    hint = pair.hint
    result = pair.result
    hint[layout.HINT_A] = 0
    hint[layout.HINT_B] = 0
    faces_a = result.part_a.faces
    faces_b = result.part_b.faces
    facing, n = direction(a, b, origin, guide, pair)
    if not facing:
        pair.note[layout.NOTE_TEST] = layout.FACING
        return False
    if not measure(a, b, origin, n, pair) or not apart(pair):
        return False
    size = result.size
    drop = pair.tolerance * size
    turned = result.turned
    if not holds(a, faces_a, pull(a.pose, n), drop, turned, pair, layout.HINT_A):
        pair.note[layout.NOTE_TEST] = layout.SUPPORT_A
        return False
    if not holds(b, faces_b, pull(b.pose, back(n)), drop, turned, pair, layout.HINT_B):
        pair.note[layout.NOTE_TEST] = layout.SUPPORT_B
        return False
    return certify(a, b, pair)


@kernel
def follow(a: BodyView, b: BodyView, origin: Vec, guide: Vec, pair: Workspace) -> bool:
    """Try the named parts, then those that they point to, step by step.

    The local search of the paper among the neighbours of last frame's features, in
    the manner of V-Clip (Mirtich 1998): an end that is nearer, a side that the point
    lies beyond, a neighbour that stands higher.
    """
    hint = pair.hint
    for tried in range(STEPS):
        if settle(a, b, origin, guide, pair):
            if tried > 0:
                remember(a, b, pair.simplex)
            return True
        if hint[layout.HINT_A] + hint[layout.HINT_B] == 0:
            return False
        pair.result.steps += 1
        over_a = hint[layout.HINT_A] == 3 and pair.result.part_b.dimension == 1
        over_b = hint[layout.HINT_B] == 3 and pair.result.part_a.dimension == 1
        if over_a:
            cross_face(a, HERE, layout.HINT_A, b, origin, layout.HINT_B, pair)
        elif over_b:
            cross_face(b, origin, layout.HINT_B, a, HERE, layout.HINT_A, pair)
        if not step(a, hint, layout.HINT_A, pair.result.part_a):
            return False
        if not step(b, hint, layout.HINT_B, pair.result.part_b):
            return False
    return False


@kernel
def name_from_simplex(a: BodyView, b: BodyView, pair: Workspace) -> bool:
    """Name both parts from the simplex that the walk ended at."""
    ids = pair.simplex
    result = pair.result
    return adopt(a, ids, 1, ids[0], result.part_a) and adopt(
        b, ids, 5, ids[0], result.part_b
    )


@kernel
def flood_both(
    a: BodyView, va: int, b: BodyView, vb: int, n: Vec, drop: float, pair: Workspace
) -> bool:
    """Name both parts by flooding from the supports along a direction."""
    result = pair.result
    return flood(a, va, pull(a.pose, n), drop, drop, result.part_a, result) and flood(
        b, vb, pull(b.pose, back(n)), drop, drop, result.part_b, result
    )


@kernel
def note_supports(pair: Workspace, test: int, va: int, vb: int) -> None:
    """Note what happened where no parts are named, at two vertices."""
    pair.note[layout.NOTE_FIRST] = va
    pair.note[layout.NOTE_SECOND] = vb
    pair.note[layout.NOTE_TEST] = test


@kernel
def settle_around(
    a: BodyView, va: int, b: BodyView, vb: int, origin: Vec, n: Vec, pair: Workspace
) -> bool:
    """Try to name the closest features around where the walk ended, and settle.

    The guess first, and what it points to; then the flood.
    """
    if not name_from_simplex(a, b, pair):
        note_supports(pair, layout.GUESSED, va, vb)
    elif follow(a, b, origin, n, pair):
        return True
    x, size = difference(a, b, origin, va, vb)
    gap = dot(x, n)
    drop = pair.tolerance * size
    if gap > 0.0:
        drop += layout.BLUR * size * (size / gap)
    if not flood_both(a, va, b, vb, n, drop, pair):
        note_supports(pair, layout.FLOODED, va, vb)
        return False
    return settle(a, b, origin, n, pair)


@kernel
def walk_anew(a: BodyView, b: BodyView, origin: Vec, pair: Workspace) -> int:
    """Walk to the supports and settle around them; return the status."""
    status, n, va, vb = walk(a, b, origin, pair)
    note_supports(pair, layout.WALKED + status, va, vb)
    if status == gjk.MEETING:
        return layout.OVERLAP
    if status == gjk.LOST:
        return layout.LOST
    if not settle_around(a, va, b, vb, origin, n, pair):
        return layout.UNPROVEN
    pair.result.known = 1
    return layout.CERTIFIED
