"""Find when a moving point first meets a moving triangle."""

from numpy.typing import ArrayLike

from wingedge.primitives import moving


def hit(start: ArrayLike, end: ArrayLike) -> moving.MovingHit:
    """Find the first times at which points are on triangles, all of which move.

    Parameters: ``start``, ``end`` (..., 4, 3): the point and the three corners at times
    0 and 1, one frame, any winding; each goes straight between, ``(1 - t) start + t
    end``; shapes broadcast. A triangle of no area is its longest segment, at all times
    or for a moment.

    Exact for the floats as they stand: the first time is in ``[lower, upper]``, which
    is a cell of a grid of 2^-40, and no hit is a proof of none. Where all four stay in
    one plane, where triangles collapse, where they only graze: the answer is that of
    whole numbers (`wingedge.primitives.moving`).

    Cost, in bulk: 2 us a query where an axis parts the two at both times, else 15 to
    30 us; 0.5 ms for one alone, or a few, and for each that rounding leaves open.
    """
    return moving.hit(moving.POINT_TRIANGLE, start, end)
