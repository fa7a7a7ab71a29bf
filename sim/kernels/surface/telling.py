"""Which way surfaces face each other where they touch: their points do not tell."""

from sim.kernels import layout
from sim.kernels.language import Ints, Vec, kernel
from sim.kernels.result import Result
from sim.kernels.surface.boxes import KEY, TIES, Tree, TreeSearch
from sim.kernels.surface.nearest import feature, key_of
from sim.kernels.surface.pairs import point
from sim.kernels.surface.piercing import orientation, shared, steepness
from sim.kernels.surface.ties import comes_before
from sim.kernels.vector import back, cross, dot, length, minus, unit

CROSSING = 1e-6  # sine between two segments from which on they define a normal


@kernel
def across_triangle(tree: Tree, ids: tuple[int, int, int]) -> Vec:
    """Return the normal of a triangle, as long as it comes."""
    p = point(tree.placed, ids[0])
    return cross(
        minus(point(tree.placed, ids[1]), p), minus(point(tree.placed, ids[2]), p)
    )


@kernel
def tells(ta: Tree, tb: Tree, keys: Ints, at: int) -> bool:
    """Say whether a pair defines a normal whatever its points."""
    ids_a = key_of(keys, at)
    ids_b = key_of(keys, at + 3)
    if feature(ids_a) == 3 or feature(ids_b) == 3:
        return True
    if feature(ids_a) == 1 or feature(ids_b) == 1:
        return False
    d = minus(point(ta.placed, ids_a[1]), point(ta.placed, ids_a[0]))
    e = minus(point(tb.placed, ids_b[1]), point(tb.placed, ids_b[0]))
    return length(cross(unit(d), unit(e))) > CROSSING


@kernel
def take_next(ta: Tree, tb: Tree, search: TreeSearch) -> bool:
    """Take for the best pair the next one by name that defines a normal.

    Of all that are as near; says whether there is one.
    """
    found = -1
    for k in range(search.counts[TIES]):
        if (
            comes_before(search.best, 0, search.ties, KEY * k)
            and tells(ta, tb, search.ties, KEY * k)
            and (
                found < 0
                or comes_before(search.ties, KEY * k, search.ties, KEY * found)
            )
        ):
            found = k
    for k in range(KEY):
        if found >= 0:
            search.best[k] = search.ties[KEY * found + k]
    return found >= 0


@kernel
def climb(tree: Tree, ids: tuple[int, int, int], n: Vec) -> float:
    """Return how much the two triangles at a segment climb along a unit vector."""
    v, w, _ = ids
    total = 0.0
    for m in range(tree.leaf_start[v], tree.leaf_start[v + 1]):
        leaf = tree.leaf[m]
        for t in range(tree.triangle_start[leaf], tree.triangle_start[leaf + 1]):
            count, rest = shared(tree, t, v, w, -1)
            if count == 2:
                total += steepness(tree, v, rest, n)
    return total


@kernel
def turned_outward(ta: Tree, tb: Tree, search: TreeSearch, n: Vec) -> Vec:
    """Return the normal of a pair that touches from A to B.

    By the side to which its triangle looks, or to which its two segments are ridges.
    """
    ids_a = key_of(search.best, 0)
    ids_b = key_of(search.best, 3)
    if feature(ids_a) == 3:
        ahead = orientation(ta) * dot(across_triangle(ta, ids_a), n)
    elif feature(ids_b) == 3:
        ahead = -orientation(tb) * dot(across_triangle(tb, ids_b), n)
    else:
        ahead = climb(tb, ids_b, n) - climb(ta, ids_a, n)
    return back(n) if ahead < 0.0 else n


@kernel
def is_behind(ta: Tree, tb: Tree, search: TreeSearch, result: Result) -> bool:
    """Say whether a vertex lies behind the triangle that it is said to be in front of.

    Only just deeper than what was looked for, it was not seen inside.
    """
    plain = feature(key_of(search.best, 0)) * feature(key_of(search.best, 3)) == 3
    n = result.normal
    far = result.distance > layout.TOUCH * result.size
    return plain and far and turned_outward(ta, tb, search, n) != n
