"""The regions in which two surfaces are near each other, and the closest pairs there.

The set {(x, y) on both surfaces : |x - y| <= reach} is a union over pairs of triangles.
Distance is convex on triangle x triangle, so what two triangles give is connected, and
two pairs of triangles hang together exactly where they share a point of the set: over a
common side that is itself within reach of the other triangle, or over a chain of such
sides around a common vertex.  Union-find over those sides is therefore exact.

The closest pair is named and measured by the search's own expressions, on parts that
are level here: a surface of any shape may stand higher elsewhere, so nothing is asked
of supports.
"""

from math import sqrt
from typing import NamedTuple

from sim.kernels import layout
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.regions.triangles import Adjacency, TrianglePair, compare, triangle_at
from sim.kernels.surface.boxes import box_apart, box_of, gaps, place_all, refit
from sim.kernels.surface.found import answer_plainly, best_pair, measured_around, tells
from sim.kernels.surface.piercing import across_triangle, corners
from sim.kernels.surface.ties import Key, feature, pair_of
from sim.kernels.vector import HERE, along, back, dot, farther, minus, point, unit
from sim.kernels.workspace import (
    KEY,
    BodyView,
    Tree,
    TreeSearch,
    Workspace,
    origin_of,
    start_counting,
)

# Instead of a number of regions:
UNFINITE = -1  # a coordinate is not finite
FULL = -2  # there is no room for so many pairs

CROSSING = 0  # of two triangles: the best rank


class NearPairs(NamedTuple):
    """The pairs of triangles of two bodies that may be within reach, and their regions.

    In ascending order of the first triangle, then of the second.
    """

    reach: float
    room: int  # pairs that fit
    axis: Floats  # 3: a unit vector, best the one along which the bodies are apart
    first: Ints  # a triangle of the first body
    second: Ints  # and one of the second
    sides: Floats  # 6 per pair: squares, the sides of the first from the second, ...
    square: Floats  # of the distance of the two triangles
    key: Ints  # KEY per pair: the features that come closest, as in ``TreeSearch``
    row: Ints  # T + 1 of the first body: where the pairs of a triangle begin
    parent: Ints  # union-find
    label: Ints  # the number of its region
    best: Ints  # per region: the pair that comes closest
    compared: TrianglePair  # scratch
    search: TreeSearch  # scratch


@kernel
def candidates(
    a: Adjacency, b: Adjacency, f: int, begin: int, nearby: NearPairs
) -> int:
    """List the triangles of B whose boxes are near that of one of A, ascending.

    Behind the pairs that are kept, from ``begin`` on.  Returns where they end, or FULL.
    """
    tree = b.tree
    limit = nearby.compared.near.limit
    pad = nearby.compared.near.slack
    square = limit * limit * (1.0 + 1e-14)
    turned = a.tree.turned
    u, v, w = triangle_at(a, f)
    thin, wide = box_of(point(turned, u), point(turned, v), point(turned, w))
    low, high = box_at(a, f)
    second = nearby.second
    stack = nearby.search.stack
    end = begin
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        if box_apart(thin, wide, tree.boxes, node, pad) > square:
            continue
        leaf = node - (tree.leaves - 1)
        if leaf < 0:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        for t in range(tree.triangle_start[leaf], tree.triangle_start[leaf + 1]):
            g = tree.number[t]
            bottom, roof = box_at(b, g)
            gap = gaps(low, high, bottom, roof)
            if max(gap[0], gap[1], gap[2]) > limit:
                continue
            if end == nearby.room:
                return FULL
            k = end
            while k > begin and second[k - 1] > g:
                second[k] = second[k - 1]
                k -= 1
            second[k] = g
            end += 1
    return end


@kernel
def box_at(a: Adjacency, f: int) -> tuple[Vec, Vec]:
    """Return the box around a triangle."""
    p, q, r = corners(a.tree, triangle_at(a, f))
    return box_of(p, q, r)


@kernel
def root(parent: Ints, k: int) -> int:
    """Return the pair that stands for a set of pairs, the lowest of them."""
    while parent[k] != k:
        parent[k] = parent[parent[k]]
        k = parent[k]
    return k


@kernel
def join(parent: Ints, k: int, m: int) -> None:
    """Make one set of two."""
    k = root(parent, k)
    m = root(parent, m)
    if k < m:
        parent[m] = k
    else:
        parent[k] = m


@kernel
def find(nearby: NearPairs, f: int, g: int) -> int:
    """Return the place of a pair, or -1."""
    low = nearby.row[f]
    high = end = nearby.row[f + 1]
    while low < high:
        middle = (low + high) // 2
        if nearby.second[middle] < g:
            low = middle + 1
        else:
            high = middle
    return low if low < end and nearby.second[low] == g else -1


@kernel
def keep_near(a: Adjacency, b: Adjacency, nearby: NearPairs) -> int:
    """List all pairs of triangles within reach; return how many, or FULL.

    Notes where those of each triangle of A begin.
    """
    near = nearby.compared.near
    kept = 0
    for f in range(a.triangles):
        nearby.row[f] = kept
        begin = kept
        end = candidates(a, b, f, begin, nearby)
        for k in range(begin, end):
            g = nearby.second[k]
            compare(a, b, f, g, nearby.compared)
            if sqrt(near.square) <= near.limit:
                nearby.first[kept] = f
                nearby.second[kept] = g
                nearby.square[kept] = near.square
                for i in range(KEY):
                    nearby.sides[KEY * kept + i] = nearby.compared.sides[i]
                    nearby.key[KEY * kept + i] = nearby.compared.key[i]
                kept += 1
        if end == FULL:
            return FULL
    nearby.row[a.triangles] = kept
    return kept


@kernel
def join_all(
    a: Adjacency, b: Adjacency, nearby: NearPairs, count: int, limit: float
) -> None:
    """Join the pairs that hang together over a side within reach."""
    for k in range(count):
        nearby.parent[k] = k
    for k in range(count):
        f = nearby.first[k]
        g = nearby.second[k]
        for i in range(3):
            other = a.beyond[3 * f + i]
            # from the lower triangle: the other one measured the same bits
            if other > f and sqrt(nearby.sides[6 * k + i]) <= limit:
                m = find(nearby, other, g)
                if m >= 0:
                    join(nearby.parent, k, m)
            other = b.beyond[3 * g + i]
            if other > g and sqrt(nearby.sides[6 * k + 3 + i]) <= limit:
                m = find(nearby, f, other)
                if m >= 0:
                    join(nearby.parent, k, m)


@kernel
def rank(nearby: NearPairs, k: int) -> int:
    """Return how well a closest pair knows the normal, best first; or CROSSING."""
    ids_a, ids_b = pair_of(nearby.key, KEY * k)
    on_a, on_b = feature(ids_a), feature(ids_b)
    if on_a + on_b == 5:
        return CROSSING
    if on_a == 3 or on_b == 3:
        return 1
    return 2 if on_a + on_b == 4 else 3


@kernel
def closer(nearby: NearPairs, k: int, m: int, touch: float) -> bool:
    """Say whether a pair comes closer than another, or crosses where that does not.

    Of pairs that touch, the one that knows the normal best counts as closer.
    """
    one = rank(nearby, k)
    two = rank(nearby, m)
    if one == CROSSING or two == CROSSING:
        return one < two
    if nearby.square[k] <= touch * touch and nearby.square[m] <= touch * touch:
        return one < two
    return nearby.square[k] < nearby.square[m]


@kernel
def number_all(nearby: NearPairs, count: int, touch: float) -> int:
    """Count the regions by their lowest pairs and choose the closest pair of each."""
    regions = 0
    for k in range(count):
        top = root(nearby.parent, k)
        if top == k:
            nearby.label[k] = regions
            nearby.best[regions] = k
            regions += 1
        else:
            region = nearby.label[top]
            nearby.label[k] = region
            if closer(nearby, k, nearby.best[region], touch):
                nearby.best[region] = k
    return regions


@kernel
def near_regions(
    a: BodyView, b: BodyView, one: Adjacency, two: Adjacency, nearby: NearPairs
) -> int:
    """Find all regions; return how many, or that something does not fit.

    Cost: O(V) to move the vertices and to fit boxes around them, then what the pairs of
    triangles within reach cost.
    """
    origin = origin_of(a, b)
    reach_a = place_all(a.points, a.pose, HERE, one.tree)
    reach_b = place_all(b.points, b.pose, origin, two.tree)
    both = reach_a + reach_b
    if both - both != 0.0:
        return UNFINITE
    size = farther(max(reach_a, reach_b), origin[0], origin[1], origin[2])
    slack = layout.ALLOWANCE * size
    limit = nearby.reach + slack  # what rounding cannot tell from the reach counts
    nearby.compared.near.limit = limit
    nearby.compared.near.slack = slack
    axis = point(nearby.axis, 0)
    nearby.compared.near.pairs = 0
    refit(one.tree, axis)
    refit(two.tree, axis)
    count = keep_near(one, two, nearby)
    if count == FULL:
        return FULL
    join_all(one, two, nearby, count, limit)
    nearby.compared.near.pairs = count
    return number_all(nearby, count, layout.TOUCH * size)


@kernel
def passage(a: Tree, ids_a: Key, b: Tree, ids_b: Key) -> tuple[Vec, Vec]:
    """Return where a side of A passes through a triangle of B, and the normal there."""
    n = unit(across_triangle(b, ids_b))
    x = point(b.placed, ids_b[0])
    p = point(a.placed, ids_a[0])
    q = point(a.placed, ids_a[1])
    one = dot(minus(p, x), n)
    two = dot(minus(q, x), n)
    return along(p, one / (one - two) if one != two else 0.0, minus(q, p)), n


@kernel
def turned(n: Vec, out_a: Vec, out_b: Vec) -> Vec:
    """Return a normal from A to B where points tell none: out of A, and into B."""
    way = minus(out_a, out_b)
    if n == HERE:
        n = unit(way)
        return out_a if n == HERE else n
    return back(n) if dot(n, way) < 0.0 else n


@kernel
def name_region(
    a: BodyView,
    b: BodyView,
    web_a: Adjacency,
    web_b: Adjacency,
    nearby: NearPairs,
    pair: Workspace,
) -> int:
    """Answer for the closest pair of one region in ``pair``; return 0.

    The choice among points as close is the first one's: nothing is remembered.
    """
    k = nearby.best[nearby.compared.near.chosen]
    ta = web_a.tree
    tb = web_b.tree
    out_a = unit(across_triangle(ta, triangle_at(web_a, nearby.first[k])))
    out_b = unit(across_triangle(tb, triangle_at(web_b, nearby.second[k])))
    search = pair.search
    for i in range(KEY):
        search.best[i] = nearby.key[KEY * k + i]
    result = pair.result
    result.known = 0
    pair.last[0] = -1
    start_counting(result)
    n, d, size = best_pair(a, b, pair)
    if rank(nearby, k) == CROSSING:
        ids_a, ids_b = pair_of(search.best, 0)
        if feature(ids_a) == 2:
            x, n = passage(ta, ids_a, tb, ids_b)
        else:
            x, n = passage(tb, ids_b, ta, ids_a)
        result.size = size
        answer_plainly(a, b, turned(n, out_a, out_b), pair)
        result.point_a = x
        result.distance = result.lower = result.upper = 0.0
    else:
        if not d > layout.TOUCH * size:
            n = turned(n if tells(a, b, search.best, 0) else HERE, out_a, out_b)
        found = measured_around(a, b, n, size, pair)
        limit = layout.RELATIVE * d + layout.ABSOLUTE * result.size
        if not (
            found
            and abs(result.distance - d) <= limit
            and abs(result.upper - d) <= limit
        ):
            result.size = size
            answer_plainly(a, b, n, pair)
    if result.distance <= layout.TOUCH * result.size:
        result.distance = 0.0
        result.point_b = result.point_a
    return 0
