"""The independent checker: re-prove an answer from positions alone.

Shares no code with the tracker, the exhaustive search or their primitives: other
formulas, another order, so one mistake cannot hide in both.
"""

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.result.state import PairState
from sim.tracking.proof.claim import RELATIVE, Case, check_size, placed, read
from sim.tracking.proof.depth import check_depth, check_normal
from sim.tracking.proof.level import BLUR, Level
from sim.tracking.proof.outline import (
    across,
    check_apart,
    crosses_itself,
    outline,
    overlap,
    spread,
    surfaces_cross,
)
from sim.tracking.proof.patch import check_contacts, check_elsewhere, check_patch, faced
from sim.tracking.proof.solid import Solid, deepest
from sim.tracking.proof.triangle_gap import from_triangles, surface_gap
from sim.tracking.proof.verdict import (
    CANNOT_SAY,
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

    Proven are the bounds, and that distance, points, normal, features, parts, patch,
    contacts, size and uniqueness are what they are by definition.  Taken as it is:
    what positions do not tell, ``frame``, ``work``, ``reason`` and ``regions``; of the
    regime and the proof only what cannot be so is refused.
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
        return Verdict(NO, str(error))
    except UnprovenAnswer as error:
        return Verdict(CANNOT_SAY, str(error))
    return Verdict(YES, "")


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
        elif case.hulls:
            _check_hulls(case, aside)
        else:
            _check_overlapping(case)
    except FalseAnswer:
        for body, solid in ((a, case.a), (b, case.b)):
            if crosses_itself(solid, case.slack):
                raise UnprovenAnswer(f"body '{body.name}' crosses itself") from None
        raise
    check_size(case)
    if case.claim.proof != "none":  # the paper's features are no level parts
        # Of a collapsed body, or of hulls alone, what is nearest once parted is named.
        flat = case.hulls and 0.0 in (case.a.sense, case.b.sense)
        _check_features(case, level=not aside and not flat)


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


def _check_features(case: Case, *, level: bool) -> None:
    """Hold parts, patch, contacts and ``unique`` against the level parts.

    Where points lie aside their features these are no level parts, but what is nearest.
    """
    claim, drop = case.claim, case.drop
    if claim.proof == "ring" and not (case.a.convex and case.b.convex):
        raise FalseAnswer("rings prove nothing of a body that is not convex")
    levels = _levels(case)
    parted = _gap(case) >= claim.lower - case.slack
    check_normal(claim, levels, parted=parted)
    single = not len(claim.patch)
    if level:
        folded = any(level.is_folded() for level in levels)
        bent = [level.is_bent() for level in levels]
        # Where what is level is no feature, or is too rough to certify what a search
        # measured, the nearest is named.
        alone = single and max(map(len, claim.parts)) == 1
        rough = alone and claim.proof == "search"
        for one, is_bent in zip(levels, bent, strict=True):
            excused = folded or is_bent or (rough and one.is_beside_more())
            one.whole = one.whole and not excused
        try:
            levels[0].check("A")
            levels[1].check("B")
        except FalseAnswer:
            # Where only the hulls overlap what is nearest once they part is named.
            alone = case.hulls and claim.upper >= 0.0 and not len(claim.patch)
            alone = alone and max(map(len, claim.parts)) == 1
            if not alone and _face_each_other(case, levels):
                raise
            for name, one, p in zip("AB", levels, claim.points, strict=True):
                one.whole = False
                if not alone:
                    one.check(name)
                one.check_least(name, p, 16.0 * case.slack)
        single = check_patch(case, faced(case, levels))
    elif case.a.sense != 0.0 and case.b.sense != 0.0:
        for name, one, p in zip("AB", levels, claim.points, strict=True):
            if len(one.parts) > 1:
                one.whole = False
                one.check(name)
            one.check_least(name, p, 16.0 * case.slack)
        several = _shared(case)
        if len(claim.patch) or (claim.unique and several > 100.0 * ASIDE):
            raise FalseAnswer("the hulls meet in more than a point, or at no corners")
        single = single and several <= 0.01 * ASIDE
    near = 20.0 * drop + RELATIVE * abs(claim.distance)
    check_contacts(claim, levels, near, hulls=case.hulls)
    check_elsewhere(case, single)


def _shared(case: Case) -> float:
    """Return how wide the hulls meet along the normal, once they are parted."""
    n, near = case.claim.normal, case.fine
    high_a, high_b = case.a.x @ n, case.b.x @ -n
    one = outline(case.a.x[high_a >= high_a.max() - near] @ across(n))
    other = outline(case.b.x[high_b >= high_b.max() - near] @ across(n))
    return spread(overlap(one, other, 1e-3 * ASIDE))


def _face_each_other(case: Case, levels: tuple[Level, Level]) -> bool:
    """Say whether all that is surely level has points in common."""
    parts = levels[0].surely_spanned(), levels[1].surely_spanned()
    kind = parts[0][0].letter + parts[1][0].letter
    case = case._replace(claim=case.claim._replace(parts=parts, kind=kind))
    return faced(case, _levels(case)).meet(0.25 * case.tolerance)


def _levels(case: Case) -> tuple[Level, Level]:
    claim, turned = case.claim, 0.0
    if claim.distance > 0.0 and "F" not in claim.kind:  # a face knows its own normal
        turned = BLUR * (case.scale / claim.distance)
    if claim.kind == "EE":  # edges that cross know it, too
        ends = (
            solid.x[solid.vertices_of(parts[0])]
            for solid, parts in zip((case.a, case.b), claim.parts, strict=True)
        )
        d, e = ((q - p) / (np.linalg.norm(q - p) or 1.0) for p, q in ends)
        sine = float(np.linalg.norm(np.cross(d, e)))
        turned = min(turned, (BLUR + case.tolerance) / max(sine, BLUR))
    (pa, pb), (parts_a, parts_b), n = claim.points, claim.parts, claim.normal
    solid = case.a.sense != 0.0 and case.b.sense != 0.0
    return (
        Level(case.a, parts_a, n, pa, case.tolerance, case.level, turned, whole=solid),
        Level(case.b, parts_b, -n, pb, case.tolerance, case.level, turned, whole=solid),
    )


def _gap(case: Case) -> float:
    n = case.claim.normal
    return float((case.b.x @ n).min() - (case.a.x @ n).max())


def _held_gap(case: Case) -> float:
    """Return the gap along the normal: any gap is below the upper bound."""
    gap = _gap(case)
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
    if claim.proof != "search":
        raise FalseAnswer(f"the gap along the normal is {gap}, below the bound")
    check_apart(case.a, case.b, slack, touching=claim.lower <= 1e-9 * case.scale)
    nearest = surface_gap(case.a.triangles, case.b.triangles)
    if nearest < claim.lower - slack:
        raise FalseAnswer(f"two features are {nearest} apart, below the bound")


def _check_overlapping(case: Case) -> None:
    claim, a, b, slack = case.claim, case.a, case.b, case.slack
    _check_axis(case)
    width = float(np.linalg.norm(claim.points[1] - claim.points[0]))
    if claim.proof == "none" or claim.upper >= width - slack:
        return  # points that near prove it
    check_depth(a.x, b.x, -claim.upper, slack, "the upper bound")
    dents = a.dents + b.dents
    if dents > slack and deepest(a, b) < -claim.upper - slack:
        try:
            check_depth(a.x, b.x, dents - claim.upper, slack, "the upper bound")
        except FalseAnswer:
            raise UnprovenAnswer(f"the bodies are dented by {dents:g}") from None


def _check_axis(case: Case) -> None:
    """Hold the lower bound and the distance against the overlap along the normal."""
    claim, fine = case.claim, case.fine
    gap = _held_gap(case)
    if gap < claim.lower - fine:
        raise FalseAnswer(f"the gap along the normal is {gap}, below the bound")
    off = abs(gap - claim.distance)
    if claim.proof != "none" and off > RELATIVE * abs(claim.distance) + 16.0 * fine:
        raise FalseAnswer(f"the overlap along the normal is {-gap}")


def _check_hulls(case: Case, aside: float) -> None:
    """Re-prove the overlap of hulls whose bodies are not convex.

    The lower bound, and the distance, is that of the hulls; the upper one that of the
    deepest vertex.  ``aside``: how far the bodies must be apart where the hulls touch.
    """
    claim, a, b, slack = case.claim, case.a, case.b, case.slack
    _check_axis(case)
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
