"""Two bodies, or their surfaces, on their way to a frame, laid out for the kernels."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from sim.between.meeting import first_meeting, pieces_of
from sim.between.moves import Array, Ending, Move, at_once, like, put, speed_of
from sim.body.audit import RingTest
from sim.body.body import Body
from sim.engine.bound import Bound, floats, ints
from sim.events.touch import Touch
from sim.kernels.audit.sag import SAG
from sim.kernels.between.advancement import (
    GOING,
    NARROW,
    SLOW,
    Advance,
    Surfaces,
    advance_surfaces,
    begin_advance,
    take_look,
)
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
from sim.kernels.workspace import BodyView
from sim.result.state import Pair, PairState
from sim.tracking.pair import PairTracker
from sim.tracking.tree import make_search, make_tree
from sim.tracking.views import make_workspace, scratch_for, topology_of
from wingedge.mesh import WingedEdgeMesh, mirrored

WORK = 2000  # looks at surfaces for one question, at most
FEW = 100  # the same for when they touch, before their pieces are asked exactly
WINDOWS = 20  # how often
ROOM = 1000  # planes of a chain
SURE = ("hull", "trust")  # what is convex by definition, or on the caller's word
PARALLEL = 1e-12  # heights within this, per unit of size, are level


class PairPaths:
    """The buffers of two bodies on their way, there and back."""

    def __init__(
        self,
        a: Body,
        b: Body,
        contact: float,
        release: float,
        meshes: tuple[WingedEdgeMesh, WingedEdgeMesh] | None = None,
    ) -> None:
        self.moves: tuple[Move, Move] | None = None
        self.open: list[tuple[float, float, str]] = []  # what was left undecided of it
        self._pair_of = a, b, contact, release
        self._meshes = meshes or (a.mesh, b.mesh)  # a body may get another one
        self._arrays: list[list[Array]] = []
        self._ways = [np.zeros(2, np.int32), np.zeros(2, np.int32)]
        there, back = [], []
        for body, mesh, way in zip((a, b), self._meshes, self._ways, strict=True):
            v = mesh.n_vertices
            points = [np.zeros((v, 3)) for _ in range(3)]
            maps = [np.zeros((3, 4)) for _ in range(3)]
            self._arrays.append([*points, *maps])
            sure = None if body.convexity in SURE else mesh
            view = _view(mesh, points[2], maps[2])
            path = Path(
                view=view,
                facing=(view, view._replace(**topology_of(mirrored(mesh)))),
                scanned=view._replace(scanned=1),
                start=floats(points[0]),
                end=floats(points[1]),
                start_map=floats(maps[0]),
                end_map=floats(maps[1]),
                start_height=floats(np.zeros(v)),
                end_height=floats(np.zeros(v)),
                way=ints(way),
                reach=floats(np.zeros(1)),
                hinges=RingTest(sure, points[2]).asked[0],
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
        self._search = Bound(advance_surfaces), Bound(advance_surfaces)
        self._advance = Advance()

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the pair; what is laid out is laid out anew."""
        return PairPaths, (*self._pair_of, self._meshes)

    @cached_property
    def _probe(self) -> PairTracker:
        """A tracker of bodies like these, to be put where these are on their way."""
        pair = zip(self._meshes, self._pair_of[:2], strict=True)
        a, b = (like(mesh, body.name, body.convexity) for mesh, body in pair)
        contact, release = self.ends
        return PairTracker(a, b, contact_distance=contact, release_distance=release)

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

    def answer(self, t: float) -> PairState:
        """Answer for a pair like these at a time on the way, from cold."""
        assert self.moves is not None
        probe = self._probe
        for body, move in zip((probe.a, probe.b), self.moves, strict=True):
            put(body, move, t)
        probe.reset()
        return probe.update()

    def at(self, t: float, frame: int, pair: Pair) -> PairState:
        """Answer for a pair as it is at a time on the way that is loaded, from cold."""
        found = self.answer(t)
        a, b, editions = pair
        hulls = found.hulls
        return PairState(found.numbers, found.regime, frame, a, b, editions, (), hulls)

    def touch(self, t: float) -> Touch:
        """Name the closest features at a time on the way, from cold."""
        return Touch.of(self.answer(t))

    def first(
        self, level: float, normal: Array | None = None, *, back: bool = False
    ) -> Ending:
        """Ask when the surfaces are first, or ``back``: last, as near as a level.

        What is not decided is added to ``open``.
        """
        found = self.ask(level, normal, back=back)
        if not (found.ended == FREE or found.solid):
            hulls = found.turned() if back else found
            near = self.advance(level, hulls, back=back)
            found = near.turned() if back else near
        if found.ended in (UNDECIDED, STUCK):
            rest = (0.0, found.upper) if back else (found.lower, 1.0)
            when = rest if found.ended == STUCK else (found.lower, found.upper)
            self.open.append((*when, reason_of(found, level)))
        return found

    def advance(
        self, level: float, known: Ending, *, back: bool = False, side: float = 1.0
    ) -> Ending:
        """Advance surfaces from when on it is not known that they are beyond a level.

        ``side`` -1: within it.  Times run the way that is asked about.
        """
        assert self.moves is not None
        found = self._advance
        found.level, found.side, found.until = level, side, known.lower
        found.speed = speed_of(self.moves)
        hull = any(body.convexity == "hull" for body in self._pair_of[:2])
        exact = level == 0.0 and side > 0.0 and not hull
        found.most = FEW if exact else WORK
        for _ in range(WINDOWS):
            if hull:
                ended = self._by_answers(found, back)  # a hull is no surface of a mesh
            else:
                ended = self._search[back].on(self._searches[back])
            open_ = ended == UNDECIDED or found.met - found.until > NARROW
            if not exact or ended in (FREE, WITHIN) or not open_:
                break
            ended = self._decide(found, back)
            if ended != GOING:
                break
        if ended == GOING:
            ended = UNDECIDED
        lower, upper = min(1.0, found.until), min(1.0, found.met)
        if ended == MET and upper - known.lower <= NARROW:  # planes lead up to it
            lower = known.lower
        return known._replace(
            ended=ended,
            lower=lower,
            upper=upper,
            speed=found.rate * found.speed,
            updates=known.updates + found.looks,
        )

    def within(self, level: float, *, back: bool = False) -> Ending:
        """Ask until when, or ``back``: from when on, bodies are nearer than a level."""
        self.ask(level, back=back)  # for what rounding may turn; bodies are settled
        known = at_once(WITHIN, 0.0)
        found = self.advance(level, known, back=back, side=-1.0)
        return found.turned() if back else found

    def _decide(self, found: Advance, back: bool) -> int:
        """Ask pieces when they first meet where looks decide too slowly; go on after.

        Until the surfaces were seen to cross, or should be where they go on like this.
        """
        assert self.moves is not None
        until = found.met
        if not until < 1.0 or found.met == found.seen:
            until = max(
                found.look, found.until + 4.0 * found.gain / max(found.rate, SLOW)
            )
        moves = self.moves[0].turned(), self.moves[1].turned()
        surfaces: Surfaces = self._searches[0][3]
        pieces = [pieces_of(surfaces.a), pieces_of(surfaces.b)]
        span = found.until, min(1.0, until)
        met = first_meeting(moves if back else self.moves, pieces, span)
        if met is None:
            found.until = span[1]
            return FREE if until >= 1.0 else GOING
        slack = 16.0 * found.allowance / max(found.rate * found.speed, 1e-300)
        found.met = max(met[1], found.until) + max(STEP, min(slack, STEP))
        return MET

    def _by_answers(self, found: Advance, back: bool) -> int:
        """Do as the kernel ``advance_surfaces``, by answers of a tracker."""
        assert self.moves is not None
        found.allowance = self.allowance
        begin_advance(found)
        ended = GOING
        while ended == GOING:
            t = 1.0 - found.look if back else found.look
            state = self.answer(t)
            upper = state.upper if state.upper > 0.0 else -2.0 * found.allowance
            ended = take_look(found, state.lower, upper)
        return ended

    @cached_property
    def _searches(self) -> list[tuple[Any, ...]]:
        trees = make_tree(self._meshes[0]), make_tree(self._meshes[1])
        surfaces = Surfaces(*trees, make_search(*trees))
        return [(*ends, self._pair, surfaces, self._advance) for ends in self._ends]

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


def _view(mesh: WingedEdgeMesh, points: Array, matrix: Array) -> BodyView:
    """Lay out a body at a time between: rings guide, nothing is proven by them."""
    return BodyView(
        points=floats(points),
        pose=floats(matrix),
        spread=-1.0,
        size=mesh.n_vertices,
        scanned=0,
        sag=floats(np.zeros(SAG)),
        edges_prove=0,
        **topology_of(mesh),
        **scratch_for([mesh]),
    )
