"""The derivatives of the time of a touch: of when, by where the bodies start and end.

At the touch the distance is d(t, x) = r, so ``dt/dx = -(dd/dx) / (dd/dt)`` (implicit
function), where vertices go straight and ``dd/dt`` is not 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.between.moves import Array, Move, world_at
from sim.gradients import Gradient, derivatives, gradient
from sim.gradients.carriers import Carriers, motions_of
from sim.result.state import PairState

ROUNDING = 64.0 * 2.0**-52  # of the size: by how much a gap may be off
BACK = (1.0, 0.5, 0.125, 1e-2, 1e-3)  # of the way behind: where the gap is asked, too


class OnsetDerivatives(NamedTuple):
    """What ``Instant.derivatives`` returns.

    Attributes: ``start``, ``end``: of the time, 0 to 1, by where the bodies are at the
    start and at the end of their way (``sim.gradients.Gradient``).  ``rate``: of the
    distance, per frame: negative where the gap closes.  ``proven``: below this the
    speed ``abs(rate)`` cannot be.
    """

    start: Gradient
    end: Gradient
    rate: float
    proven: float


def onset(
    answer: PairState, moves: tuple[Move, Move], t: float, *, closes: bool
) -> OnsetDerivatives:
    """Differentiate the time of an answer in which the bodies have just met or parted.

    Raises ValueError where the time has no derivative; says why.
    """
    found = derivatives(answer)
    if found.reason:
        raise ValueError(f"the time of this touch has no derivative: {found.reason}")
    proven = speed_bound(moves, answer.normal, t, closes=closes)
    if not proven > 0.0:
        raise ValueError(
            "the bodies graze: no speed above 0 is proven with which the gap "
            f"{'closes' if closes else 'opens'} at {t!r}, so its time may jump"
        )
    sides, share = found.carried
    first = len(sides[0].cell)
    shares = share[:first], share[first:]
    rate = 0.0
    for side, move, weights in zip(sides, moves, shares, strict=True):
        way = world_at(move, 1.0) - world_at(move, 0.0)
        rate += float(weights @ way[list(side.cell)] @ answer.normal)
    start, end = (
        _by_end(sides, shares, answer.normal * (-part / rate), [m[k::2] for m in moves])
        for k, part in ((0, 1.0 - t), (1, t))
    )
    return OnsetDerivatives(start, end, rate, proven)


def _by_end(
    sides: tuple[Carriers, Carriers],
    shares: tuple[Array, Array],
    by_point: Array,
    ends: list[tuple[Array, ...]],
) -> Gradient:
    """Return derivatives by where the carriers are at one end of their way."""
    by = []
    for side, share, (points, matrix) in zip(sides, shares, ends, strict=True):
        moved = motions_of(points[list(side.cell)], matrix[:, :3])
        by.append((share[:, None] * by_point).ravel() @ moved)
    return gradient(*sides, *by)


def speed_bound(
    moves: tuple[Move, Move], normal: Array, t: float, *, closes: bool
) -> float:
    """Return a speed that the gap along a normal is proven to close or open with.

    The gap is concave in time, so before a touch it fell no faster, on the mean, than
    it falls there: the greatest mean over a few spans bounds it, less rounding.
    """
    if not closes:
        moves, t = (moves[0].turned(), moves[1].turned()), 1.0 - t
    size = max(float(np.abs(world_at(m, k)).max()) for m in moves for k in (0.0, 1.0))
    here = _gap(moves, normal, t)
    means = [
        (_gap(moves, normal, t - t * part) - here - ROUNDING * size) / (t * part)
        for part in BACK
        if t > 0.0
    ]
    return max(means, default=0.0)


def _gap(moves: tuple[Move, Move], normal: Array, t: float) -> float:
    a, b = (
        (1.0 - t) * (world_at(move, 0.0) @ normal) + t * (world_at(move, 1.0) @ normal)
        for move in moves
    )
    return float(b.min() - a.max())
