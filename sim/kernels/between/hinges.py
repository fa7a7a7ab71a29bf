"""Hinges of two triangles whose vertices go straight: which may be flat on the way.

The volume at a hinge is a cubic in time; it lies between the least and the greatest of
its four Bernstein coefficients.  Where rounding leaves their sign no doubt and they
share it, the hinge is convex, or reflex, all the time.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from sim.kernels.language import Floats, Ints, Later, Vec, kernel, stands_for
from sim.kernels.vector import cross, dot, minus, plus, reach_of
from sim.kernels.vector import point as corner

if TYPE_CHECKING:
    import numpy as np
else:
    np = Later("numpy")

Cubic = tuple[float, float, float, float]

ROUNDING = 96.0 * 2.220446049250313e-16
"""Of a coefficient, per cube of the longest way between corners along an axis.

It has 18 terms at most, of ten roundings each: three edges, the products, the sums.
"""
LEAST = 1e-200  # what products below the least number may have lost


class MovingHinges(NamedTuple):
    """The hinges of a mesh, at both ends of a way."""

    start: Floats  # 3 V
    end: Floats  # 3 V
    hinges: int  # H
    tail: Ints  # H
    tip: Ints
    left: Ints
    right: Ints
    open: Ints  # H, written: those that may be flat at some time


@kernel
def cubic_of(u: Vec, v: Vec, w: Vec, x: Vec, y: Vec, z: Vec) -> Cubic:
    """Return the coefficients of a volume from edges u, v, w to x, y, z.

    The two in the middle are three times as large.
    """
    n = cross(u, v)
    m = plus(cross(u, y), cross(x, v))
    o = cross(x, y)
    return (dot(n, w), dot(m, w) + dot(n, z), dot(o, w) + dot(m, z), dot(o, z))


@kernel
def open_each(ways: MovingHinges) -> int:
    """List the hinges whose sign may change; return how many.  Cost: O(H)."""
    count = 0
    for k in range(ways.hinges):
        i = ways.tail[k]
        p = corner(ways.start, i)
        u = minus(corner(ways.start, ways.tip[k]), p)
        v = minus(corner(ways.start, ways.left[k]), p)
        w = minus(corner(ways.start, ways.right[k]), p)
        p = corner(ways.end, i)
        x = minus(corner(ways.end, ways.tip[k]), p)
        y = minus(corner(ways.end, ways.left[k]), p)
        z = minus(corner(ways.end, ways.right[k]), p)
        a, b, c, d = cubic_of(u, v, w, x, y, z)
        wide = max(reach_of(u, v), reach_of(w, x), reach_of(y, z))
        blur = ROUNDING * (wide * wide * wide) + LEAST
        if not (max(a, b, c, d) < -blur or min(a, b, c, d) > blur):
            ways.open[count] = k
            count += 1
    return count


@stands_for(open_each)
def list_open(ways: MovingHinges) -> int:
    """List them by elementwise numpy."""
    edges: Any = []
    for flat in (ways.start, ways.end):
        p = np.asarray(flat).reshape(-1, 3)
        tail = p[np.asarray(ways.tail)]
        corners = ways.tip, ways.left, ways.right
        edges += [tuple((p[np.asarray(ids)] - tail).T) for ids in corners]
    with np.errstate(all="ignore"):
        signs = np.stack(cubic_of(*edges))
        wide = np.abs(edges).max(axis=(0, 1))
        blur = ROUNDING * (wide * wide * wide) + LEAST
    sure = (signs < -blur).all(axis=0) | (signs > blur).all(axis=0)
    found = np.flatnonzero(~sure)
    np.asarray(ways.open)[: len(found)] = found
    return len(found)


@kernel
def open_hinges(ways: MovingHinges) -> int:
    """List the hinges whose sign may change, by either."""
    return list_open(ways)
