"""Closest points of two segments, either of which may be a single point."""

from sim.kernels.language import Vec, kernel
from sim.kernels.vector import along, dot, minus

NEARLY_PARALLEL = 1e-12  # sine squared; below it the crossing has no digits


@kernel
def sine_sq(d: Vec, e: Vec) -> float:
    """Return the squared sine of the angle of two directions; 0 for a zero one."""
    dd = dot(d, d)
    ee = dot(e, e)
    if not dd > 0.0 or not ee > 0.0:
        return 0.0
    x = d[1] * e[2] - d[2] * e[1]
    y = d[2] * e[0] - d[0] * e[2]
    z = d[0] * e[1] - d[1] * e[0]
    return (x * x + y * y + z * z) / dd / ee


@kernel
def foot(x: Vec, p: Vec, e: Vec) -> float:
    """Return the parameter in [0, 1] of the point of p + t e nearest to x."""
    ee = dot(e, e)
    if not ee > 0.0:
        return 0.0
    t = dot(minus(x, p), e) / ee
    return min(max(t, 0.0), 1.0)


@kernel
def closest(p0: Vec, q0: Vec, d: Vec, e: Vec, sine: float) -> tuple[float, float, bool]:
    """Return both parameters and whether the two lines cross inside both segments.

    The segments start at ``p0``, ``q0`` and run along ``d``, ``e``; ``sine`` is the
    squared sine between them.

    Ericson (2005), 5.1.9, except that the crossing is tried first and the four
    end points decide where it does not serve: nearly parallel segments have no
    crossing worth its digits.
    """
    if sine > NEARLY_PARALLEL:
        rx = p0[0] - q0[0]
        ry = p0[1] - q0[1]
        rz = p0[2] - q0[2]
        a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
        b = d[0] * e[0] + d[1] * e[1] + d[2] * e[2]
        c = e[0] * e[0] + e[1] * e[1] + e[2] * e[2]
        f = d[0] * rx + d[1] * ry + d[2] * rz
        g = e[0] * rx + e[1] * ry + e[2] * rz
        den = a * c - b * b
        if den > 0.0:
            s = (b * g - c * f) / den
            t = (a * g - b * f) / den
            if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
                return s, t, True
    p1 = along(p0, 1.0, d)
    q1 = along(q0, 1.0, e)
    best_s = 0.0
    best_t = foot(p0, q0, e)
    w = minus(along(q0, best_t, e), p0)
    best = dot(w, w)
    t = foot(p1, q0, e)
    w = minus(along(q0, t, e), p1)
    if dot(w, w) < best:
        best = dot(w, w)
        best_s = 1.0
        best_t = t
    s = foot(q0, p0, d)
    w = minus(along(p0, s, d), q0)
    if dot(w, w) < best:
        best = dot(w, w)
        best_s = s
        best_t = 0.0
    s = foot(q1, p0, d)
    w = minus(along(p0, s, d), q1)
    if dot(w, w) < best:
        best_s = s
        best_t = 1.0
    return best_s, best_t, False
