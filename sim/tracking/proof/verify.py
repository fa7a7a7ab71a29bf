"""The independent checker: re-prove an answer from positions alone.

Shares no code with the tracker, the exhaustive search or their primitives: other
formulas, another order, so one mistake cannot hide in both.
"""

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.result.state import PairState
from sim.tracking.proof.claim import RELATIVE, Case, placed, read
from sim.tracking.proof.crossing import check_apart, crosses_itself, surfaces_cross
from sim.tracking.proof.depth import check_depth
from sim.tracking.proof.normal import check_normal
from sim.tracking.proof.solid import Solid, deepest
from sim.tracking.proof.triangle_gap import from_triangles, surface_gap
from sim.tracking.proof.verdict import (
    CANNOT_SAY,
    JUDGED,
    NO,
    YES,
    FalseAnswer,
    UnprovenAnswer,
    Verdict,
)
from wingedge import Feature

Array = NDArray[np.float64]

ASIDE = 1e-6  # a foot so far beside a feature is beside it


def verify(
    state: PairState, a: Body, b: Body, *, parallel_tolerance: float = 1e-12
) -> Verdict:
    """Re-prove an answer from the positions of its bodies, before they change.

    Returns a verdict: true in a condition only if all is proven; ``answer`` is "yes",
    "no" or "cannot say", with the ``reason`` why not.

    Proven are the bounds, the distance as far as they tell it, the points, the normal,
    and that each point lies on a feature that is named; ``judged`` lists these.  Taken
    as it is: all else, such as kind, regime, ``unique``, ``patch``, ``contacts``, and
    whether the parts are all that is level.
    A body made with ``convexity="hull"`` is checked as the hull that Qhull finds.
    Cost: O(V) for a separated convex pair, else up to some seconds for bodies of 5000
    triangles each.  Of bodies that cross themselves it cannot say what is inside.

    Parameters
    ----------
    state : PairState
        An answer for ``a`` and ``b`` in this order, or any claim of that kind: see
        ``PairState.replace``.
    a, b : Body
        The bodies as they were when it was given.
    parallel_tolerance : float
        As for ``PairTracker``: what counts as level.
    """
    for body in (a, b):
        if not isinstance(body, Body):
            raise TypeError(f"verify takes two sim.Body, got {type(body).__name__}")
    try:
        with np.errstate(all="ignore"):
            _check(state, a, b, parallel_tolerance)
    except FalseAnswer as error:
        return Verdict(NO, str(error), JUDGED)
    except UnprovenAnswer as error:
        return Verdict(CANNOT_SAY, str(error), JUDGED)
    return Verdict(YES, "", JUDGED)


def _check(state: PairState, a: Body, b: Body, parallel_tolerance: float) -> None:
    if (state.a, state.b) == (a, b) and state.editions != (a.edition, b.edition):
        raise FalseAnswer("a body has another mesh since this was answered")
    if (state.a, state.b) == (b, a):
        raise FalseAnswer("this answers for the bodies the other way round")
    case = placed(read(state, a, b), a, b, parallel_tolerance)
    aside = _check_points(case)
    try:
        if case.claim.distance >= 0.0:
            _check_apart(case)
        else:
            _check_overlap(case, aside)
    except FalseAnswer:
        for body, solid in ((a, case.a), (b, case.b)):
            if crosses_itself(solid, case.slack):
                raise UnprovenAnswer(f"body '{body.name}' crosses itself") from None
        raise
    if not case.hulls:
        check_normal(case)


def _check_points(case: Case) -> float:
    """Hold the points against distance and normal, and against what they lie on.

    Returns by how much one of them is off its feature: 0 but in an overlap of hulls,
    which may touch over a notch where the bodies themselves do not.
    """
    claim, slack = case.claim, case.slack
    pa, pb = claim.points
    miss = float(np.abs(pb - pa - claim.distance * claim.normal).max())
    if miss > 4.0 * slack + 1e-12 * abs(claim.distance):
        raise FalseAnswer(f"the points are {miss:g} from distance times normal")
    wide = RELATIVE * abs(claim.distance) + 16.0 * slack
    if claim.kind != "VV":
        wide += case.drop  # a level part is as deep as its own tolerance
    aside = 0.0
    for name, solid, p, parts in (
        ("A", case.a, pa, claim.parts[0]),
        ("B", case.b, pb, claim.parts[1]),
    ):
        off = solid.off(p, parts, wide)
        if off <= wide:
            continue
        if not case.hulls or aside > 0.0:
            raise FalseAnswer(f"point {name} is {off:g} off its feature {parts[0]}")
        _check_beside(name, solid, p, parts)
        aside = off
    return aside


def _held_gap(case: Case) -> float:
    """Return the gap along the normal: any gap is below the upper bound."""
    gap = case.gap()
    if gap > case.claim.upper + case.fine:
        raise FalseAnswer(f"the gap along the normal is {gap}, above the upper bound")
    return gap


def _check_apart(case: Case) -> None:
    claim, slack = case.claim, case.slack
    width = float(np.linalg.norm(claim.points[1] - claim.points[0]))
    if width > claim.upper + slack:
        raise FalseAnswer(f"the points are {width} apart, beyond the upper bound")
    gap = _held_gap(case)
    if gap >= claim.lower - case.fine:
        return
    check_apart(case.a, case.b, slack, touching=claim.lower <= 1e-9 * case.scale)
    nearest = surface_gap(case.a.triangles, case.b.triangles)
    if nearest < claim.lower - slack:
        raise FalseAnswer(f"two features are {nearest} apart, below the bound")


def _check_overlap(case: Case, aside: float) -> None:
    """Hold bounds and distance against the overlap along the normal, and all others.

    ``aside``: how far a point is off its feature.
    """
    claim, a, b, fine, slack = case.claim, case.a, case.b, case.fine, case.slack
    gap = _held_gap(case)
    if gap < claim.lower - fine:
        raise FalseAnswer(f"the gap along the normal is {gap}, below the bound")
    width = float(np.linalg.norm(claim.points[1] - claim.points[0]))
    if claim.upper >= width - slack and aside == 0.0:
        return  # points that near prove it, and nothing else is told
    off = abs(gap - claim.distance)
    if off > RELATIVE * abs(claim.distance) + 16.0 * fine:
        raise FalseAnswer(f"the overlap along the normal is {-gap}")
    if case.hulls:
        _check_hulls(case, aside)
        return
    check_depth(a.x, b.x, -claim.upper, slack, "the upper bound")
    dents = a.dents + b.dents
    if dents > slack and deepest(a, b) < -claim.upper - slack:
        try:
            check_depth(a.x, b.x, dents - claim.upper, slack, "the upper bound")
        except FalseAnswer:
            raise UnprovenAnswer(f"the bodies are dented by {dents:g}") from None


def _check_hulls(case: Case, aside: float) -> None:
    """Re-prove the overlap of hulls whose bodies are not convex.

    The lower bound, and the distance, is that of the hulls; the upper one that of the
    deepest vertex.  ``aside``: how far the bodies must be apart where the hulls touch.
    """
    claim, a, b, slack = case.claim, case.a, case.b, case.slack
    coarse = RELATIVE * abs(claim.distance) + 16.0 * slack
    check_depth(a.x, b.x, -claim.distance, coarse, "the distance, that of the hulls,")
    most = deepest(a, b)
    if claim.upper < -most - slack:
        raise FalseAnswer(f"the deepest vertex, {most}, is above the upper bound")
    if most <= 8.0 * slack and not _may_overlap(case):
        raise FalseAnswer("the bodies do not overlap")
    if aside > 0.0:
        moved = b.triangles - claim.distance * claim.normal
        off = abs(surface_gap(a.triangles, moved) - aside)
        if off > 1e-9 * aside + case.drop:
            raise FalseAnswer(f"a point is {aside:g} off its feature, {off:g} too far")


def _may_overlap(case: Case) -> bool:
    """Say whether bodies without a deep vertex cross, or touch to rounding.

    Of a body that has collapsed there is no inside to share: it is held by its hull.
    """
    a, b, near = case.a, case.b, 8.0 * case.slack
    if a.sense == 0.0 or b.sense == 0.0 or surfaces_cross(a, b, case.slack):
        return True
    touch = max(case.claim.distance, case.claim.upper) >= -near
    return touch and surface_gap(a.triangles, b.triangles) <= near


def _check_beside(
    name: str, solid: Solid, p: Array, parts: tuple[Feature, ...]
) -> None:
    """Refuse a feature that a point off it is not upright on, or parts not level."""
    fans = solid.x[solid.fans_of(parts)]
    nearest = fans[int(from_triangles(p[None], fans).argmin())]
    u, v, w = nearest
    n = np.cross(v - u, w - u)
    if parts[0].letter != "F":
        n = np.cross(v - u, np.cross(p - u, v - u))
    if parts[0].letter == "V" or not n.any():
        return
    n /= np.linalg.norm(n)
    if np.abs((fans - u) @ n).max() > ASIDE:
        if len(parts) == 1 and len(fans) > 1:
            return  # a polygon off its plane: a diagonal may be nearest
        raise FalseAnswer(f"the parts of {name} are not level")
    foot = p - ((p - u) @ n) * n
    if from_triangles(foot[None], nearest[None])[0] > ASIDE:
        raise FalseAnswer(f"a side of {parts[0]} is as near to point {name}")
