"""Hinges of two triangles whose vertices go straight: which may be flat on the way.

The volume at a hinge is a cubic in time; it lies between the least and the greatest of
its four Bernstein coefficients.  Where rounding leaves their sign no doubt and they
share it, the hinge is convex, or reflex, all the time.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from sim.kernels.language import Floats, Ints, Later, Vec, kernel, stands_for
from sim.kernels.vector import cross, dot, minus, plus, reach_of
from sim.kernels.walk.simplex import corner

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
LARGEST = 1e100  # lengths of which no cube overflows


class MovingHinges(NamedTuple):
    """The hinges of a mesh, at both ends of a way."""

    start: Floats  # 3 V
    end: Floats  # 3 V
    vertices: int  # V
    hinges: int  # H
    tail: Ints  # H
    tip: Ints
    left: Ints
    right: Ints
    open: Ints  # H, written: those that may be flat at some time


@kernel
def open_hinges(ways: MovingHinges) -> int:
    """List the hinges whose sign may change; return how many.  Cost: O(H)."""
    width = max(width_of(ways.start, ways.vertices), width_of(ways.end, ways.vertices))
    return list_open(ways, blur_of(width))


@kernel
def blur_of(width: float) -> float:
    """Bound the rounding of a coefficient of a hinge that is nowhere wider."""
    if not width < LARGEST:
        return width
    return ROUNDING * (width * width * width) + LEAST


@kernel
def width_each(points: Floats, count: int) -> float:
    """Bound how far two vertices are apart along an axis."""
    x = y = z = 0.0
    a, b, c = corner(points, 0)
    for v in range(count):
        i = 3 * v
        x = max(x, abs(points[i] - a))
        y = max(y, abs(points[i + 1] - b))
        z = max(z, abs(points[i + 2] - c))
    return 2.0 * max(x, y, z)


@stands_for(width_each)
def width_of(points: Floats, count: int) -> float:
    """Bound it by elementwise numpy."""
    p = np.asarray(points).reshape(-1, 3)
    return 2.0 * float(np.abs(p - p[0]).max())


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
def is_open(ways: MovingHinges, k: int, blur: float) -> bool:
    """Say whether a hinge may be flat at some time.

    ``blur``: the rounding for the whole body; where that hides the sign the hinge's
    own is asked.
    """
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
    if max(a, b, c, d) < -blur or min(a, b, c, d) > blur:
        return False
    if not (max(a, b, c, d) < 0.0 or min(a, b, c, d) > 0.0):
        return True
    own = blur_of(max(reach_of(u, v), reach_of(w, x), reach_of(y, z)))
    return not (max(a, b, c, d) < -own or min(a, b, c, d) > own)


@kernel
def list_each(ways: MovingHinges, blur: float) -> int:
    """List the hinges that may be flat at some time."""
    count = 0
    for k in range(ways.hinges):
        if is_open(ways, k, blur):
            ways.open[count] = k
            count += 1
    return count


@stands_for(list_each)
def list_open(ways: MovingHinges, blur: float) -> int:
    """List them by elementwise numpy, and one by one where that leaves it open."""
    edges: Any = []
    for flat in (ways.start, ways.end):
        p = np.asarray(flat).reshape(-1, 3)
        tail = p[np.asarray(ways.tail)]
        corners = ways.tip, ways.left, ways.right
        edges += [tuple((p[np.asarray(ids)] - tail).T) for ids in corners]
    with np.errstate(all="ignore"):
        signs = np.stack(cubic_of(*edges))
    sure = (signs < -blur).all(axis=0) | (signs > blur).all(axis=0)
    unsure = np.flatnonzero(~sure).tolist()
    found = [k for k in unsure if is_open(ways, k, blur)]
    for count, k in enumerate(found):
        ways.open[count] = k
    return len(found)
