"""The oracle: the closest features by comparing every pair, and exactly if wanted."""

from sim.body.body import Body
from sim.kernels.trajectory import PENETRATION
from sim.result.answer import Numbers
from sim.result.rows import work_of
from sim.result.state import PairState
from sim.tracking.brute.rational import rational_limit, refused, squeeze
from sim.tracking.brute.search import search
from sim.tracking.buffers import Buffers
from sim.tracking.pair import PairTracker


def exhaustive(
    a: Body,
    b: Body,
    *,
    contact_distance: float | None = None,
    parallel_tolerance: float = 1e-12,
    rational: bool = False,
) -> PairState:
    """Find the closest features of two bodies by comparing every pair.

    Parameters
    ----------
    a, b : Body
        Any two bodies, of any shape.
    contact_distance : float, optional
        As for ``PairTracker``.
    parallel_tolerance : float
        As for ``PairTracker``; names features, never changes the distance.
    rational : bool
        Compute the distance in exact rationals (both bodies convex, at most 60
        vertices each): ``lower`` and ``upper`` are then floats that enclose the true
        value and differ by a few units in the last place.

    Returns
    -------
    PairState
        World frame.  Apart: the least of all vertex-face and edge-edge distances, as
        the enumeration measured it.  Overlapping and convex: minus the least
        translation along any face normal or edge axis.  Overlapping otherwise: the
        interval from the hulls' penetration to the deepest vertex.

    Raises
    ------
    ValueError
        If a coordinate is not finite, or ``rational`` is asked of bodies too large.

    Notes
    -----
    Cost: O(V_a F_b + F_a V_b + E_a E_b); rational: up to seconds.  See Ericson (2005),
    5.1; docs/algorithms.md#oracle.
    """
    tracker = PairTracker(
        a, b, contact_distance=contact_distance, parallel_tolerance=parallel_tolerance
    )
    if rational:
        rational_limit(a, b)
    return tracker.enumerate(rational=rational)


def searched(buffers: Buffers, exact: bool) -> Numbers:
    """Answer by exhaustive search, small convex bodies in exact rationals."""
    done = work_of(buffers.result)
    numbers = search(buffers)
    deep = numbers.distance < -PENETRATION * numbers.size
    if numbers.reason and (exact or not deep) and _rationals_can(buffers):
        numbers = squeeze(buffers, numbers)
    return numbers._replace(work=done._replace(fallbacks=1))


def enumerated(buffers: Buffers, rational: bool) -> Numbers:
    """Answer as the enumeration of all pairs measured it; see ``sim.exhaustive``."""
    numbers = search(buffers, enumerated=True)
    if rational:
        numbers = squeeze(buffers, numbers)
    return numbers


def _rationals_can(buffers: Buffers) -> bool:
    """Say whether exact rationals can decide."""
    a, b = buffers.bodies
    return not refused(a) and not refused(b)
