"""The order in which the kernels take two bodies."""

from sim.kernels.language import Floats, kernel
from sim.kernels.vector import back, place
from sim.kernels.workspace import Workspace


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
