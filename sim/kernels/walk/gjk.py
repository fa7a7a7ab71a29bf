"""The walk: closest points of two bodies from last frame's simplex.

Gilbert, Johnson, Keerthi (1988), DOI 10.1109/56.2083, on the difference B - A,
warm-started from vertex ids alone; van den Bergen (1999) for the stopping rule.
Our deviation: supports climb winged-edge rings, a triangle hands over its own
normal, and the supports of a body whose rings prove nothing must hold, by a scan,
before the walk may end.
"""

from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.vector import (
    HERE,
    back,
    dot,
    length,
    minus,
    place,
    pull,
    put,
    scale_of,
)
from sim.kernels.walk.simplex import reduce
from sim.kernels.walk.support import climb, height, is_ringed, looks_along, scan
from sim.kernels.workspace import BodyView, Result, Workspace

APART = 0
MEETING = 1  # the origin is inside, or too near for a direction
LOST = 2  # no convergence within the step limit

STEP_LIMIT = 64
RELATIVE = 1e-12  # of the distance: a step that gains less ends the walk
ROUNDING = 4e-15  # and per unit of reach; nearer, the bodies meet


@kernel
def proven_support(side: BodyView, v: int, d: Vec, result: Result) -> int:
    """Return the true support vertex, given where the climb ended.

    Scanned where the ring of the vertex proves nothing.
    """
    if side.proofs.scanned == 0 and looks_along(side, v, d):
        return v
    return true_support(side, v, d, result)


@kernel
def true_support(side: BodyView, v: int, d: Vec, result: Result) -> int:
    """Return the first highest of all vertices, or the given one if it is as high."""
    result.scans += 1
    high = height(side.points, v, d)
    if not is_ringed(side, v, d, high, 0):
        top, best = scan(side.points, side.size, d, result)
        if best > high:
            return top
    return v


@kernel
def difference(
    a: BodyView, b: BodyView, origin: Vec, va: int, vb: int
) -> tuple[Vec, float]:
    """Return a point of B - A, and the largest coordinate that it came from."""
    p = place(a.points, a.pose, HERE, va)
    q = place(b.points, b.pose, origin, vb)
    return minus(q, p), scale_of(p, q, origin)


@kernel
def seed(a: BodyView, b: BodyView, origin: Vec, pair: Workspace) -> None:
    """Start cold: brute-force supports along the line of the two first vertices.

    Never a lone random vertex: plateaus of coplanar triangles trap the climb.
    Cost: O(V) once.
    """
    n, _ = difference(a, b, origin, 0, 0)
    va, _ = scan(a.points, a.size, pull(a.pose, n), pair.result)
    vb, _ = scan(b.points, b.size, pull(b.pose, back(n)), pair.result)
    pair.result.scans += 2
    pair.simplex[0] = 1
    pair.simplex[1] = va
    pair.simplex[5] = vb


@kernel
def restore(a: BodyView, b: BodyView, origin: Vec, ids: Ints, w: Floats) -> float:
    """Recompute the points of a simplex from its ids; return their reach.

    The reach is the largest coordinate met, the scale of every rounding error.
    """
    reach = 0.0
    for k in range(ids[0]):
        x, far = difference(a, b, origin, ids[1 + k], ids[5 + k])
        reach = max(reach, far)
        put(w, 3 * k, x)
    return reach


@kernel
def in_simplex(ids: Ints, va: int, vb: int) -> bool:
    """Say whether a pair of vertices is already in the simplex."""
    for k in range(ids[0]):
        if ids[1 + k] == va and ids[5 + k] == vb:
            return True
    return False


@kernel
def walk(
    a: BodyView, b: BodyView, origin: Vec, pair: Workspace
) -> tuple[int, Vec, int, int]:
    """Walk to the closest simplex.

    Returns the status, the unit direction from A to B, and the two supports.
    """
    ids = pair.simplex
    w = pair.difference
    result = pair.result
    reach = restore(a, b, origin, ids, w)
    va = ids[1]
    vb = ids[5]
    n = HERE
    for _ in range(STEP_LIMIT):
        inside, v = reduce(w, ids)
        if inside:
            return MEETING, n, va, vb
        d = length(v)
        if not d > ROUNDING * reach:
            return MEETING, n, va, vb
        n = (v[0] / d, v[1] / d, v[2] / d)
        da = pull(a.pose, n)
        db = pull(b.pose, (-n[0], -n[1], -n[2]))
        va, _ = climb(a, va, da, result)
        vb, _ = climb(b, vb, db, result)
        for proven in range(2):
            x, far = difference(a, b, origin, va, vb)
            gap = dot(x, n)
            ended = d - gap <= RELATIVE * d + ROUNDING * reach
            if not ended and not in_simplex(ids, va, vb):
                break
            if proven == 1 or a.proofs.scanned + b.proofs.scanned == 0:
                return APART, n, va, vb
            ta, tb = va, vb
            if a.proofs.scanned > 0:
                ta = true_support(a, va, da, result)
            if b.proofs.scanned > 0:
                tb = true_support(b, vb, db, result)
            if ta == va and tb == vb:
                return APART, n, va, vb
            va = ta
            vb = tb
        k = ids[0]
        put(w, 3 * k, x)
        reach = max(reach, far)
        ids[1 + k] = va
        ids[5 + k] = vb
        ids[0] = k + 1
    return LOST, n, va, vb
