"""When surfaces that are not convex on their way are first near: asked of two trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.between.moves import Array, Ending
from sim.engine.bound import Bound, floats, ints
from sim.kernels.between.chain import FREE, MET, STEP, STUCK, UNDECIDED
from sim.kernels.between.path import Path
from sim.kernels.between.pieces import APART, NEAR, Approach, Pieces
from sim.kernels.between.surfaces import (
    LISTED,
    PLACE,
    PLACES,
    SEGMENTS,
    VERTEX_OF_B,
    Moving,
    Places,
    find_places,
)
from sim.kernels.surface.boxes import BOX
from sim.tracking.tree import make_search, make_tree
from wingedge.mesh import WingedEdgeMesh
from wingedge.primitives import moving_point_triangle, moving_segment_segment

NARROW = 1e-9  # of a frame: planes that lead so near to a touch belong to it
WORK = 1_000_000  # pairs of pieces, at most: about a second


class Surfaces:
    """The trees of two bodies on their way, and the room for a search."""

    def __init__(
        self,
        meshes: tuple[WingedEdgeMesh, WingedEdgeMesh],
        there: list[Path],
        back: list[Path],
    ) -> None:
        trees = [(make_tree(mesh), make_tree(mesh)) for mesh in meshes]
        self._placed = [
            [np.asarray(tree.placed).reshape(-1, 3) for tree in ends] for ends in trees
        ]
        self._times = np.zeros((PLACES, 3))
        self._kinds = np.zeros(PLACES, np.int32)
        self._place = np.zeros((PLACES, PLACE), np.int32)
        self._found = Approach()
        places = Places(
            found=self._found,
            search=make_search(trees[0][0], trees[1][0]),
            pieces=Pieces(*(floats(np.zeros(12)) for _ in range(3))),
            start=floats(np.zeros(2 * LISTED * BOX)),
            end=floats(np.zeros(2 * LISTED * BOX)),
            corners=ints(np.zeros(6 * LISTED, np.int32)),
            many=ints(np.zeros(6, np.int32)),
            place=ints(self._place.ravel()),
            times=floats(self._times.ravel()),
            kind=ints(self._kinds),
        )
        self._tables = [
            (*(Moving(p, *ends) for p, ends in zip(paths, trees, strict=True)), places)
            for paths in (there, back)
        ]
        self._search = Bound(find_places), Bound(find_places)

    def first_near(
        self, level: float, normal: Array, hulls: Ending, *, back: bool
    ) -> Ending:
        """Return when the surfaces are first as near as a level, or ``back``: last.

        From when their hulls are on.  Of surfaces that touch, pieces that go through
        each other know it exactly.  Undecided where none does, stuck out of ``WORK``.
        """
        found = self._found
        found.level, found.since, found.most = level, hulls.lower, WORK
        found.normal = tuple(normal.tolist())
        ended = self._search[back].on(self._tables[back])
        if ended == APART:
            return hulls._replace(ended=FREE, lower=1.0, upper=1.0)
        if ended < 0:
            return hulls._replace(ended=STUCK, lower=found.lower, upper=1.0)
        times = self._times[: found.places]
        earliest = np.argsort(times[:, 0], kind="stable").tolist()
        lower, upper, speed = times[earliest[0]].tolist()
        near = self._kinds[: found.places] == NEAR
        if near.any():
            upper = float(times[near, 1].min())
        kind = MET if near.any() else UNDECIDED
        if level == 0.0 or upper - lower > NARROW:  # a way through takes no time
            for k in earliest:
                until = self._met(k)
                if until is not None:
                    kind, upper = MET, until if level == 0.0 else min(upper, until)
                    break
        if upper - hulls.lower <= NARROW:  # planes lead up to it
            lower, speed = hulls.lower, hulls.speed
        return hulls._replace(ended=kind, lower=lower, upper=upper, speed=speed)

    def _met(self, k: int) -> float | None:
        """Return until when the pieces at a place have met, if they meet."""
        start, end = (self._corners(k, turn) for turn in range(2))
        ask = (
            moving_segment_segment
            if self._place[k, 0] == SEGMENTS
            else (moving_point_triangle)
        )
        met = ask.hit(start, end)
        if not met.hit:
            return None
        lower, upper, speed = self._times[k].tolist()
        slack = STEP
        if speed > 0.0:
            slack = max(slack, 16.0 * self._found.allowance / speed)
        until = max(float(met.upper), lower) + slack
        return float(min(until, upper if met.lower <= upper else 1.0))

    def _corners(self, k: int, turn: int) -> NDArray[np.float64]:
        kind, *ids = self._place[k].tolist()
        first = 1 if kind == VERTEX_OF_B else 0
        split = 2 if kind == SEGMENTS else 1
        own, other = self._placed[first][turn], self._placed[1 - first][turn]
        corners: NDArray[np.float64] = np.stack(
            [*own[ids[:split]], *other[ids[split:]]]
        )
        return corners
