"""The distance of two triangles, and of every side of each from the other.

A closest pair of two triangles has a corner over the inside of the other one, or lies
on two sides, or a side pierces the other: 6 + 9 + 6 tests (Ericson 2005, 5.1).  What a
side shares with the neighbour beyond it has the same bits there, whichever triangle
asks: sides are measured in the order of their ends.
"""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.segments import crossing, miss_each_other, perpendicular
from sim.kernels.vector import along, back, cross, dot, minus, plus, unit


class Adjacency(NamedTuple):
    """The triangles of a body, and where its vertices are in this frame.

    Every face is the fan from its first corner; its inner diagonals connect triangles
    as edges do.  Ids belong to the mesh and are shared, ``placed`` belongs to the pair.
    V, F, T, S count vertices, faces, triangles and segments (edges, then diagonals).
    """

    size: int  # V
    triangles: int  # T
    corner: Ints  # 3 T vertices, counter-clockwise from outside
    side: Ints  # 3 T: the segment that leaves each corner
    beyond: Ints  # 3 T: the triangle on its other side
    ends: Ints  # 2 S vertices
    face: Ints  # T: the face that a triangle is part of
    edges: int  # segments below this number are edges of the same number
    placed: Floats  # 3 V scratch: positions in the pair's frame, those of its tree


@kernel
def point_of(web: Adjacency, v: int) -> Vec:
    """Return where a vertex is in this frame."""
    i = 3 * v
    return (web.placed[i], web.placed[i + 1], web.placed[i + 2])


@kernel
def outward(triangles: Adjacency, t: int) -> Vec:
    """Return the unit normal of a triangle; zero where it has no area."""
    p = point_of(triangles, triangles.corner[3 * t])
    q = point_of(triangles, triangles.corner[3 * t + 1])
    r = point_of(triangles, triangles.corner[3 * t + 2])
    return unit(cross(minus(q, p), minus(r, p)))


# What two triangles come closest with, plus numbers of corners and sides.
CORNER_A = 0  # i: corner i of A over B
CORNER_B = 3
SIDES = 6  # 3 i + j: side i of A and side j of B, inside both
ENDS_A = 15  # 3 i + j: corner i of A beside side j of B
ENDS_B = 24  # 3 i + j: side i of A and corner j of B
PIERCED_B = 33  # i: by side i of A
PIERCED_A = 36
FAR = 1e300

# What a comparison writes: six squares of sides first, then
PAIR = 6  # that of the two triangles,
HEIGHTS_A = 7  # how high the corners of A's stand over B's plane,
HEIGHTS_B = 10  # and those of B's over A's
NEAR = 13


@kernel
def frame_of(p: Vec, q: Vec, r: Vec) -> tuple[Vec, Vec, Vec, float]:
    """Return a corner, the longest side from it, the way across that, and a share.

    The third corner lies at ``corner + share * side + over``.  Solved across the
    longest side a needle keeps its digits: the errors of a foot are then those of its
    coordinates, however thin the triangle.
    """
    u = minus(q, p)
    v = minus(r, q)
    w = minus(p, r)
    uu = dot(u, u)
    vv = dot(v, v)
    ww = dot(w, w)
    base = p
    side = u
    other = minus(r, p)
    square = uu
    if vv > uu and vv >= ww:
        base = q
        side = v
        other = minus(p, q)
        square = vv
    elif ww > uu:
        base = r
        side = w
        other = minus(q, r)
        square = ww
    if not square > 0.0:
        return base, side, other, 0.0
    share = dot(side, other) / square
    over = along(other, -share, side)
    k = dot(side, over) / square
    return base, side, along(over, -k, side), share + k


@kernel
def foot(
    x: Vec, base: Vec, side: Vec, over: Vec, share: float
) -> tuple[bool, Vec, float, float]:
    """Return whether a point stands over a triangle, the way from it to the plane.

    With them its coordinates along the triangle's two directions.  A triangle without
    area has no inside.
    """
    w = minus(x, base)
    aa = dot(side, side)
    oo = dot(over, over)
    if not aa > 0.0 or not oo > 0.0:
        return False, w, 0.0, 0.0
    s = dot(w, side) / aa
    t = dot(w, over) / oo
    r = along(along(w, -s, side), -t, over)
    k = dot(r, side) / aa
    m = dot(r, over) / oo
    r = minus(r, along((k * side[0], k * side[1], k * side[2]), m, over))
    s += k
    t += m
    b = s - t * share
    return t >= 0.0 and b >= 0.0 and b + t <= 1.0, back(r), s, t


@kernel
def cross_inside(p0: Vec, d: Vec, q0: Vec, e: Vec) -> tuple[bool, float, Vec]:
    """Return whether two segments come closest inside both, where, and the way.

    They start at ``p0``, ``q0`` and run along ``d``, ``e``.  Where, as the parameter on
    the first; the way leads from there to the second.
    """
    meet, s, w, _ = crossing(p0, q0, d, e)
    if not meet or not 0.0 < s < 1.0:
        return False, s, w
    t = dot(minus(plus(along(p0, s, d), w), q0), e)
    return 0.0 < t < dot(e, e), s, w


@kernel
def sides_cross(a: Adjacency, b: Adjacency, i: int, j: int) -> tuple[bool, float, Vec]:
    """Return the same of a segment of A and one of B."""
    p0 = point_of(a, a.ends[2 * i])
    q0 = point_of(b, b.ends[2 * j])
    d = minus(point_of(a, a.ends[2 * i + 1]), p0)
    e = minus(point_of(b, b.ends[2 * j + 1]), q0)
    return cross_inside(p0, d, q0, e)


@kernel
def beside(a: Adjacency, v: int, b: Adjacency, s: int) -> tuple[float, Vec]:
    """Return where B's segment is nearest to A's vertex, as a parameter, and the way.

    The way leads from the vertex to the segment.
    """
    t, w = perpendicular(
        point_of(a, v), point_of(b, b.ends[2 * s]), point_of(b, b.ends[2 * s + 1])
    )
    return t, back(w)


@kernel
def within(x: Vec, p: Vec, q: Vec, n: Vec, slack: float) -> bool:
    """Say whether a point lies left of a side by more than ``slack``, seen along n."""
    return dot(minus(x, p), unit(cross(n, minus(q, p)))) > slack


@kernel
def pierces(
    tail: Vec, tip: Vec, p: Vec, q: Vec, r: Vec, slack: float
) -> tuple[bool, float]:
    """Return whether a segment passes through a triangle, and where along it.

    Its ends must lie on two sides, and the passage inside all three edges, by more than
    ``slack``: what only touches is measured elsewhere, and rounding must not make
    parallel faces cross.
    """
    n = unit(cross(minus(q, p), minus(r, p)))
    h = dot(minus(tail, p), n)
    k = dot(minus(tip, p), n)
    if not min(abs(h), abs(k)) > slack or (h > 0.0) == (k > 0.0):
        return False, 0.0
    f = h / (h - k)
    x = along(tail, f, minus(tip, tail))
    inside = within(x, p, q, n, slack) and within(x, q, r, n, slack)
    return inside and within(x, r, p, n, slack), f


@kernel
def lower(near: Floats, k: int, square: float) -> None:
    """Note that something comes as near as this."""
    if square < near[k]:
        near[k] = square


@kernel
def heights(
    triangles: Adjacency, t: int, base: Vec, n: Vec, to: Floats, at: int
) -> None:
    """Write how high the corners of a triangle stand over a plane."""
    for k in range(3):
        to[at + k] = dot(
            minus(point_of(triangles, triangles.corner[3 * t + k]), base), n
        )


@kernel
def out_of_reach(near: Floats, at: int, limit: float) -> bool:
    """Say whether three heights all lie beyond a limit, on one side of the plane."""
    x = near[at]
    y = near[at + 1]
    z = near[at + 2]
    return min(x, y, z) > limit or max(x, y, z) < -limit


@kernel
def corners_over(
    a: Adjacency, b: Adjacency, f: int, g: int, sides: int, limit: float, near: Floats
) -> int:
    """Measure the corners of a triangle of A over one of B; return the nearest.

    Lowers the squares of A's sides, which begin at ``sides``, and that of the pair; -1
    where none is nearer than that.
    """
    at = HEIGHTS_A + sides
    best = -1
    if min(abs(near[at]), abs(near[at + 1]), abs(near[at + 2])) > limit:
        return best
    base, along, over, share = frame_of(
        point_of(b, b.corner[3 * g]),
        point_of(b, b.corner[3 * g + 1]),
        point_of(b, b.corner[3 * g + 2]),
    )
    for k in range(3):
        if abs(near[at + k]) > limit:
            continue
        x = point_of(a, a.corner[3 * f + k])
        inside, w, _, _ = foot(x, base, along, over, share)
        if inside:
            square = dot(w, w)
            lower(near, sides + k, square)
            lower(near, sides + (k + 2) % 3, square)
            if square < near[PAIR]:
                near[PAIR] = square
                best = k
    return best


@kernel
def corners_beside(
    a: Adjacency, b: Adjacency, f: int, g: int, sides: int, others: int, near: Floats
) -> int:
    """Measure the corners of a triangle of A from the sides of one of B.

    Returns 3 i + j for the nearest, corner i and side j; -1 where none is nearer than
    what there is.
    """
    best = -1
    p = point_of(a, a.corner[3 * f])
    q = point_of(a, a.corner[3 * f + 1])
    r = point_of(a, a.corner[3 * f + 2])
    for j in range(3):
        s = b.side[3 * g + j]
        tail = point_of(b, b.ends[2 * s])
        tip = point_of(b, b.ends[2 * s + 1])
        _, u = perpendicular(p, tail, tip)
        _, v = perpendicular(q, tail, tip)
        _, w = perpendicular(r, tail, tip)
        one = dot(u, u)
        two = dot(v, v)
        three = dot(w, w)
        lower(near, sides, min(one, two))
        lower(near, sides + 1, min(two, three))
        lower(near, sides + 2, min(one, three))
        least = min(one, two, three)
        lower(near, others + j, least)
        if least < near[PAIR]:
            near[PAIR] = least
            best = j
            if one > least:
                best = 3 + j if two == least else 6 + j
    return best


@kernel
def crossings(a: Adjacency, b: Adjacency, f: int, g: int, near: Floats) -> int:
    """Measure the sides of two triangles that come closest inside both.

    Returns 3 i + j for the nearest; -1 where none is nearer than what there is.
    """
    best = -1
    for i in range(3):
        s = a.side[3 * f + i]
        p = point_of(a, a.ends[2 * s])
        d = minus(point_of(a, a.ends[2 * s + 1]), p)
        for j in range(3):
            t = b.side[3 * g + j]
            q = point_of(b, b.ends[2 * t])
            e = minus(point_of(b, b.ends[2 * t + 1]), q)
            if miss_each_other(d, e, minus(q, p)):
                continue
            meet, _, w = cross_inside(p, d, q, e)
            if meet:
                square = dot(w, w)
                lower(near, i, square)
                lower(near, 3 + j, square)
                if square < near[PAIR]:
                    near[PAIR] = square
                    best = 3 * i + j
    return best


@kernel
def sides_through(
    a: Adjacency, b: Adjacency, f: int, g: int, sides: int, slack: float, near: Floats
) -> int:
    """Look for a side of a triangle of A that passes through one of B; -1 if none."""
    at = HEIGHTS_A + sides
    found = -1
    for k in range(3):
        h = near[at + k]
        other = near[at + (k + 1) % 3]
        if min(abs(h), abs(other)) > slack and (h > 0.0) != (other > 0.0):
            s = a.side[3 * f + k]
            through, _ = pierces(
                point_of(a, a.ends[2 * s]),
                point_of(a, a.ends[2 * s + 1]),
                point_of(b, b.corner[3 * g]),
                point_of(b, b.corner[3 * g + 1]),
                point_of(b, b.corner[3 * g + 2]),
                slack,
            )
            if through:
                near[sides + k] = 0.0
                near[PAIR] = 0.0
                if found < 0:
                    found = k
    return found


@kernel
def compare(
    a: Adjacency, b: Adjacency, f: int, g: int, limit: float, slack: float, near: Floats
) -> int:
    """Measure a triangle of A and one of B; return what comes closest.

    Writes seven squares into ``near``: the distance of each side of A's triangle from
    B's, of each side of B's from A's, and of the two triangles; what is beyond
    ``limit`` is only said to be.  A pair that crosses is told as such, though its
    distance is 0 like that of one that touches; of equals a corner over the inside wins
    over two sides, and these over an end, for they know the normal better.
    Cost: 6 points over planes, 9 pairs of lines, 18 points beside lines.
    """
    for k in range(7):
        near[k] = FAR
    best = CORNER_A
    base = point_of(a, a.corner[3 * f])
    heights(b, g, base, outward(a, f), near, HEIGHTS_B)
    if out_of_reach(near, HEIGHTS_B, limit + slack):
        return best
    base = point_of(b, b.corner[3 * g])
    heights(a, f, base, outward(b, g), near, HEIGHTS_A)
    if out_of_reach(near, HEIGHTS_A, limit + slack):
        return best
    k = corners_over(a, b, f, g, 0, limit + slack, near)
    if k >= 0:
        best = CORNER_A + k
    k = corners_over(b, a, g, f, 3, limit + slack, near)
    if k >= 0:
        best = CORNER_B + k
    k = crossings(a, b, f, g, near)
    if k >= 0:
        best = SIDES + k
    k = corners_beside(a, b, f, g, 0, 3, near)
    if k >= 0:
        best = ENDS_A + k
    k = corners_beside(b, a, g, f, 3, 0, near)
    if k >= 0:
        best = ENDS_B + 3 * (k % 3) + k // 3
    k = sides_through(b, a, g, f, 3, slack, near)
    if k >= 0:
        best = PIERCED_A + k
    k = sides_through(a, b, f, g, 0, slack, near)
    if k >= 0:
        best = PIERCED_B + k
    return best
