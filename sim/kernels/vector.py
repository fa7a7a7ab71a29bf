"""Three-vectors as tuples, and segments: the few operations that are worth a call.

Cost: a call costs more than the arithmetic inside, so the loops of the other
kernels write these out.
"""

from math import sqrt

from sim.kernels.language import Floats, Vec, kernel

TINY = 1e-280  # a square below this has lost digits
HUGE = 1e280

HERE = (0.0, 0.0, 0.0)
"""The origin of a pair: the translation of its first body."""


@kernel
def dot(a: Vec, b: Vec) -> float:
    """Multiply two vectors component by component and add in order."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vec, b: Vec) -> Vec:
    """Return the vector orthogonal to two vectors, right-handed."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@kernel
def minus(a: Vec, b: Vec) -> Vec:
    """Return the vector from the second point to the first."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def plus(a: Vec, b: Vec) -> Vec:
    """Return the sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def back(a: Vec) -> Vec:
    """Return the opposite vector."""
    return (-a[0], -a[1], -a[2])


@kernel
def farther(reach: float, x: float, y: float, z: float) -> float:
    """Return a reach, or the largest of three coordinates if that is larger."""
    return max(reach, abs(x), abs(y), abs(z))


@kernel
def least(a: Vec, b: Vec) -> Vec:
    """Return the lesser of each two coordinates; the first where one is no number."""
    return (min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]))


@kernel
def most(a: Vec, b: Vec) -> Vec:
    """Return the greater of each two; the first where one is no number."""
    return (max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]))


@kernel
def reach_of(a: Vec, b: Vec) -> float:
    """Return the largest coordinate of two points, the scale of their rounding."""
    return farther(farther(0.0, a[0], a[1], a[2]), b[0], b[1], b[2])


@kernel
def scale_of(a: Vec, b: Vec, origin: Vec) -> float:
    """Return the largest coordinate of two points and of the origin of a pair."""
    return farther(reach_of(a, b), origin[0], origin[1], origin[2])


@kernel
def along(a: Vec, t: float, d: Vec) -> Vec:
    """Return the point reached from ``a`` after ``t`` times ``d``."""
    return (a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2])


@kernel
def mixed(s: float, a: Vec, t: float, b: Vec) -> Vec:
    """Return the sum of two vectors, each taken so many times."""
    return (s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2])


@kernel
def scaled(a: Vec) -> tuple[Vec, float, float]:
    """Divide a vector by its largest component where squares would overflow or vanish.

    Returns with it its length, 1 where all is zero, and what it was divided by.
    """
    square = dot(a, a)
    if TINY < square < HUGE:
        return a, sqrt(square), 1.0
    m = farther(0.0, a[0], a[1], a[2])
    if not m > 0.0:
        return HERE, 1.0, 0.0
    v = (a[0] / m, a[1] / m, a[2] / m)
    return v, sqrt(dot(v, v)), m


@kernel
def unit(a: Vec) -> Vec:
    """Return the direction of a vector; the zero vector stays zero."""
    v, r, _ = scaled(a)
    return (v[0] / r, v[1] / r, v[2] / r)


@kernel
def length(a: Vec) -> float:
    """Return the Euclidean length without overflow or underflow."""
    _, r, m = scaled(a)
    return m * r


@kernel
def point(points: Floats, k: int) -> Vec:
    """Read the k-th of the vectors in a buffer."""
    i = 3 * k
    return (points[i], points[i + 1], points[i + 2])


@kernel
def put(to: Floats, at: int, x: Vec) -> None:
    """Write a vector into a buffer."""
    to[at] = x[0]
    to[at + 1] = x[1]
    to[at + 2] = x[2]


@kernel
def place(points: Floats, pose: Floats, origin: Vec, v: int) -> Vec:
    """Move a vertex from its body frame to the frame of the pair.

    ``pose`` is a flat (3, 4) affine map whose last column is not read: the pair
    brings its own ``origin``, the translation relative to the first body.
    """
    i = 3 * v
    x = points[i]
    y = points[i + 1]
    z = points[i + 2]
    return (
        pose[0] * x + pose[1] * y + pose[2] * z + origin[0],
        pose[4] * x + pose[5] * y + pose[6] * z + origin[1],
        pose[8] * x + pose[9] * y + pose[10] * z + origin[2],
    )


@kernel
def pull(pose: Floats, n: Vec) -> Vec:
    """Return a world direction as the functional on body-frame points.

    The height of ``linear @ p`` along ``n`` is the height of ``p`` along this.
    """
    x, y, z = n
    return (
        pose[0] * x + pose[4] * y + pose[8] * z,
        pose[1] * x + pose[5] * y + pose[9] * z,
        pose[2] * x + pose[6] * y + pose[10] * z,
    )


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
def crossing(p0: Vec, q0: Vec, d: Vec, e: Vec) -> tuple[bool, float, float, Vec, float]:
    """Return whether two lines come closest inside both segments, and how.

    With it the parameters on both, the way from the first to the second, and the
    squared sine between them.

    The segments start at ``p0``, ``q0`` and run along ``d``, ``e``.  Solved across
    ``d`` first: the textbook determinant (Ericson 2005, 5.1.9) loses the square of
    the angle, and nearly parallel edges with it.  Segments without length do not
    cross.
    """
    r = minus(q0, p0)
    dd = dot(d, d)
    ee = dot(e, e)
    if not dd > 0.0 or not ee > 0.0:
        return False, 0.0, 0.0, r, 0.0
    de = dot(d, e) / dd
    f = along(e, -de, d)
    f = along(f, -dot(f, d) / dd, d)
    ff = dot(f, f)
    dr = dot(d, r) / dd
    w = along(r, -dr, d)
    w = along(w, -dot(w, d) / dd, d)
    sine = ff / ee
    if not sine > EXACTLY_PARALLEL:
        return False, 0.0, 0.0, w, 0.0
    t = -dot(w, f) / ff
    w = along(w, t, f)
    w = along(w, -dot(w, f) / ff, f)
    s = dr + t * de
    return 0.0 <= t <= 1.0 and 0.0 <= s <= 1.0, s, t, w, sine


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
