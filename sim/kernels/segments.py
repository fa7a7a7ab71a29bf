"""Closest points of two segments, either of which may be a single point."""

from sim.kernels.language import Vec, kernel
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
