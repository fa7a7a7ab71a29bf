"""The order in which the kernel takes two bodies."""

from sim.kernels.language import Floats
from sim.kernels.vector import place


def comes_after(
    points_a: Floats, pose_a: Floats, points_b: Floats, pose_b: Floats, count: int
) -> bool:
    """Compare all world coordinates in order; True if the second body's come first.

    The kernel works in this order and swaps back, so exchanging A and B mirrors
    the answer by construction.
    """
    at_a = (pose_a[3], pose_a[7], pose_a[11])
    at_b = (pose_b[3], pose_b[7], pose_b[11])
    for v in range(count):
        x = place(points_a, pose_a, at_a, v)
        y = place(points_b, pose_b, at_b, v)
        if x != y:
            return y < x
    return False
