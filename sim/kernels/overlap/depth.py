"""One frame of two bodies that touch or overlap, measured from their features.

The polytope only says which features to look at, and proves that no translation shorter
than their overlap separates the bodies; the numbers come from ``answer``'s expressions.
"""

from sim.kernels import layout
from sim.kernels.closest.answer import (
    certify,
    direction,
    flood_both,
    follow,
    measure,
    name_from_simplex,
    settle_around,
)
from sim.kernels.closest.naming import both_hold, step
from sim.kernels.language import Vec, kernel
from sim.kernels.overlap.fine import MORE, finely_certified
from sim.kernels.overlap.penetration import (
    BROKEN,
    CLOSED,
    EQUAL,
    FULL,
    INFINITE,
    expand,
    inner_radius,
    nearest,
    nearest_open,
    refresh,
    spread,
    stretch,
)
from sim.kernels.overlap.polytope import DISTANCE, FINAL, OPEN, PLANE, outward
from sim.kernels.vector import along, back, dot
from sim.kernels.walk.gjk import APART, difference, seed, walk
from sim.kernels.workspace import BodyView, Workspace

STEPS = 16
CLEAR = 1.25  # how far B is moved, per overlap
SETTLED = 1e-12  # a gain this small, per unit of reach, is none
DEEP = 1e-6  # an overlap, per unit of reach, that no walk mistakes for a gap


@kernel
def stand_on(pair: Workspace, f: int) -> Vec:
    """Make a triangle of the polytope the simplex; return the axis that it names."""
    hull = pair.hull
    pair.simplex[0] = 3
    for k in range(3):
        v = hull.corners[3 * f + k]
        pair.simplex[1 + k] = hull.ids[2 * v]
        pair.simplex[5 + k] = hull.ids[2 * v + 1]
    return back(outward(hull, f))


@kernel
def supports_along(
    a: BodyView, b: BodyView, origin: Vec, n: Vec, pair: Workspace
) -> tuple[int, int, float]:
    """Return the supports that face each other along an axis, and what is level."""
    va, vb = stretch(a, b, back(n), pair.simplex[1], pair.simplex[5], pair)
    _, size = difference(a, b, origin, va, vb)
    return va, vb, pair.tolerance * size


@kernel
def touching(pair: Workspace) -> None:
    """Make the distance exactly 0 where both bounds are 0 within rounding."""
    result = pair.result
    touch = layout.TOUCH * result.size
    if -touch <= result.lower <= 0.0 <= result.upper <= touch:
        result.distance = 0.0
        result.point_b = result.point_a


@kernel
def descend(a: BodyView, b: BodyView, origin: Vec, n: Vec, pair: Workspace) -> bool:
    """Name and measure features of a local minimum near an axis; False if it is lost.

    B is moved until it is clear of A, again and again: along the way between what is
    closest there bodies overlap no more than before, until an axis names itself (Kim,
    Lin, Manocha 2004, "Incremental penetration depth estimation between convex
    polytopes using dual-space expansion").  Needles have several such minima.
    """
    result = pair.result
    ids = pair.simplex
    va = ids[1]
    vb = ids[5]
    least = INFINITE
    for _ in range(STEPS):
        va, vb = stretch(a, b, back(n), va, vb, pair)
        w, reach = difference(a, b, origin, va, vb)
        overlap = -dot(n, w)
        if overlap >= least - SETTLED * reach and result.by_points == 0:
            facing, m = direction(a, b, origin, n, pair)
            facing = facing and result.by_points == 0
            fits = facing and measure(a, b, origin, m, pair)
            return fits and both_hold(a, b, m, 0.0, pair)
        least = overlap
        ids[0], ids[1], ids[5] = 1, va, vb
        away = along(origin, CLEAR * overlap, n)
        status, n, va, vb = walk(a, b, away, pair)
        if status != APART or not settle_around(a, va, b, vb, away, n, pair):
            return False
        n = result.normal
    return False


AGREE = 4.0 * 2.220446049250313e-16  # per unit of size: polytope and features as one


@kernel
def facing_axis(a: BodyView, b: BodyView, origin: Vec, f: int, pair: Workspace) -> bool:
    """Name and measure the features that face each other along a triangle's normal.

    The guess from its corners first, then a flood along its normal, then along the
    normal of what was found.  Their own normal must name them again.  Edges that may be
    turned as far as the face beside them do not know it: that face is tried.
    """
    result = pair.result
    way = n = stand_on(pair, f)
    va, vb, drop = supports_along(a, b, origin, n, pair)
    named = name_from_simplex(a, b, pair)
    unsure = False
    for attempt in range(3):
        if unsure:
            named = step(a, pair.hint, layout.HINT_A, result.part_a) and step(
                b, pair.hint, layout.HINT_B, result.part_b
            )
        elif attempt > 0:
            named = flood_both(a, va, b, vb, way, drop, pair)
        unsure = False
        if not named:
            continue
        facing, way = direction(a, b, origin, n, pair)
        if result.by_points == 1:
            way = n
        elif facing and measure(a, b, origin, way, pair) and result.miss == 0.0:
            drop = pair.tolerance * result.size
            if both_hold(a, b, way, 0.0, pair):
                unsure = result.turned > 0.0
                if not unsure or both_hold(a, b, way, result.turned, pair):
                    return True
    return False


@kernel
def before(n: Vec, other: Vec, guide: Vec) -> bool:
    """Say whether the first of two axes that are equally deep is to be preferred.

    The one nearer to last frame's, no chatter; else by their coordinates.
    """
    one = dot(n, guide)
    two = dot(other, guide)
    if one != two:
        return one > two
    if n[0] != other[0]:
        return n[0] > other[0]
    if n[1] != other[1]:
        return n[1] > other[1]
    return n[2] > other[2]


@kernel
def choose_axis(
    a: BodyView, b: BodyView, origin: Vec, guide: Vec, reach: float, pair: Workspace
) -> tuple[bool, bool]:
    """Measure along every axis that ties for the least overlap, and keep one.

    Returns whether there is one, and whether it is the only one.
    """
    hull = pair.hull
    _, limit = nearest(hull, FINAL, FINAL)
    limit += 2.0 * EQUAL * reach
    best = latest = -1
    greatest = second = -INFINITE
    size = 0.0
    axis = guide
    for f in range(hull.filled[1]):
        if hull.state[f] != FINAL or hull.planes[PLANE * f + DISTANCE] > limit:
            continue
        latest = f
        if not facing_axis(a, b, origin, f, pair):
            continue
        pair.note[layout.NOTE_TEST] = layout.AXIS
        gap = pair.result.distance
        n = pair.result.normal
        if best >= 0 and n == axis:
            continue
        size = max(size, pair.result.size)
        slack = AGREE * size
        alone = gap > greatest + slack
        second = max(second, min(gap, greatest))
        greatest = max(greatest, gap)
        if alone or (gap >= greatest - slack and before(n, axis, guide)):
            best = f
            axis = n
    if best < 0:
        return False, True
    if best != latest:
        facing_axis(a, b, origin, best, pair)
    return True, second < greatest - AGREE * size


@kernel
def level_axis(a: BodyView, b: BodyView, origin: Vec, pair: Workspace) -> bool:
    """Name and measure the parts that are level along the nearest triangle's normal.

    For parts whose own normal does not name them again: faces that lean, by less than
    what is level.  Their bounds are as much wider.
    """
    result = pair.result
    f, _ = nearest(pair.hull, OPEN, FINAL)
    n = stand_on(pair, max(0, f))
    va, vb, drop = supports_along(a, b, origin, n, pair)
    if not flood_both(a, va, b, vb, n, drop, pair):
        return False
    fits, _ = direction(a, b, origin, n, pair)
    if result.part_a.dimension < 2 and result.part_b.dimension < 2:
        fits = result.parallel == 1  # lines on each other have no way of their own
    return fits and measure(a, b, origin, n, pair) and not result.miss > 0.0


@kernel
def bound_depth(
    a: BodyView, b: BodyView, origin: Vec, guide: Vec, reach: float, pair: Workspace
) -> int:
    """Grow a polytope, bound the depth by it, measure it from features.

    Returns the status.  A polytope that is torn winds around nothing.
    """
    result = pair.result
    hull = pair.hull
    ended, reach = expand(a, b, origin, reach, pair)
    found, only = False, False
    if ended == BROKEN:
        hull.filled[0] = 0
    else:
        found, only = choose_axis(a, b, origin, guide, reach, pair)
    if not found and ended == FULL:
        n = stand_on(pair, max(0, nearest_open(hull, reach)))
        found = descend(a, b, origin, n, pair)
    fresh = hull.filled[2] == 1 and ended != BROKEN  # nothing that was before decides
    if not found and not (fresh and level_axis(a, b, origin, pair)):
        return layout.UNPROVEN
    size = result.size
    gap = result.distance
    if gap > layout.TOUCH * size:
        result.borderline = max(result.borderline, 0 if only else 1)
        return layout.APART
    if not only or ended != CLOSED:
        result.parallel = 1
    # The points are that near to each other; in overlap the polytope knows better.
    near = max(abs(gap), abs(result.upper))
    least = inner_radius(hull)
    agrees = -least <= gap + AGREE * size
    # The same face, to rounding: the same bits on any way here.
    deep = (gap if agrees else -least) + result.dent
    result.upper = min(near, deep + MORE * layout.ALLOWANCE * size)
    result.by_hull = 1
    proven = certify(a, b, pair)
    if ended != FULL and not (proven and agrees):
        proven = finely_certified(a, b, reach, near, pair)
    touching(pair)
    if proven:
        return layout.CERTIFIED
    if least > layout.TOUCH * size and (fresh or ended == FULL):
        return layout.BOUNDED
    return layout.UNPROVEN


@kernel
def stays_deep(
    a: BodyView, b: BodyView, origin: Vec, guide: Vec, pair: Workspace
) -> bool:
    """Say whether last frame's polytope alone certifies that bodies overlap deeply.

    A ball around the origin in the difference: no walk could have found them apart.
    What is shallower, or not certified, begins with the walk.
    """
    result = pair.result
    reach = refresh(a, b, origin, pair.hull)
    if reach < 0.0:
        pair.hull.filled[0] = 0
    if reach < 0.0 or inner_radius(pair.hull) <= DEEP * reach:
        return False
    result.strict = 0
    if bound_depth(a, b, origin, guide, reach, pair) == layout.CERTIFIED:
        result.known = 1
        return True
    pair.hull.filled[0] = 0
    result.strict = 1
    result.known = result.by_hull = result.borderline = 0
    return False


@kernel
def measure_depth(
    a: BodyView, b: BodyView, origin: Vec, guide: Vec, pair: Workspace
) -> int:
    """Answer one frame for two convex bodies that touch or overlap; return the status.

    Last frame's polytope first, then a fresh one; where that breaks, as among needles
    that touch, one from cold with twice the digits: what history led to is found again.
    """
    result = pair.result
    result.strict = 0
    filled = pair.hull.filled
    status = layout.UNPROVEN
    if filled[0] > 0:
        reach = refresh(a, b, origin, pair.hull)
        status = bound_depth(a, b, origin, guide, reach, pair)
    if status != layout.CERTIFIED:
        reach = spread(a, b, origin, pair)
        status = bound_depth(a, b, origin, guide, reach, pair)
    if status == layout.UNPROVEN and filled[0] < pair.hull.room:
        filled[2] = 1
        seed(a, b, origin, pair)
        reach = spread(a, b, origin, pair)
        status = bound_depth(a, b, origin, guide, reach, pair)
        filled[2] = 0
    if status == layout.APART:
        filled[0] = 0
        result.known = 1
        status = layout.UNPROVEN
        if follow(a, b, origin, pair.result.normal, pair):
            status = layout.CERTIFIED
    if status == layout.UNPROVEN:
        filled[0] = 0
    result.known = 1 if status == layout.CERTIFIED else 0
    return status
