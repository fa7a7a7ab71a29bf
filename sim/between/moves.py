"""Where bodies are at both ends of a frame, moments between, and their proofs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.pose import Pose
from sim.kernels.between.chain import PROOF
from sim.result.state import PairState
from wingedge.exact import integers
from wingedge.mesh import WingedEdgeMesh

Array = NDArray[np.float64]


class Move(NamedTuple):
    """Where one body is at both ends; copies that nobody writes."""

    start: Array  # (V, 3), body frame
    end: Array
    start_map: Array  # (3, 4)
    end_map: Array

    def at(self, t: float) -> tuple[Array, Array]:
        """Return positions and map at a time; as ``put_time`` does."""
        if t in (0.0, 1.0):
            return (self.end, self.end_map) if t else (self.start, self.start_map)
        s = 1.0 - t
        shift = s * self.start_map[:, 3] + t * self.end_map[:, 3]
        if self.start is self.end:
            blend = s * self.start_map + t * self.end_map
            if np.linalg.det(blend[:, :3]) > 0.0:
                return self.start, blend
            # flat, or inside-out for a while: no pose, but positions may be so
            flat = placed(self.start, blend[:, :3])
            return flat, np.column_stack([np.eye(3), shift])
        if (self.start_map[:, :3] == self.end_map[:, :3]).all():
            linear = self.start_map[:, :3]
            return s * self.start + t * self.end, np.column_stack([linear, shift])
        p, q = (
            placed(points, matrix[:, :3]) for points, matrix in (self[::2], self[1::2])
        )
        return s * p + t * q, np.column_stack([np.eye(3), shift])

    def turned(self) -> Move:
        """Return the way back."""
        return Move(self.end, self.start, self.end_map, self.start_map)


def placed(points: Array, linear: Array) -> Array:
    """Apply the linear part of a map to positions, in a fixed order."""
    x, y, z = points.T
    return np.stack([m[0] * x + m[1] * y + m[2] * z for m in linear], axis=-1)


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
    speed: float  # a bound of how fast the distance changes, per frame
    reach: float  # and of the coordinates, counted from a vertex


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
    both = bodies[0], bodies[1]
    far = max(abs(own[k] - both[0][k][0]).max() for own in both for k in (0, 1))
    return Ways(one * one, both, speed_of(moves), 2 * far / (one * one))


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


class Ending(NamedTuple):
    """What a chain of planes has shown."""

    ended: int  # see ``sim.kernels.between.chain``
    lower: float
    upper: float
    speed: float
    planes: Array  # (k, 8): from when, until when, its normal at both
    updates: int
    solid: bool  # whether both are convex where they meet, by exact signs

    def turned(self) -> Ending:
        """Return the same, of the way back."""
        planes = self.planes[::-1, [1, 0, 5, 6, 7, 2, 3, 4]]
        planes[:, :2] = 1.0 - planes[:, :2]
        return self._replace(
            lower=1.0 - self.upper, upper=1.0 - self.lower, planes=planes
        )


def at_once(ended: int, t: float) -> Ending:
    """Return what is known at a time, of a way on which no plane was asked for."""
    return Ending(ended, t, t, 0.0, np.empty((0, PROOF)), 0, solid=True)


def world_at(move: Move, t: float) -> Array:
    """Return where the vertices of a body are at a time, in the world."""
    points, matrix = move.at(t)
    return placed(points, matrix[:, :3]) + matrix[:, 3]


def speed_of(moves: tuple[Move, Move]) -> float:
    """Bound how fast the distance of two bodies may change, per frame."""
    ways = [world_at(move, 1.0) - world_at(move, 0.0) for move in moves]
    mean = ways[0].mean(axis=0)  # what both do alike changes nothing
    fastest = [float(np.sqrt(((way - mean) ** 2).sum(axis=1).max())) for way in ways]
    return (1.0 + 1e-12) * sum(fastest) + 1e-300


class Instant:
    """A moment between two frames, as an interval that is proven to hold it.

    Attributes
    ----------
    lower, upper : float
        Times in [0, 1]: 0 the frame before, 1 this one.
    """

    __slots__ = ("_passage", "asked", "lower", "upper")

    def __init__(self, passage: Any, lower: float, upper: float) -> None:
        self.asked: PairState | None = None  # the state, once it was
        self._passage, self.lower, self.upper = passage, lower, upper

    @property
    def state(self) -> PairState:
        """The closest features where the bodies have just met, or not yet parted."""
        if self.asked is None:
            passage = self._passage
            t = self.upper if self is passage.touch else self.lower
            self.asked = passage.at(t)
        return self.asked

    def __repr__(self) -> str:
        """Show the interval."""
        return f"Instant({self.lower!r}, {self.upper!r})"


def like(mesh: WingedEdgeMesh, name: str, convexity: str) -> Body:
    """Return a body that answers like one of this convexity, and refuses nothing."""
    answered = "surface" if convexity == "raise" else convexity
    return Body(mesh, name=name, convexity=answered)


def put(body: Body, move: Move, t: float) -> Body:
    """Put a body where one of the same mesh is at a time."""
    body.points, matrix = move.at(t)
    body.pose = Pose.from_matrix(matrix)
    return body
