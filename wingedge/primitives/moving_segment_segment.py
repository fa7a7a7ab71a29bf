"""Find when two moving segments first meet."""

from numpy.typing import ArrayLike

from wingedge.primitives import moving


def hit(start: ArrayLike, end: ArrayLike) -> moving.MovingHit:
    """Find the first times at which segments meet, whose four ends move.

    Parameters: ``start``, ``end`` (..., 4, 3): the two ends of one and of the other at
    times 0 and 1, one frame; each goes straight between, ``(1 - t) start + t end``;
    shapes broadcast. A segment of no length is its point, at all times or for a moment.

    As exact, at the same cost, as `wingedge.primitives.moving_point_triangle.hit`; all
    four may stay in one plane or on one line, or only graze.
    """
    return moving.hit(moving.SEGMENT_SEGMENT, start, end)
