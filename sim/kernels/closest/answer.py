"""One frame of one pair: walk, name the features, measure them, prove the bound.

Everything that is reported is computed once more from the features that were
found, by one fixed expression per kind, so an answer does not depend on the way
that led to it: warm equals cold to the bit.
"""

from sim.kernels import layout
from sim.kernels.closest.concave import lay_loops, level_normal, overlap_loops
from sim.kernels.closest.footing import apart, over_face, vertex_and_face
from sim.kernels.closest.measure import (
    between_lines,
    choose,
    hint_nearer_end,
    levels,
    lift,
    name_corners,
)
from sim.kernels.closest.naming import adopt, flood, holds
from sim.kernels.closest.outline import lay
from sim.kernels.closest.patch import near_enough, overlap
from sim.kernels.language import Vec, kernel
from sim.kernels.result import start_counting
from sim.kernels.side import Side
from sim.kernels.slate import Slate
from sim.kernels.vector import HERE, along, back, dot, minus, place, pull, scale_of
from sim.kernels.walk import gjk
from sim.kernels.walk.gjk import seed, walk
from sim.kernels.walk.scan import rise
from sim.kernels.walk.stepping import STEPS, cross_face, remember, step
from sim.kernels.walk.support import height


@kernel
def direction(
    a: Side, b: Side, origin: Vec, guide: Vec, slate: Slate
) -> tuple[bool, Vec]:
    """Return the unit normal that the named parts themselves define.

    A face knows it best, then two crossing edges, then the points.  Says False
    where the parts do not face each other along ``guide``.
    """
    result = slate.result
    flat_a = result.part_a.dimension == 2
    flat_b = result.part_b.dimension == 2
    result.parallel = 0
    result.by_points = 0
    if flat_a:
        n = level_normal(a, result.part_a.faces, guide)
        if flat_b and not dot(n, level_normal(b, result.part_b.faces, back(n))) < 0.0:
            return False, n
    elif flat_b:
        n = back(level_normal(b, result.part_b.faces, back(guide)))
    else:
        n = between_lines(a, b, origin, guide, slate)
    return dot(n, guide) > 0.0, n


@kernel
def measured(a: Side, b: Side, origin: Vec, n: Vec, slate: Slate) -> bool:
    """Measure the named parts along their own normal: distance, points, bounds.

    The bounds are without allowance, the lower one only as good as the proof that
    the parts are supports.  Returns False where they do not overlap.
    """
    result = slate.result
    flat = result.part_a.dimension == 2 or result.part_b.dimension == 2
    result.corners = 0
    result.chosen = 0
    result.normal = n
    if not flat and result.parallel == 0:
        return True
    if result.part_a.dimension == 0 and result.part_b.faces == 1:
        vertex_and_face(a, b, origin, n, pull(b.pose, back(n)), -1.0, slate)
        return True
    if result.part_b.dimension == 0 and result.part_a.faces == 1:
        vertex_and_face(b, a, origin, n, pull(a.pose, n), 1.0, slate)
        return True
    high_a, low_a, reach_a = levels(a, HERE, n)
    high_b, low_b, reach_b = levels(b, origin, n)
    size = max(reach_a, reach_b)
    if flat:
        result.size = size
        result.miss = 0.0
        result.distance = result.lower = low_b - high_a
        if max(high_a - low_a, high_b - low_b) > slate.tolerance * size:
            # A line off the face: it is its nearer end that may be closest.
            if result.part_a.dimension == 1:
                hint_nearer_end(a, HERE, n, slate.hint, layout.HINT_A)
            elif result.part_b.dimension == 1:
                hint_nearer_end(b, origin, back(n), slate.hint, layout.HINT_B)
            slate.note[layout.NOTE_TEST] = layout.LEVEL
            return False
    slack = slate.tolerance * size
    if result.part_a.dimension == 0 or result.part_b.dimension == 0:
        # A vertex beside an area is its side's: see ``footing.is_over``.
        gap = max(0.0, result.distance)
        slack = min(slack, layout.BLUR * size + slate.tolerance * gap)
        if result.doubt == layout.STRICT:
            slack = 0.0
    found = faced(a, b, origin, n, (low_a, high_b), slack, slate)
    if found == 0:
        if flat:
            slate.note[layout.NOTE_TEST] = layout.OUTLINES
        return not flat
    k = choose(a, b, found, layout.ALLOWANCE * size, slate)
    result.parallel = 0 if found == 1 else 1
    if flat:
        k = near_enough(k, found, slate)
        gap = result.distance
        result.upper = max(slate.patch[4 * k + 3], gap)
        x = (slate.patch[4 * k], slate.patch[4 * k + 1], slate.patch[4 * k + 2])
        result.point_a = x
        result.point_b = along(x, gap, n)
    result.chosen = k
    return True


@kernel
def faced(
    a: Side,
    b: Side,
    origin: Vec,
    n: Vec,
    heights: tuple[float, float],
    slack: float,
    slate: Slate,
) -> int:
    """Write the patch where two level parts face each other; return its corners.

    ``heights`` are the least of A's part and the greatest of B's.
    """
    result = slate.result
    count_a = lay(a, HERE, result.part_a.dimension, result.part_a.name, n, 0, slack)
    count_b = lay(b, origin, result.part_b.dimension, result.part_b.name, n, 1, slack)
    if count_a == 0 or count_b == 0:
        count_a = lay_loops(a, HERE, count_a, n, 0, slack)
        count_b = lay_loops(b, origin, count_b, n, 1, slack)
        found = overlap_loops(a, count_a, b, count_b, slack, slate)
    else:
        found = overlap(a.corners, count_a, b.corners, count_b, slack, slate)
    result.corners = found
    lift(a, count_a, b, count_b, origin, heights, slate)
    name_corners(a, b, found, slate)
    return found


@kernel
def excess(side: Side, n: Vec, slate: Slate) -> float:
    """Return by how much any vertex stands above the named part; 0 as a rule.

    A scan of all vertices, for a body whose rings prove nothing.  It notes whether
    others than those of the part stand as high, to rounding.
    """
    slate.result.scans += 1
    d = pull(side.pose, n)
    highest = height(side.points, side.members[0], d)
    for k in range(1, side.mark[side.size]):
        highest = max(highest, height(side.points, side.members[k], d))
    floor = highest - layout.EQUAL * slate.result.size
    own = 0
    for k in range(side.mark[side.size]):
        if height(side.points, side.members[k], d) >= floor:
            own += 1
    reached, best = rise(side.points, side.size, d, floor, slate.result)
    if reached > own:
        slate.result.twice = 1
    return max(0.0, best - highest)


@kernel
def certified(a: Side, b: Side, slate: Slate) -> bool:
    """Turn the measured bounds into proven ones; say whether they certify."""
    result = slate.result
    size = result.size
    allowance = layout.ALLOWANCE * size
    more = 0.0
    if a.whole + b.whole > 0:
        slate.result.twice = 0
        n = slate.result.normal
        if a.whole == 1:
            more += excess(a, n, slate)
        if b.whole == 1:
            more += excess(b, back(n), slate)
    lower = result.lower - more - allowance
    upper = result.upper + allowance
    result.lower = lower
    result.upper = upper
    limit = layout.RELATIVE * abs(result.distance) + layout.ABSOLUTE * size
    # Of a dented body last frame's part may be all but the highest: cold finds another.
    proven = upper - lower <= limit and more <= layout.EQUAL * size
    slate.note[layout.NOTE_TEST] = layout.SETTLED if proven else layout.BOUNDS
    return proven


@kernel
def settled(a: Side, b: Side, origin: Vec, guide: Vec, slate: Slate) -> bool:
    """Answer from the named parts if they are the closest features, and prove it.

    Their own normal must name them again: that makes the answer a fixed point,
    whatever led here.  Unless ``TRUSTING``, a normal that comes from points must tell
    them from what lies within its own blur, so that a face wins over its own edge.
    """
    hint = slate.hint
    result = slate.result
    hint[layout.HINT_A] = 0
    hint[layout.HINT_B] = 0
    faces_a = result.part_a.faces
    faces_b = result.part_b.faces
    if faces_b == 1 and b.whole == 0 and result.part_a.dimension == 0:
        return over_face(a, b, origin, guide, -1.0, slate) and certified(a, b, slate)
    if faces_a == 1 and a.whole == 0 and result.part_b.dimension == 0:
        return over_face(b, a, origin, guide, 1.0, slate) and certified(a, b, slate)
    facing, n = direction(a, b, origin, guide, slate)
    if not facing:
        slate.note[layout.NOTE_TEST] = layout.FACING
        return False
    if not measured(a, b, origin, n, slate):
        return False
    if not apart(slate):
        return False
    size = result.size
    drop = slate.tolerance * size
    if result.by_points == 1 and result.doubt > layout.TRUSTING:
        drop += layout.BLUR * size * (size / result.distance)
    if not holds(a, faces_a, pull(a.pose, n), drop, slate, layout.HINT_A):
        slate.note[layout.NOTE_TEST] = layout.SUPPORT_A
        return False
    if not holds(b, faces_b, pull(b.pose, back(n)), drop, slate, layout.HINT_B):
        slate.note[layout.NOTE_TEST] = layout.SUPPORT_B
        return False
    return certified(a, b, slate)


@kernel
def followed(a: Side, b: Side, origin: Vec, guide: Vec, slate: Slate) -> bool:
    """Try the named parts, then those that they point to, step by step.

    The local search of the paper among the neighbours of last frame's features, in
    the manner of V-Clip (Mirtich 1998): an end that is nearer, a side that the point
    lies beyond, a neighbour that stands higher.
    """
    hint = slate.hint
    for tried in range(STEPS):
        if settled(a, b, origin, guide, slate):
            if tried > 0:
                remember(a, b, slate.simplex)
            return True
        if hint[layout.HINT_A] + hint[layout.HINT_B] == 0:
            return False
        slate.result.steps += 1
        over_a = hint[layout.HINT_A] == 3 and slate.result.part_b.dimension == 1
        over_b = hint[layout.HINT_B] == 3 and slate.result.part_a.dimension == 1
        if over_a:
            cross_face(a, HERE, layout.HINT_A, b, origin, layout.HINT_B, slate)
        elif over_b:
            cross_face(b, origin, layout.HINT_B, a, HERE, layout.HINT_A, slate)
        if not step(a, hint, layout.HINT_A, slate.result.part_a):
            return False
        if not step(b, hint, layout.HINT_B, slate.result.part_b):
            return False
    return False


@kernel
def guessed(a: Side, b: Side, slate: Slate) -> bool:
    """Name both parts from the simplex that the walk ended at."""
    ids = slate.simplex
    result = slate.result
    return adopt(a, ids, 1, ids[0], result.part_a) and adopt(
        b, ids, 5, ids[0], result.part_b
    )


@kernel
def flooded(
    a: Side, va: int, b: Side, vb: int, n: Vec, drop: float, slate: Slate
) -> bool:
    """Name both parts by flooding from the supports along a direction."""
    result = slate.result
    return flood(a, va, pull(a.pose, n), drop, drop, result.part_a, result) and flood(
        b, vb, pull(b.pose, back(n)), drop, drop, result.part_b, result
    )


@kernel
def note_supports(slate: Slate, test: int, va: int, vb: int) -> None:
    """Note what happened where no parts are named, at two vertices."""
    slate.note[layout.NOTE_FIRST] = va
    slate.note[layout.NOTE_SECOND] = vb
    slate.note[layout.NOTE_TEST] = test


@kernel
def named_and_settled(
    a: Side, va: int, b: Side, vb: int, origin: Vec, n: Vec, slate: Slate
) -> bool:
    """Try to name the closest features around where the walk ended, and settle.

    The guess first, and what it points to; then the flood, then the flood along the
    normal of what it found.
    """
    result = slate.result
    named = False
    for attempt in range(3):
        way = n
        if attempt == 0:
            named = guessed(a, b, slate)
        else:
            if attempt == 2:
                if not named:
                    continue
                _, way = direction(a, b, origin, n, slate)
            x = place(a.points, a.pose, HERE, va)
            y = place(b.points, b.pose, origin, vb)
            size = scale_of(x, y, origin)
            gap = dot(minus(y, x), n)
            drop = slate.tolerance * size
            if gap > 0.0 and result.doubt > layout.TRUSTING:
                drop += layout.BLUR * size * (size / gap)
            named = flooded(a, va, b, vb, way, drop, slate)
        if not named:
            test = layout.GUESSED if attempt == 0 else layout.FLOODED
            note_supports(slate, test, va, vb)
            continue
        if attempt == 0:
            settles = followed(a, b, origin, way, slate)
        else:
            settles = settled(a, b, origin, way, slate)
        if settles:
            return True
    return False


@kernel
def walked(a: Side, b: Side, origin: Vec, strict: int, slate: Slate) -> int:
    """Walk to the supports and settle around them; return the status."""
    status, n, va, vb = walk(a, b, origin, strict, slate)
    note_supports(slate, layout.WALKED + status, va, vb)
    if status == gjk.MEETING:
        return layout.OVERLAP
    if status == gjk.LOST:
        return layout.LOST
    if not named_and_settled(a, va, b, vb, origin, n, slate):
        return layout.UNPROVEN
    slate.result.known = 1
    return layout.CERTIFIED


@kernel
def answer(a: Side, b: Side, origin: Vec, slate: Slate) -> int:
    """Answer one frame for two bodies that are apart; return the status.

    ``slate.simplex`` holds last frame's simplex (0 points: start cold), ``result`` and
    the sides' scratch last frame's parts, tried first while they are ``known``.
    """
    result = slate.result
    result.doubt = layout.STRICT
    start_counting(result)
    if slate.simplex[0] == 0:
        seed(a, b, origin, slate)
    elif result.known == 1 and followed(a, b, origin, result.normal, slate):
        return layout.CERTIFIED
    result.known = 0
    status = walked(a, b, origin, 0, slate)
    if status == layout.UNPROVEN and a.whole + b.whole == 0:
        status = walked(a, b, origin, 1, slate)
    return status


@kernel
def answer_in_doubt(a: Side, b: Side, origin: Vec, slate: Slate) -> int:
    """Answer one frame where features cannot be told apart; return the status."""
    status = layout.UNPROVEN
    for less in range(2):
        if status == layout.UNPROVEN:
            slate.result.doubt = layout.LENIENT - less
            status = walked(a, b, origin, 1, slate)
    return status
