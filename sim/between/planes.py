"""Planes that part two bodies on their way, and what they prove, in whole numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from sim.between.moves import Array, Move
from wingedge.exact import integers


class Plane(NamedTuple):
    """Proof that two bodies are farther apart than asked about, for a while.

    The gap along a fixed direction is concave in time where vertices go straight, so
    what it shows at both ends holds between.  Of one that turns straight the heights
    are quadratics in time, and their middle coefficients must show it, too.
    """

    start: float  # times, 0 at the frame before and 1 at this one
    end: float
    normal: Array  # (3,), from A to B, world, at the start
    last: Array  # (3,), at the end: the same, or the plane turns


def planes_of(rows: Array) -> tuple[Plane, ...]:
    """Return the planes of a proof, one a row."""
    spans = rows[:, :2].tolist()
    return tuple(
        Plane(start, end, row[2:5], row[5:])
        for (start, end), row in zip(spans, rows, strict=True)
    )


class Ways(NamedTuple):
    """Where the vertices of two bodies start and end, in whole numbers."""

    one: int  # the length 1
    bodies: tuple[Any, Any]  # of each (start, end), (V, 3)


def ways_of(moves: tuple[Move, Move]) -> Ways:
    """Place all vertices at both ends in the world, exactly.  Cost: O(V)."""
    flat = [np.ravel(part) for move in moves for part in move]
    one, *counts = integers(1.0, *np.concatenate(flat).tolist())
    ends = np.cumsum([len(part) for part in flat])[:-1]
    parts = np.split(np.array(counts, object), ends)
    bodies = []
    for own in (parts[:4], parts[4:]):
        placed = []
        for points, matrix in zip(own[:2], own[2:], strict=True):
            m = matrix.reshape(3, 4)
            placed.append(points.reshape(-1, 3) @ m[:, :3].T + one * m[:, 3])
        bodies.append(tuple(placed))
    return Ways(one * one, (bodies[0], bodies[1]))


def parts(plane: Plane, ways: Ways, r: float) -> bool:
    """Say whether the gap along a plane exceeds a distance all its time; exactly.

    A direction that turns straight is never longer than at both ends, and what it
    shows of a vertex is a quadratic: at both ends, and by its middle coefficient.
    """
    unit, t, until = integers(1.0, plane.start, plane.end)
    _, *both = integers(1.0, *plane.normal.tolist(), *plane.last.tolist())
    n, m = np.array(both, object).reshape(2, 3)
    square = max((n * n).sum(), (m * m).sum())
    far = Fraction(r) * unit * ways.one
    (a, c), (b, d) = (
        [(unit - k) * start + k * end for k in (t, until)] for start, end in ways.bodies
    )
    gaps = (
        (b @ n).min() - (a @ n).max(),
        (d @ m).min() - (c @ m).max(),
        Fraction((b @ m + d @ n).min() - (a @ m + c @ n).max(), 2),
    )
    return min(gaps) > 0 and all(gap * gap > far * far * square for gap in gaps)
