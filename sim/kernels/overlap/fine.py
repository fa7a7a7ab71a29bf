"""The upper bound of an overlap with twice the digits, where rounding is too wide.

Faces that are level to the last digits overlap along many axes that differ by rounding.
Heights in float64 are then known to less than these differ; in pairs of floats (Dekker
1971) they are known exactly, as far as a bound is concerned.
"""

from sim.kernels import layout
from sim.kernels.exact import FineVec, Pair, exactly, fine_dot, pair_minus, pair_plus
from sim.kernels.language import Floats, Vec, kernel
from sim.kernels.overlap.penetration import inner_radius
from sim.kernels.overlap.polytope import (
    DISTANCE,
    FREE,
    PLANE,
    SLIVER,
    Polytope,
    outward,
)
from sim.kernels.vector import point
from sim.kernels.workspace import BodyView, Workspace

EPSILON = 2.220446049250313e-16
MORE = 0.5  # of the allowance: what the polytope's own rounding adds to the upper bound
COARSE = 24.0 * EPSILON  # of a distance in float64, per unit of reach


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
        d = hull.planes[PLANE * f + DISTANCE] - off
        if d < radius:
            if hull.state[f] != SLIVER:
                d = max(d, least_height(a, b, hull, f))
            radius = min(radius, d)
    return radius


@kernel
def finely_certified(
    a: BodyView, b: BodyView, reach: float, near: float, pair: Workspace
) -> bool:
    """Prove the measured overlap by a bound with twice the digits; say if it certifies.

    What was measured stays as it is, to the last bit.  The upper bound never shows
    which triangles the polytope has: what they prove is rounded up, to the bound of an
    axis that the polytope agrees with, else to the bar.  Points are ``near``.
    """
    result = pair.result
    size = result.size
    gap = result.distance
    limit = layout.RELATIVE * abs(gap) + layout.ABSOLUTE * size
    highest = result.lower + limit - EPSILON * (size + 4.0 * abs(gap))
    allowance = layout.ALLOWANCE * size
    upper = -fine_radius(a, b, pair.hull, reach, inner_radius(pair.hull))
    upper += EPSILON * (size + 4.0 * abs(upper)) + result.dent
    upper = min(result.upper, max(upper, gap))
    # In the order of ``bound_depth`` and ``certify``, for the same bits.
    agreed = gap + result.dent + MORE * allowance + allowance
    if upper <= highest:
        upper = min(agreed, highest) if upper <= agreed else highest
    result.upper = min(near + allowance, upper)
    proven = result.upper - result.lower <= limit
    pair.note[layout.NOTE_TEST] = layout.SETTLED if proven else layout.BOUNDS
    return proven
