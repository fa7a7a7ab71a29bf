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
from sim.kernels.frames import origin_of
from sim.kernels.language import Floats, Ints, kernel
from sim.kernels.regions.triangles import (
    ENDS_A,
    PAIR,
    PIERCED_B,
    SIDES,
    boxes_apart,
    compare,
)
from sim.kernels.regions.web import Web
from sim.kernels.side import Side
from sim.kernels.surface.boxes import near_leaves, place_all, refit, turn_all
from sim.kernels.surface.tree import Tree
from sim.kernels.vector import HERE, farther

# Instead of a number of regions:
UNFINITE = -1  # a coordinate is not finite
FULL = -2  # there is no room for so many pairs

# What ``counts`` holds.
PAIRS = 0  # candidates in, pairs within reach out
REGIONS = 1
CHOSEN = 2  # the region to be named

# What ``scale`` holds.
SIZE = 0  # the largest coordinate, the scale of rounding
LIMIT = 1  # the reach, and what rounding cannot tell from it
AXIS = 2  # 2, 3, 4: a unit vector, best the one along which the bodies are apart
SCALE = 5


class Bond(NamedTuple):
    """The pairs of triangles of two bodies that may be within reach, and their regions.

    In ascending order of the first triangle, then of the second.
    """

    reach: float
    room: int  # pairs that fit
    counts: Ints  # 3, see above
    scale: Floats  # 5, see above
    stack: Ints  # scratch of the trees
    leaves: Ints  # 2 per pair: pairs of leaves that are near
    first: Ints  # a triangle of the first body
    second: Ints  # and one of the second
    sides: Floats  # 6 per pair: squares, the sides of the first from the second, ...
    square: Floats  # of the distance of the two triangles
    code: Ints  # what comes closest, see ``triangles``
    parent: Ints  # union-find
    label: Ints  # the number of its region
    best: Ints  # per region: the pair that comes closest
    near: Floats  # scratch: ``triangles.NEAR``
    ids: Ints  # 8 scratch: per side how many vertices, and up to three


@kernel
def sort_pairs(first: Ints, second: Ints, count: int) -> None:
    """Sort pairs in place by the first one, then by the second (Shell 1959)."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            f = first[i]
            g = second[i]
            j = i
            while j >= gap and (
                first[j - gap] > f or (first[j - gap] == f and second[j - gap] > g)
            ):
                first[j] = first[j - gap]
                second[j] = second[j - gap]
                j -= gap
            first[j] = f
            second[j] = g
        gap //= 3


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
def find(bond: Bond, count: int, f: int, g: int) -> int:
    """Return the place of a pair among the first ``count``, or -1."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) // 2
        at = bond.first[middle]
        if at < f or (at == f and bond.second[middle] < g):
            low = middle + 1
        else:
            high = middle
    if low < count and bond.first[low] == f and bond.second[low] == g:
        return low
    return -1


@kernel
def keep_near(a: Web, b: Web, bond: Bond, limit: float, slack: float) -> int:
    """Measure all candidates and keep those within reach; return how many."""
    kept = 0
    for k in range(bond.counts[PAIRS]):
        f = bond.first[k]
        g = bond.second[k]
        code = compare(a, b, f, g, limit, slack, bond.near)
        if sqrt(bond.near[PAIR]) <= limit:
            bond.first[kept] = f
            bond.second[kept] = g
            bond.code[kept] = code
            bond.square[kept] = bond.near[PAIR]
            for i in range(6):
                bond.sides[6 * kept + i] = bond.near[i]
            kept += 1
    return kept


@kernel
def join_all(a: Web, b: Web, bond: Bond, count: int, limit: float) -> None:
    """Join the pairs that hang together over a side within reach."""
    for k in range(count):
        bond.parent[k] = k
    for k in range(count):
        f = bond.first[k]
        g = bond.second[k]
        for i in range(3):
            other = a.beyond[3 * f + i]
            # from the lower triangle: the other one measured the same bits
            if other > f and sqrt(bond.sides[6 * k + i]) <= limit:
                m = find(bond, count, other, g)
                if m >= 0:
                    join(bond.parent, k, m)
            other = b.beyond[3 * g + i]
            if other > g and sqrt(bond.sides[6 * k + 3 + i]) <= limit:
                m = find(bond, count, f, other)
                if m >= 0:
                    join(bond.parent, k, m)


@kernel
def rank(code: int) -> int:
    """Return how well a closest pair knows the normal, best first; 0 where crossing."""
    if code >= PIERCED_B:
        return 0
    if code >= ENDS_A:
        return 3
    return 2 if code >= SIDES else 1


@kernel
def closer(bond: Bond, k: int, m: int, touch: float) -> bool:
    """Say whether a pair comes closer than another, or crosses where that does not.

    Of pairs that touch, the one that knows the normal best counts as closer.
    """
    one = rank(bond.code[k])
    two = rank(bond.code[m])
    if one == 0 or two == 0:
        return one < two
    if bond.square[k] <= touch * touch and bond.square[m] <= touch * touch:
        return one < two
    return bond.square[k] < bond.square[m]


@kernel
def number_all(bond: Bond, count: int, touch: float) -> int:
    """Count the regions by their lowest pairs and choose the closest pair of each."""
    regions = 0
    for k in range(count):
        top = root(bond.parent, k)
        if top == k:
            bond.label[k] = regions
            bond.best[regions] = k
            regions += 1
        else:
            region = bond.label[top]
            bond.label[k] = region
            if closer(bond, k, bond.best[region], touch):
                bond.best[region] = k
    return regions


@kernel
def put_candidates(
    a: Tree, b: Tree, web_a: Web, web_b: Web, leaves: int, bond: Bond
) -> bool:
    """Write the pairs of triangles in near leaves, sorted; False if they do not fit."""
    limit = bond.scale[LIMIT]
    count = 0
    for k in range(leaves):
        i = bond.leaves[2 * k]
        j = bond.leaves[2 * k + 1]
        for m in range(a.triangle_start[i], a.triangle_start[i + 1]):
            for n in range(b.triangle_start[j], b.triangle_start[j + 1]):
                f = a.number[m]
                g = b.number[n]
                if boxes_apart(web_a, web_b, f, g) <= limit:
                    if count == bond.room:
                        return False
                    bond.first[count] = f
                    bond.second[count] = g
                    count += 1
    bond.counts[PAIRS] = count
    sort_pairs(bond.first, bond.second, count)
    return True


@kernel
def near_regions(
    a: Side, b: Side, web_a: Web, web_b: Web, tree_a: Tree, tree_b: Tree, bond: Bond
) -> int:
    """Find all regions; return how many, or that something does not fit.

    Cost: O(V) to move the vertices and to fit boxes around them, then what the pairs of
    triangles within reach cost.
    """
    origin = origin_of(a, b)
    reach_a = place_all(a.points, a.pose, HERE, tree_a)
    reach_b = place_all(b.points, b.pose, origin, tree_b)
    both = reach_a + reach_b
    if both - both != 0.0:
        return UNFINITE
    size = farther(max(reach_a, reach_b), origin[0], origin[1], origin[2])
    slack = layout.ALLOWANCE * size
    limit = bond.reach + slack  # what rounding cannot tell from the reach counts
    bond.scale[SIZE] = size
    bond.scale[LIMIT] = limit
    axis = (bond.scale[AXIS], bond.scale[AXIS + 1], bond.scale[AXIS + 2])
    turn_all(tree_a, axis)
    turn_all(tree_b, axis)
    bond.counts[PAIRS] = 0
    bond.counts[REGIONS] = 0
    refit(tree_a)
    refit(tree_b)
    leaves = near_leaves(
        tree_a, tree_b, limit, slack, bond.stack, bond.leaves, bond.room
    )
    if leaves < 0 or not put_candidates(tree_a, tree_b, web_a, web_b, leaves, bond):
        return FULL
    count = keep_near(web_a, web_b, bond, limit, slack)
    join_all(web_a, web_b, bond, count, limit)
    bond.counts[PAIRS] = count
    bond.counts[REGIONS] = number_all(bond, count, layout.TOUCH * size)
    return bond.counts[REGIONS]
