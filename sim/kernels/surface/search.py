"""One frame of two surfaces of any shape: the distance, proven, and its features.

For frames that a scan along the way between the hulls did not prove: a start from last
frame's leaves, then a search of both trees.  What was found is named and measured by
the expressions of ``answer``.
"""

from math import sqrt

from sim.kernels import layout
from sim.kernels.closest.answer import certified, direction, measured
from sim.kernels.closest.footing import apart
from sim.kernels.closest.measure import put
from sim.kernels.closest.naming import adopt, adopt_face, flooded_anywhere
from sim.kernels.language import Vec, kernel
from sim.kernels.layout import SIDE_A, SIDE_B
from sim.kernels.side import Side
from sim.kernels.slate import Slate
from sim.kernels.surface.boxes import are_parted, nests, place_all
from sim.kernels.surface.elsewhere import look_elsewhere
from sim.kernels.surface.hunt import (
    LEAF_A,
    LEAF_B,
    OTHERS,
    PAD,
    PIERCED,
    SQUARE,
    TIES,
    Hunt,
)
from sim.kernels.surface.nearest import (
    begin,
    descend,
    feature,
    key_of,
    nearest_points,
    widen,
)
from sim.kernels.surface.pairs import point
from sim.kernels.surface.piercing import orientation
from sim.kernels.surface.slab import fit_near, place_leaf, reach_along
from sim.kernels.surface.tree import Tree
from sim.kernels.surface.winding import side_of
from sim.kernels.vector import (
    HERE,
    back,
    cross,
    dot,
    length,
    minus,
    pull,
    reach_of,
    scale_of,
    unit,
)

CLOSE = 1e-9  # per unit of size: nearer, a crossing may be too flat to be seen


@kernel
def reach_of_feature(tree: Tree, ids: tuple[int, int, int]) -> float:
    """Return the largest coordinate of the vertices of a feature."""
    reach = reach_of(point(tree.placed, ids[0]), HERE)
    if ids[1] >= 0:
        reach = max(reach, reach_of(point(tree.placed, ids[1]), HERE))
    if ids[2] >= 0:
        reach = max(reach, reach_of(point(tree.placed, ids[2]), HERE))
    return reach


@kernel
def normal_of_pair(a: Tree, b: Tree, hunt: Hunt, way: Vec, size: float) -> Vec:
    """Return the unit normal that a named pair defines, from A to B.

    A triangle or two crossing segments know it to the last digit however near the
    points are to each other; where they say something else, they are needles, and the
    points are far enough apart to know it.
    """
    ids_a = key_of(hunt.best, 0)
    ids_b = key_of(hunt.best, 3)
    on_a = feature(ids_a)
    on_b = feature(ids_b)
    p = point(a.placed, ids_a[0])
    q = point(b.placed, ids_b[0])
    n = way
    if on_a == 3:
        n = cross(
            minus(point(a.placed, ids_a[1]), p), minus(point(a.placed, ids_a[2]), p)
        )
    elif on_b == 3:
        n = cross(
            minus(point(b.placed, ids_b[1]), q), minus(point(b.placed, ids_b[2]), q)
        )
    elif on_a == 2 and on_b == 2:
        n = cross(
            minus(point(a.placed, ids_a[1]), p), minus(point(b.placed, ids_b[1]), q)
        )
    n = unit(n)
    if dot(n, way) < 0.0:
        n = back(n)
    d = length(way)
    x = abs(way[0] - d * n[0])
    y = abs(way[1] - d * n[1])
    z = abs(way[2] - d * n[2])
    return unit(way) if max(x, y, z) > layout.ABSOLUTE * size else n


@kernel
def name_plainly(side: Side, ids: tuple[int, int, int], at: int, slate: Slate) -> bool:
    """Name a vertex, a segment or a triangle by the user's numbers, as it is."""
    count = feature(ids)
    listed = slate.hint
    listed[0] = ids[0]
    listed[1] = ids[1]
    listed[2] = ids[2]
    if adopt(side, listed, 0, count, at, slate.out):
        return True
    # The inner diagonal of a polygon: the face is the feature.
    v = ids[0]
    for k in range(side.start[v], side.start[v + 1]):
        if adopt_face(side, side.star_face[k], count):
            slate.out[at + layout.DIMENSION] = 2
            slate.out[at + layout.NAME] = side.faces[0]
            slate.out[at + layout.MEMBERS] = side.mark[side.size]
            slate.out[at + layout.EDGES] = 0
            slate.out[at + layout.FACES] = 1
            return True
    return False


@kernel
def answer_plainly(
    a: Side,
    b: Side,
    ta: Tree,
    tb: Tree,
    hunt: Hunt,
    n: Vec,
    size: float,
    slate: Slate,
) -> bool:
    """Write the answer as the search measured it."""
    row = slate.row
    ids_a = key_of(hunt.best, 0)
    ids_b = key_of(hunt.best, 3)
    p, q = nearest_points(ta, ids_a, tb, ids_b)
    d = length(minus(q, p))
    put(row, layout.NORMAL, n)
    put(row, layout.POINT_A, p)
    put(row, layout.POINT_B, q)
    row[layout.DISTANCE] = d
    row[layout.LOWER] = d
    row[layout.UPPER] = d
    row[layout.SIZE] = size
    row[layout.MISS] = 0.0
    out = slate.out
    out[layout.PATCH] = 0
    out[layout.CHOSEN] = 0
    out[layout.PARALLEL] = 0
    return name_plainly(a, ids_a, SIDE_A, slate) and name_plainly(
        b, ids_b, SIDE_B, slate
    )


@kernel
def best_pair(ta: Tree, tb: Tree, origin: Vec, hunt: Hunt) -> tuple[Vec, float, float]:
    """Return the normal of the best pair of a search, its distance, and the rounding.

    The last is the scale of all coordinates that count.
    """
    ids_a = key_of(hunt.best, 0)
    ids_b = key_of(hunt.best, 3)
    p, q = nearest_points(ta, ids_a, tb, ids_b)
    way = minus(q, p)
    size = scale_of(p, q, origin)
    size = max(size, reach_of_feature(ta, ids_a), reach_of_feature(tb, ids_b))
    return normal_of_pair(ta, tb, hunt, way, size), length(way), size


@kernel
def measured_around(
    a: Side, b: Side, origin: Vec, hunt: Hunt, guide: Vec, size: float, slate: Slate
) -> bool:
    """Name the level parts around the best pair along a direction, and measure them."""
    slate.out[layout.DOUBT] = layout.LENIENT
    drop = slate.tolerance * size
    va, _, _ = key_of(hunt.best, 0)
    vb, _, _ = key_of(hunt.best, 3)
    if not flooded_anywhere(a, va, b, vb, guide, drop, slate):
        return False
    facing, n = direction(a, b, origin, guide, slate)
    return facing and measured(a, b, origin, n, slate)


@kernel
def named_pair(
    a: Side,
    b: Side,
    origin: Vec,
    ta: Tree,
    tb: Tree,
    hunt: Hunt,
    slate: Slate,
) -> tuple[bool, float, float]:
    """Name and measure the level parts around the best pair of a search.

    Returns whether they measure what the search found, the distance that it found, and
    the scale of rounding.  If not, the pair itself is the answer.
    """
    guide, d, size = best_pair(ta, tb, origin, hunt)
    slack = layout.RELATIVE * d + 0.1 * layout.ABSOLUTE * size
    if (
        measured_around(a, b, origin, hunt, guide, size, slate)
        and apart(slate)
        and abs(slate.row[layout.DISTANCE] - d) <= slack
    ):
        return True, d, size
    answer_plainly(a, b, ta, tb, hunt, guide, size, slate)
    return False, d, size


@kernel
def side_of_other(a: Side, b: Side, origin: Vec, ta: Tree, tb: Tree, hunt: Hunt) -> int:
    """Return 1 where neither surface lies inside the other, -1 where one does.

    For surfaces that were not seen to cross; 0 where rounding cannot tell: where they
    touch.  So near that an edge may pass through unseen, the side is always asked for.
    Cost: O(V), and O(F) where one fits into the box of the other, or they are so near.
    """
    pad = hunt.state[PAD]
    ids_a = key_of(hunt.best, 0)
    ids_b = key_of(hunt.best, 3)
    p, q = nearest_points(ta, ids_a, tb, ids_b)
    way = minus(q, p)
    d = length(way)
    size = scale_of(p, q, origin)
    place_all(a.points, a.pose, HERE, ta)
    place_all(b.points, b.pose, origin, tb)
    if not d > layout.BLIND * size:
        n = normal_of_pair(ta, tb, hunt, way, size)
        return 1 if d > 0.0 and are_parted(ta, tb, n, pad) else 0
    close = d < CLOSE * size
    twofold = hunt.counts[TIES] > 1
    n = unit(way)
    side = 1
    if close or nests(ta, tb, pad):
        side = side_of(tb, orientation(tb), ids_b, n, p, twofold)
    if side == 1 and (close or nests(tb, ta, pad)):
        side = side_of(ta, orientation(ta), ids_a, back(n), q, twofold)
    return side


@kernel
def parted_there(
    a: Side, b: Side, origin: Vec, ta: Tree, tb: Tree, hunt: Hunt, slate: Slate
) -> bool:
    """Name and measure the level parts around the best pair, if a plane parts them."""
    row = slate.row
    guide, d, size = best_pair(ta, tb, origin, hunt)
    slack = layout.RELATIVE * d + 0.1 * layout.ABSOLUTE * size
    for turn in range(2):
        # So near, the points do not tell which of the bodies is ahead.
        n = guide if turn == 0 else back(guide)
        if (
            measured_around(a, b, origin, hunt, n, size, slate)
            and not row[layout.MISS] > 0.0
            and abs(row[layout.DISTANCE] - d) <= slack
            and certified(a, b, slate)
        ):
            return True
    return False


@kernel
def touch(
    a: Side, b: Side, origin: Vec, ta: Tree, tb: Tree, hunt: Hunt, slate: Slate
) -> int:
    """Answer for surfaces that touch, or all but touch, across a plane.

    Returns the status: UNPROVEN where no plane parts them, for they may overlap unseen.
    """
    row = slate.row
    if not parted_there(a, b, origin, ta, tb, hunt, slate):
        return layout.UNPROVEN
    if look_elsewhere(a, b, ta, tb, hunt, slate) and not parted_there(
        a, b, origin, ta, tb, hunt, slate
    ):
        return layout.UNPROVEN
    if hunt.counts[OTHERS] == 1:
        slate.out[layout.PARALLEL] = 1
    limit = layout.TOUCH * row[layout.SIZE]
    if row[layout.LOWER] >= -limit and row[layout.UPPER] <= limit:
        row[layout.DISTANCE] = 0.0
        for k in range(3):
            row[layout.POINT_B + k] = row[layout.POINT_A + k]
    slate.out[layout.KNOWN] = 1
    return layout.CERTIFIED


@kernel
def conclude(
    a: Side, b: Side, origin: Vec, ta: Tree, tb: Tree, hunt: Hunt, slate: Slate
) -> int:
    """Answer from the best pair; return the status."""
    row = slate.row
    level, d, size = named_pair(a, b, origin, ta, tb, hunt, slate)
    if not d > layout.TOUCH * size:
        return layout.UNPROVEN
    if look_elsewhere(a, b, ta, tb, hunt, slate):
        level, d, size = named_pair(a, b, origin, ta, tb, hunt, slate)
    if hunt.counts[OTHERS] == 1:
        slate.out[layout.PARALLEL] = 1
    if level and certified(a, b, slate):
        slate.out[layout.KNOWN] = 1
        return layout.CERTIFIED
    size = max(size, row[layout.SIZE])
    allowance = layout.ALLOWANCE * size
    gap = row[layout.DISTANCE]
    row[layout.SIZE] = size
    row[layout.LOWER] = min(sqrt(hunt.state[SQUARE]), gap) - allowance
    row[layout.UPPER] = max(d, gap) + allowance
    return layout.SEARCHED


@kernel
def true_frame(a: Side, b: Side, slate: Slate, ta: Tree, tb: Tree, hunt: Hunt) -> int:
    """Answer one frame of two surfaces of any shape; return the status.

    CERTIFIED or SEARCHED: they are apart, and the row is complete.  OVERLAP: they
    cross, or one lies inside the other.  UNPROVEN: they touch, or rounding cannot tell.
    """
    counts = hunt.counts
    slate.out[layout.KNOWN] = 0
    slate.out[layout.BY_HULL] = 0
    p = a.pose
    q = b.pose
    origin = (q[3] - p[3], q[7] - p[7], q[11] - p[11])
    if counts[LEAF_A] < 0:
        counts[LEAF_A] = ta.leaf_of[slate.simplex[1]]
        counts[LEAF_B] = tb.leaf_of[slate.simplex[5]]
    place_leaf(a, HERE, counts[LEAF_A], ta)
    place_leaf(b, origin, counts[LEAF_B], tb)
    begin(ta, tb, counts[LEAF_A], counts[LEAF_B], hunt)
    x, y = nearest_points(ta, key_of(hunt.best, 0), tb, key_of(hunt.best, 3))
    n = unit(minus(y, x))
    if n == HERE:
        n = (1.0, 0.0, 0.0)
    high_a, reach_a = reach_along(a, HERE, pull(a.pose, n), ta)
    high_b, reach_b = reach_along(b, origin, pull(b.pose, back(n)), tb)
    slate.work[3] += 2
    total = reach_a + reach_b
    if total - total != 0.0:
        slate.sink[0] = total - total
        return layout.UNPROVEN
    radius = widen(max(reach_a, reach_b), hunt)
    fit_near(a, b, origin, n, (high_a, high_b), radius, ta, tb)
    slate.work[2] += descend(ta, tb, hunt)
    if counts[PIERCED] == 1:
        return layout.OVERLAP
    if not dot(origin, n) - high_b - high_a > hunt.state[PAD]:
        side = side_of_other(a, b, origin, ta, tb, hunt)
        if side < 0:
            return layout.OVERLAP
        if side == 0:
            return touch(a, b, origin, ta, tb, hunt, slate)
    return conclude(a, b, origin, ta, tb, hunt, slate)
