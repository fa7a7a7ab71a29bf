"""Two bodies, or their surfaces, on their way to a frame, laid out for the kernels."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.between.moves import Array, Ending, Move, at_once, like, placed, put, speed_of
from sim.body.audit import hinges_of
from sim.body.body import Body
from sim.engine.bound import Bound, floats, ints
from sim.events.touch import Touch
from sim.kernels.audit.sag import SAG
from sim.kernels.between.advancement import (
    GOING,
    NARROW,
    Advance,
    advance_surfaces,
    begin_advance,
    take_look,
)
from sim.kernels.between.chain import (
    FREE,
    MET,
    PROOF,
    STUCK,
    UNDECIDED,
    WITHIN,
    Chain,
    Found,
    follow_planes,
)
from sim.kernels.between.path import BENDING, TURNING, Path, PlaneGap
from sim.kernels.workspace import BY_RINGS, BY_SCAN, BodyView, Proofs, Workspace
from sim.result.state import BodyPair, PairState
from sim.tracking.buffers import make_workspace, scratch_for, topology_of
from sim.tracking.options import Ends
from sim.tracking.pair import PairTracker
from sim.tracking.tree import make_search, make_tree
from wingedge.columns import Vector, columns, direction, dot
from wingedge.mesh import WingedEdgeMesh, mirrored
from wingedge.primitives import point_triangle, segment_segment

WORK = 2000  # looks at surfaces for one question, at most
FEW = 100  # the same before planes of all pairs of triangles are tried
ROOM = 1000  # planes of a chain
TOUCH = 16.0  # roundings of a gap
WIDE = 1e-6  # of a frame: what is known no better is a graze, and more may follow
PARALLEL = 1e-12  # heights within this, per unit of size, are level


class PairPaths:
    """The buffers of two bodies on their way, laid out for one direction at a time."""

    def __init__(
        self,
        a: Body,
        b: Body,
        ends: Ends,
        meshes: tuple[WingedEdgeMesh, WingedEdgeMesh] | None = None,
    ) -> None:
        self.moves: tuple[Move, Move] | None = None
        self._back: bool | None = None  # which way is laid out
        self.open: list[tuple[float, float, str]] = []  # what was left undecided of it
        self._pair_of, self.ends = (a, b), ends
        self._meshes = meshes or (a.mesh, b.mesh)  # a body may get another one
        self._arrays, paths = [], []
        for body, mesh in zip((a, b), self._meshes, strict=True):
            arrays, path = _laid_out(mesh, sure=body.convexity == "trust")
            self._arrays.append(arrays)
            paths.append(path)
        self._hull = any(body.convexity == "hull" for body in (a, b))
        self._pair = make_workspace(sum(m.n_vertices for m in self._meshes), PARALLEL)
        self._proof = np.zeros((ROOM, PROOF))
        self._chain = Chain(Found(), PlaneGap(), floats(self._proof), ROOM)
        self._tables: Any = (*paths, self._pair, self._chain)
        self._follow, self._search = Bound(follow_planes), Bound(advance_surfaces)
        self._advance = Advance()

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the pair; what is laid out is laid out anew."""
        return PairPaths, (*self._pair_of, self.ends, self._meshes)

    @cached_property
    def _probe(self) -> PairTracker:
        """A tracker of bodies like these, to be put where these are on their way."""
        pair = zip(self._meshes, self._pair_of, strict=True)
        a, b = (like(mesh, body.name, body.convexity) for mesh, body in pair)
        return PairTracker(a, b, **self.ends._asdict())

    @cached_property
    def _surfaces(self) -> tuple[Path, Path, Workspace]:
        """Both bodies with trees over them, made when one is first asked for."""
        (a, b, pair, _), (one, two) = self._tables, map(make_tree, self._meshes)
        a = a._replace(scanned=a.scanned._replace(tree=one))
        b = b._replace(scanned=b.scanned._replace(tree=two))
        return a, b, pair._replace(search=make_search(one, two))

    @property
    def allowance(self) -> float:
        """By how much rounding may turn a gap, as asked last."""
        return float(self._chain[1].allowance)

    def are_of(self, a: Body, b: Body) -> bool:
        """Say whether the buffers fit the bodies as they are now."""
        return self._meshes == (a.mesh, b.mesh)

    def load(self, moves: tuple[Move, Move]) -> None:
        """Say where both bodies are at both ends."""
        if self.moves is not moves:
            self.moves, self.open, self._back = moves, [], None

    def _lay_out(self, *, back: bool) -> None:
        """Copy the way that is loaded, there or back, unless that was done last."""
        assert self.moves is not None
        if self._back is back:
            return
        there, self._back = self.moves, back
        self._way = (there[0].turned(), there[1].turned()) if back else there
        for move, (points, way, *ends) in zip(self._way, self._arrays, strict=True):
            for array, given in zip(ends, move, strict=True):
                array[...] = given
            bends = move.start is not move.end
            way[:] = BENDING if bends else TURNING, 0  # the kernel sees if it does both
            if not bends:
                points[...] = move.start

    def answer(self, t: float) -> PairState:
        """Answer for a pair like these at a time on the way, from cold."""
        assert self.moves is not None
        probe = self._probe
        for body, move in zip((probe.a, probe.b), self.moves, strict=True):
            put(body, move, t)
        probe.reset()
        return probe.update()

    def at(self, t: float, frame: int, pair: BodyPair) -> PairState:
        """Answer for a pair as it is at a time on the way that is loaded, from cold."""
        found = self.answer(t)
        told = found.numbers, found.regime, frame
        return PairState.of(*told, *pair[:3], hulls=found.hulls)

    def touch(self, t: float) -> Touch:
        """Name the closest features at a time on the way, from cold."""
        return Touch.of(self.answer(t))

    def first(
        self, level: float, normal: Array | None = None, *, back: bool = False
    ) -> Ending:
        """Ask when the surfaces are first, or ``back``: last, as near as a level.

        What is not decided is added to ``open``.
        """
        found = self._ask(level, normal, back=back)
        rounding = self._is_touch(level) and found.ended in (WITHIN, UNDECIDED)
        if rounding or not (found.ended == FREE or found.solid):
            found = self._approach(level, found)
        if back:
            found = found.turned()
        why = reason_of(found, level)
        if why and found.ended != WITHIN:
            rest = (0.0, found.upper) if back else (found.lower, 1.0)
            when = rest if found.ended == STUCK else (found.lower, found.upper)
            self.open.append((*when, why))
        return found

    def within(self, level: float, *, back: bool = False) -> Ending:
        """Ask until when, or ``back``: from when on, bodies are nearer than a level."""
        self._ask(level, back=back)  # for what rounding may turn; bodies are settled
        found = self._approach(level, at_once(WITHIN, 0.0), side=-1.0)
        return found.turned() if back else found

    def _approach(self, level: float, known: Ending, side: float = 1.0) -> Ending:
        """Advance surfaces from when on it is not known that they are beyond a level.

        ``side`` -1: within it.
        """
        found = self._advance
        found.level, found.side, found.until = level, side, known.lower
        found.speed = speed_of(self._way)
        found.rate = known.speed / found.speed if known.speed > 0.0 else 1.0
        planes = side > 0.0 and not self._hull  # a hull is no surface of a mesh
        planes = planes and (level >= 0.0 or self._is_touch(level))
        for found.most in (FEW, WORK) if planes else (WORK,):
            if self._hull:
                ended = self._by_answers(found)
            else:
                ended = self._search.on((*self._surfaces, found))
            narrow = NARROW * found.step
            near = ended == WITHIN or found.met - found.until <= narrow
            if ended == FREE or (near and (level >= 0.0 or ended == MET)):
                break  # below 0 what seems near may be the rounding of a touch
            if planes:
                triangles = [mesh.fan.vertex for mesh in self._meshes]
                span = found.until, found.met if ended == MET else 1.0
                found.until = parted_until(self._way, triangles, span, level)
                if found.until >= 1.0:
                    ended = FREE
                    break
        upper = found.met
        if ended == UNDECIDED and level >= 0.0:  # a graze, which is not known to last
            upper = max(upper, found.until) + found.step
            soon = min(1.0, found.until + narrow)
            state = self.answer(1.0 - soon if self._back else soon)
            if side * (state.distance - level) < -found.allowance:
                ended, upper = MET, soon
        lower, upper = min(1.0, found.until), min(1.0, upper)
        if ended == MET and upper - known.lower <= narrow:  # planes lead up to it
            lower = known.lower
        return known._replace(
            ended=ended,
            lower=min(lower, upper),
            upper=upper,
            speed=found.rate * found.speed,
            updates=known.updates + found.looks,
        )

    def _is_touch(self, level: float) -> bool:
        """Say whether surfaces that overlap by this may touch, but for rounding."""
        return -TOUCH * self.allowance <= level < 0.0

    def _by_answers(self, found: Advance) -> int:
        """Do as the kernel ``advance_surfaces``, by answers of a tracker."""
        found.allowance = self.allowance
        begin_advance(found)
        ended = GOING
        while ended == GOING:
            state = self.answer(1.0 - found.look if self._back else found.look)
            upper = state.upper if state.upper > 0.0 else -2.0 * found.allowance
            ended = take_look(found, state.lower, upper)
        return ended

    def _ask(
        self, level: float, normal: Array | None = None, *, back: bool = False
    ) -> Ending:
        """Follow planes from one end until the hulls are as near as a level."""
        self._lay_out(back=back)
        pair, found, plane = self._pair, *self._chain[:2]
        found.level = level
        plane.normal = (0.0, 0.0, 0.0) if normal is None else tuple(normal.tolist())
        pair.simplex[0] = pair.hull.filled[0] = 0
        pair.last[0] = -1
        pair.result.known = pair.result.by_hull = 0
        pair.result.normal = (0.0, 0.0, 0.0)
        ended = self._follow.on(self._tables)
        planes = self._proof[: found.planes].copy()
        times, solid = (found.lower, found.upper), found.solid == 1
        return Ending(ended, *times, found.speed, planes, found.updates, solid)


def reason_of(found: Ending, level: float) -> str:
    """Say what a chain left undecided, and why; nothing where it decided."""
    if found.ended == WITHIN:
        return f"already within {level:g} at the start"
    wide = found.ended == MET and found.upper - found.lower > WIDE
    if found.ended == UNDECIDED or wide:
        return "the bodies graze: within rounding of the distance in the interval"
    if found.ended == STUCK:
        return f"no plane was found that proves more after {found.lower!r}"
    return ""


def _laid_out(mesh: WingedEdgeMesh, *, sure: bool) -> tuple[list[Any], Path]:
    """Lay out a body: the arrays to write, and what the kernels see of them.

    At a time between rings guide, nothing is proven by them.
    """
    v, way = mesh.n_vertices, np.zeros(2, np.int32)
    points, start, end = np.zeros((3, v, 3))
    matrix, *maps = np.zeros((3, 3, 4))
    hinges = hinges_of(mesh, points)
    view = BodyView(
        points=floats(points),
        pose=floats(matrix),
        size=v,
        proofs=Proofs(BY_RINGS, 0, -1.0),
        sag=floats(np.zeros(SAG)),
        hinges=hinges._replace(triangles=0) if sure else hinges,
        **topology_of(mesh),
        **scratch_for([mesh]),
    )
    path = Path(
        view=view,
        facing=(view, view._replace(**topology_of(mirrored(mesh)))),
        scanned=view._replace(proofs=Proofs(BY_SCAN, 0, -1.0)),
        start=floats(start),
        end=floats(end),
        start_map=floats(maps[0]),
        end_map=floats(maps[1]),
        start_height=floats(np.zeros(v)),
        end_height=floats(np.zeros(v)),
        way=ints(way),
        reach=floats(np.zeros(1)),
        hinges=view.hinges,
    )
    return [points, way, start, end, *maps], path


PAD = 64.0 * 2.0**-52  # of coordinates
FINEST = 2.0**-31  # of a frame
MANY = 2**20  # pairs of triangles whose boxes are compared
Ids = NDArray[Any]  # (k, n) vertices of triangles, or of pairs of them


def parted_until(
    moves: tuple[Move, Move], triangles: list[Ids], span: tuple[float, float], r: float
) -> float:
    """Prove that surfaces are farther apart than a distance; return until when.

    A plane for each two triangles whose boxes meet in a while, square to the shortest
    way between them in its middle: parting them at both ends it does so throughout.
    What is not proven is halved.  Cost: O(V) a while, and some 8 us a plane.
    """
    ways = _placed(moves)
    clear = r + PAD * max(float(np.abs(x).max()) for ends in ways for x in ends)
    open_: list[tuple[float, float, Ids | None]] = [(*span, None)]
    while open_:
        since, until, pairs = open_.pop()
        times = since, 0.5 * (since + until), until
        seen = [[(1.0 - t) * x + t * y for t in times] for x, y in ways]
        if pairs is None:
            pairs = _near(seen, triangles, clear)
        if pairs is not None:
            a, b = ([x[pairs[:, k : k + 3]] for x in seen[k // 3]] for k in (0, 3))
            pairs = pairs[~_parted(a, b, clear)]
            if not len(pairs):
                continue
        if until - since <= FINEST:
            return since
        open_ += [(times[1], until, pairs), (since, times[1], pairs)]
    return span[1]


def _near(seen: list[list[Array]], triangles: list[Ids], clear: float) -> Ids | None:
    """List pairs of triangles whose boxes meet in a while; None: too many to ask."""
    boxes = []
    for (start, _, end), ids in zip(seen, triangles, strict=True):
        both = np.concatenate([start[ids], end[ids]], axis=1)
        boxes.append((both.min(axis=1) - 0.5 * clear, both.max(axis=1) + 0.5 * clear))
    floor = np.maximum(*(low.min(axis=0) for low, _ in boxes))
    roof = np.minimum(*(high.max(axis=0) for _, high in boxes))
    a, b = (
        np.flatnonzero(((low <= roof) & (high >= floor)).all(axis=1))
        for low, high in boxes
    )
    if len(a) * len(b) > MANY:
        return None
    (low, high), (floor, roof) = boxes
    meet = (low[a, None] <= roof[b]) & (high[a, None] >= floor[b])
    i, j = np.nonzero(meet.all(axis=2))
    return np.hstack([triangles[0][a[i]], triangles[1][b[j]]])


def _parted(a: list[Array], b: list[Array], clear: float) -> NDArray[np.bool_]:
    """Say which triangles, (P, 3, 3) each at three times, a plane parts throughout."""
    ends = (a[0], b[0]), (a[2], b[2])
    up = np.minimum(*(y.min(axis=1) - x.max(axis=1) for x, y in ends))
    down = np.minimum(*(x.min(axis=1) - y.max(axis=1) for x, y in ends))
    parted: NDArray[np.bool_] = (np.maximum(up, down) >= clear).any(axis=1)
    rest = np.flatnonzero(~parted)
    n = _across(a[1][rest], b[1][rest])
    heights = [[dot(columns(x[rest]), n) for x in both] for both in ends]
    gaps = [y.min(axis=1) - x.max(axis=1) for x, y in heights]
    parted[rest] = np.minimum(*gaps) >= clear
    return parted


def _across(a: Array, b: Array) -> Vector:
    """Find directions of the shortest ways from triangles to others, (P, 1) columns."""
    sides = [[x[:, k, None] for k in range(3)] for x in (a, b)]
    p, q = a[:, :, None], b[:, None]
    edges = segment_segment.closest(p, p[:, [1, 2, 0]], q, q[:, :, [1, 2, 0]])
    ways = [
        point_triangle.closest(a, *sides[1]).point - a,
        b - point_triangle.closest(b, *sides[0]).point,
        (edges.point_q - edges.point_p).reshape(-1, 9, 3),
    ]
    found = np.concatenate(ways, axis=1)
    nearest = dot(columns(found), columns(found)).argmin(axis=1)
    return direction(columns(found[np.arange(len(a)), nearest][:, None]))


def _placed(moves: tuple[Move, Move]) -> list[tuple[Array, Array]]:
    """Place all vertices at both ends: alike in either order, and on the way back."""
    maps = [matrix for move in moves for matrix in move[2:]]
    here = np.array(min(matrix[:, 3].tolist() for matrix in maps))
    return [
        (
            placed(move.start, move.start_map[:, :3]) + (move.start_map[:, 3] - here),
            placed(move.end, move.end_map[:, :3]) + (move.end_map[:, 3] - here),
        )
        for move in moves
    ]
