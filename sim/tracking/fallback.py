"""What answers a frame that the kernels could not certify; in kernel order."""

from sim.contact import Numbers, Work
from sim.kernels.reel import PENETRATION
from sim.tracking.buffers import Buffers
from sim.tracking.remarks import counts_as_convex
from sim.tracking.search import search


def both_convex(buffers: Buffers) -> bool:
    """Say whether an overlap is one of convex bodies.  Cost: two audits."""
    a, b = buffers.bodies
    return counts_as_convex(a) and counts_as_convex(b)


def searched(buffers: Buffers, exact: bool) -> Numbers:
    """Answer by exhaustive search, small convex bodies in exact rationals."""
    done = Work(*buffers.work)
    numbers = search(buffers)
    deep = numbers.distance < -PENETRATION * numbers.size
    if numbers.reason and (exact or not deep) and _rationals_can(buffers):
        from sim.tracking.rational import squeeze

        numbers = squeeze(buffers, numbers)
    return numbers._replace(work=done._replace(fallbacks=1))


def enumerated(buffers: Buffers, rational: bool) -> Numbers:
    """Answer as the enumeration of all pairs measured it; see ``sim.exhaustive``."""
    numbers = search(buffers, enumerated=True)
    if rational:
        from sim.tracking.rational import squeeze

        numbers = squeeze(buffers, numbers)
    return numbers


def _rationals_can(buffers: Buffers) -> bool:
    """Say whether exact rationals can decide."""
    from sim.tracking.rational import refused

    a, b = buffers.bodies
    return not refused(a) and not refused(b)
