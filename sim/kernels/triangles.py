"""The distance of two triangles, and of every side of each from the other.

A closest pair of two triangles has a corner over the inside of the other one, or lies
on two sides, or a side pierces the other: 6 + 9 + 6 tests (Ericson 2005, 5.1).  What a
side shares with the neighbour beyond it has the same bits there, whichever triangle
asks: sides are measured in the order of their ends.
"""

from sim.kernels.language import Floats, Vec, kernel
from sim.kernels.segments import crossing, end_to_segment
from sim.kernels.vector import cross, dot, minus, unit
from sim.kernels.web import Web, point_of

# What two triangles come closest with, plus the number of the corner or side.
CORNER_A = 0  # a corner of A over B, 3 of them
CORNER_B = 3
SIDES = 6  # 3 i + j: side i of A and side j of B, inside both
ENDS = 15  # 3 i + j: an end of one of them
PIERCED_B = 24  # by side i of A
PIERCED_A = 27
CODES = 30
FAR = 1e300


@kernel
def frame_of(p: Vec, q: Vec, r: Vec) -> tuple[Vec, Vec, Vec, float]:
    """Return a corner, the longest side from it, the way across that, and a share.

    The third corner lies at ``corner + share * along + over``.  Solved across the
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
    along = u
    other = minus(r, p)
    square = uu
    if vv > uu and vv >= ww:
        base = q
        along = v
        other = minus(p, q)
        square = vv
    elif ww > uu:
        base = r
        along = w
        other = minus(q, r)
        square = ww
    if not square > 0.0:
        return base, along, other, 0.0
    share = dot(along, other) / square
    over = (
        other[0] - share * along[0],
        other[1] - share * along[1],
        other[2] - share * along[2],
    )
    k = dot(along, over) / square
    share += k
    over = (
        over[0] - k * along[0],
        over[1] - k * along[1],
        over[2] - k * along[2],
    )
    return base, along, over, share


@kernel
def foot(
    x: Vec, base: Vec, along: Vec, over: Vec, share: float
) -> tuple[bool, Vec, float, float]:
    """Return whether a point stands over a triangle, the way from it to the plane.

    With them its coordinates along the triangle's two directions.  A triangle without
    area has no inside.
    """
    w = minus(x, base)
    aa = dot(along, along)
    oo = dot(over, over)
    if not aa > 0.0 or not oo > 0.0:
        return False, w, 0.0, 0.0
    s = dot(w, along) / aa
    t = dot(w, over) / oo
    rx = w[0] - s * along[0] - t * over[0]
    ry = w[1] - s * along[1] - t * over[1]
    rz = w[2] - s * along[2] - t * over[2]
    k = (rx * along[0] + ry * along[1] + rz * along[2]) / aa
    m = (rx * over[0] + ry * over[1] + rz * over[2]) / oo
    rx -= k * along[0] + m * over[0]
    ry -= k * along[1] + m * over[1]
    rz -= k * along[2] + m * over[2]
    s += k
    t += m
    b = s - t * share
    return t >= 0.0 and b >= 0.0 and b + t <= 1.0, (-rx, -ry, -rz), s, t


@kernel
def sides_apart(a: Web, b: Web, i: int, j: int) -> tuple[float, float, Vec]:
    """Return the parameter on a segment of A, one of B, and the way between them."""
    p0 = point_of(a, a.ends[2 * i])
    p1 = point_of(a, a.ends[2 * i + 1])
    q0 = point_of(b, b.ends[2 * j])
    q1 = point_of(b, b.ends[2 * j + 1])
    d = minus(p1, p0)
    e = minus(q1, q0)
    meet, s, w, _ = crossing(p0, q0, d, e)
    if not meet:
        s, t, w = end_to_segment(p0, p1, q0, q1)
        return s, t, w
    # The way leads from the point on A to the line of B: where it ends there.
    x = (p0[0] + s * d[0] + w[0], p0[1] + s * d[1] + w[1], p0[2] + s * d[2] + w[2])
    ee = dot(e, e)
    return s, min(1.0, max(0.0, dot(minus(x, q0), e) / ee)), w


@kernel
def pierces(
    p: Vec, q: Vec, base: Vec, along: Vec, over: Vec, share: float, slack: float
) -> tuple[bool, float]:
    """Return whether a segment passes through a triangle, and where along it.

    Its ends must lie on two sides by more than ``slack``: what only touches is measured
    elsewhere, and rounding must not make parallel faces cross.
    """
    n = unit(cross(along, over))
    hp = dot(minus(p, base), n)
    hq = dot(minus(q, base), n)
    if not min(abs(hp), abs(hq)) > slack or (hp > 0.0) == (hq > 0.0):
        return False, 0.0
    f = hp / (hp - hq)
    x = (
        p[0] + f * (q[0] - p[0]),
        p[1] + f * (q[1] - p[1]),
        p[2] + f * (q[2] - p[2]),
    )
    inside, _, _, _ = foot(x, base, along, over, share)
    return inside, f


@kernel
def corners_over(a: Web, b: Web, f: int, g: int, at: int, near: Floats) -> int:
    """Measure the corners of a triangle of A over one of B; return the nearest.

    Lowers the squares in ``near``: those of A's sides, which begin at ``at``, and the
    last one, of the pair.  -1 where none is nearer than it.
    """
    p = point_of(b, b.corner[3 * g])
    q = point_of(b, b.corner[3 * g + 1])
    r = point_of(b, b.corner[3 * g + 2])
    base, along, over, share = frame_of(p, q, r)
    best = -1
    for k in range(3):
        x = point_of(a, a.corner[3 * f + k])
        inside, w, _, _ = foot(x, base, along, over, share)
        if inside:
            square = dot(w, w)
            before = at + (k + 2) % 3
            near[at + k] = min(near[at + k], square)
            near[before] = min(near[before], square)
            if square < near[6]:
                near[6] = square
                best = k
    return best


@kernel
def sides_through(
    a: Web, b: Web, f: int, g: int, at: int, slack: float, near: Floats
) -> int:
    """Look for a side of a triangle of A that passes through one of B; -1 if none."""
    p = point_of(b, b.corner[3 * g])
    q = point_of(b, b.corner[3 * g + 1])
    r = point_of(b, b.corner[3 * g + 2])
    base, along, over, share = frame_of(p, q, r)
    found = -1
    for k in range(3):
        s = a.side[3 * f + k]
        tail = point_of(a, a.ends[2 * s])
        tip = point_of(a, a.ends[2 * s + 1])
        through, _ = pierces(tail, tip, base, along, over, share, slack)
        if through:
            near[at + k] = 0.0
            if found < 0:
                found = k
    return found


@kernel
def compare(a: Web, b: Web, f: int, g: int, slack: float, near: Floats) -> int:
    """Measure a triangle of A and one of B; return what comes closest.

    Writes seven squares into ``near``: the distance of each side of A's triangle from
    B's, of each side of B's from A's, and of the two triangles.  A pair that crosses
    is told as such, though its distance is 0 like that of one that touches; of equals
    a corner wins over two sides, for it knows the normal best.
    Cost: 6 points over triangles, 9 pairs of sides, 6 planes.
    """
    for k in range(7):
        near[k] = FAR
    best = CORNER_A
    k = corners_over(a, b, f, g, 0, near)
    if k >= 0:
        best = CORNER_A + k
    k = corners_over(b, a, g, f, 3, near)
    if k >= 0:
        best = CORNER_B + k
    for i in range(3):
        for j in range(3):
            s, t, w = sides_apart(a, b, a.side[3 * f + i], b.side[3 * g + j])
            square = dot(w, w)
            near[i] = min(near[i], square)
            near[3 + j] = min(near[3 + j], square)
            if square < near[6]:
                near[6] = square
                inner = 0.0 < s < 1.0 and 0.0 < t < 1.0
                best = (SIDES if inner else ENDS) + 3 * i + j
    k = sides_through(a, b, f, g, 0, slack, near)
    if k >= 0:
        near[6] = 0.0
        best = PIERCED_B + k
    m = sides_through(b, a, g, f, 3, slack, near)
    if m >= 0 and k < 0:
        near[6] = 0.0
        best = PIERCED_A + m
    return best


@kernel
def boxes_apart(a: Web, b: Web, f: int, g: int) -> float:
    """Return how far the boxes around two triangles are apart along some axis."""
    gap = 0.0
    for axis in range(3):
        p = a.placed[3 * a.corner[3 * f] + axis]
        q = a.placed[3 * a.corner[3 * f + 1] + axis]
        r = a.placed[3 * a.corner[3 * f + 2] + axis]
        x = b.placed[3 * b.corner[3 * g] + axis]
        y = b.placed[3 * b.corner[3 * g + 1] + axis]
        z = b.placed[3 * b.corner[3 * g + 2] + axis]
        gap = max(gap, min(x, y, z) - max(p, q, r), min(p, q, r) - max(x, y, z))
    return gap
