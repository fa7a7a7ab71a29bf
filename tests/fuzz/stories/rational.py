"""The signed distance of small convex bodies in exact rationals.

Floats say where to look: every pair and axis that rounding could have made the best is
evaluated again with ``fractions``.
"""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from sim import Body, exhaustive
from sim.tracking.brute.nearest import edge_pairs, vertex_face_pairs
from sim.tracking.brute.surface import surface_of
from stories.lattice import root
from wingedge.columns import cross, dot, subtract
from wingedge.exact import point_triangle_square, segment_segment_square

LIMIT = 60  # vertices
BAND = 1e-6  # per unit of size: far wider than any rounding of the float search


class Exact(NamedTuple):
    """The truth, rounded once, as bounds of itself; and the size of the pair."""

    lower: float
    upper: float
    distance: float
    size: float


def is_small(body: Body) -> bool:
    """Say whether rationals can decide: few vertices, and convex to rounding."""
    if body.mesh.n_vertices > LIMIT:
        return False
    report = body.audit()
    trifle = 16.0 * float(np.finfo(np.float64).eps * abs(body.positions).max())
    return report.is_convex() and report.worst_depth <= trifle


def truth(a: Body, b: Body) -> Exact:
    """Return the signed distance: the least of all pairs, or the best axis."""
    origin = b.transform[:, 3] - a.transform[:, 3]
    one, two = surface_of(a, (0.0, 0.0, 0.0)), surface_of(b, tuple(origin.tolist()))
    exact = [[placed(x.transform, p) for p in x.positions] for x in (a, b)]
    band = BAND * float(max(abs(one.points).max(), abs(two.points).max()))
    size = exhaustive(a, b).size
    gap, square = _greatest_gap(exact, one, two, band)
    if gap > 0:
        d = root(_least_square(exact, one, two, band).as_integer_ratio())
    else:
        d = -root((gap * gap / square).as_integer_ratio())
    return Exact(d, d, d, size)


def placed(transform: Any, point: Any) -> Any:
    """Place a point by a pose (3, 4) without rounding, in fractions."""
    x, y, z = (Fraction(float(v)) for v in point)
    rows = ([Fraction(float(v)) for v in row] for row in transform)
    return tuple(a * x + b * y + c * z + d for a, b, c, d in rows)


def _least_square(exact: Any, a: Any, b: Any, band: float) -> Fraction:
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


def _greatest_gap(exact: Any, a: Any, b: Any, band: float) -> tuple[Fraction, Fraction]:
    """Return the greatest gap across two sides of a face or two edges, unscaled.

    And the square of that axis.
    """
    both, own = (a.points, b.points), []
    for k, x in enumerate((a, b)):
        own.append([(k, i, j, k, i, m) for i, j, m in x.triangles.tolist()])
    sides = ((0, *i, 1, *j) for i in a.segments.tolist() for j in b.segments.tolist())
    ways = np.array([*own[0], *own[1], *sides])
    ways = np.concatenate([ways, ways[:, [3, 4, 5, 0, 1, 2]]])  # turned round, too
    points, (i, tail, tip, j, base, end) = np.concatenate(both), ways.T
    n = np.cross(
        points[i * len(both[0]) + tip] - points[i * len(both[0]) + tail],
        points[j * len(both[0]) + end] - points[j * len(both[0]) + base],
    )
    with np.errstate(invalid="ignore"):
        n /= np.linalg.norm(n, axis=1)[:, None]
    gaps = (b.points @ n.T).min(axis=0) - (a.points @ n.T).max(axis=0)
    gaps[~np.isfinite(gaps)] = -np.inf
    found: list[tuple[Any, Any]] = []
    while not found:  # a cross product of parallel edges is rounding, no direction
        for i, tail, tip, j, base, end in ways[gaps >= gaps.max() - band].tolist():
            u = subtract(exact[i][tip], exact[i][tail])
            axis = cross(u, subtract(exact[j][end], exact[j][base]))
            if square := dot(axis, axis):
                over = min(dot(axis, q) for q in exact[1])
                found.append((over - max(dot(axis, p) for p in exact[0]), square))
        band *= 1e3
    # gap / |n| compared without a root: by sign and square.
    return max(found, key=lambda one: one[0] * abs(one[0]) / one[1])
