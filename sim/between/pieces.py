"""Bodies in pieces on their way: when any two of their pieces are first near."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np

from sim.between.ghosts import ghost_of
from sim.between.moves import Array, Ending, Move, at_once, world_at
from sim.between.paths import PairPaths
from sim.body.body import Body
from sim.body.placed import Actor
from sim.body.pose import Pose
from sim.compound.body import Compound
from sim.compound.tracker import CompoundTracker
from sim.kernels.between.chain import FREE, MET, WITHIN
from sim.result.state import PairState

Piece = tuple[Body, Move]


class PiecesPaths:
    """What ``PairPaths`` answers, of bodies of which one or both are in pieces.

    The distance of two unions is the least of their pieces: the first time at which
    any pair is as near as a level is that of the bodies.  Cost: that of ``PairPaths``
    for each pair whose boxes come so near.
    """

    def __init__(self, a: Actor, b: Actor, contact: float, release: float) -> None:
        self.open: list[tuple[float, float, str]] = []
        self.ends = contact, release
        self._bodies = a, b
        self._paths: dict[tuple[int, int], PairPaths] = {}
        self._moves: tuple[Move, Move] | None = None
        self._pieces: list[list[Piece]] = [[], []]

    def load(self, moves: tuple[Move, Move]) -> None:
        """See where all pieces are at both ends."""
        self._moves = moves
        self._pieces = [
            pieces_of(body, move)
            for body, move in zip(self._bodies, moves, strict=True)
        ]

    def first(
        self, level: float, normal: Array | None = None, *, back: bool = False
    ) -> Ending:
        """Ask when the bodies are first, or ``back``: last, as near as a level."""
        found = [
            self._first(pair, level, normal, back=back) for pair in self._near(level)
        ]
        endings = [ending.turned() if back else ending for ending in found]
        # whatever ends a pair first ends the bodies; what rounds to one time is met
        rank = {WITHIN: 0, MET: 1}
        endings.sort(key=lambda e: (e.ended == FREE, e.lower, rank.get(e.ended, 2)))
        if not endings or endings[0].ended == FREE:
            return at_once(FREE, 1.0)
        first = endings[0]
        met = [ending.upper for ending in endings if ending.ended == MET]
        if first.ended != WITHIN and met:
            first = first._replace(ended=MET, upper=min(met))
        return first.turned() if back else first

    def _first(
        self, pair: tuple[int, int], level: float, normal: Array | None, *, back: bool
    ) -> Ending:
        (a, first), (b, second) = (
            pieces[k] for pieces, k in zip(self._pieces, pair, strict=True)
        )
        if pair not in self._paths:
            self._paths[pair] = PairPaths(a, b, *self.ends)
        paths = self._paths[pair]
        paths.load((first, second))
        paths.open = self.open
        return paths.first(level, normal, back=back)

    def _near(self, level: float) -> list[tuple[int, int]]:
        """List the pairs of pieces whose boxes come as near as a level on the way."""
        boxes = []
        for pieces in self._pieces:
            ways = [[world_at(move, t) for t in (0.0, 1.0)] for _, move in pieces]
            low = np.array([np.min(np.concatenate(way), axis=0) for way in ways])
            high = np.array([np.max(np.concatenate(way), axis=0) for way in ways])
            pad = level + 1e-12 * float(np.abs([low, high]).max())
            boxes.append((low - pad, high + pad))
        (low, high), (least, most) = boxes
        near = (low[:, None] <= most) & (least <= high[:, None])
        every = product(range(len(low)), range(len(least)))
        return [pair for pair in every if near[pair].all()]

    def at(self, t: float, frame: int) -> PairState:
        """Answer for the bodies as they are at a time on the way, from cold."""
        assert self._moves is not None
        ghosts: list[Body | Compound] = []
        for body, move in zip(self._bodies, self._moves, strict=True):
            ghost = _ghost_of(body)
            points, matrix = move.at(t)
            ghost.points = points
            ghost.pose = Pose.from_matrix(matrix)
            ghosts.append(ghost)
        tracker = CompoundTracker(
            *ghosts, contact_distance=self.ends[0], release_distance=self.ends[1]
        )
        return tracker.update().replace(frame=frame)


def pieces_of(body: Actor, move: Move) -> list[Piece]:
    """List the convex bodies that one consists of, each with its way."""
    if not isinstance(body, Compound):
        assert isinstance(body, Body)
        return [(body, move)]
    rest = np.arange(len(body.rest_points))
    start = body.placed(move.start, rest)
    end = start if move.start is move.end else body.placed(move.end, rest)
    spans = [slice(*span) for span in pairwise(body.start.vertex.tolist())]
    found = []
    for piece, span in zip(body.pieces, spans, strict=True):
        mine = start[span]
        there = mine if end is start else end[span]
        found.append((piece, Move(mine, there, move.start_map, move.end_map)))
    return found


def _ghost_of(body: Actor) -> Body | Compound:
    """Return a body like one, to be put elsewhere."""
    if not isinstance(body, Compound):
        assert isinstance(body, Body)
        return ghost_of(body)
    surface = None if body.surface is None else body.mesh
    return Compound([piece.mesh for piece in body.pieces], surface, name=body.name)
