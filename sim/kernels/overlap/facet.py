"""An overlap measured along the facet of the difference that the polytope found.

For bodies so level with each other that the features' own normal proves nothing: faces
tipped by less than the parallel tolerance, arcs of a fine rim that stand as high as
each other.  The polytope is started from cold, so what was before decides nothing.
"""

from sim.kernels import layout
from sim.kernels.closest.answer import direction, measure
from sim.kernels.closest.measure import levels
from sim.kernels.closest.naming import adopt, flood
from sim.kernels.language import Ints, Vec, kernel
from sim.kernels.overlap.depth import stand_on, touching
from sim.kernels.overlap.fine import COARSE, EPSILON, finely_certified, finer_lower
from sim.kernels.overlap.penetration import CLOSED, inner_radius, polytope, stretch
from sim.kernels.overlap.polytope import (
    DISTANCE,
    FINAL,
    FREE,
    HEIGHT,
    PLANE,
    Polytope,
    outward,
)
from sim.kernels.vector import (
    HERE,
    along,
    back,
    cross,
    dot,
    minus,
    place,
    point,
    pull,
    scale_of,
)
from sim.kernels.walk.gjk import seed
from sim.kernels.workspace import BodyView, Part, Workspace

INFINITE = float("inf")
BESIDE = 1e-9  # of a facet: farther beside it the origin is over another one
INSIDE = 4.0 * EPSILON  # and so little beside it that its foot is on it, to rounding

LEAN = 1.0 - 1e-12  # cosine of the angle between two facets that are one


@kernel
def shares(hull: Polytope, f: int) -> Vec:
    """Return the weights of a triangle's corners at the foot of the origin.

    One is negative where that lies outside.
    """
    n = outward(hull, f)
    p = point(hull.points, hull.corners[3 * f])
    q = point(hull.points, hull.corners[3 * f + 1])
    r = point(hull.points, hull.corners[3 * f + 2])
    x = dot(cross(q, r), n)
    y = dot(cross(r, p), n)
    z = dot(cross(p, q), n)
    total = x + y + z
    if not total > 0.0:
        return (-1.0, -1.0, -1.0)
    return (x / total, y / total, z / total)


@kernel
def facet_below(hull: Polytope, reach: float) -> int:
    """Return the face of the difference that the origin is nearest to, or -1.

    Of those as near, to rounding, the one whose inside it is over: parallel edges span
    a facet of two triangles.
    """
    limit = inner_radius(hull) + COARSE * reach
    best = -1
    most = 0.0
    for f in range(hull.filled[1]):
        if hull.state[f] == FINAL and hull.planes[PLANE * f + DISTANCE] <= limit:
            x, y, z = shares(hull, f)
            least = min(x, y, z)
            if best < 0 or least > most:
                best = f
                most = least
    return best if most > -BESIDE else -1


@kernel
def is_alone(hull: Polytope, f: int, reach: float) -> bool:
    """Say whether all triangles as near as one lie in its plane, to rounding.

    Those that lean by less than ``LEAN`` are the same facet, uneven in its last bits.
    """
    off = COARSE * reach
    limit = inner_radius(hull) + off
    n = outward(hull, f)
    height = hull.planes[PLANE * f + HEIGHT]
    for g in range(hull.filled[1]):
        if hull.state[g] == FREE or hull.planes[PLANE * g + DISTANCE] > limit:
            continue
        if dot(n, outward(hull, g)) > LEAN:
            continue
        for k in range(3):
            p = point(hull.points, hull.corners[3 * g + k])
            if abs(dot(n, p) - height) > off:
                return False
    return True


@kernel
def name_corners_of(
    side: BodyView, v: int, d: Vec, drop: float, part: Part, first: int, pair: Workspace
) -> bool:
    """Name the level part around a support if it holds the simplex; else that.

    ``first`` is where the ids of this body begin in the simplex.  An arc of a fine rim
    is no part: the support alone is.
    """
    ids = pair.simplex
    flat = flood(side, v, d, drop, drop, part, pair.result)
    if flat and holds_corners(side, ids, first):
        return True
    if adopt(side, ids, first, 3, part):
        return True
    pair.hint[0] = v
    return not flat and adopt(side, pair.hint, 0, 1, part)


@kernel
def holds_corners(side: BodyView, ids: Ints, first: int) -> bool:
    """Say whether the simplex, from ``first`` on, lies in the named part of a body."""
    mark = side.mark
    return mark[ids[first]] + mark[ids[first + 1]] + mark[ids[first + 2]] == 3


@kernel
def measured_on(a: BodyView, b: BodyView, origin: Vec, f: int, pair: Workspace) -> bool:
    """Name and measure what stands on a triangle of the polytope, along its normal.

    In the middle of what they have in common where level parts face each other, else
    where the triangle is nearest to the origin.  False where it stands on no features.
    """
    result = pair.result
    n = back(outward(pair.hull, f))
    stand_on(pair, f)
    va, vb = stretch(a, b, back(n), pair.simplex[1], pair.simplex[5], pair)
    x = place(a.points, a.pose, HERE, va)
    y = place(b.points, b.pose, origin, vb)
    drop = pair.tolerance * scale_of(x, y, origin)
    if not name_corners_of(a, va, pull(a.pose, n), drop, result.part_a, 1, pair):
        return False
    if not name_corners_of(b, vb, pull(b.pose, back(n)), drop, result.part_b, 5, pair):
        return False
    facing, _ = direction(a, b, origin, n, pair)
    if (
        facing
        and (result.part_a.dimension == 2 or result.part_b.dimension == 2)
        and measure(a, b, origin, n, pair)
        and result.miss == 0.0
    ):
        return True
    ids = pair.simplex
    if not (holds_corners(a, ids, 1) and holds_corners(b, ids, 5)):
        return False  # nearest is a point beside the support
    high, _, reach = levels(a, HERE, n)
    _, low, far = levels(b, origin, n)
    gap = low - high
    first, second, third = shares(pair.hull, f)
    if gap > layout.TOUCH * max(reach, far) and min(first, second, third) < -INSIDE:
        return False  # apart, the origin is nearest to the facet's rim
    x = place(a.points, a.pose, HERE, pair.simplex[1])
    p = minus(place(a.points, a.pose, HERE, pair.simplex[2]), x)
    q = minus(place(a.points, a.pose, HERE, pair.simplex[3]), x)
    x = along(along(x, max(0.0, second), p), max(0.0, third), q)
    result.distance = gap
    result.lower = gap
    result.upper = gap
    result.size = max(reach, far)
    result.miss = 0.0
    result.normal = n
    result.point_a = x
    result.point_b = along(x, gap, n)
    dimensions = result.part_a.dimension + result.part_b.dimension
    result.parallel = 1 if dimensions > 2 else 0
    result.corners = 0
    result.chosen = 0
    result.by_points = 0
    return True


@kernel
def on_facet(a: BodyView, b: BodyView, origin: Vec, pair: Workspace) -> bool:
    """Answer from the nearest facet of the difference; say whether that is proven."""
    result = pair.result
    hull = pair.hull
    hull.filled[0] = 0
    seed(a, b, origin, pair)
    hull.filled[2] = 1
    ended, reach = polytope(a, b, origin, pair)
    hull.filled[2] = 0
    f = facet_below(hull, reach)
    if ended != CLOSED or f < 0 or not measured_on(a, b, origin, f, pair):
        return False
    size = result.size
    gap = result.distance
    apart = gap > layout.TOUCH * size
    # What was named need not reach as far as the body does: the scan says.
    result.lower = -INFINITE
    near = max(abs(gap), abs(result.upper))
    result.upper = near + layout.ALLOWANCE * size
    pair.result.by_hull = 0 if apart else 1
    if not is_alone(hull, f, reach):
        pair.result.parallel = 1
    if apart:
        result.upper += result.dent
        finer_lower(a, b, pair)
        limit = layout.RELATIVE * gap + layout.ABSOLUTE * size
        proven = result.upper - result.lower <= limit
    else:
        proven = finely_certified(a, b, reach, near, pair)
    if not proven:
        hull.filled[0] = 0
        return False
    touching(pair)
    pair.result.known = 1
    return True
