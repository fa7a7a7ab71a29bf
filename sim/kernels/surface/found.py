"""What two surfaces answer, from the best pair of a search: names, points, bounds."""

from math import sqrt

from sim.kernels import layout
from sim.kernels.closest.answer import direction, measured
from sim.kernels.closest.footing import apart
from sim.kernels.closest.measure import put
from sim.kernels.closest.naming import adopt, adopt_face, flooded_anywhere
from sim.kernels.language import Vec, kernel
from sim.kernels.layout import SIDE_A, SIDE_B
from sim.kernels.side import Side
from sim.kernels.slate import Slate
from sim.kernels.surface.hunt import SQUARE, Hunt
from sim.kernels.surface.nearest import feature, key_of, nearest_points
from sim.kernels.surface.pairs import point
from sim.kernels.surface.tree import Tree
from sim.kernels.vector import (
    HERE,
    back,
    cross,
    dot,
    length,
    minus,
    reach_of,
    scale_of,
    unit,
)


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
def bound(d: float, size: float, hunt: Hunt, slate: Slate) -> None:
    """Write the bounds that a search proves, from the distance of its best pair."""
    row = slate.row
    size = max(size, row[layout.SIZE])
    allowance = layout.ALLOWANCE * size
    gap = row[layout.DISTANCE]
    row[layout.SIZE] = size
    row[layout.LOWER] = min(sqrt(hunt.state[SQUARE]), gap) - allowance
    row[layout.UPPER] = max(d, gap) + allowance
