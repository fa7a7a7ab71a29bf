"""The least distance of two surfaces of any shape: branch and bound over two trees.

Two nodes are taken apart while their boxes may hold something nearer than the best
pair, the nearer half first (Johnson, Cohen 1998, DOI 10.1109/ROBOT.1998.681401, for
surfaces).  Our deviations: the boxes are fitted in this frame, in a frame of axes whose
first one is the way between the pair that the search begins with; small nodes may be
parted along a way of their own as well.

Boxes that all stand in one frame are loose where a surface is tilted against it.  Of
the leaves whose boxes are near, nine in ten are parted along the way between the
middles of their own boxes, at a tenth of the cost of testing all pairs of features (a
separating direction as in Gilbert, Johnson, Keerthi 1988, DOI 10.1109/56.2083, after
one guess).
"""

from math import sqrt

from sim.kernels import layout
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.surface.boxes import NOWHERE, box_apart, girth
from sim.kernels.surface.pairs import between, over_inside, segments_pierce, test_leaves
from sim.kernels.surface.ties import drop_stale, feature, pair_of, take_tie
from sim.kernels.vector import HERE, back, dot, minus, perpendicular, plus, point
from sim.kernels.walk.support import height
from sim.kernels.workspace import KEY, Tree, TreeSearch


@kernel
def are_far(a: Tree, i: int, b: Tree, j: int, search: TreeSearch) -> bool:
    """Say whether node i of A and node j of B are seen to be farther than the limit.

    Two leaves are asked as well across the length of each: those of a fan are needles,
    whose boxes all meet.
    """
    way = minus(middle(b.boxes, j), middle(a.boxes, i))
    far = sqrt(search.state.limit) + 2.0 * search.state.pad
    if lies_beyond(a, i, b, j, way, far):
        return True
    if i < a.leaves - 1 or j < b.leaves - 1:
        return False
    return lies_beyond(a, i, b, j, across_leaf(a, i, way), far) or lies_beyond(
        a, i, b, j, across_leaf(b, j, way), far
    )


@kernel
def middle(boxes: Floats, node: int) -> Vec:
    """Return twice the middle of a box."""
    return plus(point(boxes, 2 * node), point(boxes, 2 * node + 1))


@kernel
def lies_beyond(a: Tree, i: int, b: Tree, j: int, way: Vec, far: float) -> bool:
    """Say whether node j of B lies farther than that beyond node i of A along a way.

    Never where it does not: turning and the heights have rounded less than twice the
    pad, which is in ``far``.
    """
    return -top_of(b, j, back(way)) > top_of(a, i, way) + far * sqrt(dot(way, way))


@kernel
def across_leaf(tree: Tree, node: int, way: Vec) -> Vec:
    """Return the direction across a leaf's length and the first axis, along a way."""
    leaf = node - (tree.leaves - 1)
    first = tree.vertex_start[leaf]
    p = point(tree.turned, tree.vertex[first])
    longest = 0.0
    across = HERE
    for k in range(first + 1, tree.vertex_start[leaf + 1]):
        _, y, z = minus(point(tree.turned, tree.vertex[k]), p)
        if y * y + z * z > longest:
            longest = y * y + z * z
            across = (0.0, -z, y)
    return back(across) if dot(across, way) < 0.0 else across


@kernel
def top_of(tree: Tree, node: int, way: Vec) -> float:
    """Return how high the turned vertices below a node reach along a direction."""
    high = -NOWHERE
    begin = end = node
    while begin < tree.leaves - 1:
        begin = 2 * begin + 1
        end = 2 * end + 2
    for below in range(begin, end + 1):
        if tree.awake[below] == 1:
            leaf = below - (tree.leaves - 1)
            for k in range(tree.vertex_start[leaf], tree.vertex_start[leaf + 1]):
                high = max(high, height(tree.turned, tree.vertex[k], way))
    return high


INFINITE = float("inf")
SMALL = 4  # leaves at most below a node whose vertices are looked at one by one
ROUNDING = 64.0 * 2.220446049250313e-16  # of a turned coordinate and the frame it is in


@kernel
def begin(a: Tree, b: Tree, leaf_a: int, leaf_b: int, search: TreeSearch) -> None:
    """Forget all but ids, and take the best pair of two leaves for a start."""
    state = search.state
    state.square = INFINITE
    state.limit = INFINITE
    state.tie = 0.0
    state.pad = INFINITE  # no box is fitted yet
    state.left_out = INFINITE
    state.ties = 0
    state.pierced = 0
    take_tie(search, -1)
    # Vertices even where nothing compares, as where a coordinate is not a number.
    search.best[0] = a.triangle[3 * a.triangle_start[leaf_a]]
    search.best[KEY // 2] = b.triangle[3 * b.triangle_start[leaf_b]]
    test_leaves(a, leaf_a, b, leaf_b, search)


@kernel
def widen(reach: float, search: TreeSearch) -> float:
    """Take rounding into account, now that the largest coordinate is known.

    Returns the radius within which everything matters.
    """
    state = search.state
    state.tie = layout.EQUAL * reach
    state.pad = ROUNDING * reach
    d = sqrt(state.square) + state.tie
    state.limit = d * d
    state.left_out = INFINITE
    search.state.ties = 0
    return d + state.pad


@kernel
def push(i: int, j: int, below: float, top: int, search: TreeSearch) -> int:
    """Put a pair of nodes on the stack; return how many are on it."""
    search.stack[2 * top] = i
    search.stack[2 * top + 1] = j
    search.below[top] = below
    return top + 1


@kernel
def descend(a: Tree, b: Tree, near: float, enough: float, search: TreeSearch) -> int:
    """Search both trees for whatever is nearer; return how many leaf pairs it took.

    First only boxes within a squared distance of ``near``: what they hold rules out
    most others.  Stops where an edge pierces a triangle: only boxes that meet may hold
    one; and at a squared distance of ``enough``, unless that is negative.
    """
    state = search.state
    first_a = a.leaves - 1
    first_b = b.leaves - 1
    small_a = a.leaves // SMALL - 1
    small_b = b.leaves // SMALL - 1
    pad = state.pad
    tested = 0
    above = -1.0
    most = near
    for _ in range(2):
        top = push(0, 0, 0.0, 0, search)
        while top > 0:
            top -= 1
            below = search.below[top]
            if below > state.limit:
                continue
            i = search.stack[2 * top]
            j = search.stack[2 * top + 1]
            if i >= first_a and j >= first_b and below <= above:
                continue
            if i >= small_a and j >= small_b and are_far(a, i, b, j, search):
                continue
            if i >= first_a and j >= first_b:
                tested += 1
                if state.pierced == 0:  # else only what pierces is asked for
                    test_leaves(a, i - first_a, b, j - first_b, search)
                if below <= 0.0 and (
                    segments_pierce(a, i - first_a, b, j - first_b, search)
                    or segments_pierce(b, j - first_b, a, i - first_a, search)
                ):
                    search.state.pierced = 1
                    return tested
                if state.square <= enough:
                    return tested
                continue
            whole = i >= first_a or (j < first_b and girth(b, j) > girth(a, i))
            i1 = i if whole else 2 * i + 1
            i2 = i if whole else 2 * i + 2
            j1 = 2 * j + 1 if whole else j
            j2 = 2 * j + 2 if whole else j
            low, high = point(a.boxes, 2 * i1), point(a.boxes, 2 * i1 + 1)
            one = box_apart(low, high, b.boxes, j1, pad)
            low, high = point(a.boxes, 2 * i2), point(a.boxes, 2 * i2 + 1)
            two = box_apart(low, high, b.boxes, j2, pad)
            limit = min(state.limit, most)
            if one > two and one <= limit:
                top = push(i1, j1, one, top, search)
            if two <= limit:
                top = push(i2, j2, two, top, search)
            if not one > two and one <= limit:
                top = push(i1, j1, one, top, search)
        if state.limit <= near:
            break  # whatever is as near was looked at
        above = near
        most = INFINITE
    drop_stale(search)
    return tested


@kernel
def nearest_points(a: Tree, b: Tree, keys: Ints, at: int) -> tuple[Vec, Vec]:
    """Return the closest points of a named pair, by one expression per kind."""
    ids_a, ids_b = pair_of(keys, at)
    p = point(a.placed, ids_a[0])
    q = point(b.placed, ids_b[0])
    on_a = feature(ids_a)
    on_b = feature(ids_b)
    if on_a == 3:
        _, p = over_inside(q, p, point(a.placed, ids_a[1]), point(a.placed, ids_a[2]))
    elif on_b == 3:
        _, q = over_inside(p, q, point(b.placed, ids_b[1]), point(b.placed, ids_b[2]))
    elif on_a == 2 and on_b == 2:
        _, p, q = between(p, point(a.placed, ids_a[1]), q, point(b.placed, ids_b[1]))
    elif on_a == 2:
        _, w = perpendicular(q, p, point(a.placed, ids_a[1]))
        p = minus(q, w)
    elif on_b == 2:
        _, w = perpendicular(p, q, point(b.placed, ids_b[1]))
        q = minus(p, w)
    return p, q
