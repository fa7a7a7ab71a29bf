"""Points as integers: distances, sides and winding numbers without any rounding."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt, lcm

Whole = tuple[int, int, int]  # a point or a vector, in units of the lattice
Ratio = tuple[int, int]  # numerator, positive denominator
Triangle = tuple[Whole, Whole, Whole]
# Directions to look along, no two alike; the next where one meets an edge.
RAYS = [(11, 7, -5), (-3, 13, 8), (5, -9, 17), (19, 4, 6), (-7, -12, 23), (31, -29, 3)]


def in_common(
    *sets: Iterable[Sequence[Fraction]],
) -> tuple[list[list[Whole]], Fraction]:
    """Return the same points as integers, and how long their unit is."""
    kept = [[tuple(point) for point in points] for points in sets]
    scale = lcm(*(x.denominator for points in kept for p in points for x in p))
    whole = [
        [tuple(x.numerator * (scale // x.denominator) for x in p) for p in points]
        for points in kept
    ]
    return whole, Fraction(1, scale)  # type: ignore[return-value]


def root(square: Ratio, unit: Fraction = Fraction(1)) -> float:
    value = Fraction(*square) * unit * unit
    if value == 0:
        return 0.0
    shift = max(0, 160 - value.numerator.bit_length() + value.denominator.bit_length())
    shift += shift % 2
    whole = isqrt((value.numerator << shift) // value.denominator)
    return float(Fraction(whole, 1 << (shift // 2)))


def less(a: Ratio, b: Ratio) -> bool:
    return a[0] * b[1] < b[0] * a[1]


def least(ratios: Iterable[Ratio]) -> Ratio:
    best: Ratio | None = None
    for ratio in ratios:
        if best is None or less(ratio, best):
            best = ratio
    if best is None:
        raise ValueError("the least of nothing")
    return best


def point_triangle(p: Whole, corners: Triangle) -> Ratio:
    a, b, c = corners
    n = cross(minus(b, a), minus(c, a))
    square = dot(n, n)
    if square > 0 and all(
        dot(cross(n, minus(y, x)), minus(p, x)) >= 0
        for x, y in ((a, b), (b, c), (c, a))
    ):
        h = dot(n, minus(p, a))
        return h * h, square
    return least(point_segment(p, x, y) for x, y in ((a, b), (b, c), (c, a)))


def point_segment(p: Whole, tail: Whole, tip: Whole) -> Ratio:
    e, w = minus(tip, tail), minus(p, tail)
    t, square = dot(w, e), dot(e, e)
    if t <= 0:
        return dot(w, w), 1
    if t >= square:
        far = minus(p, tip)
        return dot(far, far), 1
    return dot(w, w) * square - t * t, square


def segment_segment(p: Whole, q: Whole, r: Whole, s: Whole) -> Ratio | None:
    """Return the square of a distance of points inside both; None where none are."""
    d, e, w = minus(q, p), minus(s, r), minus(r, p)
    n = cross(d, e)
    square = dot(n, n)
    if square == 0:
        return None
    x, y = dot(cross(w, e), n), dot(cross(w, d), n)
    if not (0 <= x <= square and 0 <= y <= square):
        return None
    h = dot(w, n)
    return h * h, square


def pierce(p: Whole, q: Whole, corners: Triangle) -> Ratio | None:
    """Return how far a segment passes through a triangle, squared; None if it misses.

    The least of: how far its ends lie beyond the plane, how far the piercing point
    lies within each side, and how far the two lines are apart.
    """
    a, b, c = corners
    n = cross(minus(b, a), minus(c, a))
    hp, hq = dot(n, minus(p, a)), dot(n, minus(q, a))
    if (hp >= 0 or hq <= 0) and (hp <= 0 or hq >= 0):
        return None
    d, whole = minus(q, p), hp - hq
    square = dot(n, n)
    found = [(hp * hp, square), (hq * hq, square)]
    for tail, tip in ((a, b), (b, c), (c, a)):
        e = minus(tip, tail)
        w = minus(p, tail)
        # The piercing point from the tail, times whole.
        at = tuple(w[k] * whole + hp * d[k] for k in range(3))
        inward = cross(n, e)
        within = dot(at, inward)  # type: ignore[arg-type]
        if within * whole <= 0:
            return None
        found.append((within * within, whole * whole * dot(inward, inward)))
        across = cross(d, e)
        if across != (0, 0, 0):
            off = dot(w, across)
            found.append((off * off, dot(across, across)))
    return least(found)


def winds(p: Whole, triangles: Sequence[Triangle]) -> int:
    """Return how often a closed surface winds around a point that is not on it."""
    around = [tuple(minus(x, p) for x in corners) for corners in triangles]
    for ray in RAYS:
        total = 0
        for corners in around:
            turn = _turn(ray, corners)  # type: ignore[arg-type]
            if turn is None:
                break
            total += turn
        else:
            return total
    raise ValueError(f"every ray from {p} meets an edge; give more of them")


def _turn(ray: Whole, corners: Triangle) -> int | None:
    """Return 1 or -1 where a ray from the origin leaves or enters; None on an edge."""
    a, b, c = corners
    s, t, u = dot(ray, cross(a, b)), dot(ray, cross(b, c)), dot(ray, cross(c, a))
    if min(s, t, u) < 0 < max(s, t, u):
        return 0
    n = cross(minus(b, a), minus(c, a))
    if s == 0 or t == 0 or u == 0:
        ahead = max(dot(ray, a), dot(ray, b), dot(ray, c)) >= 0
        return None if ahead else 0
    along = dot(ray, n)
    return (1 if along > 0 else -1) if dot(a, n) * along > 0 else 0


def minus(a: Whole, b: Whole) -> Whole:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def dot(a: Whole, b: Whole) -> int:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Whole, b: Whole) -> Whole:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )
