"""Two bodies on their way, seen by code that shares nothing with chains of planes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.between.moves import Array, Move, world_at
from sim.body.body import Body
from sim.body.pose import Pose
from sim.result.state import PairState
from sim.result.witness import distance_rate
from sim.tracking.brute.exhaustive import exhaustive

FILTER = 1e-13  # of the sum of all magnitudes: far above the rounding of a height
SPEED = 1e-3  # by how much a closing speed may be off
LOOKS = 300  # answers for one least distance


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


class Onlooker:
    """What is so of two bodies on a straight way."""

    def __init__(self, bodies: tuple[Body, Body], moves: tuple[Move, Move]) -> None:
        self.bodies, self.moves = bodies, moves

    def copies(self, t: float) -> list[Body]:
        """Return bodies like these, where they are at a time."""
        copies = []
        for body, move in zip(self.bodies, self.moves, strict=True):
            how = "surface" if body.convexity == "raise" else body.convexity
            copy = Body(body.mesh, name=body.name, convexity=how)
            copy.points, matrix = move.at(t)
            copy.pose = Pose.from_matrix(matrix)
            copies.append(copy)
        return copies

    def answer(self, t: float) -> PairState:
        """Answer for the bodies at a time, by comparing all features."""
        a, b = self.copies(t)
        return exhaustive(a, b)

    def moves_by(self, state: PairState, t: float, wanted: float) -> bool:
        """Say whether the distance of an answer at a time changes by so much.

        Of features that are not the only closest ones: of some two vertices that bound
        the gap along the normal.
        """
        step = 2.0**-20
        t = min(max(t, step), 1.0 - step)
        here, ways, blur, level = [], [], 0.0, []
        for k, sign in ((0, 1.0), (1, -1.0)):
            early, now, late = (self.world(u, k) for u in (t - step, t, t + step))
            here.append(now)
            ways.append((late - early) / (2.0 * step))
            heights, speeds = sign * (now @ state.normal), ways[k] @ state.normal
            blur = max(blur, FILTER * float(np.abs(heights).max()))
            near = blur + 2.0 * step * float(np.abs(speeds).max())
            level.append(speeds[heights >= heights.max() - near])
        rates = [distance_rate(state, here, ways)]
        if not state.unique:
            rates = [*rates, *np.subtract.outer(level[1], level[0]).ravel()]
        room = SPEED * max(*np.abs(rates), abs(wanted)) + blur / step
        return bool(min(rates) - room <= wanted <= max(rates) + room)

    def world(self, t: float, k: int) -> Array:
        """Return where the vertices of a body are at a time."""
        return world_at(self.moves[k], t)

    def none_below(self, low: float) -> bool:
        """Say whether the distance is proven never to be less.

        Along directions that turn straight from the normal at one time to that at
        another.
        """
        looks = {t: self._look(t) for t in (0.0, 1.0)}
        left = [(0.0, 1.0)]
        while left:
            one, two = left.pop()
            gaps = gaps_between(looks[one], looks[two])
            if min(gaps) >= low:
                continue
            if len(looks) > LOOKS or min(gaps[0], gaps[2]) < low:
                return False
            middle = 0.5 * (one + two)
            looks[middle] = self._look(middle)
            left += [(one, middle), (middle, two)]
        return True

    def _look(self, t: float) -> Sight:
        return Sight(self.answer(t).normal, self.world(t, 0), self.world(t, 1))
