"""Whether a surface is seen from its outside at the part that an answer names."""

from math import sqrt

from sim.kernels.language import Floats, Vec, kernel
from sim.kernels.vector import cross, dot, length, minus, pull, unit
from sim.kernels.view import BodyView

FLAT = 1e-6  # volume of three edges per product of their lengths


@kernel
def corner(points: Floats, v: int) -> Vec:
    """Return a vertex in its body's frame."""
    i = 3 * v
    return (points[i], points[i + 1], points[i + 2])


@kernel
def is_upright(side: BodyView, way: Vec) -> bool:
    """Say whether the part that stands highest along ``way`` faces it, in a solid.

    Of the edges at its first vertex the flattest is one of the convex hull too, and
    what stands highest there lies between the normals of its faces: their sum faces
    the same way, of a surface seen from outside.  Where that is unsure, or some four
    vertices lie in a plane, the volume must tell.  Cost: O(degree).
    """
    points = side.points
    members = side.mark[side.size]
    if members == 0:
        return False
    v = side.members[0]
    p = corner(points, v)
    d = pull(side.pose, way)
    first = side.start[v]
    last = side.start[v + 1]
    best = -1
    flattest = 0.0
    for k in range(first, last):
        e = minus(corner(points, side.star[k]), p)
        steep = min(0.0, dot(unit(e), d))
        if (members == 1 or side.mark[side.star[k]] == 1) and (
            best < 0 or steep > flattest
        ):
            best = k
            flattest = steep
    if best < 0:
        return False
    e = minus(corner(points, side.star[best]), p)
    before = side.star[last - 1 if best == first else best - 1]
    after = side.star[first if best == last - 1 else best + 1]
    one = dot(unit(cross(minus(corner(points, before), p), e)), d)
    other = dot(unit(cross(e, minus(corner(points, after), p))), d)
    if not one + other > FLAT * sqrt(dot(d, d)):
        return False
    third = side.size // 3
    p = corner(points, 0)
    e = minus(corner(points, third), p)
    f = minus(corner(points, 2 * third), p)
    g = minus(corner(points, side.size - 1), p)
    return abs(dot(cross(e, f), g)) > FLAT * (length(e) * length(f) * length(g))
