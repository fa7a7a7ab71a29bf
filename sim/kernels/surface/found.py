"""What two surfaces answer, from the best pair of a search: names, points, bounds."""

from math import sqrt

from sim.kernels import layout
from sim.kernels.closest.answer import direction, measure
from sim.kernels.closest.naming import INFINITE, adopt, adopt_face, flood, name_members
from sim.kernels.closest.support_feature import plateau, push
from sim.kernels.closest.vertex_face import apart
from sim.kernels.language import Ints, Vec, kernel
from sim.kernels.surface.nearest import nearest_points
from sim.kernels.surface.piercing import across_triangle, corners
from sim.kernels.surface.ties import Key, feature, pair_of
from sim.kernels.vector import (
    HERE,
    along,
    back,
    cross,
    dot,
    length,
    minus,
    point,
    pull,
    reach_of,
    scale_of,
    unit,
)
from sim.kernels.walk.support import height
from sim.kernels.workspace import (
    BodyView,
    Part,
    Result,
    Tree,
    TreeSearch,
    Workspace,
    name_part,
    origin_of,
)

CROSSING = 1e-6  # sine between two segments from which on they define a normal
ROUNDS = 4  # of naming along the normal of what was named


@kernel
def reach_of_feature(tree: Tree, ids: Key) -> float:
    """Return the largest coordinate of the vertices of a feature."""
    reach = reach_of(point(tree.placed, ids[0]), HERE)
    if ids[1] >= 0:
        reach = max(reach, reach_of(point(tree.placed, ids[1]), HERE))
    if ids[2] >= 0:
        reach = max(reach, reach_of(point(tree.placed, ids[2]), HERE))
    return reach


@kernel
def tells(a: BodyView, b: BodyView, keys: Ints, at: int) -> bool:
    """Say whether a pair defines a normal whatever its points."""
    ids_a, ids_b = pair_of(keys, at)
    if feature(ids_a) == 3 or feature(ids_b) == 3:
        return True
    if feature(ids_a) == 1 or feature(ids_b) == 1:
        return False
    d = minus(point(a.tree.placed, ids_a[1]), point(a.tree.placed, ids_a[0]))
    e = minus(point(b.tree.placed, ids_b[1]), point(b.tree.placed, ids_b[0]))
    return length(cross(unit(d), unit(e))) > CROSSING


@kernel
def normal_of_pair(a: Tree, b: Tree, search: TreeSearch, way: Vec, size: float) -> Vec:
    """Return the unit normal that a named pair defines, from A to B.

    A triangle or two crossing segments know it to the last digit however near the
    points are to each other; where they say something else, they are needles, and the
    points are far enough apart to know it.
    """
    ids_a, ids_b = pair_of(search.best, 0)
    on_a = feature(ids_a)
    on_b = feature(ids_b)
    p = point(a.placed, ids_a[0])
    q = point(b.placed, ids_b[0])
    n = way
    if on_a == 3:
        n = across_triangle(a, ids_a)
    elif on_b == 3:
        n = across_triangle(b, ids_b)
    elif on_a == 2 and on_b == 2:
        n = cross(
            minus(point(a.placed, ids_a[1]), p), minus(point(b.placed, ids_b[1]), q)
        )
    n = unit(n)
    if dot(n, way) < 0.0:
        n = back(n)
    off = reach_of(along(way, -length(way), n), HERE)
    return unit(way) if off > layout.ABSOLUTE * size else n


@kernel
def name_plainly(side: BodyView, ids: Key, part: Part, pair: Workspace) -> bool:
    """Name a vertex, a segment or a triangle by the user's numbers, as it is."""
    count = feature(ids)
    listed = pair.hint
    listed[0] = ids[0]
    listed[1] = ids[1]
    listed[2] = ids[2]
    if adopt(side, listed, 0, count, part):
        return True
    # The inner diagonal of a polygon: the face is the feature.
    v = ids[0]
    for k in range(side.start[v], side.start[v + 1]):
        if adopt_face(side, side.star_face[k], count):
            name_part(side, part, 0, 1)
            return True
    return False


@kernel
def answer_plainly(a: BodyView, b: BodyView, n: Vec, pair: Workspace) -> bool:
    """Write the answer as the search measured it; its ``size`` is there already."""
    result = pair.result
    ids_a, ids_b = pair_of(pair.search.best, 0)
    p, q = nearest_points(a.tree, b.tree, pair.search.best, 0)
    d = length(minus(q, p))
    result.normal = n
    result.point_a = p
    result.point_b = q
    result.distance = d
    result.lower = d
    result.upper = d
    result.miss = 0.0
    result.corners = 0
    result.parallel = 0
    return name_plainly(a, ids_a, result.part_a, pair) and name_plainly(
        b, ids_b, result.part_b, pair
    )


@kernel
def best_pair(a: BodyView, b: BodyView, pair: Workspace) -> tuple[Vec, float, float]:
    """Return the normal of the best pair of a search, its distance, and the rounding.

    The last is the scale of all coordinates that count.
    """
    ta = a.tree
    tb = b.tree
    search = pair.search
    ids_a, ids_b = pair_of(search.best, 0)
    p, q = nearest_points(ta, tb, search.best, 0)
    way = minus(q, p)
    size = scale_of(p, q, origin_of(a, b))
    size = max(size, reach_of_feature(ta, ids_a), reach_of_feature(tb, ids_b))
    n = normal_of_pair(ta, tb, search, way, size)
    if feature(ids_a) == 3:
        n = leveled(ta, ids_a, n, 0.25 * layout.BLIND * size)
    elif feature(ids_b) == 3:
        n = leveled(tb, ids_b, n, 0.25 * layout.BLIND * size)
    return n, length(way), size


@kernel
def leveled(tree: Tree, ids: Key, n: Vec, slack: float) -> Vec:
    """Return the normal along which a placed triangle is level; the same if it is.

    Along a needle what rounding leaves of its normal adds up.
    """
    p, q, r = corners(tree, ids)
    e, f = minus(q, p), minus(r, p)
    if max(abs(dot(n, e)), abs(dot(n, f))) <= slack:
        return n
    if dot(f, f) > dot(e, e):
        e, f = f, e
    f = along(f, -dot(e, f) / dot(e, e), e)
    n = along(n, -dot(n, e) / dot(e, e), e)
    if dot(f, f) > 0.0:
        n = along(n, -dot(n, f) / dot(f, f), f)
    return unit(n)


@kernel
def normal_of_triangle(side: BodyView, ids: Key) -> Vec:
    """Return the unit normal of a triangle, computed before its body is placed.

    A pose makes needles of triangles, whose normal the placed corners do not tell.
    """
    p = point(side.points, ids[0])
    q = minus(point(side.points, ids[1]), p)
    return unit(push(side.pose, cross(q, minus(point(side.points, ids[2]), p))))


@kernel
def summit(side: BodyView, v: int, d: Vec) -> int:
    """Return the highest member of a named part, the vertex where it is none lower."""
    top = v
    best = height(side.points, v, d)
    for k in range(side.mark[side.size]):
        h = height(side.points, side.members[k], d)
        if h > best:
            best = h
            top = side.members[k]
    return top


@kernel
def name_level(
    side: BodyView, v: int, d: Vec, drop: float, part: Part, result: Result
) -> bool:
    """Name the level part around a vertex of a body of any shape.

    What lies within ``drop`` below a summit, as every other way names it.  In a hollow
    there is none: what lies within half of that around the vertex.  The wall of a notch
    has higher parts beside it, and is level all the same.
    """
    above = INFINITE if side.proofs.scanned > 0 else drop
    count = plateau(side, v, d, drop, above, result)
    top = summit(side, v, d)
    if top == v:
        faces = name_members(side, count, part, 0.0) if count > 0 else -1
        result.level_faces += max(0, faces)
        found = faces >= 0
    else:
        found = flood(side, top, d, drop, above, part, result)
        found = found and summit(side, top, d) == top
        found = found or flood(side, v, d, 0.5 * drop, above, part, result)
    if not found and side.mark[side.size] > 2:
        side.leaving[0] = top  # an arc of a fine rim is no part: its summit is
        return adopt(side, side.leaving, 0, 1, part)
    return found


@kernel
def level_around(
    a: BodyView,
    b: BodyView,
    at: tuple[int, int],
    n: Vec,
    drop: float,
    turns: bool,
    pair: Workspace,
) -> bool:
    """Name and measure the level parts around two vertices along a direction.

    Again along the normal that the parts define, until they name themselves; unless it
    ``turns``, along the direction itself, of which an area is one part at least.
    """
    result = pair.result
    result.strict = 0
    origin = origin_of(a, b)
    for _ in range(ROUNDS):
        way = n
        up, down = pull(a.pose, way), pull(b.pose, back(way))
        if not (
            name_level(a, at[0], up, drop, result.part_a, result)
            and name_level(b, at[1], down, drop, result.part_b, result)
        ):
            return False
        facing, n = direction(a, b, origin, way, pair)
        if not turns:
            flat = result.part_a.dimension == 2 or result.part_b.dimension == 2
            # Lines that lie on each other have no way of their own to the other.
            fits = facing if flat else result.parallel == 1
            return fits and measure(a, b, origin, way, pair)
        if not facing:
            return False
        if n == way:
            break
    return measure(a, b, origin, n, pair)


@kernel
def measured_around(
    a: BodyView, b: BodyView, n: Vec, size: float, pair: Workspace
) -> bool:
    """Name the level parts around the best pair along a direction, and measure them.

    Along the normal of its triangle, where it has one.
    """
    search = pair.search
    guide = n
    ids_a, ids_b = pair_of(search.best, 0)
    if feature(ids_a) == 3:
        n = normal_of_triangle(a, ids_a)
    elif feature(ids_b) == 3:
        n = normal_of_triangle(b, ids_b)
    if dot(n, guide) < 0.0:
        n = back(n)
    drop = pair.tolerance * size
    ends = (search.best[0], search.best[3])
    return level_around(a, b, ends, n, drop, True, pair)


@kernel
def level_frame(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Name and measure the level parts around two vertices; return 1 where they meet.

    The vertices are the first of both hints, the direction and the scale are those of
    the row.  ``hint[1]`` 1: along that direction itself, not the parts' own normal.
    """
    result = pair.result
    hint = pair.hint
    turns = hint[layout.HINT_A + 1] == 0
    drop = pair.tolerance * result.size
    pair.result.known = 0
    ends = (hint[layout.HINT_A], hint[layout.HINT_B])
    found = level_around(a, b, ends, result.normal, drop, turns, pair)
    # Beside each other they are level with the closest points, and elsewhere.
    return 1 if found and not result.miss > 0.0 else 0


@kernel
def named_pair(a: BodyView, b: BodyView, pair: Workspace) -> tuple[bool, float, float]:
    """Name and measure the level parts around the best pair of a search.

    Returns whether they measure what the search found, the distance that it found, and
    the scale of rounding.  If not, the pair itself is the answer; parts that are level
    but for their last digits keep their names, and it says how near they are.
    """
    result = pair.result
    guide, d, size = best_pair(a, b, pair)
    slack = layout.RELATIVE * d + 0.1 * layout.ABSOLUTE * size
    for turn in range(2):
        if turn == 0:
            found = measured_around(a, b, guide, size, pair)
        else:
            at = (pair.search.best[0], pair.search.best[3])
            drop = pair.tolerance * size
            found = level_around(a, b, at, guide, drop, False, pair)
        if not found or result.miss > 0.0:
            continue
        off = abs(result.distance - d)
        if off <= slack and apart(pair):
            return True, d, size
        if off <= pair.tolerance * result.size:
            result.distance = d
            result.point_b = along(result.point_a, d, result.normal)
            return False, d, size
    result.size = size
    answer_plainly(a, b, guide, pair)
    return False, d, size


@kernel
def bound(d: float, size: float, pair: Workspace) -> None:
    """Write the bounds that a search proves, from the distance of its best pair."""
    result = pair.result
    size = max(size, result.size)
    allowance = layout.ALLOWANCE * size
    gap = result.distance
    result.size = size
    result.lower = min(sqrt(pair.search.state.square), gap) - allowance
    result.upper = max(d, gap) + allowance
