"""The closest points of two triangles: where they are, what holds them, which way.

What ``triangles.compare`` found, computed once more; ids go to a buffer of eight: per
side how many vertices hold the point, and up to three.
"""

from sim.kernels.language import Ints, Vec, kernel
from sim.kernels.layout import HINT_A, HINT_B
from sim.kernels.regions.adjacency import Adjacency, point_of
from sim.kernels.regions.triangles import (
    CORNER_B,
    ENDS_A,
    ENDS_B,
    PIERCED_A,
    PIERCED_B,
    SIDES,
    beside,
    foot,
    frame_of,
    outward,
    pierces,
    sides_cross,
)
from sim.kernels.vector import along, back, cross, dot, minus, unit


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
