"""Name and measure the closest pair of one region: the level parts around it.

The tracker's own expressions, on parts that are level here: a surface of any shape may
stand higher elsewhere, so nothing is asked of supports.
"""

from math import sqrt

from sim.kernels import layout
from sim.kernels.closest.answer import direction, measure
from sim.kernels.closest.naming import name_members
from sim.kernels.closest.support_feature import sort
from sim.kernels.language import Ints, Vec, kernel
from sim.kernels.layout import HINT_A, HINT_B
from sim.kernels.regions.gather import CHOSEN, SIZE, NearPairs
from sim.kernels.regions.triangles import (
    CORNER_B,
    ENDS_A,
    ENDS_B,
    PIERCED_A,
    PIERCED_B,
    SIDES,
    Adjacency,
    beside,
    foot,
    frame_of,
    outward,
    pierces,
    point_of,
    sides_cross,
)
from sim.kernels.vector import (
    HERE,
    along,
    back,
    cross,
    dot,
    minus,
    place,
    pull,
    scale_of,
    unit,
)
from sim.kernels.walk.support import height
from sim.kernels.workspace import (
    BodyView,
    Part,
    Workspace,
    name_part,
    origin_of,
    start_counting,
)


@kernel
def put_corners(triangles: Adjacency, t: int, ids: Ints, at: int) -> None:
    """Write the corners of a triangle."""
    ids[at] = 3
    for k in range(3):
        ids[at + 1 + k] = triangles.corner[3 * t + k]


@kernel
def put_side(
    triangles: Adjacency, t: int, s: int, at_end: float, ids: Ints, at: int
) -> None:
    """Write a side, its end where the parameter says so; a diagonal is its triangle."""
    if at_end <= 0.0 or at_end >= 1.0:
        ids[at] = 1
        ids[at + 1] = triangles.ends[2 * s + (0 if at_end <= 0.0 else 1)]
    elif s < triangles.edges:
        ids[at] = 2
        ids[at + 1] = triangles.ends[2 * s]
        ids[at + 2] = triangles.ends[2 * s + 1]
    else:
        put_corners(triangles, t, ids, at)


@kernel
def over(a: Adjacency, v: int, b: Adjacency, t: int) -> Vec:
    """Return the way from a corner of one body to the triangle of another below it."""
    base, d, e, share = frame_of(
        point_of(b, b.corner[3 * t]),
        point_of(b, b.corner[3 * t + 1]),
        point_of(b, b.corner[3 * t + 2]),
    )
    _, w, _, _ = foot(point_of(a, v), base, d, e, share)
    return w


@kernel
def passage(a: Adjacency, s: int, b: Adjacency, t: int) -> Vec:
    """Return where a side of one body passes through a triangle of another."""
    p = point_of(a, a.ends[2 * s])
    q = point_of(a, a.ends[2 * s + 1])
    _, f = pierces(
        p,
        q,
        point_of(b, b.corner[3 * t]),
        point_of(b, b.corner[3 * t + 1]),
        point_of(b, b.corner[3 * t + 2]),
        0.0,
    )
    return along(p, f, minus(q, p))


@kernel
def witness(
    a: Adjacency, b: Adjacency, f: int, g: int, code: int, ids: Ints
) -> tuple[Vec, Vec]:
    """Return the closest point on A and the way to that on B; write what holds them."""
    if code < CORNER_B:
        v = a.corner[3 * f + code]
        ids[HINT_A] = 1
        ids[HINT_A + 1] = v
        put_corners(b, g, ids, HINT_B)
        return point_of(a, v), over(a, v, b, g)
    if code < SIDES:
        v = b.corner[3 * g + code - CORNER_B]
        put_corners(a, f, ids, HINT_A)
        ids[HINT_B] = 1
        ids[HINT_B + 1] = v
        w = over(b, v, a, f)
        return along(point_of(b, v), 1.0, w), back(w)
    if code < ENDS_A:
        i = a.side[3 * f + (code - SIDES) // 3]
        j = b.side[3 * g + (code - SIDES) % 3]
        _, s, w = sides_cross(a, b, i, j)
        put_side(a, f, i, 0.5, ids, HINT_A)
        put_side(b, g, j, 0.5, ids, HINT_B)
        p = point_of(a, a.ends[2 * i])
        return along(p, s, minus(point_of(a, a.ends[2 * i + 1]), p)), w
    if code < ENDS_B:
        v = a.corner[3 * f + (code - ENDS_A) // 3]
        j = b.side[3 * g + (code - ENDS_A) % 3]
        t, w = beside(a, v, b, j)
        ids[HINT_A] = 1
        ids[HINT_A + 1] = v
        put_side(b, g, j, t, ids, HINT_B)
        return point_of(a, v), w
    if code < PIERCED_B:
        i = a.side[3 * f + (code - ENDS_B) // 3]
        v = b.corner[3 * g + (code - ENDS_B) % 3]
        s, w = beside(b, v, a, i)
        put_side(a, f, i, s, ids, HINT_A)
        ids[HINT_B] = 1
        ids[HINT_B + 1] = v
        return along(point_of(b, v), 1.0, w), back(w)
    nothing = (0.0, 0.0, 0.0)
    if code < PIERCED_A:
        i = a.side[3 * f + code - PIERCED_B]
        put_side(a, f, i, 0.5, ids, HINT_A)
        put_corners(b, g, ids, HINT_B)
        return passage(a, i, b, g), nothing
    j = b.side[3 * g + code - PIERCED_A]
    put_corners(a, f, ids, HINT_A)
    put_side(b, g, j, 0.5, ids, HINT_B)
    return passage(b, j, a, f), nothing


@kernel
def toward(n: Vec, w: Vec, touch: float, a_out: Vec, b_out: Vec) -> Vec:
    """Turn a normal to where B is: along the way, or out of A where that has none."""
    side = dot(n, w)
    if not dot(w, w) > touch * touch:
        side = dot(n, a_out) - dot(n, b_out)
    if side < 0.0:
        return back(n)
    return n


@kernel
def guide(
    a: Adjacency, b: Adjacency, f: int, g: int, code: int, w: Vec, touch: float
) -> tuple[bool, Vec]:
    """Return a normal from A to B; True where it comes from the points alone.

    A face knows it best, then two crossing edges, then the points.
    """
    a_out = outward(a, f)
    b_out = outward(b, g)
    if code < CORNER_B or PIERCED_B <= code < PIERCED_A:
        return False, toward(b_out, w, touch, a_out, b_out)
    if code < SIDES or code >= PIERCED_A:
        return False, toward(a_out, w, touch, a_out, b_out)
    if code < ENDS_A:
        i = a.side[3 * f + (code - SIDES) // 3]
        j = b.side[3 * g + (code - SIDES) % 3]
        d = minus(point_of(a, a.ends[2 * i + 1]), point_of(a, a.ends[2 * i]))
        e = minus(point_of(b, b.ends[2 * j + 1]), point_of(b, b.ends[2 * j]))
        n = unit(cross(unit(d), unit(e)))
        if dot(n, n) > 0.0:
            return False, toward(n, w, touch, a_out, b_out)
    if dot(w, w) > touch * touch:
        return True, unit(w)
    n = unit(minus(a_out, b_out))
    if not dot(n, n) > 0.0:
        n = a_out
    return True, n


@kernel
def side_of(code: int, second: int) -> int:
    """Return which side of a triangle comes closest, where it is a side."""
    if code >= PIERCED_A:
        return (code - PIERCED_A) * second
    if code >= PIERCED_B:
        return (code - PIERCED_B) * (1 - second)
    if code < SIDES:
        return 0
    return (code - SIDES) % 3 if second == 1 else (code - SIDES) // 3 % 3


LEVEL = 0  # named by level parts and measured along their normal
PLAIN = 1  # the closest points as found, named by the features that hold them


@kernel
def level_part(side: BodyView, top: int, d: Vec, drop: float) -> int:
    """Flood the vertices around one that are level with it; return how many.

    As ``plateau.plateau`` does, but what stands higher is a rim like what sinks lower.
    """
    points = side.points
    mark = side.mark
    members = side.members
    count = side.size
    for k in range(mark[count]):
        mark[members[k]] = 0
    level = height(points, top, d)
    members[0] = top
    mark[top] = 1
    size = 1
    done = 0
    while done < size:
        v = members[done]
        done += 1
        for k in range(side.start[v], side.start[v + 1]):
            w = side.star[k]
            if mark[w] == 0:
                h = height(points, w, d)
                if abs(h - level) <= drop:
                    mark[w] = 1
                    members[size] = w
                    size += 1
    mark[count] = size
    sort(members, size)
    return size


@kernel
def named(
    side: BodyView, ids: Ints, first: int, d: Vec, drop: float, part: Part
) -> bool:
    """Name the level part around the vertices that hold a closest point.

    False where it does not have them all, or is no feature.
    """
    count = level_part(side, ids[first + 1], d, drop)
    for k in range(1, ids[first]):
        if side.mark[ids[first + 1 + k]] == 0:
            return False
    return name_members(side, count, part) >= 0


@kernel
def name_plainly(
    side: BodyView,
    triangles: Adjacency,
    t: int,
    s: int,
    ids: Ints,
    first: int,
    part: Part,
) -> None:
    """Name the vertex, edge or face that holds a closest point."""
    if ids[first] == 1:
        name_part(part, 0, ids[first + 1], 1, 0, 0)
    elif ids[first] == 2:
        side.edges[0] = s
        name_part(part, 1, s, 2, 1, 0)
    else:
        side.faces[0] = triangles.face[t]
        name_part(part, 2, triangles.face[t], 3, 0, 1)


@kernel
def level_names(
    a: BodyView,
    b: BodyView,
    origin: Vec,
    n: Vec,
    gap: float,
    nearby: NearPairs,
    pair: Workspace,
) -> tuple[bool, Vec]:
    """Name the level parts around the closest points, and the normal that they define.

    Flooded along the guide ``n`` first, which comes from points where ``by_points`` of
    the result says so, then along the normal of what that found.
    """
    ids = nearby.ids
    result = pair.result
    x = place(a.points, a.pose, HERE, ids[HINT_A + 1])
    y = place(b.points, b.pose, origin, ids[HINT_B + 1])
    size = scale_of(x, y, origin)
    way = n
    for _ in range(2):
        drop = pair.tolerance * size
        if result.by_points == 1 and gap > 0.0:
            drop += layout.BLUR * size * (size / gap)
        if not named(a, ids, HINT_A, pull(a.pose, way), drop, result.part_a):
            return False, n
        if not named(b, ids, HINT_B, pull(b.pose, back(way)), drop, result.part_b):
            return False, n
        facing, way = direction(a, b, origin, way, pair)
        if not facing:
            return False, n
    return True, way


@kernel
def agrees(distance: float, gap: float, size: float) -> bool:
    """Say whether two distances are the same within what certifies an answer."""
    return abs(distance - gap) <= layout.RELATIVE * gap + layout.ABSOLUTE * size


@kernel
def name_region(
    a: BodyView,
    b: BodyView,
    triangles_a: Adjacency,
    triangles_b: Adjacency,
    nearby: NearPairs,
    pair: Workspace,
) -> int:
    """Answer for the closest pair of one region in ``pair``; return how it is named.

    The choice among points as close is the first one's: nothing is remembered.
    """
    origin = origin_of(a, b)
    k = nearby.best[nearby.counts[CHOSEN]]
    f = nearby.first[k]
    g = nearby.second[k]
    code = nearby.code[k]
    result = pair.result
    p, w = witness(triangles_a, triangles_b, f, g, code, nearby.ids)
    gap = sqrt(dot(w, w))
    size = nearby.scale[SIZE]
    by_points, n = guide(triangles_a, triangles_b, f, g, code, w, layout.TOUCH * size)
    result.known = 0
    result.by_points = 1 if by_points else 0
    result.doubt = layout.LENIENT
    result.corners = 0
    result.parallel = 0
    pair.last[0] = -1
    start_counting(result)
    status = PLAIN
    if code < PIERCED_B:
        found, way = level_names(a, b, origin, n, gap, nearby, pair)
        if (
            found
            and measure(a, b, origin, way, pair)
            and agrees(result.distance, gap, result.size)
            and agrees(result.upper, gap, result.size)
        ):
            status = LEVEL
    if status == PLAIN:
        i = triangles_a.side[3 * f + side_of(code, 0)]
        j = triangles_b.side[3 * g + side_of(code, 1)]
        name_plainly(a, triangles_a, f, i, nearby.ids, HINT_A, result.part_a)
        name_plainly(b, triangles_b, g, j, nearby.ids, HINT_B, result.part_b)
        result.corners = 0
        result.parallel = 0
        result.normal = n
        result.point_a = p
        result.point_b = along(p, gap, n)
        result.distance = gap
        result.lower = gap
        result.upper = gap
        result.size = size
    if result.distance <= layout.TOUCH * result.size:
        result.distance = 0.0
        result.point_b = result.point_a
    return status
