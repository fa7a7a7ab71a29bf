"""Whether bodies stay clear of each other on a straight way: proven by planes."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.engine.bound import Bound, floats, ints
from sim.kernels.between.crowd import (
    Crowd,
    Gaps,
    MovingBody,
    WayBoxes,
    bound_ways,
    prove_gaps,
)
from sim.laws.shapes import Meet, NearBoxes, cross, dot
from wingedge.registry import find

Array = NDArray[np.float64]
Pair = tuple[int, int]
FREE = 0  # of ``sim.kernels.between.chain``
TOUCH = "touch or overlap where the step begins; move them apart"
LED = "would touch, and no law moves them: lead it another way"


class ClearWay:
    """All bodies on their way over one step; the start is fixed.

    Parameters: ``meet``: which pairs may meet; ``near``: room for their boxes;
    ``reach``: how near is near.
    """

    def __init__(
        self, bodies: Sequence[Body], meet: Meet, near: NearBoxes, reach: float
    ) -> None:
        self._bodies = bodies
        self._meet = meet
        self._reach = reach
        count = len(bodies)
        self._maps = np.zeros((2, count, 3, 4))
        self._points = [[b.positions.copy() for b in bodies] for _ in range(2)]
        crowd = []
        for k, body in enumerate(bodies):
            first, last = (floats(points[k]) for points in self._points)
            maps = floats(self._maps[0, k]), floats(self._maps[1, k])
            crowd.append(MovingBody(first, last, *maps, body.mesh.n_vertices))
        self._known = np.zeros((2, count))
        self._crowd = Crowd(tuple(crowd), *map(floats, self._known))
        self._near = near
        self._boxes = WayBoxes(tuple(crowd), count, *map(floats, near.boxes[:2]))
        self._bound, self._prove = Bound(bound_ways), Bound(prove_gaps)
        self._paths: dict[Any, Any] = {}  # by meshes
        self._make, self._move = find("PairPaths"), find("Move")
        self._normals: dict[Pair, Array] = {}
        self._bent: set[int] = set()  # bodies with other positions at the start

    def begin(self, start: Array, news: Iterable[int]) -> None:
        """Begin a step at maps; ``news``: bodies that have new positions."""
        self._maps[0] = start
        self._normals.clear()
        for k in {*news, *self._bent}:
            for points in self._points:
                points[k][...] = self._bodies[k].positions
        self._bent.clear()

    def leave(self, k: int, matrix: Array, points: Array) -> None:
        """Say where a body with a script was at the start."""
        self._maps[0, k] = matrix
        if not np.array_equal(points, self._points[1][k]):
            self._points[0][k][...] = points
            self._bent.add(k)

    def blocked(
        self, end: Array, meet: Meet | None = None, *, first: bool = True
    ) -> tuple[Pair, float, float] | None:
        """Return which pair may touch ``first``, or any, until when it does not.

        And how fast its gap closes then, per step; None where all are proven clear on
        the way to ``end``.
        """
        self._maps[1] = end
        self._known[...] = -1.0  # of other ways
        self._bound(self._boxes)
        pairs = self._near.pairs(meet or self._meet)
        if not len(pairs):
            return None
        ends = list(map(tuple, pairs.tolist()))
        normals = np.array([self._normals.get(pair, (0.0, 0.0, 0.0)) for pair in ends])
        free, zeros = np.zeros(len(pairs), np.int32), floats(np.zeros(len(pairs)))
        ids = ints(np.ascontiguousarray(pairs, np.int32))
        self._prove(
            self._crowd,
            Gaps(len(pairs), ids, floats(normals), zeros, zeros, zeros, ints(free)),
        )
        worst = None
        for k in np.flatnonzero(free == 0).tolist():
            found = self._follow(ends[k])
            if len(found.planes):
                self._normals[ends[k]] = found.planes[-1][5:8]
            if found.ended != FREE and (worst is None or found.lower < worst[1]):
                worst = ends[k], found.lower, found.speed
                if not first:
                    break
        return worst

    def refuse(self, end: Array, said: str = TOUCH, meet: Meet | None = None) -> None:
        """Raise ValueError for two bodies that are not clear of each other on the way.

        Asked of pairs that ``meet``, one that overlaps at the start may be led out.
        """
        blocked = self.blocked(end, meet)
        if blocked is not None and (meet is None or blocked[1] > 0.0):
            a, b = (self._bodies[k].name for k in blocked[0])
            raise ValueError(f"bodies '{a}' and '{b}' {said}")

    def cut(
        self, trial: Array, meet: Meet, *, standing: bool = False
    ) -> tuple[float, Pair | None]:
        """Return by what to shorten the way to ``trial``, and which pair blocks it.

        1 and None where it is free.  ``standing``: what is shortened begins at the
        start.  A pair that is in the way at the start of it is not told.
        """
        x, y, z = trial[:, :, :3].transpose(1, 0, 2)
        if not (dot(x, cross(y, z)) > 0.0).all():
            return 0.5, None
        blocked = self.blocked(trial, meet, first=standing)
        if blocked is None:
            return 1.0, None
        pair, until, speed = blocked
        if not until > 0.0:
            return 0.5, None
        if not (standing and speed > 0.0):
            return 0.5, pair
        return max(0.5 * until, min(until - 0.5 * self._reach / speed, 0.9)), pair

    def _follow(self, pair: Pair) -> Any:
        """Follow planes from the start to the end."""
        bodies = [self._bodies[k] for k in pair]
        kind = tuple((body.mesh, body.convexity) for body in bodies)
        paths = self._paths.get(kind)
        if paths is None:
            paths = self._make(*bodies, self._reach, 2.0 * self._reach)
            self._paths[kind] = paths
        moves = []
        for k in pair:
            start, end = (points[k] for points in self._points)
            end = start if np.array_equal(start, end) else end
            moves.append(self._move(start, end, *self._maps[:, k]))
        paths.load(tuple(moves))
        return paths.first(0.0, self._normals.get(pair))
