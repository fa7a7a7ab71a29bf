"""Where bodies are at both ends of a frame, and what was shown between."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.kernels.between.chain import PROOF

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
    ways = [
        placed(m.end, m.end_map[:, :3])
        + m.end_map[:, 3]
        - placed(m.start, m.start_map[:, :3])
        - m.start_map[:, 3]
        for m in moves
    ]
    mean = ways[0].mean(axis=0)  # what both do alike changes nothing
    fastest = [float(np.sqrt(((way - mean) ** 2).sum(axis=1).max())) for way in ways]
    return (1.0 + 1e-12) * sum(fastest) + 1e-300
