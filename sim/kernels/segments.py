"""Closest points of two segments, either of which may be a single point.

Two convex outlines of many corners, in about linear time: a corner is found in the fan
from the other outline's first corner by bisection, a side crosses it once on the way up
and once on the way down between the two corners that are farthest across that side:
those turn along with the side (rotating calipers, Shamos 1978; Toussaint 1983).
"""

from math import sqrt

from sim.kernels.language import Floats, Vec, kernel
from sim.kernels.vector import along, dot, minus

NEARLY_PARALLEL = 1e-12  # sine squared; below it the closest points are not unique
EQUAL = 1e-14  # squares this near to each other, relatively, are a tie
EXACTLY_PARALLEL = 1e-28  # sine squared; below it the angle is rounding
UNSURE = 1e-13  # of the terms: rounding of a determinant may be more than its value


@kernel
def perpendicular(x: Vec, p0: Vec, p1: Vec) -> tuple[float, Vec]:
    """Return the parameter of the point of a segment nearest to x, and the way to x.

    The way is taken from the nearer end, so it keeps its digits where x is near:
    from the rounded foot it would lose them, and a vertex beside an end of the
    segment could not be told from the end itself.
    """
    d = minus(p1, p0)
    dd = dot(d, d)
    w = minus(x, p0)
    if not dd > 0.0:
        return 0.0, w
    t = dot(w, d) / dd
    if t <= 0.0:
        return 0.0, w
    k = -t
    if t > 0.5:
        w = minus(x, p1)
        u = dot(w, d) / dd
        if u >= 0.0:
            return 1.0, w
        t = 1.0 + u
        k = -u
    w = along(w, k, d)
    return t, along(w, -dot(w, d) / dd, d)


@kernel
def crossing(p0: Vec, q0: Vec, d: Vec, e: Vec) -> tuple[bool, float, Vec, float]:
    """Return whether two lines come closest inside both segments, and how.

    With it the parameter on the first line, the way to the second, and the squared
    sine between them.

    The segments start at ``p0``, ``q0`` and run along ``d``, ``e``.  Solved across
    ``d`` first: the textbook determinant (Ericson 2005, 5.1.9) loses the square of
    the angle, and nearly parallel edges with it.  Segments without length do not
    cross.
    """
    r = minus(q0, p0)
    dd = dot(d, d)
    ee = dot(e, e)
    if not dd > 0.0 or not ee > 0.0:
        return False, 0.0, r, 0.0
    de = dot(d, e) / dd
    f = along(e, -de, d)
    f = along(f, -dot(f, d) / dd, d)
    ff = dot(f, f)
    dr = dot(d, r) / dd
    w = along(r, -dr, d)
    w = along(w, -dot(w, d) / dd, d)
    sine = ff / ee
    if not sine > EXACTLY_PARALLEL:
        return False, 0.0, w, 0.0
    t = -dot(w, f) / ff
    w = along(w, t, f)
    w = along(w, -dot(w, f) / ff, f)
    s = dr + t * de
    return 0.0 <= t <= 1.0 and 0.0 <= s <= 1.0, s, w, sine


@kernel
def miss_each_other(d: Vec, e: Vec, r: Vec) -> bool:
    """Say, without a division, whether two segments cannot be nearest between ends.

    They run along ``d`` and ``e``, the second begins ``r`` from the first.  By the
    textbook determinant (Ericson 2005, 5.1.9), and only beyond its rounding: nearly
    parallel segments are never refused.
    """
    dd = dot(d, d)
    ee = dot(e, e)
    de = dot(d, e)
    dr = dot(d, r)
    er = dot(e, r)
    rr = dot(r, r)
    square = dd * ee - de * de
    s = dr * ee - er * de
    slack = UNSURE * (dd + rr) * ee
    if s < -slack or s > square + slack:
        return True
    t = dr * de - er * dd
    slack = UNSURE * (ee + rr) * dd
    return t < -slack or t > square + slack


@kernel
def end_to_segment(p0: Vec, p1: Vec, q0: Vec, q1: Vec) -> tuple[float, float, Vec]:
    """Return both parameters and the way from the first segment to the second.

    For segments that come closest at an end of one of them (Ericson 2005, 5.1.9):
    the best of the four ends.  An end whose nearest point lies inside the other
    segment wins over two ends as near within rounding, for only it knows the
    direction; the first of equals otherwise.
    """
    best_s = 0.0
    best_t = 0.0
    best = -1.0
    inner = False
    way = (0.0, 0.0, 0.0)
    for end in range(4):
        s = 0.0 if end == 0 else 1.0
        t = 0.0 if end == 2 else 1.0
        if end < 2:
            t, w = perpendicular(p0 if end == 0 else p1, q0, q1)
            w = (-w[0], -w[1], -w[2])
            inside = 0.0 < t < 1.0
        else:
            s, w = perpendicular(q0 if end == 2 else q1, p0, p1)
            inside = 0.0 < s < 1.0
        square = dot(w, w)
        spare = EQUAL * best if inside and not inner else 0.0
        if inner and not inside:
            spare = -EQUAL * best
        if best < 0.0 or square < best + spare:
            best_s, best_t, best, inner, way = s, t, square, inside, w
    return best_s, best_t, way


@kernel
def turn_of(au: float, av: float, bu: float, bv: float) -> int:
    """Return how often a segment in a plane passes the first half axis: -1, 0 or 1.

    The same segment the other way round gives the opposite number to the bit, so the
    turns of all triangles of a closed surface add up, also along their common edges.
    """
    if av <= 0.0:
        return 1 if bv > 0.0 and au * bv - bu * av > 0.0 else 0
    return -1 if bv <= 0.0 and au * bv - bu * av < 0.0 else 0


Line = tuple[float, float, float, float]  # a point of it, and the way along it


@kernel
def winds_once(corners: Floats, count: int) -> bool:
    """Say whether an outline is strictly convex and winds once around what it holds."""
    changes = 0
    last = 0.0
    for k in range(count + 1):
        i = 3 * (k % count)
        j = 3 * ((k + 1) % count)
        m = 3 * ((k + 2) % count)
        ex = corners[j] - corners[i]
        ey = corners[j + 1] - corners[i + 1]
        fx = corners[m] - corners[j]
        fy = corners[m + 1] - corners[j + 1]
        if not ex * fy - ey * fx > 0.0:
            return False
        if ex != 0.0:
            if last * ex < 0.0:
                changes += 1
            last = 1.0 if ex > 0.0 else -1.0
    return changes <= 2


@kernel
def off_side(corners: Floats, count: int, i: int, s: float, t: float) -> float:
    """Return how far a point lies outside the line of a side; negative within."""
    j = i + 1 if i + 1 < count else 0
    ex = corners[3 * j] - corners[3 * i]
    ey = corners[3 * j + 1] - corners[3 * i + 1]
    dx = s - corners[3 * i]
    dy = t - corners[3 * i + 1]
    return (dx * ey - dy * ex) / sqrt(ex * ex + ey * ey)


@kernel
def sector(corners: Floats, count: int, s: float, t: float) -> int:
    """Return the side that is seen through a point from the first corner."""
    x = s - corners[0]
    y = t - corners[1]
    low = 1
    high = count - 1
    while high - low > 1:
        k = (low + high) // 2
        ex = corners[3 * k] - corners[0]
        ey = corners[3 * k + 1] - corners[1]
        if ex * y - ey * x >= 0.0:
            low = k
        else:
            high = k
    return low


@kernel
def outside_near(
    corners: Floats, count: int, s: float, t: float, slack: float
) -> float:
    """Return how far a point lies outside an outline, as ``patch.outside`` does.

    Beyond ``slack`` no more than that it is more.  The sides that it may lie beyond are
    beside the one that it is seen through, or meet in the first corner.
    """
    seen = sector(corners, count, s, t)
    worst = max(0.0, off_side(corners, count, seen, s, t))
    if worst > slack:
        return worst
    for start in range(3):
        first = seen if start == 0 else (0 if start == 1 else count - 1)
        for step in range(2):
            i = first
            for _ in range(count):
                off = off_side(corners, count, i, s, t)
                if not off > -slack:
                    break
                worst = max(worst, off)
                i = (i + 1) % count if step == 0 else (i + count - 1) % count
    return worst


@kernel
def corner_near(
    corners: Floats, count: int, s: float, t: float, reach: float, turn: int
) -> int:
    """Return a corner within reach of a point on the outline, or -1.

    Of the few that may be, the one after so many others.
    """
    seen = sector(corners, count, s, t)
    for k in range(turn, 9):
        i = (seen + k - 2 + count) % count if k < 6 else (k - 7 + count) % count
        if max(abs(corners[3 * i] - s), abs(corners[3 * i + 1] - t)) <= reach:
            return i
    return -1


@kernel
def above(corners: Floats, i: int, line: Line) -> float:
    """Return how far a corner is to the left of a line, times the length of its way."""
    return line[2] * (corners[3 * i + 1] - line[1]) - line[3] * (
        corners[3 * i] - line[0]
    )


@kernel
def farthest(corners: Floats, count: int, start: int, line: Line, sense: float) -> int:
    """Return the corner farthest to the left of a line, to the right for sense -1."""
    i = start
    best = sense * above(corners, i, line)
    for step in range(2):
        for _ in range(count):
            j = (i + 1) % count if step == 0 else (i + count - 1) % count
            h = sense * above(corners, j, line)
            if not h > best:
                break
            best = h
            i = j
    return i


@kernel
def passing_side(
    corners: Floats, count: int, first: int, last: int, line: Line, sense: float
) -> int:
    """Return the side that passes a line on the way from one corner on to another."""
    low = 0
    high = (last - first + count) % count
    while high - low > 1:
        k = (low + high) // 2
        if sense * above(corners, (first + k) % count, line) > 0.0:
            high = k
        else:
            low = k
    return (first + low) % count
