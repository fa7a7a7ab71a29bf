"""Find where lines meet spheres: exact decisions, roots that do not cancel.

A line is given by a point and two ends of its direction, so that the difference of two
ends of a segment is never rounded.
"""

from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import (
    Vector,
    along,
    at,
    choose,
    columns,
    cross,
    direction,
    dot,
    near_one,
    rows,
    subtract,
)
from wingedge.exact import OFF, divided, integer_points, unit
from wingedge.signs import ROUNDOFF, Bounded

# of the extent: below such a radius, a normal would be worse than 1e-8
SMALL = 1e-5
DIGITS = 2.0**-40  # of the nearer root, however near to the surface the point is
BITS = 100  # of a square root, behind the point


def discriminant(*x: Any) -> Any:
    """Find a quarter of the discriminant, without the products that cancel most."""
    m, v, r = subtract(x[0:3], x[9:12]), subtract(x[6:9], x[3:6]), x[12]
    across = cross(m, v)
    return r * r * dot(v, v) - dot(across, across)


def level(*x: Any) -> Any:
    """Find how far a point is outside of a sphere, in squares."""
    m, r = subtract(x[0:3], x[3:6]), x[6]
    return dot(m, m) - r * r


def descent(*x: Any) -> Any:
    """Find how fast a point nears the centre along a direction: minus the slope."""
    return dot(subtract(x[3:6], x[0:3]), subtract(x[9:12], x[6:9]))


def roots(p: list[Any], r: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find where lines enter and leave spheres: parameters (N, 2), normals (N, 2, 3).

    Parameters: ``p``: points of lines of some direction that meet their spheres, both
    ends of that, centres; ``r`` (N,): radii, the normals of 0 are against the line.

    The root of larger size by a sum, the other by Vieta's product; rows that this
    leaves less certain than 6e-14 of the extent around the centre, or 2e-12 of the
    root itself, are found again from whole numbers and a root of a hundred bits.
    """
    m, v = subtract(p[0], p[3]), subtract(p[2], p[1])
    m, size = near_one(m, r)
    v, pace = near_one(v)
    t, known = _from_floats(m, v, np.ldexp(r, -size))
    normals = [rows(direction(along(m, v, x))) for x in t]
    with np.errstate(over="ignore"):
        out = np.ldexp(np.stack(t, axis=1), (size - pace)[:, None])
    normal = np.stack(normals, axis=1)
    for row in np.flatnonzero(~known):
        out[row], normal[row] = _without_rounding([at(x, row) for x in p], r[row])
    return out, normal


def surface_points(
    count: Any, t: Any, normal: Any, center: Vector, r: Any
) -> NDArray[np.float64]:
    """Find the points of normals (N, 2, 3); nan in everything from ``count`` on."""
    none = np.arange(2) >= count[:, None]
    t[none], normal[none] = np.nan, np.nan
    return rows(along(at(center, (slice(None), None)), columns(normal), r[:, None]))


def outward(point: Vector, center: Vector) -> NDArray[np.float64]:
    """Find unit vectors from centres to points, rows; +x where they are the same."""
    gap, _ = near_one(subtract(point, center))
    same = (gap[0] == 0) & (gap[1] == 0) & (gap[2] == 0)
    one, zero = np.ones_like(gap[0]), np.zeros_like(gap[0])
    return rows(direction(choose(same, (one, zero, zero), gap)))


def _from_floats(m: Vector, v: Vector, r: Any) -> tuple[Any, NDArray[np.bool_]]:
    """Solve where rounding allows: both parameters, and which rows are good enough."""
    far: Any = tuple(Bounded(x, ROUNDOFF * np.abs(x)) for x in m)
    way: Any = tuple(Bounded(x, ROUNDOFF * np.abs(x)) for x in v)
    across: Any = cross(far, way)
    radius: Any = Bounded(r)
    a: Any = dot(way, way)
    b: Any = dot(far, way)
    c: Any = dot(far, far) - radius * radius
    rest: Any = radius * radius * a - dot(across, across)
    with np.errstate(all="ignore"):
        root = np.sqrt(rest.value)
        q = -(b.value + np.where(b.value < 0, -root, root))
        off = b.off + rest.off / root + 4 * ROUNDOFF * np.abs(q)
        first, second = q / a.value, c.value / q
        unsure = (off + np.abs(first) * a.off) / (a.value - a.off)
        unsure = unsure + (c.off + np.abs(second) * off) / np.abs(q)
        known = (rest.value > rest.off) & (unsure <= OFF) & (r > SMALL)
        known &= (c.off <= DIGITS * np.abs(c.value)) & (off <= DIGITS * np.abs(q))
    low, high = np.minimum(first, second), np.maximum(first, second)
    # whatever stands in the others is replaced
    return tuple(np.where(known, x, 0.0) for x in (low, high)), known


def _without_rounding(p: list[Any], r: Any) -> tuple[list[float], list[list[float]]]:
    """Solve for one line in whole numbers."""
    origin, tail, tip, center, (radius, *_) = integer_points(*p, (r, 0.0, 0.0))
    m: Any = subtract(origin, center)
    v: Any = subtract(tip, tail)
    a: Any = dot(v, v)
    b: Any = dot(m, v)
    c: Any = dot(m, m) - radius * radius
    root = isqrt((b * b - a * c) << (2 * BITS))
    q = -((b << BITS) + (root if b >= 0 else -root))
    times = [Fraction(0)] * 2
    if q:
        times = sorted((Fraction(q, a << BITS), Fraction(c << BITS, q)))
    ahead = [[x + t * y for x, y in zip(m, v, strict=True)] for t in times]
    normals = [unit(x) if radius else unit([-y for y in v]) for x in ahead]
    return [divided(*t.as_integer_ratio()) for t in times], normals
