"""Support vertices of one body: climb, the sound local certificate, the scan.

A direction ``d`` is given in the body frame (``vector.pull``); the height of a
vertex is ``p . d``.  A coordinate that is not finite cannot pass unseen: every height
that is looked at either lies above ``LOWEST`` and below another one, or is gathered in
``result.nan_sum``.

Interpreted, `scan` stands in for `scan_each`, which would pay 300 ns a vertex:
elementwise numpy, only ``+ *`` and comparisons, which are bit-equal everywhere; never
``@``, ``dot`` or ``sum``, whose order of operations changes with the processor.
"""

from typing import TYPE_CHECKING

from sim.kernels.language import Floats, Later, Vec, kernel, stands_for
from sim.kernels.vector import cross, dot, minus, point
from sim.kernels.workspace import BodyView, Result

if TYPE_CHECKING:
    import numpy as np
else:
    np = Later("numpy")

LOWEST = -1e300  # finite heights lie above
NOISE = 8.0 * 2.220446049250313e-16  # more than rounding does to two heights
Rise = tuple[int, int]


@kernel
def height(points: Floats, v: int, d: Vec) -> float:
    """Return the height of a vertex along a body-frame direction."""
    i = 3 * v
    return points[i] * d[0] + points[i + 1] * d[1] + points[i + 2] * d[2]


@kernel
def climb(side: BodyView, v: int, d: Vec, result: Result) -> tuple[int, float]:
    """Walk uphill over vertex rings until no neighbour is higher.

    Steepest neighbour first.  Ends because the height rises strictly.
    Cost: one ring per step.
    """
    points = side.points
    start = side.start
    star = side.star
    best = height(points, v, d)
    while True:
        top = v
        result.steps += 1
        first = start[v]
        last = start[v + 1]
        result.vertices += last - first
        for k in range(first, last):
            w = star[k]
            h = height(points, w, d)
            if h > best:
                best = h
                top = w
            elif not h > LOWEST:
                result.nan_sum += h
        if top == v:
            result.nan_sum += best
            return v, best
        v = top


@kernel
def looks_along(side: BodyView, v: int, d: Vec) -> bool:
    """Say whether at least one face around a vertex looks along a direction.

    The second half of the ring certificate.  Inside a flat part that faces
    away the whole ring ties, so "no neighbour is higher" alone proves nothing.
    """
    points = side.points
    start = side.start
    star = side.star
    first = start[v]
    last = start[v + 1]
    p = point(points, v)
    a = minus(point(points, star[last - 1]), p)
    for k in range(first, last):
        b = minus(point(points, star[k]), p)
        if dot(cross(a, b), d) > 0.0:
            return True
        a = b
    return False


@kernel
def is_ringed(side: BodyView, v: int, d: Vec, floor: float, skip: int) -> bool:
    """Say whether the ring of a vertex, or what is no member of it, is clearly lower.

    What a convex body has above a level hangs together: a scan would find no more.
    """
    noise = NOISE * side.proofs.far * (abs(d[0]) + abs(d[1]) + abs(d[2]))
    if not noise > 0.0:
        return False
    for k in range(side.start[v], side.start[v + 1]):
        w = side.star[k]
        low = height(side.points, w, d) < floor - noise
        if not (low or (skip == 1 and side.mark[w] == 1)):
            return False
    return True


@kernel
def scan_each(points: Floats, count: int, d: Vec, result: Result) -> tuple[int, float]:
    """Return the first highest vertex of all, and its height.

    Proves the bound for any shape.  Cost: O(V).
    """
    best = height(points, 0, d)
    result.nan_sum += best - best  # 0 or none: what is higher would hide the first
    top = 0
    for v in range(1, count):
        h = height(points, v, d)
        # A sum of all heights would wait for every addition: twice the time.
        if h > best:
            best = h
            top = v
        elif not h > LOWEST:
            result.nan_sum += h - h
    result.nan_sum += best - best
    return top, best


@kernel
def rise_each(points: Floats, count: int, d: Vec, floor: float, top: float) -> Rise:
    """Count the vertices that reach a floor, and those above a top or no number.

    Cost: O(V); of counts alone two are looked at in a step.
    """
    reached = 0
    beyond = 0
    for v in range(count):
        h = height(points, v, d)
        if h >= floor:
            reached += 1
        if not LOWEST < h <= top:
            beyond += 1
    return reached, beyond


@kernel
def beyond_each(points: Floats, count: int, limit: float) -> int:
    """Count the coordinates that are not within a limit.

    Cost: O(V); counted rather than compared, for then four are looked at in a step.
    """
    beyond = 0
    for i in range(3 * count):
        if not abs(points[i]) <= limit:
            beyond += 1
    return beyond


def heights(points: Floats, d: Vec) -> "np.ndarray":
    """Return all heights."""
    xyz = np.asarray(points)
    # What is not finite is found by the witness, not by a warning.
    with np.errstate(invalid="ignore", over="ignore"):
        return xyz[0::3] * d[0] + xyz[1::3] * d[1] + xyz[2::3] * d[2]


@stands_for(scan_each)
def scan(points: Floats, count: int, d: Vec, result: Result) -> tuple[int, float]:
    """Return the first highest vertex of all, and its height.  Cost: O(V)."""
    found = heights(points, d)
    best, lowest = float(found.max()), float(found.min())
    result.nan_sum += (best - best) + (lowest - lowest)
    return int(found.argmax()), best


@stands_for(rise_each)
def rise(points: Floats, count: int, d: Vec, floor: float, top: float) -> Rise:
    """Count them by elementwise numpy."""
    found = heights(points, d)
    beyond = (found > top) | ~(found > LOWEST)
    return int(np.count_nonzero(found >= floor)), int(np.count_nonzero(beyond))


@stands_for(beyond_each)
def beyond(points: Floats, count: int, limit: float) -> int:
    """Count the same with numpy."""
    return 3 * count - int(np.count_nonzero(np.abs(np.asarray(points)) <= limit))
