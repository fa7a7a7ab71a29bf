"""Prove by planes that bodies stay clear of each other on a straight way."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from sim.body.body import Body
from sim.laws.shapes import Array, BodyTables, Ids, Meet, cross, dot, moved, spread
from sim.tracking.options import Ends
from wingedge.registry import wings

Pair = tuple[int, int]
FREE = 0  # of ``sim.kernels.between.chain``
SIDES = np.concatenate([np.eye(3), -np.eye(3)])
ROUNDING = 2.0**-46  # of a coordinate: heights along a direction are surer than this
TOUCH = "touch or overlap where the step begins; move them apart"
LED = "would touch, and no law moves them: lead it another way"


class Clearance:
    """Check all bodies on their way from a start; ``reach``: how near is near."""

    def __init__(
        self, bodies: Sequence[Body], tables: BodyTables, reach: float
    ) -> None:
        self._bodies, self._tables, self._ends = bodies, tables, Ends(reach, 2 * reach)
        self._paths: dict[Any, Any] = {}  # by meshes

    def begin(self, start: Array, bent: Mapping[int, Array]) -> None:
        """Begin a step at maps; ``bent``: bodies that had other positions there."""
        tables, self._start, self._bent = self._tables, start, bent
        self._world = tables.placed(start)
        for k, points in bent.items():
            at = slice(*tables.vertices[k : k + 2])
            self._world[at] = moved(start[k][None], points)
        self._low = np.minimum.reduceat(self._world, tables.vertices[:-1], axis=0)
        self._high = np.maximum.reduceat(self._world, tables.vertices[:-1], axis=0)
        self._normals: dict[Pair, Array] = {}

    def refuse(self, end: Array, meet: Meet, *, led: bool = False) -> None:
        """Raise ValueError for two bodies that are not clear of each other on the way.

        One that overlaps at the start may be ``led`` out.
        """
        for until, _, pair in sorted(self._blocked(end, meet))[:1]:
            if not led or until > 0.0:
                a, b = (self._bodies[k].name for k in pair)
                raise ValueError(f"bodies '{a}' and '{b}' {LED if led else TOUCH}")

    def cut(self, now: Array, trial: Array, meet: Meet) -> tuple[float, Pair | None]:
        """Return by what to shorten the way from ``now`` to ``trial``, and for whom.

        1 and None where the way there from the start is free; ``now`` it is.  A pair
        that is in the way at the start of it is not told.
        """
        x, y, z = trial[:, :, :3].transpose(1, 0, 2)
        if not (dot(x, cross(y, z)) > 0.0).all():
            return 0.5, None
        begun, blocked = np.array_equal(now, self._start), self._blocked(trial, meet)
        for until, speed, pair in sorted(blocked) if begun else blocked:
            if not (until > 0.0 and begun and speed > 0.0):
                return 0.5, pair if until > 0.0 else None
            near = until - 0.5 * self._ends.contact_distance / speed
            return max(0.5 * until, min(near, 0.9)), pair
        return 1.0, None

    def _blocked(self, end: Array, meet: Meet) -> Iterator[tuple[float, float, Pair]]:
        """Yield for pairs that may touch until when they are clear, and their speed."""
        world = self._tables.placed(end)
        low, high = np.minimum(world, self._world), np.maximum(world, self._world)
        pairs = self._tables.pairs(low, high, meet)
        i, j = pairs.T
        # a direction that parts the boxes of two, until a better one is known
        sides = self._low[j] - self._high[i], self._low[i] - self._high[j]
        normals = SIDES[np.concatenate(sides, axis=1).argmax(axis=1)]
        ends = list(map(tuple, pairs.tolist()))
        for k in [k for k, pair in enumerate(ends) if pair in self._normals]:
            normals[k] = self._normals[ends[k]]
        least = ROUNDING * max(np.abs(low).max(), np.abs(high).max())
        gaps = (self._gaps(x, pairs, normals) for x in (self._world, world))
        for k in np.flatnonzero(~(np.minimum(*gaps) > least)).tolist():
            passage = self._follow(ends[k], end)
            if len(passage.planes):
                self._normals[ends[k]] = passage.planes[-1][5:8]
            if passage.ended != FREE:
                yield passage.lower, passage.speed, ends[k]

    def _gaps(self, world: Array, pairs: Ids, normals: Array) -> Array:
        """Return how far apart bodies are along directions from the first, (P,)."""
        body, start = pairs.T.ravel(), self._tables.vertices
        side, at = spread(np.diff(start)[body])
        heights = dot(
            world[at + start[body][side]], np.concatenate([normals, -normals])[side]
        )
        top = np.maximum.reduceat(heights, np.flatnonzero(at == 0))
        return -(top[: len(pairs)] + top[len(pairs) :])

    def _follow(self, pair: Pair, end: Array) -> Any:
        """Follow planes from the start to the end."""
        bodies = self._bodies[pair[0]], self._bodies[pair[1]]
        kind = tuple((body.mesh, body.convexity) for body in bodies)
        if kind not in self._paths:
            self._paths[kind] = wings.PairPaths(*bodies, self._ends)
        moves = []
        for k, points in zip(pair, (body.positions for body in bodies), strict=True):
            before = self._bent.get(k, points)  # the same array where nothing bends
            moves.append(wings.Move(before, points, self._start[k], end[k]))
        self._paths[kind].load(tuple(moves))
        return self._paths[kind].first(0.0, self._normals.get(pair))
