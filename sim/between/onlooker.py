"""Two bodies on their way, seen by code that shares nothing with chains of planes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from sim.between.arcs import Arc, Sight, gaps_between, parted
from sim.between.moves import Array, placed
from sim.body.body import Body
from sim.body.pose import Pose
from sim.result.state import PairState
from sim.result.witness import distance_rate
from sim.tracking.brute.exhaustive import exhaustive

if TYPE_CHECKING:
    from sim.between.passage import Plane

FILTER = 1e-13  # of the sum of all magnitudes: far above the rounding of a height
SPEED = 1e-3  # by how much a closing speed may be off
LOOKS = 300  # answers for one least distance


class Movement(Protocol):
    """How two bodies go from one frame to the next."""

    def at(self, t: float) -> list[tuple[Array, Array]]:
        """Return positions and map of each at a time."""

    def parts(self, plane: Plane, r: float) -> bool:
        """Say whether a plane keeps them farther apart than a distance."""

    def bend(self) -> float:
        """Bound the second derivatives of vertices by time, of both together."""


class Screws(NamedTuple):
    """Both bodies are on their screws."""

    arcs: tuple[Arc, Arc]

    def at(self, t: float) -> list[tuple[Array, Array]]:
        """Return positions and map of each at a time."""
        return [(arc.points(t), arc.matrix(t)) for arc in self.arcs]

    def parts(self, plane: Plane, r: float) -> bool:
        """Say whether a plane keeps them farther apart than a distance."""
        times, normals = (plane.start, plane.end), (plane.normal, plane.last)
        return parted(self.arcs, times, normals, r)

    def bend(self) -> float:
        """Bound the second derivatives."""
        return sum(arc.bend() for arc in self.arcs)


class Onlooker:
    """What is so of two bodies on a way."""

    def __init__(self, bodies: tuple[Body, Body], way: Movement) -> None:
        self.bodies, self.way = bodies, way

    def copies(self, t: float) -> list[Body]:
        """Return bodies like these, where they are at a time."""
        copies = []
        for body, (points, matrix) in zip(self.bodies, self.way.at(t), strict=True):
            how = "surface" if body.convexity == "raise" else body.convexity
            copy = Body(body.mesh, name=body.name, convexity=how)
            copy.points = points
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
        points, matrix = self.way.at(t)[k]
        return placed(points, matrix[:, :3]) + matrix[:, 3]

    def none_below(self, low: float) -> bool:
        """Say whether the distance is proven never to be less.

        Along directions that turn straight from the normal at one time to that at
        another; places off their chord take an eighth of their second derivative.
        """
        bend, looks = 0.125 * self.way.bend(), {t: self._look(t) for t in (0.0, 1.0)}
        left = [(0.0, 1.0)]
        while left:
            one, two = left.pop()
            gaps = gaps_between(looks[one], looks[two])
            if min(gaps) - bend * (two - one) ** 2 >= low:
                continue
            if len(looks) > LOOKS or min(gaps[0], gaps[2]) < low:
                return False
            middle = 0.5 * (one + two)
            looks[middle] = self._look(middle)
            left += [(one, middle), (middle, two)]
        return True

    def _look(self, t: float) -> Sight:
        return Sight(self.answer(t).normal, self.world(t, 0), self.world(t, 1))
