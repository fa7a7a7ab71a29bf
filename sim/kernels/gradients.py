"""The derivatives of two closest points, their distance and normal, by the vertices.

Each point stands on a cell, a vertex, an edge or a triangle.  With the columns of E the
sides of both cells (those of B negative) their way ``r = d n`` obeys ``E' r = 0``;
differentiating it gives how weights and normal change (implicit differentiation), and
of the distance that it changes as the points do that are fixed to the bodies there.
"""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.vector import (
    HERE,
    NEARLY_PARALLEL,
    along,
    cross,
    dot,
    minus,
    point,
    put,
)

ROWS = 10  # of the distance, then of each coordinate of the normal and both points


class Carried(NamedTuple):
    """Two cells in, weights and derivatives out; K vertices, A's first."""

    counts: Ints  # 2: vertices of each cell
    points: Floats  # 3 K
    way: Floats  # 4: the distance, the normal
    weights: Floats  # K
    sides: Floats  # 12: two sides, and their duals
    rows: Floats  # ROWS K 3


@kernel
def side_at(c: Carried, k: int) -> Vec:
    """Return the k-th side: of A away from its first vertex, of B towards it."""
    first = c.counts[0]
    if k < first - 1:
        return minus(point(c.points, k + 1), point(c.points, 0))
    return minus(point(c.points, first), point(c.points, k + 2))


@kernel
def moves_side(c: Carried, i: int, k: int) -> float:
    """Return how the i-th vertex moves the k-th side: with it, against it, or not."""
    first = c.counts[0]
    if k < first - 1:
        if i == 0:
            return -1.0
        return 1.0 if i == k + 1 else 0.0
    if i == first:
        return 1.0
    return -1.0 if i == k + 2 else 0.0


@kernel
def dual(e: Vec, f: Vec) -> Vec:
    """Return what is 1 along one side and upright on the other, in their plane."""
    ff = dot(f, f)
    t = dot(e, f) / ff if ff > 0.0 else 0.0
    u = along(e, -t, f)
    uu = dot(u, u)
    if not uu > 0.0:
        return HERE
    return (u[0] / uu, u[1] / uu, u[2] / uu)


@kernel
def put_coordinate(c: Carried, i: int, x: int, axis: Vec) -> None:
    """Write the derivatives of one coordinate of normal and points by one vertex."""
    first = c.counts[0]
    total = first + c.counts[1]
    e, f = point(c.sides, 0), point(c.sides, 1)
    u, v = point(c.sides, 2), point(c.sides, 3)
    d, n = c.way[0], (c.way[1], c.way[2], c.way[3])
    share = -c.weights[i] if i < first else c.weights[i]
    s = moves_side(c, i, 0) if total > 2 else 0.0
    t = moves_side(c, i, 1) if total > 3 else 0.0
    turned = along(along(HERE, s, u), t, v)
    normal = along(HERE, -dot(axis, turned), n)
    if total < 4 and (d > 0.0 or d < 0.0):  # the points name the normal
        across = along(along(axis, -dot(axis, n), n), -dot(axis, e), u)
        normal = along(normal, share / d, across)
    by_s = along(along(HERE, d * dot(u, turned), n), share, u)
    by_t = along(along(HERE, d * dot(v, turned), n), share, v)
    on_a = along(HERE, c.weights[i] if i < first else 0.0, axis)
    on_b = along(HERE, c.weights[i] if i >= first else 0.0, axis)
    if first > 1:
        on_a = along(on_a, dot(axis, e), by_s)
    else:
        on_b = along(on_b, -dot(axis, e), by_s)
    if first > 2:
        on_a = along(on_a, dot(axis, f), by_t)
    else:
        on_b = along(on_b, -dot(axis, f), by_t)
    c.rows[3 * i + x] = share * dot(axis, n)
    put(c.rows, 3 * ((1 + x) * total + i), normal)
    put(c.rows, 3 * ((4 + x) * total + i), on_a)
    put(c.rows, 3 * ((7 + x) * total + i), on_b)


@kernel
def differentiate(c: Carried) -> int:
    """Find the weights of the closest points and all derivatives; say 1 if they exist.

    0 where the sides leave more than one way: parallel edges, more than two sides.
    Where the distance is 0 a normal that comes from points has none; it is left out.
    """
    first = c.counts[0]
    total = first + c.counts[1]
    if total > 4:
        return 0
    e = side_at(c, 0) if total > 2 else HERE
    f = side_at(c, 1) if total > 3 else HERE
    across = cross(e, f)
    if total > 3 and not dot(across, across) > NEARLY_PARALLEL * dot(e, e) * dot(f, f):
        return 0
    u, v = dual(e, f), dual(f, e)
    way = minus(point(c.points, first), point(c.points, 0))
    for i in range(total):
        c.weights[i] = 1.0 if i == 0 or i == first else 0.0
    for k in range(total - 2):
        t = dot(u, way) if k == 0 else dot(v, way)
        if k < first - 1:
            c.weights[0] -= t
            c.weights[k + 1] = t
        else:
            c.weights[first] -= t
            c.weights[k + 2] = t
    put(c.sides, 0, e)
    put(c.sides, 3, f)
    put(c.sides, 6, u)
    put(c.sides, 9, v)
    for i in range(total):
        put_coordinate(c, i, 0, (1.0, 0.0, 0.0))
        put_coordinate(c, i, 1, (0.0, 1.0, 0.0))
        put_coordinate(c, i, 2, (0.0, 0.0, 1.0))
    return 1
