"""The oracle: the closest features by comparing every pair, and exactly if wanted.

Truth is exact arithmetic on the float64 points and poses as stored.  The float search
says where to look: of small convex bodies every pair and axis that rounding could have
made the best is evaluated again with ``fractions``, so the answer is exact and takes
seconds at most.
"""

from fractions import Fraction
from math import isqrt, nextafter
from typing import Any

import numpy as np

from sim.body.body import Body
from sim.result.answer import Numbers, Vec
from sim.result.plain import work_of
from sim.result.state import PairState
from sim.tracking.brute.axes import Axis, tied_axes
from sim.tracking.brute.nearest import edge_pairs, nearest_pair, vertex_face_pairs
from sim.tracking.brute.search import PairSearch
from sim.tracking.brute.surface import Surface
from sim.tracking.buffers import Buffers
from sim.tracking.pair import PairTracker
from wingedge.columns import cross, dot, subtract
from wingedge.exact import (
    Point,
    placed,
    point_triangle_square,
    segment_segment_square,
    unit,
)

LIMIT = 60  # vertices
BAND = 1e-6  # per unit of size: far wider than any rounding of the float search


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


def squeezed(search: PairSearch, numbers: Numbers) -> Numbers:
    """Replace the distance and its bounds by what exact arithmetic says."""
    exact = [
        [placed(x.transform, p) for p in x.positions] for x in search.buffers.bodies
    ]
    a, b, size = search.a, search.b, numbers.size
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
        n: Vec = tuple(unit(axis))  # type: ignore[assignment]
        pair = nearest_pair(a, b._replace(points=b.points - np.array(n) * d))
        ends = Axis(d, n, pair.vertices_a[0], pair.vertices_b[0])
        found = search.where_they_touch(ends, size)
        if found is None:
            found = search.where_they_part(n, d, pair, size)
            found = found._replace(unique=numbers.unique)
        numbers = found._replace(proof=numbers.proof)
    x, n = numbers.point_a, numbers.normal
    at_b = (x[0] + d * n[0], x[1] + d * n[1], x[2] + d * n[2])
    return numbers._replace(
        distance=d, lower=lower, upper=upper, point_b=at_b, reason=""
    )


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
    if Fraction(value) ** 2 <= square:
        return value, nextafter(value, float("inf"))
    return nextafter(value, 0.0), value


def _least_square(
    exact: list[list[Point]], a: Surface, b: Surface, band: float
) -> Fraction:
    """Return the least squared distance over all pairs within the band of the best."""
    pa, pb = exact
    squares = []
    for one, two, points, others in ((a, b, pa, pb), (b, a, pb, pa)):
        for v, t in zip(*vertex_face_pairs(one, two, band), strict=True):
            corners = [others[i] for i in two.triangles[t]]
            squares.append(point_triangle_square(points[v], *corners))
    for i, j in zip(*edge_pairs(a, b, band), strict=True):
        ends = [pa[k] for k in a.segments[i]] + [pb[k] for k in b.segments[j]]
        squares.append(segment_segment_square(*ends))
    return min(squares)


def _greatest_gap(
    exact: list[list[Point]], a: Surface, b: Surface, band: float
) -> tuple[Fraction, Fraction, Point]:
    """Return the greatest gap over the best axes, unscaled; the axis' square; it."""
    pa, pb = exact
    found = []
    for i, tail, tip, j, base, end, turned in tied_axes(a, b, band)[1].tolist():
        u, v = (
            subtract(exact[i][tip], exact[i][tail]),
            subtract(exact[j][end], exact[j][base]),
        )
        n: Point = cross(v, u) if turned else cross(u, v)
        square: Any = dot(n, n)
        if square:
            gap: Any = min(dot(n, q) for q in pb) - max(dot(n, p) for p in pa)
            found.append((gap, square, n))
    if not found:
        # All of them cross products of parallel edges: rounding, no directions.
        return _greatest_gap(exact, a, b, 1e3 * band)
    # gap / |n| compared without a root: by sign and square.
    return max(found, key=lambda one: one[0] * abs(one[0]) / one[1])


def exhaustive(
    a: Body,
    b: Body,
    *,
    contact_distance: float | None = None,
    parallel_tolerance: float = 1e-12,
    rational: bool = False,
) -> PairState:
    """Find the closest features of two bodies by comparing every pair.

    Returns the state, world frame.  Apart: the least of all vertex-face and edge-edge
    distances, as the enumeration measured it.  Overlapping and convex: minus the least
    translation along any face normal or edge axis.  Overlapping otherwise: the interval
    from the shortest way out that is found to the deepest vertex.

    Raises ValueError if a coordinate is not finite, or ``rational`` is asked of bodies
    too large.

    Cost: O(V_a F_b + F_a V_b + E_a E_b); rational: up to seconds.  See Ericson (2005),
    5.1; docs/algorithms.md#oracle.

    Parameters
    ----------
    a, b : Body
        Any two bodies, of any shape.
    contact_distance : float, optional
        As for ``PairTracker``.
    parallel_tolerance : float
        As for ``PairTracker``; names features, never changes the distance.
    rational : bool
        Compute the distance in exact rationals (both bodies convex, at most 60
        vertices each): ``lower`` and ``upper`` are then floats that enclose the true
        value and differ by a few units in the last place.
    """
    tracker = PairTracker(
        a, b, contact_distance=contact_distance, parallel_tolerance=parallel_tolerance
    )
    for body in (a, b) if rational else ():
        if reason := refused(body):
            raise ValueError(f"body '{body.name}' {reason}; leave rational=False")
    return tracker.enumerate(rational=rational)


def searched(buffers: Buffers) -> Numbers:
    """Answer by exhaustive search."""
    done = work_of(buffers.result)
    return PairSearch(buffers).answer()._replace(work=done._replace(fallbacks=1))


def enumerated(buffers: Buffers, rational: bool) -> Numbers:
    """Answer as the enumeration of all pairs measured it; see ``sim.exhaustive``."""
    search = PairSearch(buffers, enumerated=True)
    numbers = search.answer()
    return squeezed(search, numbers) if rational else numbers
