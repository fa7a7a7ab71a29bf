"""The signed distance of small convex bodies in exact rational arithmetic.

Truth is exact arithmetic on the float64 points and poses as stored.  The float search
says where to look: every pair and axis that rounding could have made the best is
evaluated again with ``fractions``, so the answer is exact and takes seconds at most.
"""

from fractions import Fraction
from math import isqrt, nextafter

import numpy as np

from sim.body.body import Body
from sim.kernels.vector import unit
from sim.result.answer import Numbers, Vec
from sim.tracking.brute.axes import candidate_axes
from sim.tracking.brute.naming import moved, where_they_part
from sim.tracking.brute.nearest import edge_pairs, nearest_pair, vertex_face_pairs
from sim.tracking.brute.surface import Surface, surface_of
from sim.tracking.buffers import Buffers

LIMIT = 60  # vertices
BAND = 1e-6  # per unit of size: far wider than any rounding of the float search

Point = tuple[Fraction, Fraction, Fraction]


def rational_limit(a: Body, b: Body) -> None:
    """Raise ``ValueError`` unless exact rationals can decide about both bodies."""
    for body in (a, b):
        reason = refused(body)
        if reason:
            raise ValueError(f"body '{body.name}' {reason}; leave rational=False")


def refused(body: Body) -> str:
    """Say why exact rationals cannot decide about a body; empty if they can.

    They try its own faces and edges as axes: the hull of a body that is convex only
    within tolerance has others.
    """
    if body.mesh.n_vertices > LIMIT:
        count = body.mesh.n_vertices
        return f"has {count} vertices; exact rationals are for at most {LIMIT}"
    report = body.audit()
    trifle = 16.0 * float(np.finfo(np.float64).eps * abs(body.positions).max())
    if not report.is_convex() or report.worst_depth > trifle:
        return "is not convex to rounding; exact rationals are for convex bodies"
    return ""


def squeeze(buffers: Buffers, numbers: Numbers) -> Numbers:
    """Replace the distance and its bounds by what exact arithmetic says."""
    exact = exact_points(buffers.bodies[0]), exact_points(buffers.bodies[1])
    a = surface_of(buffers.bodies[0], (0.0, 0.0, 0.0))
    b = surface_of(buffers.bodies[1], buffers.origin())
    band = BAND * float(max(abs(a.points).max(), abs(b.points).max()))
    least = _least_square(exact, a, b, band)
    gap, norm_sq, axis = _greatest_gap(exact, a, b, band)
    if gap > 0:
        lower, upper = root_bounds(least)
    else:
        down, up = root_bounds(gap * gap / norm_sq)
        lower, upper = -up, -down
    d = 0.5 * (lower + upper)
    if gap <= 0 or gap * gap == least * norm_sq:  # features that know the normal
        n = _direction(axis)
        pair = nearest_pair(a, b._replace(points=b.points - np.array(n) * d))
        found = moved(where_they_part(n, d, a, b, pair, numbers.size), buffers)
        numbers = found._replace(proof=numbers.proof, unique=numbers.unique)
    x, n = numbers.point_a, numbers.normal
    return numbers._replace(
        distance=d,
        lower=lower,
        upper=upper,
        point_b=(x[0] + d * n[0], x[1] + d * n[1], x[2] + d * n[2]),
        reason="",
    )


def exact_points(body: Body) -> list[Point]:
    """Return the world positions of a body without any rounding."""
    rows = [[Fraction(x) for x in row] for row in body.transform.tolist()]
    placed = []
    for point in body.positions.tolist():
        p = [Fraction(x) for x in point]
        placed.append(
            tuple(r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3] for r in rows)
        )
    return placed  # type: ignore[return-value]


def root_bounds(square: Fraction) -> tuple[float, float]:
    """Enclose the square root of a rational between two neighbouring floats."""
    if square == 0:
        return 0.0, 0.0
    # 160 bits of quotient: an integer root with more digits than a float has.
    shift = max(
        0, 160 - square.numerator.bit_length() + square.denominator.bit_length()
    )
    shift += shift % 2
    root = isqrt((square.numerator << shift) // square.denominator)
    value = float(Fraction(root, 1 << (shift // 2)))
    low = nextafter(value, 0.0)
    high = nextafter(value, float("inf"))
    if Fraction(value) ** 2 <= square:
        low = value
    else:
        high = value
    return low, high


def _least_square(
    exact: tuple[list[Point], list[Point]], a: Surface, b: Surface, band: float
) -> Fraction:
    """Return the least squared distance over all pairs within the band of the best."""
    pa, pb = exact
    best: Fraction | None = None
    for one, two, points, others in ((a, b, pa, pb), (b, a, pb, pa)):
        for v, t in zip(*vertex_face_pairs(one, two, band), strict=True):
            corners = [others[i] for i in two.triangles[t].tolist()]
            square = point_triangle_sq(points[int(v)], *corners)
            best = square if best is None else min(best, square)
    for i, j in zip(*edge_pairs(a, b, band), strict=True):
        p, q = (pa[k] for k in a.segments[i].tolist())
        r, s = (pb[k] for k in b.segments[j].tolist())
        square = segment_segment_sq(p, q, r, s)
        best = square if best is None else min(best, square)
    assert best is not None
    return best


def _greatest_gap(
    exact: tuple[list[Point], list[Point]], a: Surface, b: Surface, band: float
) -> tuple[Fraction, Fraction, Point]:
    """Return the greatest gap over the best axes, unscaled; the axis' square; it."""
    pa, pb = exact
    best: tuple[Fraction, Fraction, Point] | None = None
    for u, v, flip in candidate_axes(a, b, band):
        n = _cross(_span(exact, u), _span(exact, v))
        if flip:
            n = (-n[0], -n[1], -n[2])
        norm_sq = _dot(n, n)
        if norm_sq == 0:
            continue
        gap = min(_dot(n, q) for q in pb) - max(_dot(n, p) for p in pa)
        # gap / |n| compared without a root: by sign and square.
        if best is None or _signed_square(gap, norm_sq) > _signed_square(*best[:2]):
            best = gap, norm_sq, n
    if best is None:
        # All of them cross products of parallel edges: rounding, no directions.
        return _greatest_gap(exact, a, b, 1e3 * band)
    return best


def _direction(n: Point) -> Vec:
    """Round a direction to floats of unit length."""
    longest = max(abs(x) for x in n)
    x, y, z = (float(c / longest) for c in n)
    return unit((x, y, z))


def _signed_square(gap: Fraction, norm_sq: Fraction) -> Fraction:
    return gap * abs(gap) / norm_sq


def _span(exact: tuple[list[Point], list[Point]], edge: tuple[int, int, int]) -> Point:
    body, tail, tip = edge
    return _minus(exact[body][tip], exact[body][tail])


def point_triangle_sq(p: Point, a: Point, b: Point, c: Point) -> Fraction:
    """Return the exact squared distance of a point from a triangle."""
    n = _cross(_minus(b, a), _minus(c, a))
    inside = all(
        _dot(_cross(n, _minus(y, x)), _minus(p, x)) >= 0
        for x, y in ((a, b), (b, c), (c, a))
    )
    square = _dot(n, n)
    if square > 0 and inside:
        h = _dot(n, _minus(p, a))
        return h * h / square
    return min(point_segment_sq(p, x, y) for x, y in ((a, b), (b, c), (c, a)))


def point_segment_sq(p: Point, a: Point, b: Point) -> Fraction:
    """Return the exact squared distance of a point from a segment."""
    e = _minus(b, a)
    w = _minus(p, a)
    ee = _dot(e, e)
    t = Fraction(0) if ee == 0 else min(max(_dot(w, e) / ee, Fraction(0)), Fraction(1))
    gap = tuple(w[i] - t * e[i] for i in range(3))
    return _dot(gap, gap)  # type: ignore[arg-type]


def segment_segment_sq(p: Point, q: Point, r: Point, s: Point) -> Fraction:
    """Return the exact squared distance of two segments."""
    d, e, w = _minus(q, p), _minus(s, r), _minus(p, r)
    a, b, c = _dot(d, d), _dot(d, e), _dot(e, e)
    f, g = _dot(d, w), _dot(e, w)
    den = a * c - b * b
    if den > 0:
        x, y = (b * g - c * f) / den, (a * g - b * f) / den
        if 0 <= x <= 1 and 0 <= y <= 1:
            gap = tuple(w[i] + x * d[i] - y * e[i] for i in range(3))
            return _dot(gap, gap)  # type: ignore[arg-type]
    return min(
        point_segment_sq(p, r, s),
        point_segment_sq(q, r, s),
        point_segment_sq(r, p, q),
        point_segment_sq(s, p, q),
    )


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: Point, b: Point) -> Fraction:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Point, b: Point) -> Point:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )
