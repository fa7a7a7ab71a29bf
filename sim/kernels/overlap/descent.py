"""The local search for the axis of least overlap: downhill over the Gauss map.

Move B away along the present axis until it is clear of A, and track the closest
features there: their normal overlaps less, or as much.  That is a proximal step: the
distance of A from the shifted B is the greatest of ``shift . n - overlap(n)`` over all
unit n, so

    overlap(found) <= overlap(axis) - |shift| (1 - found . axis).

It ends at an axis that names itself: a local minimum, where a face of the difference is
(Kim, Lin, Manocha 2004, "Incremental penetration depth estimation between convex
polytopes using dual-space expansion", walk there over the same map with steps between
its faces).  A local minimum is not always global: flat bodies and needles have several.
"""

from sim.kernels.closest.answer import direction, measure, settle_around
from sim.kernels.closest.naming import both_hold
from sim.kernels.language import Vec, kernel
from sim.kernels.overlap.penetration import difference, stretch
from sim.kernels.vector import along, back, dot
from sim.kernels.view import BodyView
from sim.kernels.walk.gjk import APART, walk
from sim.kernels.workspace import Workspace

STEPS = 16
CLEAR = 1.25  # how far B is moved, per overlap
SETTLED = 1e-12  # a gain this small, per unit of reach, is none


@kernel
def descend(a: BodyView, b: BodyView, origin: Vec, n: Vec, pair: Workspace) -> bool:
    """Name and measure the features of a local minimum near an axis.

    False where the way there is lost.
    """
    result = pair.result
    ids = pair.simplex
    va = ids[1]
    vb = ids[5]
    least = 0.0
    for k in range(STEPS):
        va, vb = stretch(a, b, back(n), va, vb, pair)
        w, reach = difference(a, b, origin, va, vb)
        overlap = -dot(n, w)
        if not overlap > 0.0:
            return False
        ended = k > 0 and overlap >= least - SETTLED * reach
        if ended and result.by_points == 0:
            facing, m = direction(a, b, origin, n, pair)
            return (
                facing
                and result.by_points == 0
                and measure(a, b, origin, m, pair)
                and both_hold(a, b, m, pair.tolerance * result.size, pair)
            )
        least = overlap
        away = along(origin, CLEAR * overlap, n)
        ids[0] = 1
        ids[1] = va
        ids[5] = vb
        status, m, va, vb = walk(a, b, away, 0, pair)
        if status != APART or not settle_around(a, va, b, vb, away, m, pair):
            return False
        n = pair.result.normal
    return False
