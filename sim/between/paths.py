"""Two bodies, or their surfaces, on their way to a frame, laid out for the kernels."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.between.moves import Array, Ending, Ghosts, Move
from sim.body.audit import hinges_of
from sim.body.body import Body
from sim.engine.bound import Bound, floats, ints
from sim.events.touch import Touch
from sim.kernels.audit.sag import SAG
from sim.kernels.between.chain import (
    FREE,
    MET,
    PROOF,
    STEP,
    STUCK,
    UNDECIDED,
    WITHIN,
    Chain,
    Found,
    follow_planes,
)
from sim.kernels.between.path import BENDING, TURNING, Path, PlaneGap
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
from sim.kernels.workspace import BY_RINGS, BodyView
from sim.result.state import PairState
from sim.tracking.tree import make_search, make_tree
from sim.tracking.views import make_view, make_workspace, topology_of
from wingedge.mesh import WingedEdgeMesh, mirrored
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


ROOM = 1000  # planes of a chain
SURE = ("hull", "trust")  # what is convex by definition, or on the caller's word
PARALLEL = 1e-12  # heights within this, per unit of size, are level


class PairPaths:
    """The buffers of two bodies on their way, there and back."""

    def __init__(self, a: Body, b: Body, contact: float, release: float) -> None:
        self.moves: tuple[Move, Move] | None = None
        self.open: list[tuple[float, float, str]] = []  # what was left undecided of it
        self._pair_of = a, b, contact, release
        self._meshes = a.mesh, b.mesh
        self._arrays: list[list[Array]] = []
        self._ways = [np.zeros(2, np.int32), np.zeros(2, np.int32)]
        there, back = [], []
        for body, way in zip((a, b), self._ways, strict=True):
            v = body.mesh.n_vertices
            points = [np.zeros((v, 3)) for _ in range(3)]
            maps = [np.zeros((3, 4)) for _ in range(3)]
            self._arrays.append([*points, *maps])
            sure = None if body.convexity in SURE else body.mesh
            view = _view(body, points[2], maps[2])
            path = Path(
                view=view,
                facing=(view, view._replace(**topology_of(mirrored(body.mesh)))),
                scanned=view._replace(scanned=1),
                start=floats(points[0]),
                end=floats(points[1]),
                start_map=floats(maps[0]),
                end_map=floats(maps[1]),
                start_height=floats(np.zeros(v)),
                end_height=floats(np.zeros(v)),
                way=ints(way),
                reach=floats(np.zeros(1)),
                hinges=hinges_of(sure, points[2]),
            )
            there.append(path)
            back.append(
                path._replace(
                    start=path.end,
                    end=path.start,
                    start_map=path.end_map,
                    end_map=path.start_map,
                )
            )
        self._pair = make_workspace(a.mesh.n_vertices + b.mesh.n_vertices, PARALLEL)
        self._proof = np.zeros((ROOM, PROOF))
        self._chain = Chain(Found(), PlaneGap(), floats(self._proof), ROOM)
        self._ends = there, back
        self._tables = [(*ends, self._pair, self._chain) for ends in (there, back)]
        self._follow = Bound(follow_planes), Bound(follow_planes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the pair; what is laid out is laid out anew."""
        return PairPaths, self._pair_of

    @cached_property
    def ghosts(self) -> Ghosts:
        """Bodies like those of the pair, to be put where these are on their way."""
        return Ghosts(*self._pair_of)

    @property
    def ends(self) -> tuple[float, float]:
        """At which distance contact begins, and ends."""
        return self._pair_of[2:]

    @property
    def allowance(self) -> float:
        """By how much rounding may turn a gap, as asked last."""
        return float(self._chain[1].allowance)

    def are_of(self, a: Body, b: Body) -> bool:
        """Say whether the buffers fit the bodies as they are now."""
        return self._meshes == (a.mesh, b.mesh)

    def load(self, moves: tuple[Move, Move]) -> None:
        """Copy where both bodies are at both ends, unless that was done last."""
        if self.moves is moves:
            return
        for move, arrays, way in zip(moves, self._arrays, self._ways, strict=True):
            start, end, points, start_map, end_map, _ = arrays
            start[...] = move.start
            end[...] = move.end
            start_map[...] = move.start_map
            end_map[...] = move.end_map
            if move.start is move.end:
                points[...] = start
                way[0] = TURNING
            else:
                way[0] = BENDING
            way[1] = 0  # the kernel sees whether it turns, too
        self.moves, self.open = moves, []

    def at(self, t: float, frame: int, pair: tuple[Body, Body]) -> PairState:
        """Answer for a pair as it is at a time on the way that is loaded, from cold."""
        assert self.moves is not None
        return self.ghosts.at(self.moves, t, frame, pair)

    def touch(self, t: float) -> Touch:
        """Name the closest features at a time on the way, from cold."""
        assert self.moves is not None
        return Touch.of(self.ghosts.answer(self.moves, t))

    def first(
        self, level: float, normal: Array | None = None, *, back: bool = False
    ) -> Ending:
        """Ask when the surfaces are first, or ``back``: last, as near as a level.

        What is not decided is added to ``open``.
        """
        found = self.ask(level, normal, back=back)
        if not (found.ended == FREE or found.solid):
            hulls = found.turned() if back else found
            near = self._beyond(hulls, level, back=back)
            found = near.turned() if back else near
        if found.ended in (UNDECIDED, STUCK):
            rest = (0.0, found.upper) if back else (found.lower, 1.0)
            when = rest if found.ended == STUCK else (found.lower, found.upper)
            self.open.append((*when, reason_of(found, level)))
        return found

    def _beyond(self, hulls: Ending, level: float, *, back: bool) -> Ending:
        """Ask surfaces where hulls are near; times run the way that is asked about."""
        assert self.moves is not None
        normal = np.array(self._chain.plane.normal)
        if hulls.ended == WITHIN:
            state = self.ghosts.answer(self.moves, 1.0 if back else 0.0)
            if state.lower <= level:
                return hulls
            normal = state.normal
        if any(body.convexity == "hull" for body in self._pair_of[:2]):
            moves = self.moves  # a hull is no surface of a mesh
            turned = (moves[0].turned(), moves[1].turned()) if back else moves
            return self.ghosts.first_near(turned, level, hulls)
        return self._surfaces.first_near(level, normal, hulls, back=back)

    @cached_property
    def _surfaces(self) -> Surfaces:
        return Surfaces(self._meshes, *self._ends)

    def ask(
        self, level: float, normal: Array | None = None, *, back: bool = False
    ) -> Ending:
        """Follow planes from the start, or ``back`` from the end."""
        tables = self._tables[back]
        found, plane, *_ = self._chain
        found.level = level
        plane.normal = (0.0, 0.0, 0.0) if normal is None else tuple(normal.tolist())
        pair = self._pair
        pair.simplex[0] = pair.hull.filled[0] = 0
        pair.last[0] = -1
        pair.result.known = pair.result.by_hull = 0
        pair.result.normal = (0.0, 0.0, 0.0)
        ended = self._follow[back].on(tables)
        planes = self._proof[: found.planes].copy()
        times = found.lower, found.upper
        ending = Ending(
            ended, *times, found.speed, planes, found.updates, found.solid == 1
        )
        return ending.turned() if back else ending


def reason_of(found: Ending, level: float) -> str:
    """Say what a chain left undecided, and why; nothing where it decided."""
    if found.ended == WITHIN:
        return f"already within {level:g} at the start"
    if found.ended == UNDECIDED:
        return "the bodies graze: within rounding of the distance in the interval"
    if found.ended == STUCK:
        return f"no plane was found that proves more after {found.lower!r}"
    return ""


def _view(body: Body, points: Array, matrix: Array) -> BodyView:
    """Lay out a body at a time between: rings guide, nothing is proven by them."""
    return make_view(body)._replace(
        points=floats(points),
        pose=floats(matrix),
        spread=-1.0,
        scanned=BY_RINGS,
        sag=floats(np.zeros(SAG)),
    )
