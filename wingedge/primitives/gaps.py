"""The gap between a ball and a triangle, with its sign against the radius.

From floats where they tell, and from whole numbers where the ball all but touches or
the centre all but lies in the triangle.
"""

from fractions import Fraction
from functools import reduce
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import at, columns, cross, direction, dot, rows, subtract
from wingedge.exact.whole import gap_square, triangle_weights, unit, whole_points
from wingedge.primitives import point_triangle

# Of a query's extent: distances are good to 5e-15 of it, and decided without rounding
# where they differ from the radius by less than this.
OPEN = 1e-12
# Below this the direction of a gap would be off by more than 1e-8.
NEAR = 1e-6


class Gap(NamedTuple):
    """Between balls and triangles: how wide, from where, and which way."""

    compared: NDArray[np.int8]  # (N,) the sign of distance from the triangle - radius
    distance: NDArray[np.float64]  # (N,) from the sphere, that sign
    point: NDArray[np.float64]  # (N, 3)
    normal: NDArray[np.float64]  # (N, 3)
    weights: NDArray[np.float64]  # (N, 3)


def nearest(p: list[Any], r: Any) -> Gap:
    """Find the nearest points of triangles p[1:] to centres p[0], exactly if close."""
    corners, radius, exponent = around(p, r)
    near = point_triangle.closest((0.0, 0, 0), *map(rows, corners))
    gap = np.sqrt(near.distance_sq)
    high = gap - radius
    distance = np.ldexp(high, exponent)
    lost = (distance == 0) & (high != 0)
    answer = Gap(
        np.sign(high).astype(np.int8),
        np.where(lost, np.copysign(5e-324, high), distance),
        placed(near, p[0], p[1:], exponent),
        rows(direction(columns(-near.point))),
        near.weights.copy(),
    )
    for row in np.flatnonzero((np.abs(high) <= OPEN) | (gap <= NEAR)):
        _settle(answer, [at(point, row) for point in p], r[row], row)
    return answer


def _settle(answer: Gap, p: list[Any], r: Any, row: Any) -> None:
    """Answer for one sphere without rounding."""
    center, a, b, c, (radius, *_) = whole_points(*p, (r, 0.0, 0.0))
    weights = triangle_weights(center, a, b, c)
    square = gap_square(center, [a, b, c], weights)
    compared = (square > radius**2) - (square < radius**2)
    point = [
        sum(w * Fraction(float(x)) for w, x in zip(weights, column, strict=True))
        for column in zip(*p[1:], strict=True)
    ]
    gap = [Fraction(float(x)) - y for x, y in zip(p[0], point, strict=True)]
    answer.compared[row] = compared
    off = max(abs(float(_length(gap) - float(r))), 5e-324)
    answer.distance[row] = compared * off
    answer.point[row] = [float(x) for x in point]
    answer.normal[row] = unit(gap if square else across(a, b, c))
    answer.weights[row] = [float(w) for w in weights]


def across(a: Any, b: Any, c: Any) -> Any:
    """Find the normal of a triangle of whole numbers, or of the segment that it is."""
    normal = cross(subtract(b, a), subtract(c, a))
    if any(normal):
        return normal
    edges: list[Any] = [subtract(b, a), subtract(c, b), subtract(a, c)]
    edge: Any = max(edges, key=lambda e: dot(e, e))
    least = min(range(3), key=lambda k: abs(edge[k]))
    axis: Any = tuple(int(k == least) for k in range(3))
    return cross(edge, axis) if any(edge) else (1, 0, 0)


def _length(vector: Any) -> float:
    """Find the length of a vector of fractions, whatever its size."""
    largest = max(map(abs, vector))
    shares = [float(x / largest) if largest else 0.0 for x in vector]
    return float(largest) * sqrt(sum(x * x for x in shares))


def around(p: list[Any], r: Any) -> tuple[list[Any], Any, Any]:
    """Count points from the first one, in a power of two near the query's extent.

    Returns the other points, the radii, and the exponents: far from the origin nothing
    is lost, and no square leaves the range of floats.
    """
    others = [subtract(point, p[0]) for point in p[1:]]
    extent = reduce(np.maximum, (np.abs(x) for point in others for x in point), r)
    exponent = np.frexp(extent)[1]
    others = [tuple(np.ldexp(x, -exponent) for x in point) for point in others]
    return others, np.ldexp(r, -exponent), exponent


def placed(near: Any, origin: Any, corners: list[Any], exponent: Any) -> Any:
    """Bring nearest points back: rows, with corners to the bit."""
    point = rows(origin) + np.ldexp(near.point, exponent[:, None])
    for k, corner in enumerate(corners):
        point = np.where(near.weights[:, [k]] == 1, rows(corner), point)
    return point
