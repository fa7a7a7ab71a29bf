"""Whether bodies are placed, within the limits of magnitude, and which comes first."""

from sim.kernels.language import Floats, kernel, stands_for
from sim.kernels.vector import back, place
from sim.kernels.walk.support import beyond, squares
from sim.kernels.workspace import BodyView, Workspace

ROOMY = 1e110  # square of 1e55, well below the limit of a placed coordinate
FINE = 1e-110  # and of 1e-55, well above the other one
LARGE = 1e98  # the same of positions: squares of 1e49
SMALL = 1e-98  # and of 1e-49
PLAIN = 1e30  # a coordinate of nearly all bodies is within it


@kernel
def fits(pose: Floats, points: Floats, size: int, far: float) -> bool:
    """Say whether no vertex is too far out, and two are not too near to each other.

    Where this says no, ``Body.check_placed`` looks at every vertex.  No vertex is
    farther out than the Frobenius norm of the map allows; and of two vertices one is
    at least half as far out as they are apart.  What is not a number is left to the
    walk, whose ``sink`` tells that it met it.
    """
    a, b, c, d = pose[0], pose[1], pose[2], pose[4]
    e, f, g, h, i = pose[5], pose[6], pose[8], pose[9], pose[10]
    x, y, z = pose[3], pose[7], pose[11]
    norm = a * a + b * b + c * c + (d * d + e * e + f * f) + (g * g + h * h + i * i)
    if norm * far + (x * x + y * y + z * z) >= ROOMY or far >= LARGE:
        return False
    k = 3 * (size // 2)
    x = points[0] - points[k]
    y = points[1] - points[k + 1]
    z = points[2] - points[k + 2]
    if x * x + y * y + z * z <= SMALL:
        return False
    u = a * x + b * y + c * z
    v = d * x + e * y + f * z
    w = g * x + h * y + i * z
    return not u * u + v * v + w * w <= FINE


@kernel
def reach_of(side: BodyView) -> float:
    """Return a square that no vertex is farther out than, or what is not a number."""
    if side.spread >= 0.0:
        return side.spread
    if beyond(side.points, side.size, PLAIN) == 0:
        return 3.0 * PLAIN * PLAIN
    return squares(side.points, side.size)


@kernel
def fits_each(side: BodyView, far: float) -> bool:
    """Say whether a body that reaches so far, squared, is well within the limits."""
    return fits(side.pose, side.points, side.size, far)


@stands_for(fits_each)
def is_within(side: BodyView, far: float) -> bool:
    """Say the same from a list, which is three times cheaper to read interpreted."""
    pose: list[float] = list(side.pose)  # type: ignore[call-overload]  # has a length
    return fits(pose, side.points, side.size, far)


@kernel
def determinant(pose: Floats) -> float:
    """Return the determinant of a flat (3, 4) map; not finite if a number is not."""
    a, b, c, d = pose[0], pose[1], pose[2], pose[4]
    e, f, g, h, i = pose[5], pose[6], pose[8], pose[9], pose[10]
    det = a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)
    total = det + pose[3] + pose[7] + pose[11]
    return det + (total - total)


@kernel
def each_is_sound(p: Floats, q: Floats) -> bool:
    """Say whether both maps are finite with a positive determinant."""
    return determinant(p) > 0.0 and determinant(q) > 0.0


@stands_for(each_is_sound)
def maps_are_sound(p: Floats, q: Floats) -> bool:
    """Say the same from lists, which are three times cheaper to read interpreted."""
    first: list[float] = list(p)  # type: ignore[call-overload]  # a buffer has a length
    second: list[float] = list(q)  # type: ignore[call-overload]
    return determinant(first) > 0.0 and determinant(second) > 0.0


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
    pair.result.normal = back(pair.result.normal)
    pair.result.known = 0
    pair.hull.filled[0] = 0
