"""The signed distance of small convex bodies in exact rationals.

Floats say where to look: every pair and axis that rounding could have made the best is
evaluated again with ``fractions``.
"""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from sim import Body
from stories import unrounded
from stories.brute import solids
from stories.lattice import root
from wingedge.columns import cross, dot, subtract

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
    both = solids(a, b, {})
    size = float(max(abs(solid.points).max() for solid in both))
    exact = [[placed(x.transform, p) for p in x.positions] for x in (a, b)]
    gap, square = _greatest_gap(exact, *both, BAND * size)
    if gap > 0:
        d = unrounded.truth(*both).gap
    else:
        d = -root((gap * gap / square).as_integer_ratio())
    return Exact(d, d, d, size)


def placed(transform: Any, point: Any) -> Any:
    """Place a point by a pose (3, 4) without rounding, in fractions."""
    x, y, z = (Fraction(float(v)) for v in point)
    rows = ([Fraction(float(v)) for v in row] for row in transform)
    return tuple(a * x + b * y + c * z + d for a, b, c, d in rows)


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
