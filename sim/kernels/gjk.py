"""The walk: closest points of two bodies from last frame's simplex.

Gilbert, Johnson, Keerthi (1988), DOI 10.1109/56.2083, on the difference B - A,
warm-started from vertex ids alone; van den Bergen (1999) for the stopping rule.
Our deviation: supports climb winged-edge rings, a triangle hands over its own
normal, and at convergence both supports must hold (``support.looks_along``, or
the scan for a body whose rings prove nothing) before the walk may end.
"""

from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.scan import scan
from sim.kernels.simplex import reduce
from sim.kernels.support import climb, height, looks_along
from sim.kernels.vector import length, place, pull

APART = 0
MEETING = 1  # the origin is inside, or too near for a direction
LOST = 2  # no convergence within the step limit

STEP_LIMIT = 64
RELATIVE = 1e-12
ROUNDING = 4e-15


@kernel
def proven_support(
    points: Floats,
    start: Ints,
    star: Ints,
    count: int,
    whole: int,
    strict: int,
    v: int,
    d: Vec,
    sink: Floats,
    work: Ints,
) -> int:
    """Return the true support vertex, given where the climb ended.

    ``whole`` bodies are scanned; the others only where the ring proves nothing, and
    only if the walk is ``strict``: what it ends at will be confirmed anyway.
    """
    if whole == 0 and strict == 0:
        return v
    if whole == 0 and looks_along(points, start, star, v, d):
        return v
    work[3] += 1
    top, best = scan(points, count, d, sink)
    if best > height(points, v, d):
        return top
    return v


@kernel
def seed(
    points_a: Floats,
    pose_a: Floats,
    count_a: int,
    points_b: Floats,
    pose_b: Floats,
    count_b: int,
    origin: Vec,
    ids: Ints,
    sink: Floats,
    work: Ints,
) -> None:
    """Start cold: brute-force supports along the line of the two first vertices.

    Never a lone random vertex: plateaus of coplanar triangles trap the climb.
    Cost: O(V) once.
    """
    a = place(points_a, pose_a, (0.0, 0.0, 0.0), 0)
    b = place(points_b, pose_b, origin, 0)
    n = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    va, _ = scan(points_a, count_a, pull(pose_a, n), sink)
    back = (-n[0], -n[1], -n[2])
    vb, _ = scan(points_b, count_b, pull(pose_b, back), sink)
    work[3] += 2
    ids[0] = 1
    ids[1] = va
    ids[5] = vb


@kernel
def restore(
    points_a: Floats,
    pose_a: Floats,
    points_b: Floats,
    pose_b: Floats,
    origin: Vec,
    ids: Ints,
    w: Floats,
) -> float:
    """Recompute the points of a simplex from its ids; return their reach.

    The reach is the largest coordinate met, the scale of every rounding error.
    """
    reach = 0.0
    ax = ay = az = bx = by = bz = 0.0
    for k in range(ids[0]):
        if k == 0 or ids[1 + k] != ids[k]:
            ax, ay, az = place(points_a, pose_a, (0.0, 0.0, 0.0), ids[1 + k])
            reach = max(reach, abs(ax), abs(ay), abs(az))
        if k == 0 or ids[5 + k] != ids[4 + k]:
            bx, by, bz = place(points_b, pose_b, origin, ids[5 + k])
            reach = max(reach, abs(bx), abs(by), abs(bz))
        w[3 * k] = bx - ax
        w[3 * k + 1] = by - ay
        w[3 * k + 2] = bz - az
    return reach


@kernel
def holds(ids: Ints, va: int, vb: int) -> bool:
    """Say whether a pair of vertices is already in the simplex."""
    for k in range(ids[0]):
        if ids[1 + k] == va and ids[5 + k] == vb:
            return True
    return False


@kernel
def walk(
    points_a: Floats,
    pose_a: Floats,
    start_a: Ints,
    star_a: Ints,
    count_a: int,
    whole_a: int,
    points_b: Floats,
    pose_b: Floats,
    start_b: Ints,
    star_b: Ints,
    count_b: int,
    whole_b: int,
    origin: Vec,
    strict: int,
    ids: Ints,
    w: Floats,
    sink: Floats,
    work: Ints,
) -> tuple[int, Vec, int, int]:
    """Walk to the closest simplex.

    Returns the status, the unit direction from A to B, and the two supports.
    """
    reach = restore(points_a, pose_a, points_b, pose_b, origin, ids, w)
    va = ids[1]
    vb = ids[5]
    n = (0.0, 0.0, 0.0)
    for _ in range(STEP_LIMIT):
        inside, v = reduce(w, ids)
        if inside:
            return MEETING, n, va, vb
        d = length(v)
        if not d > ROUNDING * reach:
            return MEETING, n, va, vb
        n = (v[0] / d, v[1] / d, v[2] / d)
        da = pull(pose_a, n)
        db = pull(pose_b, (-n[0], -n[1], -n[2]))
        va, _ = climb(points_a, start_a, star_a, va, da, sink, work)
        vb, _ = climb(points_b, start_b, star_b, vb, db, sink, work)
        for proven in range(2):
            ax, ay, az = place(points_a, pose_a, (0.0, 0.0, 0.0), va)
            bx, by, bz = place(points_b, pose_b, origin, vb)
            reach = max(reach, abs(ax), abs(ay), abs(az), abs(bx), abs(by), abs(bz))
            wx = bx - ax
            wy = by - ay
            wz = bz - az
            gap = wx * n[0] + wy * n[1] + wz * n[2]
            ended = d - gap <= RELATIVE * d + ROUNDING * reach
            if not ended and not holds(ids, va, vb):
                break
            if proven == 1 or strict + whole_a + whole_b == 0:
                return APART, n, va, vb
            ta = proven_support(
                points_a,
                start_a,
                star_a,
                count_a,
                whole_a,
                strict,
                va,
                da,
                sink,
                work,
            )
            tb = proven_support(
                points_b,
                start_b,
                star_b,
                count_b,
                whole_b,
                strict,
                vb,
                db,
                sink,
                work,
            )
            if ta == va and tb == vb:
                return APART, n, va, vb
            va = ta
            vb = tb
        k = ids[0]
        w[3 * k] = wx
        w[3 * k + 1] = wy
        w[3 * k + 2] = wz
        ids[1 + k] = va
        ids[5 + k] = vb
        ids[0] = k + 1
    return LOST, n, va, vb
