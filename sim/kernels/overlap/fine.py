"""Bounds of an overlap with twice the digits, where its allowance alone is too wide.

Faces that are level to the last digits overlap along many axes that differ by rounding.
Heights in float64 are then known to less than these differ; in pairs of floats (Dekker
1971) they are known exactly, as far as a bound is concerned.
"""

from sim.kernels import layout
from sim.kernels.exact import FineVec, Pair, exactly, fine_dot, pair_minus, pair_plus
from sim.kernels.language import Floats, Vec, kernel
from sim.kernels.overlap.penetration import inner_radius
from sim.kernels.overlap.polytope import FREE, SLIVER, Polytope, distance_of, outward
from sim.kernels.vector import back, point
from sim.kernels.walk.support import height
from sim.kernels.workspace import BodyView, Workspace

EPSILON = 2.220446049250313e-16
MORE = 0.5  # of the allowance: what the polytope's own rounding adds to the upper bound
COARSE = 24.0 * EPSILON  # of a distance in float64, per unit of reach
ROUNDING = 16.0 * EPSILON  # of a height in float64, per unit of its terms together


@kernel
def fine_pull(pose: Floats, n: Vec) -> FineVec:
    """Return a world direction as the functional on body-frame points, in pairs."""
    return (fine_column(pose, 0, n), fine_column(pose, 1, n), fine_column(pose, 2, n))


@kernel
def fine_column(pose: Floats, k: int, n: Vec) -> Pair:
    """Return the height of a column of a pose along a direction, in pairs."""
    return fine_dot(exactly((pose[k], pose[4 + k], pose[8 + k])), exactly(n))


@kernel
def fine_shift(a: BodyView, b: BodyView, n: Vec) -> Pair:
    """Return how far B's translation is beyond A's along a direction, in pairs."""
    return pair_minus(fine_column(b.pose, 3, n), fine_column(a.pose, 3, n))


@kernel
def terms(pose: Floats, k: int, n: Vec) -> float:
    """Add up the terms of a component of a pulled direction, without their signs."""
    return abs(pose[k] * n[0]) + abs(pose[4 + k] * n[1]) + abs(pose[8 + k] * n[2])


@kernel
def fine_top(side: BodyView, n: Vec) -> Pair:
    """Return the height of the highest of all vertices along a direction, in pairs.

    Proves a bound for any shape.  In float64 first: only what rounding leaves open is
    computed with twice the digits.  Cost: O(V).
    """
    points = side.points
    d = fine_pull(side.pose, n)
    way = (d[0][0], d[1][0], d[2][0])
    wide = (terms(side.pose, 0, n), terms(side.pose, 1, n), terms(side.pose, 2, n))
    highest = height(points, 0, way)
    most = 0.0
    for v in range(side.size):
        x, y, z = point(points, v)
        highest = max(highest, height(points, v, way))
        most = max(most, abs(x) * wide[0] + abs(y) * wide[1] + abs(z) * wide[2])
    floor = highest - ROUNDING * most
    top = (highest, 0.0)
    found = False
    for v in range(side.size):
        if height(points, v, way) >= floor:
            h = fine_dot(d, exactly(point(points, v)))
            if not found or pair_minus(h, top)[0] > 0.0:
                top = h
                found = True
    return top


@kernel
def fine_gap(a: BodyView, b: BodyView, n: Vec) -> float:
    """Return the gap along a direction, by a scan of all vertices of both bodies."""
    apart = pair_plus(fine_top(a, n), fine_top(b, back(n)))
    return pair_minus(fine_shift(a, b, n), apart)[0]


@kernel
def least_height(a: BodyView, b: BodyView, hull: Polytope, f: int) -> float:
    """Return the least height of the corners of a triangle along its own normal.

    No point of it is nearer to the origin, whatever rounding did to the normal.
    """
    n = outward(hull, f)
    on_a = fine_pull(a.pose, n)
    on_b = fine_pull(b.pose, n)
    shift = fine_shift(a, b, n)
    least = 0.0
    for k in range(3):
        v = hull.corners[3 * f + k]
        p = point(a.points, hull.ids[2 * v])
        q = point(b.points, hull.ids[2 * v + 1])
        h = pair_plus(shift, fine_dot(on_b, exactly(q)))
        h = pair_minus(h, fine_dot(on_a, exactly(p)))
        if k == 0 or h[0] < least:
            least = h[0]
    return least


@kernel
def fine_radius(
    a: BodyView, b: BodyView, hull: Polytope, reach: float, least: float
) -> float:
    """Return a depth that a polytope proves: no triangle is nearer to the origin.

    ``least`` is the same in float64: only triangles about as near are looked at.
    """
    off = COARSE * reach
    radius = least + off
    for f in range(hull.filled[1]):
        if hull.state[f] == FREE:
            continue
        d = distance_of(hull, f) - off
        if d < radius:
            if hull.state[f] != SLIVER:
                d = max(d, least_height(a, b, hull, f))
            radius = min(radius, d)
    return radius


@kernel
def finer_lower(a: BodyView, b: BodyView, pair: Workspace) -> None:
    """Raise the lower bound to what the measured axis proves with twice the digits."""
    result = pair.result
    lower = fine_gap(a, b, result.normal)
    pair.result.scans += 2
    # The normal has unit length to rounding.
    lower -= EPSILON * (result.size + 4.0 * abs(lower))
    result.lower = max(result.lower, min(lower, result.distance))


@kernel
def finely_certified(
    a: BodyView, b: BodyView, reach: float, near: float, pair: Workspace
) -> bool:
    """Prove the measured overlap by bounds with twice the digits; say if they certify.

    What was measured stays as it is, to the last bit.  The upper bound never shows
    which triangles the polytope has: what they prove is rounded up, to the bound of an
    axis that the polytope agrees with, else to the bar.  Points are ``near``.
    """
    result = pair.result
    size = result.size
    gap = result.distance
    limit = layout.RELATIVE * abs(gap) + layout.ABSOLUTE * size
    bar = limit - EPSILON * (size + 4.0 * abs(gap))
    allowance = layout.ALLOWANCE * size
    if gap + MORE * allowance + allowance - result.lower > limit:
        finer_lower(a, b, pair)
    upper = -fine_radius(a, b, pair.hull, reach, inner_radius(pair.hull))
    upper += EPSILON * (size + 4.0 * abs(upper)) + result.dent
    upper = min(result.upper, max(upper, gap))
    if upper > result.lower + bar:
        finer_lower(a, b, pair)
    highest = result.lower + bar
    # In the order of ``bound_depth`` and ``certify``, for the same bits.
    agreed = gap + result.dent + MORE * allowance + allowance
    if upper <= min(agreed, highest):
        upper = min(agreed, highest)
    elif upper <= highest:
        upper = highest
    result.upper = min(near + allowance, upper)
    proven = result.upper - result.lower <= limit
    pair.note[layout.NOTE_TEST] = layout.SETTLED if proven else layout.BOUNDS
    return proven
