"""One frame of two bodies that touch or overlap, measured from their features.

The polytope only says which features to look at, and proves that no translation shorter
than their overlap separates the bodies; the numbers come from ``answer``'s expressions.
"""

from sim.kernels import layout
from sim.kernels.answer import answer, certified, direction, flooded, followed, guessed, measured
from sim.kernels.hull import DISTANCE, FINAL, PLANE, outward
from sim.kernels.language import Vec, kernel
from sim.kernels.measure import put
from sim.kernels.naming import holds
from sim.kernels.penetration import (
    BROKEN,
    CLOSED,
    EQUAL,
    inner_radius,
    polytope,
    stretch,
)
from sim.kernels.side import Side
from sim.kernels.slate import Slate
from sim.kernels.vector import HERE, back, dot, place, pull, reach_of

MORE = 0.5  # of the allowance: what the polytope's own rounding adds to the upper bound
AGREE = 4.0 * 2.220446049250313e-16  # per unit of size: polytope and features as one


@kernel
def stand_on(slate: Slate, f: int) -> None:
    """Make a triangle of the polytope the simplex."""
    hull = slate.hull
    slate.simplex[0] = 3
    for k in range(3):
        v = hull.corners[3 * f + k]
        slate.simplex[1 + k] = hull.ids[2 * v]
        slate.simplex[5 + k] = hull.ids[2 * v + 1]


@kernel
def facing_axis(a: Side, b: Side, origin: Vec, f: int, slate: Slate) -> bool:
    """Name and measure the features that face each other along a triangle's normal.

    The guess from its corners first, then a flood along its normal, then along the
    normal of what was found.  Their own normal must name them again.
    """
    out = slate.out
    n = back(outward(slate.hull, f))
    stand_on(slate, f)
    va, vb = stretch(a, b, back(n), slate.simplex[1], slate.simplex[5], slate)
    x = place(a.points, a.pose, HERE, va)
    y = place(b.points, b.pose, origin, vb)
    drop = slate.tolerance * reach_of(x, y)
    way = n
    named = guessed(a, b, slate)
    for attempt in range(3):
        if attempt > 0:
            named = flooded(a, va, b, vb, way, drop, slate)
        if not named:
            continue
        facing, way = direction(a, b, origin, n, slate)
        if not facing or out[layout.BY_POINTS] == 1:
            way = n
            continue
        if measured(a, b, origin, way, slate):
            drop = slate.tolerance * slate.row[layout.SIZE]
            slate.hint[layout.HINT_A] = 0
            slate.hint[layout.HINT_B] = 0
            if holds(
                a, out[layout.FACES_A], pull(a.pose, way), drop, slate, layout.HINT_A
            ) and holds(
                b, out[layout.FACES_B], pull(b.pose, back(way)), drop, slate, layout.HINT_B
            ):
                return True
    return False


@kernel
def row_normal(slate: Slate) -> Vec:
    """Return the normal in the row."""
    row = slate.row
    return (row[layout.NORMAL], row[layout.NORMAL + 1], row[layout.NORMAL + 2])


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
    a: Side, b: Side, origin: Vec, guide: Vec, reach: float, slate: Slate
) -> tuple[bool, bool]:
    """Measure along every axis that ties for the least overlap, and keep one.

    Returns whether there is one, and whether it is the only one.
    """
    hull = slate.hull
    limit = 0.0
    found = False
    for f in range(hull.count[1]):
        d = hull.planes[PLANE * f + DISTANCE]
        if hull.state[f] == FINAL and (not found or d < limit):
            limit = d
            found = True
    if not found:
        return False, True
    limit += 2.0 * EQUAL * reach
    best = -1
    greatest = 0.0
    axis = guide
    only = True
    latest = -1
    for f in range(hull.count[1]):
        if hull.state[f] != FINAL or hull.planes[PLANE * f + DISTANCE] > limit:
            continue
        latest = f
        if not facing_axis(a, b, origin, f, slate):
            continue
        gap = slate.row[layout.DISTANCE]
        n = row_normal(slate)
        if best < 0:
            best = f
            greatest = gap
            axis = n
        elif n != axis:
            slack = AGREE * slate.row[layout.SIZE]
            if gap > greatest + slack:
                only = True
            elif gap < greatest - slack:
                continue
            else:
                only = False
                if not before(n, axis, guide):
                    continue
            best = f
            greatest = gap
            axis = n
    if best < 0:
        return False, True
    if best != latest:
        facing_axis(a, b, origin, best, slate)
    return True, only


@kernel
def bounded(
    a: Side, b: Side, origin: Vec, guide: Vec, limit: int, slate: Slate
) -> int:
    """Bound the depth by a polytope and measure it from features; return the status."""
    row = slate.row
    out = slate.out
    ended, reach = polytope(a, b, origin, limit, slate)
    if ended == BROKEN:
        return layout.UNPROVEN
    found, only = choose_axis(a, b, origin, guide, reach, slate)
    if not found:
        return layout.UNPROVEN
    size = row[layout.SIZE]
    gap = row[layout.DISTANCE]
    if gap > layout.TOUCH * size:
        return layout.APART
    if not only or ended != CLOSED:
        out[layout.PARALLEL] = 1
    # The points are that near to each other; in overlap the polytope knows better.
    near = max(abs(gap), abs(row[layout.UPPER]))
    deep = -inner_radius(slate.hull)
    if deep <= gap + AGREE * size:
        deep = gap  # the same face, to rounding: the same bits on any way here
    row[layout.UPPER] = min(near, deep + MORE * layout.ALLOWANCE * size)
    out[layout.BY_HULL] = 1
    proven = certified(a, b, row_normal(slate), slate)
    touch = layout.TOUCH * size
    if -touch <= row[layout.LOWER] <= 0.0 <= row[layout.UPPER] <= touch:
        row[layout.DISTANCE] = 0.0
        for k in range(3):
            row[layout.POINT_B + k] = row[layout.POINT_A + k]
    return layout.CERTIFIED if proven else layout.BOUNDED


@kernel
def deepest(a: Side, b: Side, origin: Vec, limit: int, slate: Slate) -> int:
    """Answer one frame for two convex bodies that touch or overlap; return the status.

    Last frame's polytope first, then a fresh one of at most ``limit`` vertices.
    """
    out = slate.out
    count = slate.hull.count
    guide = row_normal(slate) if out[layout.KNOWN] == 1 else HERE
    out[layout.KNOWN] = 0
    status = layout.UNPROVEN
    if count[0] > 0:
        status = bounded(a, b, origin, guide, limit, slate)
    if status != layout.CERTIFIED:
        count[0] = 0
        status = bounded(a, b, origin, guide, limit, slate)
    if status == layout.APART:
        count[0] = 0
        out[layout.KNOWN] = 1
        status = layout.UNPROVEN
        if followed(a, b, origin, slate):
            status = layout.CERTIFIED
    if status == layout.UNPROVEN:
        count[0] = 0
    out[layout.KNOWN] = 1 if status == layout.CERTIFIED else 0
    return status


@kernel
def frame(
    a: Side, b: Side, origin: Vec, convex: int, limit: int, slate: Slate
) -> int:
    """Answer one frame of two bodies; return the status.

    ``convex`` is 1 where both bodies are known to be: only then are they taken for
    their hulls where they touch or overlap.
    """
    slate.out[layout.BY_HULL] = 0
    status = answer(a, b, origin, slate)
    if status == layout.CERTIFIED or convex == 0:
        return status
    return deepest(a, b, origin, limit, slate)
