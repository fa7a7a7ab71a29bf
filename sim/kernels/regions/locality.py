"""Name and measure the closest pair of one region: the level parts around it.

The search's own expressions, on parts that are level here: a surface of any shape may
stand higher elsewhere, so nothing is asked of supports.
"""

from sim.kernels import layout
from sim.kernels.language import Vec, kernel
from sim.kernels.regions.gather import CROSSING, NearPairs, rank
from sim.kernels.regions.triangles import Adjacency, triangle_at
from sim.kernels.surface.found import answer_plainly, best_pair, measured_around, tells
from sim.kernels.surface.piercing import across_triangle
from sim.kernels.surface.ties import Key, feature, pair_of
from sim.kernels.vector import HERE, along, back, dot, minus, point, unit
from sim.kernels.workspace import KEY, BodyView, Tree, Workspace, start_counting


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
