"""Find when two moving segments first meet."""

from numpy.typing import ArrayLike

from wingedge.primitives import moving


def hit(start: ArrayLike, end: ArrayLike) -> moving.MovingHit:
    """Find the first times at which segments meet, whose four ends move.

    Parameters
    ----------
    start, end : (..., 4, 3) array_like
        The two ends of one and of the other at times 0 and 1, one frame; each goes
        straight between, ``(1 - t) start + t end``; shapes broadcast. A segment of no
        length is its point, at all times or for a moment.

    Notes
    -----
    Exact for the floats as they stand: the first time is in ``[lower, upper]``, which
    is a cell of a grid of 2^-40, and no hit is a proof of none. Where all four stay in
    one plane or on one line, where they only graze: the answer is that of whole numbers
    (`wingedge.primitives.moving`).

    Cost, in bulk: 2 us a query where an axis parts the two at both times, else 15 to
    30 us; 0.5 ms for one alone, or a few, and for each that rounding leaves open.
    """
    return moving.hit(moving.SEGMENT_SEGMENT, start, end)
