"""One frame of two surfaces of any shape: the distance, proven, and its features.

For frames that a scan along the way between the hulls did not prove: a start from last
frame's leaves, then a search of both trees.  What was found is named and measured by
the expressions of ``answer``.
"""

from sim.kernels import layout
from sim.kernels.closest.answer import certify
from sim.kernels.language import Vec, kernel
from sim.kernels.surface.boxes import (
    are_parted,
    fit,
    nests,
    place_all,
    place_leaf,
    reach_along,
    refit,
)
from sim.kernels.surface.found import best_pair, bound, named_pair, normal_of_pair
from sim.kernels.surface.inside import is_within, put_point
from sim.kernels.surface.nearest import begin, descend, nearest_points, widen
from sim.kernels.surface.piercing import orientation
from sim.kernels.surface.shared_inside import depth_along, solids_part
from sim.kernels.surface.touching import move_to_other_minimum, touch
from sim.kernels.vector import HERE, back, dot, length, minus, pull, scale_of, unit
from sim.kernels.walk.gjk import APART, walk
from sim.kernels.workspace import BodyView, Tree, TreeSearch, Workspace, origin_of

CLOSE = 1e-9  # per unit of size: nearer, a crossing may be too flat to be seen


@kernel
def side_of_other(a: BodyView, b: BodyView, origin: Vec, pair: Workspace) -> int:
    """Return 1 where neither surface lies inside the other, -1 where one does.

    For surfaces that were not seen to cross; 0 where rounding cannot tell: where they
    touch.  So near that an edge may pass through unseen, the side is always asked for.
    Cost: O(V), and O(F) where one fits into the box of the other, or they are so near.
    """
    ta = a.tree
    tb = b.tree
    search = pair.search
    pad = search.state.pad
    p, q = nearest_points(ta, tb, search.best, 0)
    way = minus(q, p)
    d = length(way)
    _, _, size = best_pair(a, b, pair)
    place_all(a.points, a.pose, HERE, ta)
    place_all(b.points, b.pose, origin, tb)
    if not d > layout.BLIND * size:
        n = normal_of_pair(ta, tb, search, way, size)
        return 1 if d > 0.0 and are_parted(ta, tb, n, pad) else 0
    close = d < CLOSE * size
    n = unit(way)
    side = 1
    if close or nests(ta, tb, pad):
        side = -lies_in(ta, p, tb, n, search)
    if side == 1 and (close or nests(tb, ta, pad)):
        side = -lies_in(tb, q, ta, n, search)
    return side


@kernel
def lies_in(a: Tree, x: Vec, b: Tree, n: Vec, search: TreeSearch) -> int:
    """Say whether a point of A lies in B, by boxes along an axis: 1, -1, 0 unsure."""
    refit(b, n)
    put_point(a, x, n)
    return is_within(a, a.size, b, orientation(b), search.stack)


@kernel
def conclude(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Answer from the best pair; return the status."""
    level, d, size = named_pair(a, b, pair)
    if not d > layout.TOUCH * size:
        return layout.UNPROVEN
    if move_to_other_minimum(a, b, pair):
        level, d, size = named_pair(a, b, pair)
    if pair.search.state.others == 1:
        pair.result.parallel = 1
    if level and certify(a, b, pair):
        pair.result.known = 1
        return layout.CERTIFIED
    bound(d, size, pair)
    return layout.SEARCHED


@kernel
def gap_between(
    a: BodyView, b: BodyView, origin: Vec, n: Vec
) -> tuple[float, float, float, float]:
    """Return the gap along n, how high each body is, and a bound on coordinates."""
    high_a, reach_a = reach_along(a, HERE, pull(a.pose, n), a.tree)
    high_b, reach_b = reach_along(b, origin, pull(b.pose, back(n)), b.tree)
    reach = max(reach_a, reach_b) + (reach_b - reach_b)
    return dot(origin, n) - high_b - high_a, high_a, high_b, reach


@kernel
def true_frame(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Answer one frame of two surfaces of any shape; return the status.

    CERTIFIED or SEARCHED: they are apart, and the row is complete.  OVERLAP: they
    cross, or one lies inside the other.  UNPROVEN: they touch, or rounding cannot tell.
    """
    ta = a.tree
    tb = b.tree
    search = pair.search
    state = search.state
    pair.result.known = 0
    pair.result.by_hull = 0
    origin = origin_of(a, b)
    if state.leaf_a < 0:
        state.leaf_a = ta.leaf_of[pair.simplex[1]]
        state.leaf_b = tb.leaf_of[pair.simplex[5]]
    gap = 0.0
    for turn in range(2):
        place_leaf(a, HERE, state.leaf_a, ta)
        place_leaf(b, origin, state.leaf_b, tb)
        begin(ta, tb, state.leaf_a, state.leaf_b, search)
        x, y = nearest_points(ta, tb, search.best, 0)
        way = minus(y, x)
        size = scale_of(x, y, origin)
        # So near the way is rounding, but boxes are thin along the normal.
        n = unit(way)
        if not length(way) > CLOSE * size:
            n = normal_of_pair(ta, tb, search, way, size)
        if n == HERE:
            n = (1.0, 0.0, 0.0)
        gap, high_a, high_b, reach = gap_between(a, b, origin, n)
        m = unit(pair.result.normal)
        if gap < 0.0 and turn == 0 and m != HERE:
            # Thinner still, where they overlap less along what the walk ended with.
            other, _, _, _ = gap_between(a, b, origin, m)
            n = m if other > gap else n
            gap, high_a, high_b, _ = gap_between(a, b, origin, n)
        pair.result.scans += 2
        if reach - reach != 0.0:
            pair.result.nan_sum = reach - reach
            return layout.UNPROVEN
        radius = widen(reach, search)
        fit(a, HERE, dot(origin, n) - high_b - radius, n, ta)
        fit(b, origin, dot(origin, n) - high_a - radius, n, tb)
        blind = layout.BLIND * size
        thin = not length(way) > blind or gap > -CLOSE * size
        enough = -1.0 if thin or turn == 1 else blind * blind
        near = max(0.0, gap) + blind
        pair.result.level_faces += descend(ta, tb, near * near, enough, search)
        if state.pierced == 1 or not search.state.square <= enough:
            break
    if state.pierced == 1:
        return layout.OVERLAP
    if not gap > search.state.pad:
        side = side_of_other(a, b, origin, pair)
        if side < 0:
            # A surface that crosses itself has no side: a plane may part it, beside the
            # way between the leaves that the search began with.
            status, n, _, _ = walk(a, b, origin, pair)
            if status != APART or not are_parted(ta, tb, n, search.state.pad):
                return layout.OVERLAP
        if side == 0:
            return touch(a, b, pair)
    return conclude(a, b, pair)


@kernel
def meeting_frame(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Return 0 where two solids share nothing of their insides, to rounding, else 1."""
    n = pair.result.normal  # along which B moves to prove the lower bound of a touch
    status = true_frame(a, b, pair)
    if status != layout.UNPROVEN:
        return 1 if status == layout.OVERLAP else 0
    guide, _, size = best_pair(a, b, pair)
    if not solids_part(a.tree, b.tree, guide, size, pair.search):
        return 1
    pair.result.lower = -depth_along(a, b, n, size, pair)
    return 0
