"""The independent checker: re-prove an answer from positions alone.

Shares no code with the kernels that answer, so one mistake cannot hide in both.  The
exhaustive search leaves out by the same boxes what is far, and both measure by
``wingedge.primitives``, which are held against rationals.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.result.state import PairState
from sim.tracking.options import LEVEL, Resolution, resolutions
from sim.tracking.proof import verdict
from sim.tracking.proof.claim import RELATIVE, Case, placed, read
from sim.tracking.proof.normal import check_normal
from sim.tracking.proof.solid import check_apart, crosses_itself, deepest
from sim.tracking.proof.triangle_gap import from_surface, from_triangles, surface_gap
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer, Verdict, refuse

Array = NDArray[np.float64]


def verify(
    state: PairState,
    a: Body,
    b: Body,
    *,
    parallel_tolerance: float = 1e-12,
    resolution: Resolution = None,
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
    parallel_tolerance, resolution
        As for ``PairTracker``: what counts as level.
    """
    for it, kind in ((state, PairState), (a, Body), (b, Body)):
        if not isinstance(it, kind):
            raise TypeError(f"verify(PairState, Body, Body): not {type(it).__name__}")
    known = max(resolutions((a, b), resolution), default=0.0)
    try:
        with np.errstate(all="ignore"):
            _check(state, a, b, (parallel_tolerance, LEVEL * known))
    except FalseAnswer as error:
        return Verdict(verdict.NO, str(error), verdict.JUDGED)
    except UnprovenAnswer as error:
        return Verdict(verdict.CANNOT_SAY, str(error), verdict.JUDGED)
    return Verdict(verdict.YES, "", verdict.JUDGED)


def _check(state: PairState, a: Body, b: Body, level: tuple[float, float]) -> None:
    if (state.a, state.b) == (a, b) and state.editions != (a.edition, b.edition):
        raise FalseAnswer("a body has another mesh since this was answered")
    if (state.a, state.b) == (b, a):
        raise FalseAnswer("this answers for the bodies the other way round")
    case = placed(read(state, a, b), a, b, level)
    try:
        aside = _check_points(case)
        if case.claim.distance >= 0.0:
            _check_apart(case)
        else:
            _check_overlap(case, aside)
        if not case.hulls:
            check_normal(case)
    except FalseAnswer:
        for body, solid in ((a, case.a), (b, case.b)):
            if crosses_itself(solid, case.slack):
                raise UnprovenAnswer(f"body '{body.name}' crosses itself") from None
        raise


def _check_points(case: Case) -> float:
    """Hold the points against distance and normal, and against what they lie on.

    Returns by how much one is off its feature, the nearest: hulls touch over a notch.
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
    sides = zip("AB", (case.a, case.b), claim.points, claim.parts, strict=True)
    for name, solid, p, parts in sides:
        off = solid.off(p, parts, wide)
        if off <= wide:
            continue
        nearest = from_surface(p[None], solid.triangles)[0] if case.hulls else 0.0
        if aside > 0.0 or off > nearest + wide:
            raise FalseAnswer(f"point {name} is {off:g} off its feature {parts[0]}")
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

    ``aside``: how far a point is off its feature, and so the bodies, once B has moved.
    """
    claim, a, b, fine, slack = case.claim, case.a, case.b, case.fine, case.slack
    gap = _held_gap(case)
    if case.hulls:
        _check_parted(case, aside)
        return
    if gap < claim.lower - fine:
        raise FalseAnswer(f"the gap along the normal is {gap}, below the bound")
    width = float(np.linalg.norm(claim.points[1] - claim.points[0]))
    if claim.upper >= width - slack:
        return  # points that near prove it, and nothing else is told
    off = abs(gap - claim.distance)
    if off > RELATIVE * abs(claim.distance) + 16.0 * fine:
        raise FalseAnswer(f"the overlap along the normal is {-gap}")
    check_depth(a.x, b.x, -claim.upper, slack, "the upper bound")
    dents = a.dent + b.dent
    if dents > slack and deepest(a, b) < -claim.upper - slack:
        try:
            check_depth(a.x, b.x, dents - claim.upper, slack, "the upper bound")
        except FalseAnswer:
            raise UnprovenAnswer(f"the bodies are dented by {dents:g}") from None


def _check_parted(case: Case, aside: float) -> None:
    """Re-prove the overlap of bodies that are not convex: they part where B has moved.

    The upper bound by the deepest vertex.
    """
    claim, a, b, slack = case.claim, case.a, case.b, case.slack
    coarse = RELATIVE * abs(claim.distance) + 16.0 * slack
    moved = b.moved(-claim.distance * claim.normal)
    if case.gap() < claim.distance - coarse:  # no plane parts them there
        if -claim.distance < 4.0 * coarse:
            raise UnprovenAnswer("no plane parts them by so little")
        check_apart(a, moved, coarse, touching=True)
    if aside > 0.0:
        off = abs(surface_gap(a.triangles, moved.triangles) - aside)
        wrong = off > 1e-9 * aside + coarse + case.drop
        refuse((wrong, f"a point is {aside:g} off its feature, {off:g} too far"))
    most = deepest(a, b)
    if claim.upper < -most - slack:
        if 0.0 in (a.sense, b.sense):
            raise UnprovenAnswer("a body without an inside may be deeper")
        raise FalseAnswer(f"the deepest vertex, {most}, is above the upper bound")
    if most <= 8.0 * slack and not _may_overlap(case):
        raise FalseAnswer("the bodies do not overlap")


def _may_overlap(case: Case) -> bool:
    """Say whether bodies without a deep vertex cross, or touch to rounding."""
    a, b, near = case.a, case.b, 8.0 * case.slack
    try:
        check_apart(a, b, case.slack, touching=True)
    except FalseAnswer:
        return True  # surely
    touch = max(case.claim.distance, case.claim.upper) >= -near
    return touch and surface_gap(a.triangles, b.triangles) <= near


Ids = NDArray[np.integer]

ROUNDS = 200
POINTS = 50_000  # of the difference that are looked at, at most
BLOCK = 1 << 22  # numbers computed at once
THIN = 1e-13  # of their width: points that are no thicker lie in a plane
THICK = 8.0  # of the rounding: what Qhull may leave off a facet
SLIVER = 1e-9  # of the width squared: corners of less area know no normal
FLAT = 1e-15  # of the width: a support that is no farther is level with the facet


def check_depth(xa: Array, xb: Array, depth: float, slack: float, what: str) -> None:
    """Prove that no translation shorter than a depth parts the hulls of two bodies."""
    limit = depth - slack
    ways = np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)])
    both = np.concatenate([x - x.mean(axis=0) for x in (xa, xb)])
    # Needles have few ends along given axes: those along their own are asked as well.
    ways = np.concatenate([ways, ways @ _stretch(both).T])
    points = np.unique(_supports(xa, xb, ways), axis=0)
    for _ in range(ROUNDS):
        if len(points) > POINTS:
            break
        normals, heights, corners = _facets(points)
        near = heights < limit
        aside = near & (heights > 0.0)  # its plane is near, it may lie beside the ball
        if aside.any():
            ball = from_triangles(np.zeros((1, 3)), points[corners[aside]])
            near[aside] = ball < limit
        normals, heights = normals[near], heights[near]
        tops = _supports(xa, xb, normals)
        overlaps = (tops * normals).sum(axis=1)
        least = overlaps.min(initial=limit)
        if least < limit:
            raise FalseAnswer(
                f"along another axis the bodies overlap by {least:.17g} only, which "
                f"{what} denies"
            )
        beyond = overlaps - heights > FLAT * np.abs(points).max()
        more = np.unique(np.concatenate([points, tops[beyond]]), axis=0)
        if len(more) == len(points):
            # Where Qhull leaves points off a facet, its plane alone is inside.
            if beyond.any() and (heights < limit - THICK * slack).any():
                raise UnprovenAnswer("no hull of the difference to re-prove the depth")
            return
        points = more
    raise UnprovenAnswer("the bodies are too large to re-prove a depth")


def _supports(xa: Array, xb: Array, ways: Array) -> Array:
    """Return the points of the difference that lie farthest along each way, (k, 3)."""
    step = max(1, BLOCK // max(len(xa), len(xb)))
    blocks = [ways[k : k + step].T for k in range(0, len(ways), step)]
    tops = [xb[(xb @ w).argmax(axis=0)] - xa[(xa @ w).argmin(axis=0)] for w in blocks]
    return np.concatenate([np.zeros((0, 3)), *tops])


def _facets(points: Array) -> tuple[Array, Array, Ids]:
    """Return the outward normals, heights and corners of the triangles of a hull.

    The points are made as wide every way first, since Qhull takes thin ones for flat.
    Normals are those of the corners.  Every side must be shared by two.
    """
    from scipy.spatial import ConvexHull, QhullError

    flat = points - points.mean(axis=0)
    stretch = _stretch(flat)
    try:
        if len(points) < 4:
            raise QhullError
        hull = ConvexHull(flat @ stretch)
    except QhullError:
        raise UnprovenAnswer(
            "no hull of the difference to re-prove the depth by"
        ) from None
    out = hull.equations[:, :3] @ stretch.T
    out /= np.linalg.norm(out, axis=1)[:, None]
    corners = hull.simplices
    u, v, w = (points[corners[:, k]] for k in range(3))
    normals = np.cross(v - u, w - u)
    area = np.linalg.norm(normals, axis=1)[:, None]
    flat = area <= SLIVER * float(np.abs(points).max()) ** 2
    normals = np.where(flat, out, normals / np.where(flat, 1.0, area))
    normals *= np.sign((normals * out).sum(axis=1))[:, None]
    sides = np.sort(corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    _, count = np.unique(sides, axis=0, return_counts=True)
    if (count != 2).any():
        raise UnprovenAnswer("the hull of the difference does not close up")
    return normals, (u * normals).sum(axis=1), corners


def _stretch(flat: Array) -> Array:
    """Return the matrix that makes points around the origin as wide every way."""
    _, wide, axes = np.linalg.svd(flat, full_matrices=False)
    out: Array = axes.T * (wide[0] / np.maximum(wide, THIN * (wide[0] or 1.0)))
    return out
