"""One frame of two bodies in kernel order; see ``pairs`` for what it goes on from.

The arguments are tables of buffers and nothing else, the result is an int: an entry is
called across the border between two engines.
"""

from math import sqrt

from sim.kernels import layout
from sim.kernels.language import Floats, Vec, kernel
from sim.kernels.solve import are_hulls, is_hull, solve
from sim.kernels.vector import back, cross, dot, length, minus, pull, unit
from sim.kernels.workspace import NEW, BodyView, Workspace

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


@kernel
def solve_anew(a: BodyView, b: BodyView, convex: int, pair: Workspace) -> int:
    """Answer as from cold wherever last frame's parts might decide what is level."""
    warm = pair.simplex[0] > 0
    status = solve(a, b, convex, pair)
    if warm and pair.result.borderline == 1:
        pair.simplex[0] = pair.hull.filled[0] = 0
        status = solve(a, b, convex, pair)
    return status


@kernel
def one_frame(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Answer one frame for two bodies in kernel order; return the status.

    Bodies that both prove by their rings are convex; others are taken for their hulls
    once it is known how far these reach beyond them; of new positions that is asked
    where it matters.  A body that is not convex to rounding may reach as far in two
    places at once, which is for a search of its surface to tell.
    """
    result = pair.result
    known = result.known
    last = (result.part_a.name, result.part_b.name)
    kinds = (result.part_a.dimension, result.part_b.dimension)
    scanned = a.scanned + b.scanned > 0
    status = solve_anew(a, b, are_hulls(a, b, 0, pair), pair)
    result.outward_seen = 0
    if status == layout.CERTIFIED:
        n = result.normal
        result.outward_seen = 1 if faces(a, n) and faces(b, back(n)) else 0
    # Surfaces can tell what hulls cannot: whether another part stands as high, and what
    # is so near that a walk from cold would end inside.
    stays = known == 1 and last == (result.part_a.name, result.part_b.name)
    stays = stays and kinds == (result.part_a.dimension, result.part_b.dimension)
    others = result.other_support == 1 and not (stays and result.parallel == 1)
    unsure = others or result.distance <= layout.BLIND * result.size
    if scanned and unsure and status == layout.CERTIFIED:
        convex = are_hulls(a, b, 1, pair)
        if convex == 0 or result.dent > layout.EQUAL * result.size:
            return layout.UNPROVEN
    return status


@kernel
def faces(side: BodyView, way: Vec) -> bool:
    """Say whether an answer shows that a body is seen from outside; most others are."""
    return side.scanned < NEW or is_upright(side, way) or is_hull(side, 1)


@kernel
def hull_frame(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Answer one frame for two bodies that are taken for their hulls."""
    return solve_anew(a, b, 1, pair)
