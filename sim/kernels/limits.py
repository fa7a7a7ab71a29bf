"""Whether bodies are placed, within the limits of magnitude, and which comes first."""

from sim.kernels.language import Floats, Vec, kernel
from sim.kernels.trajectory import Placements
from sim.kernels.vector import back, dot, minus, place, point
from sim.kernels.walk.support import beyond
from sim.kernels.workspace import BodyView, Workspace

FARTHEST, NEAREST = 1e60, 1e-60  # fourth powers of placed coordinates stay normal
ROOMY = 1e110  # square of 1e55, well below the limit of a placed coordinate
FINE = 1e-110  # and of 1e-55, well above the other one
LARGE = 1e98  # the same of positions: squares of 1e49
SMALL = 1e-98  # and of 1e-49
INFINITE = float("inf")
PLAIN = 1e30  # a coordinate of nearly all bodies is within it


@kernel
def map_of(pose: Floats, at: int) -> Vec:
    """Return of one map the determinant, the squared norm and the squared shift."""
    a, b, c, x = pose[at], pose[at + 1], pose[at + 2], pose[at + 3]
    d, e, f, y = pose[at + 4], pose[at + 5], pose[at + 6], pose[at + 7]
    g, h, i, z = pose[at + 8], pose[at + 9], pose[at + 10], pose[at + 11]
    return (
        a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g),
        a * a + b * b + c * c + (d * d + e * e + f * f) + (g * g + h * h + i * i),
        x * x + y * y + z * z,
    )


@kernel
def are_maps(maps: Placements) -> int:
    """Say whether maps are finite with positive determinants; 0 where that is unsure.

    With it their extremes are written: the least determinant, the greatest squared
    norm and shift.  Cost: one pass.
    """
    least, norm, shift = map_of(maps.flat, 0)
    finite = 1
    for t in range(maps.frames):
        det, square, out = map_of(maps.flat, 12 * t)
        total = det + square + out
        if total - total != 0.0:
            finite = 0
        least = min(least, det)
        norm = max(norm, square)
        shift = max(shift, out)
    maps.extremes[0], maps.extremes[1], maps.extremes[2] = least, norm, shift
    return finite if least > 0.0 else 0


@kernel
def leaves_room(side: BodyView, far: float, of_map: Vec) -> bool:
    """Say whether a map puts no vertex of a body too far out, nor two too near.

    ``far``: a square that no vertex is farther out than.  Where this says no,
    ``Body.check_placed`` looks at every vertex.  No vertex is farther out than the
    Frobenius norm of the map allows; and of two vertices one is at least half as far
    out as they are apart, which no map shortens by more than its determinant over the
    squared norm: s t u / (s s + t t + u u) is below the least of three stretches.  What
    is no number in a vertex is left to the walk, whose ``nan_sum`` tells of it.
    """
    det, norm, shift = of_map
    if not (det > 0.0 and norm < ROOMY and shift < ROOMY):
        return False
    if norm * far + shift >= ROOMY or far >= LARGE:
        return False
    d = minus(point(side.points, 0), point(side.points, side.size // 2))
    apart = dot(d, d)
    least = det / norm
    return not (apart <= SMALL or least * least * apart <= FINE)


@kernel
def reach_of(side: BodyView) -> float:
    """Return a square that no vertex is farther out than; infinite where all must tell.

    ``Body.check_placed`` looks at every vertex then.
    """
    if side.proofs.spread >= 0.0:
        return side.proofs.spread
    if beyond(side.points, side.size, PLAIN) == 0:
        return 3.0 * PLAIN * PLAIN
    return INFINITE


@kernel
def is_placed(side: BodyView) -> bool:
    """Say whether a body has a map that leaves room within the limits."""
    return leaves_room(side, reach_of(side), map_of(side.pose, 0))


@kernel
def all_placed(side: BodyView, maps: Placements) -> bool:
    """Say whether maps leave room by their extremes, if there are any."""
    most = maps.extremes
    return maps.frames == 0 or leaves_room(
        side, reach_of(side), (most[0], most[1], most[2])
    )


@kernel
def comes_after(
    points_a: Floats, pose_a: Floats, points_b: Floats, pose_b: Floats, count: int
) -> bool:
    """Compare all world coordinates in order; True if the second body's come first.

    The kernel works in this order and swaps back, so exchanging A and B mirrors
    the answer by construction.
    """
    # Nearly always the very first coordinate decides.
    x = pose_a[0] * points_a[0] + pose_a[1] * points_a[1] + pose_a[2] * points_a[2]
    y = pose_b[0] * points_b[0] + pose_b[1] * points_b[1] + pose_b[2] * points_b[2]
    x += pose_a[3]
    y += pose_b[3]
    if x != y:
        return y < x
    at_a = (pose_a[3], pose_a[7], pose_a[11])
    at_b = (pose_b[3], pose_b[7], pose_b[11])
    for v in range(count):
        p = place(points_a, pose_a, at_a, v)
        q = place(points_b, pose_b, at_b, v)
        if p[0] != q[0]:
            return q[0] < p[0]
        if p[1] != q[1]:
            return q[1] < p[1]
        if p[2] != q[2]:
            return q[2] < p[2]
    return False


@kernel
def exchange(pair: Workspace) -> None:
    """Let what is remembered of the two bodies change places.

    The named parts and the polytope are forgotten: they belong to the other order.
    """
    simplex = pair.simplex
    last = pair.last
    for k in range(1, 5):
        simplex[k], simplex[k + 4] = simplex[k + 4], simplex[k]
    last[0], last[1], last[2], last[3] = last[2], last[3], last[0], last[1]
    pair.leaves[0], pair.leaves[1] = pair.leaves[1], pair.leaves[0]
    pair.result.normal = back(pair.result.normal)
    pair.result.known = 0
    pair.hull.filled[0] = 0
