"""Closest points of two segments, either of which may be a single point."""

from sim.kernels.language import Vec, kernel
from sim.kernels.vector import dot

NEARLY_PARALLEL = 1e-12  # sine squared; below it the closest points are not unique
EQUAL = 1e-14  # squares this near to each other, relatively, are a tie
EXACTLY_PARALLEL = 1e-28  # sine squared; below it the angle is rounding


@kernel
def perpendicular(x: Vec, p0: Vec, p1: Vec) -> tuple[float, Vec]:
    """Return the parameter of the point of a segment nearest to x, and the way to x.

    The way is taken from the nearer end, so it keeps its digits where x is near:
    from the rounded foot it would lose them, and a vertex beside an end of the
    segment could not be told from the end itself.
    """
    x0, x1, x2 = x
    px, py, pz = p0
    qx, qy, qz = p1
    dx = qx - px
    dy = qy - py
    dz = qz - pz
    dd = dx * dx + dy * dy + dz * dz
    wx = x0 - px
    wy = x1 - py
    wz = x2 - pz
    if not dd > 0.0:
        return 0.0, (wx, wy, wz)
    t = (wx * dx + wy * dy + wz * dz) / dd
    if t <= 0.0:
        return 0.0, (wx, wy, wz)
    k = -t
    if t > 0.5:
        wx = x0 - qx
        wy = x1 - qy
        wz = x2 - qz
        u = (wx * dx + wy * dy + wz * dz) / dd
        if u >= 0.0:
            return 1.0, (wx, wy, wz)
        t = 1.0 + u
        k = -u
    wx += k * dx
    wy += k * dy
    wz += k * dz
    k = -(wx * dx + wy * dy + wz * dz) / dd
    return t, (wx + k * dx, wy + k * dy, wz + k * dz)


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
    dx, dy, dz = d
    ex, ey, ez = e
    rx = q0[0] - p0[0]
    ry = q0[1] - p0[1]
    rz = q0[2] - p0[2]
    dd = dx * dx + dy * dy + dz * dz
    ee = ex * ex + ey * ey + ez * ez
    if not dd > 0.0 or not ee > 0.0:
        return False, 0.0, (rx, ry, rz), 0.0
    de = (dx * ex + dy * ey + dz * ez) / dd
    fx = ex - de * dx
    fy = ey - de * dy
    fz = ez - de * dz
    k = (fx * dx + fy * dy + fz * dz) / dd
    fx -= k * dx
    fy -= k * dy
    fz -= k * dz
    ff = fx * fx + fy * fy + fz * fz
    dr = (dx * rx + dy * ry + dz * rz) / dd
    wx = rx - dr * dx
    wy = ry - dr * dy
    wz = rz - dr * dz
    k = (wx * dx + wy * dy + wz * dz) / dd
    wx -= k * dx
    wy -= k * dy
    wz -= k * dz
    sine = ff / ee
    if not sine > EXACTLY_PARALLEL:
        return False, 0.0, (wx, wy, wz), 0.0
    k = (wx * fx + wy * fy + wz * fz) / ff
    t = -k
    wx -= k * fx
    wy -= k * fy
    wz -= k * fz
    k = (wx * fx + wy * fy + wz * fz) / ff
    w = (wx - k * fx, wy - k * fy, wz - k * fz)
    s = dr + t * de
    return 0.0 <= t <= 1.0 and 0.0 <= s <= 1.0, s, w, sine


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
