"""A body on its screw in closed form, for the checker of passages.

Shares nothing with ``screw``, which halves chords: positions come from sines and
cosines of the angle, and what planes leave open between two times is divided again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.between.moves import Array, Move

ROUNDING = 16.0 * 2.0**-52  # of the size: by how much a height may be off
SMALL = 1e-3  # an angle below which series tell more than quotients
HALF_TURN = 1e-6  # as near to half a turn either way round is the shorter one
DEPTH = 40  # halvings of a plane's time


class Arc(NamedTuple):
    """One body: how it turns from its start on, in all, and how its origin goes."""

    move: Move
    turn: Array  # (3,) the axis times the angle
    way: Array  # (3,) of the origin, along a screw that begins in its direction

    def matrix(self, t: float) -> Array:
        """Return the map (3, 4) at a time."""
        from scipy.spatial.transform import Rotation

        turned = Rotation.from_rotvec(t * self.turn).as_matrix()
        linear = turned @ self.move.start_map[:, :3]
        at = self.move.start_map[:, 3] + t * _spread(t * self.turn) @ self.way
        return np.column_stack([linear, at])

    def points(self, t: float) -> Array:
        """Return positions in the body's frame at a time."""
        if self.move.start is self.move.end:
            return self.move.start
        return (1.0 - t) * self.move.start + t * self.move.end

    def world(self, t: float) -> Array:
        """Return where vertices are at a time."""
        matrix = self.matrix(t)
        out: Array = self.points(t) @ matrix[:, :3].T + matrix[:, 3]
        return out

    def bend(self) -> float:
        """Bound the second derivative of every vertex by time.

        r angle^2 for one that is r from the axis; twice angle times its own way more.
        """
        angle = float(np.linalg.norm(self.turn))
        farthest = 0.0
        for points in (self.move.start, self.move.end):
            arms = points @ self.move.start_map[:, :3].T
            speeds = np.cross(self.turn, arms) + self.way
            across = np.cross(self.turn, speeds)  # angle^2 times the arm from the axis
            farthest = max(farthest, float(np.linalg.norm(across, axis=1).max()))
        ways = (self.move.end - self.move.start) @ self.move.start_map[:, :3].T
        return farthest + 2.0 * angle * float(np.linalg.norm(ways, axis=1).max())

    def off(self) -> float:
        """Return by how much the end is not where the screw leads: rounding."""
        end = self.move.end @ self.move.end_map[:, :3].T + self.move.end_map[:, 3]
        return float(np.abs(end - self.world(1.0)).max())


def arcs_of(move: Move) -> list[Arc]:
    """Return the screw from a start to an end; of half a turn both ways round."""
    from scipy.spatial.transform import Rotation

    start, end = move.start_map[:, :3], move.end_map[:, :3]
    turn = Rotation.from_matrix(end @ np.linalg.inv(start)).as_rotvec()
    shift = move.end_map[:, 3] - move.start_map[:, 3]
    angle = float(np.linalg.norm(turn))
    turns: list[Array] = [turn]
    if angle > np.pi - HALF_TURN:
        turns.append((1.0 - 2.0 * np.pi / angle) * turn)
    arcs = []
    for rotation in turns:
        way: Array = np.asarray(np.linalg.solve(_spread(rotation), shift), np.float64)
        arcs.append(Arc(move, rotation, way))
    return arcs


def _spread(turn: Array) -> Array:
    """Return the mean of all turns on the way to one, (3, 3): it leads the origin."""
    x, y, z = turn
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    angle = float(np.linalg.norm(turn))
    first, second = 0.5 - angle**2 / 24.0, 1.0 / 6.0 - angle**2 / 120.0
    if angle > SMALL:
        first = 2.0 * (np.sin(0.5 * angle) / angle) ** 2
        second = (angle - np.sin(angle)) / angle**3
    out: Array = np.eye(3) + first * k + second * (k @ k)
    return out


def parted(
    arcs: tuple[Arc, Arc],
    times: tuple[float, float],
    normals: tuple[Array, Array],
    r: float,
) -> bool:
    """Say whether bodies are farther apart than a distance between two times.

    Along a direction that turns straight from one normal to another, or stays.
    Between times dt apart places are off their chords by no more than an eighth of
    dt^2 times the second derivatives.
    """
    bend = (1.0 + 1e-9) * sum(arc.bend() for arc in arcs)
    ends = [arc.world(t) for arc in arcs for t in (0.0, 1.0)]
    size = max(float(np.abs(x).max()) for x in ends) + bend / 8.0
    length = max(float(np.linalg.norm(n)) for n in normals)
    clear = r + ROUNDING * size + sum(arc.off() for arc in arcs)
    if not length > 0.0:
        return False

    def look(share: float) -> Sight:
        t = (1.0 - share) * times[0] + share * times[1]
        n = (1.0 - share) * normals[0] + share * normals[1]
        a, b = (arc.world(t) for arc in arcs)
        return Sight(n / length, a, b)

    looks, left = {0.0: look(0.0), 1.0: look(1.0)}, [(0.0, 1.0, 0)]
    while left:
        one, two, depth = left.pop()
        lost = 0.125 * bend * ((two - one) * (times[1] - times[0])) ** 2
        gaps = gaps_between(looks[one], looks[two])
        if min(gaps) - lost > clear:
            continue
        if depth == DEPTH or min(gaps[0], gaps[2]) <= clear:
            return False
        middle = 0.5 * (one + two)
        looks[middle] = look(middle)
        left += [(one, middle, depth + 1), (middle, two, depth + 1)]
    return True


class Sight(NamedTuple):
    """A direction, and where the vertices of both bodies are."""

    n: Array  # (3,)
    a: Array  # (V, 3)
    b: Array


def gaps_between(one: Sight, two: Sight) -> tuple[float, float, float]:
    """Return three numbers, none of which a gap falls below from one look to another.

    Vertices and the direction go straight, so heights are quadratics in time: their
    Bernstein coefficients, each the least over all vertices.  The direction is never
    longer than at both ends.
    """
    mixed = (two.b @ one.n + one.b @ two.n).min() - (
        two.a @ one.n + one.a @ two.n
    ).max()
    first = (one.b @ one.n).min() - (one.a @ one.n).max()
    last = (two.b @ two.n).min() - (two.a @ two.n).max()
    return float(first), 0.5 * float(mixed), float(last)
