"""The regions in which two surfaces are within a distance of each other.

The set {(x, y) on both surfaces : |x - y| <= reach} is a union over pairs of triangles.
Distance is convex on triangle x triangle, so what two triangles give is connected, and
two pairs of triangles hang together exactly where they share a point of the set: over a
common side that is itself within reach of the other triangle, or over a chain of such
sides around a common vertex.  Union-find over those sides is therefore exact.
"""

from math import sqrt
from typing import NamedTuple

from sim.kernels import layout
from sim.kernels.language import Floats, Ints, kernel
from sim.kernels.regions.triangles import (
    LIMIT,
    PAIR,
    SLACK,
    Adjacency,
    TrianglePair,
    compare,
    corner_at,
)
from sim.kernels.surface.boxes import KEY, TreeSearch, near_leaves, place_all, refit
from sim.kernels.surface.ties import feature, key_of
from sim.kernels.vector import HERE, farther, least, minus, most, point
from sim.kernels.workspace import BodyView, origin_of

# Instead of a number of regions:
UNFINITE = -1  # a coordinate is not finite
FULL = -2  # there is no room for so many pairs

# What ``counts`` holds.
PAIRS = 0  # candidates in, pairs within reach out
REGIONS = 1
CHOSEN = 2  # the region to be named

CROSSING = 0  # of two triangles: the best rank


class NearPairs(NamedTuple):
    """The pairs of triangles of two bodies that may be within reach, and their regions.

    In ascending order of the first triangle, then of the second.
    """

    reach: float
    room: int  # pairs that fit
    counts: Ints  # 3, see above
    axis: Floats  # 3: a unit vector, best the one along which the bodies are apart
    leaves: Ints  # 2 per pair: pairs of leaves that are near
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
def boxes_apart(a: Adjacency, b: Adjacency, f: int, g: int) -> float:
    """Return how far the boxes around two triangles are apart along some axis."""
    p, q, r = corner_at(a, f, 0), corner_at(a, f, 1), corner_at(a, f, 2)
    x, y, z = corner_at(b, g, 0), corner_at(b, g, 1), corner_at(b, g, 2)
    above = minus(least(x, least(y, z)), most(p, most(q, r)))
    below = minus(least(p, least(q, r)), most(x, most(y, z)))
    gap = most(above, below)
    return max(gap[0], gap[1], gap[2])


@kernel
def sort_pairs(nearby: NearPairs, count: int, triangles: int) -> None:
    """Sort pairs in place by the first one, then by the second: rows, one by one.

    Cost: O(T + pairs) and what sorting the few of every row takes.
    """
    first, second, row, seen = nearby.first, nearby.second, nearby.row, nearby.parent
    for f in range(triangles + 1):
        row[f] = 0
    for k in range(count):
        row[first[k] + 1] += 1
    for f in range(triangles):
        row[f + 1] += row[f]
    for k in range(count):
        f = first[k]
        seen[row[f]] = second[k]
        row[f] += 1  # in the end where the next one begins
    begin = 0
    for f in range(triangles):
        for i in range(begin, row[f]):
            g = seen[i]
            j = i
            while j > begin and second[j - 1] > g:
                second[j] = second[j - 1]
                j -= 1
            second[j] = g
            first[i] = f
        begin = row[f]


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
    """Measure all candidates and keep those within reach; return how many.

    Notes where those of each triangle of A begin.
    """
    near = nearby.compared.near
    kept = 0
    rows = 0
    for k in range(nearby.counts[PAIRS]):
        f = nearby.first[k]
        while rows <= f:
            nearby.row[rows] = kept
            rows += 1
        g = nearby.second[k]
        compare(a, b, f, g, nearby.compared)
        if sqrt(near[PAIR]) <= near[LIMIT]:
            nearby.first[kept] = f
            nearby.second[kept] = g
            nearby.square[kept] = near[PAIR]
            for i in range(KEY):
                nearby.sides[KEY * kept + i] = near[i]
                nearby.key[KEY * kept + i] = nearby.compared.key[i]
            kept += 1
    for f in range(rows, a.triangles + 1):
        nearby.row[f] = kept
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
    on_a = feature(key_of(nearby.key, KEY * k))
    on_b = feature(key_of(nearby.key, KEY * k + 3))
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
def put_candidates(
    one: Adjacency, two: Adjacency, leaves: int, nearby: NearPairs
) -> bool:
    """Write the pairs of triangles in near leaves, sorted; False if they do not fit."""
    a, b = one.tree, two.tree
    limit = nearby.compared.near[LIMIT]
    count = 0
    for k in range(leaves):
        i = nearby.leaves[2 * k]
        j = nearby.leaves[2 * k + 1]
        for m in range(a.triangle_start[i], a.triangle_start[i + 1]):
            for n in range(b.triangle_start[j], b.triangle_start[j + 1]):
                f = a.number[m]
                g = b.number[n]
                if boxes_apart(one, two, f, g) <= limit:
                    if count == nearby.room:
                        return False
                    nearby.first[count] = f
                    nearby.second[count] = g
                    count += 1
    nearby.counts[PAIRS] = count
    sort_pairs(nearby, count, one.triangles)
    return True


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
    nearby.compared.near[LIMIT] = limit
    nearby.compared.near[SLACK] = slack
    axis = point(nearby.axis, 0)
    nearby.counts[PAIRS] = 0
    nearby.counts[REGIONS] = 0
    refit(one.tree, axis)
    refit(two.tree, axis)
    stack = nearby.search.stack
    leaves = near_leaves(
        one.tree, two.tree, limit, slack, stack, nearby.leaves, nearby.room
    )
    if leaves < 0 or not put_candidates(one, two, leaves, nearby):
        return FULL
    count = keep_near(one, two, nearby)
    join_all(one, two, nearby, count, limit)
    nearby.counts[PAIRS] = count
    nearby.counts[REGIONS] = number_all(nearby, count, layout.TOUCH * size)
    return nearby.counts[REGIONS]
