"""Two bodies on their way from one frame to the next, laid out for the kernels."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.audit import RingTest
from sim.body.body import Body
from sim.body.pose import Pose
from sim.engine.bound import Bound, floats, ints
from sim.kernels.audit.sag import SAG
from sim.kernels.between.chain import (
    FREE,
    MET,
    PROOF,
    STEP,
    UNDECIDED,
    Chain,
    Found,
    follow_planes,
)
from sim.kernels.between.path import BENDING, BOTH, TURNING, Path, PlaneGap
from sim.kernels.workspace import BodyView
from sim.result.state import PairState
from sim.tracking.pair import PairTracker
from sim.tracking.views import make_workspace, scratch_for, topology_of
from wingedge.mesh import mirrored
from wingedge.primitives import moving_point_triangle, moving_segment_segment

Array = NDArray[np.float64]


class Move(NamedTuple):
    """Where one body is at both ends; copies that nobody writes."""

    start: Array  # (V, 3), body frame
    end: Array
    start_map: Array  # (3, 4)
    end_map: Array

    def at(self, t: float) -> tuple[Array, Array]:
        """Return positions and map at a time; as ``put_time`` does."""
        if t in (0.0, 1.0):
            return (self.end, self.end_map) if t else (self.start, self.start_map)
        s = 1.0 - t
        shift = s * self.start_map[:, 3] + t * self.end_map[:, 3]
        if self.start is self.end:
            return self.start, s * self.start_map + t * self.end_map
        if (self.start_map[:, :3] == self.end_map[:, :3]).all():
            linear = self.start_map[:, :3]
            return s * self.start + t * self.end, np.column_stack([linear, shift])
        p, q = (
            placed(points, matrix[:, :3]) for points, matrix in (self[::2], self[1::2])
        )
        return s * p + t * q, np.column_stack([np.eye(3), shift])

    def turned(self) -> Move:
        """Return the way back."""
        return Move(self.end, self.start, self.end_map, self.start_map)


def placed(points: Array, linear: Array) -> Array:
    """Apply the linear part of a map to positions, in a fixed order."""
    x, y, z = points.T
    return np.stack([m[0] * x + m[1] * y + m[2] * z for m in linear], axis=-1)


class Ending(NamedTuple):
    """What a chain of planes has shown."""

    ended: int  # see ``sim.kernels.between.chain``
    lower: float
    upper: float
    speed: float
    planes: Array  # (k, 5): from when, until when, normal
    updates: int
    solid: bool  # whether both are convex where they meet, by exact signs

    def turned(self) -> Ending:
        """Return the same, of the way back."""
        planes = self.planes[::-1].copy()
        planes[:, :2] = 1.0 - planes[:, 1::-1]
        return self._replace(
            lower=1.0 - self.upper, upper=1.0 - self.lower, planes=planes
        )


FIRST_WINDOW = 1.0 / 64.0  # of a frame, in which features are asked first
BLOCK = 256  # pieces whose boxes are compared with all others at once
NARROW = 1e-9  # of a frame: an interval that holds the touch of two solids
WORK = 400  # answers to one question, at most
SURE = ("hull", "trust")  # what is convex by definition, or on the caller's word


class Ghosts:
    """Two bodies like those of a pair, to be put where these are on their way."""

    def __init__(self, a: Body, b: Body, contact: float, release: float) -> None:
        self._pair = a, b
        self._bodies = ghost_of(a), ghost_of(b)
        self._tracker = PairTracker(
            *self._bodies, contact_distance=contact, release_distance=release
        )

    def put(self, moves: tuple[Move, Move], t: float) -> None:
        """Put both bodies where they are at a time."""
        for body, move in zip(self._bodies, moves, strict=True):
            points, matrix = move.at(t)
            body.points = points
            body.pose = Pose.from_matrix(matrix)

    def at(self, moves: tuple[Move, Move], t: float, frame: int) -> PairState:
        """Answer for the bodies of the pair as they are at a time, from cold."""
        self.put(moves, t)
        self._tracker.reset()
        found = self._tracker.update()
        a, b = self._pair
        editions = (a.edition, b.edition)
        hulls = found.hulls
        return PairState(found.numbers, found.regime, frame, a, b, editions, (), hulls)

    def first_near(
        self, moves: tuple[Move, Move], level: float, hulls: Ending
    ) -> Ending:
        """Return when surfaces that are not convex are first as near as a level.

        From when their hulls are.  No vertex is faster than ``speed``, so surfaces that
        are d apart stay so for d / speed: a slow way, undecided after ``WORK`` answers.
        When surfaces touch, their features know exactly (``first_hit``).
        """
        speed = speed_of(moves)
        hit = first_hit(moves, self._pair, hulls.lower) if level == 0.0 else None
        t, until, step = hulls.lower, hulls.lower, STEP
        for _ in range(WORK):
            if hit is not None and t >= hit[0] - STEP:
                break
            self.put(moves, until)
            state = self._tracker.update()
            gains = (state.lower - level) / speed
            if state.upper <= level:
                if until == t:
                    break
                return hulls._replace(ended=MET, lower=t, upper=until)
            if gains > STEP and until - gains <= t:  # free since t, and for a while
                t = until = until + gains
                step = STEP
                if t >= 1.0:
                    return hulls._replace(ended=FREE, lower=1.0)
            elif until == 1.0 or hit is not None:
                break
            else:  # within rounding of the level: look a little later
                until = min(1.0, t + step)
                step *= 4.0
        if hit is not None:
            return hulls._replace(ended=MET, lower=min(t, hit[0]), upper=hit[1])
        return hulls._replace(ended=UNDECIDED, lower=t, upper=1.0)


def first_hit(
    moves: tuple[Move, Move], bodies: tuple[Body, Body], since: float
) -> tuple[float, float] | None:
    """Find when any vertex meets a face, or two edges meet, after a time.

    Exact for positions rounded at both ends of a window, and widened by what that may
    mean; in windows that grow, each with the pairs whose boxes meet on the way.
    """
    window = FIRST_WINDOW
    speed = speed_of(moves)
    a, b = (body.mesh for body in bodies)
    while since < 1.0:
        until = min(1.0, since + window)
        ends = [[world_at(move, t) for move in moves] for t in (since, until)]
        size = max(float(np.abs(p).max()) for both in ends for p in both)
        ids = [np.arange(mesh.n_vertices)[:, None] for mesh in (a, b)]
        sides: list[tuple[Any, Any, int, Callable[..., Any]]] = [
            (ids[0], b.fan[0], 0, moving_point_triangle.hit),
            (ids[1], a.fan[0], 1, moving_point_triangle.hit),
            (a.edge_vertices, b.edge_vertices, 0, moving_segment_segment.hit),
        ]
        times = []
        for one, other, k, hits in sides:
            before, after = ([both[k], both[1 - k]] for both in ends)
            rows = meeting_boxes(one, other, before, after)
            corners = [
                np.concatenate([p[one[rows[0]]], q[other[rows[1]]]], axis=1)
                for p, q in (before, after)
            ]
            found = hits(*corners)
            times += [*zip(found.lower[found.hit], found.upper[found.hit], strict=True)]
        if times:
            slack = max(0.25 * STEP, 64.0 * 2.0**-52 * size / speed)
            lower, upper = min(times)
            width = until - since
            return since + width * lower - slack, since + width * upper + slack
        since, window = until, 2.0 * window
    return None


def meeting_boxes(
    one: NDArray[np.int32],
    other: NDArray[np.int32],
    before: list[Array],
    after: list[Array],
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List the pairs of pieces of two bodies whose boxes meet on the way."""
    boxes = []
    for ids, k in ((one, 0), (other, 1)):
        places = np.concatenate([before[k][ids], after[k][ids]], axis=1)
        boxes.append((places.min(axis=1), places.max(axis=1)))
    (low, high), (least, most) = boxes
    rows: tuple[list[NDArray[np.intp]], list[NDArray[np.intp]]] = [], []
    for k in range(0, len(low), BLOCK):
        part = slice(k, k + BLOCK)
        near = (low[part, None] <= most) & (least <= high[part, None])
        i, j = np.nonzero(near.all(axis=2))
        rows[0].append(i + k)
        rows[1].append(j)
    return np.concatenate(rows[0]), np.concatenate(rows[1])


def world_at(move: Move, t: float) -> Array:
    """Return where the vertices of a body are at a time, in the world."""
    points, matrix = move.at(t)
    return placed(points, matrix[:, :3]) + matrix[:, 3]


def ghost_of(body: Body) -> Body:
    """Return a body of the same mesh that refuses nothing."""
    answered = "surface" if body.convexity == "raise" else body.convexity
    return Body(body.mesh, name=body.name, convexity=answered)


def speed_of(moves: tuple[Move, Move]) -> float:
    """Bound how fast the distance of two bodies may change, per frame."""
    ways = [
        placed(m.end, m.end_map[:, :3])
        + m.end_map[:, 3]
        - placed(m.start, m.start_map[:, :3])
        - m.start_map[:, 3]
        for m in moves
    ]
    mean = ways[0].mean(axis=0)  # what both do alike changes nothing
    fastest = [float(np.sqrt(((way - mean) ** 2).sum(axis=1).max())) for way in ways]
    return (1.0 + 1e-12) * sum(fastest) + 1e-300


ROOM = 1000  # planes of a chain
PARALLEL = 1e-12  # heights within this, per unit of size, are level


class PairPaths:
    """The buffers of two bodies on their way, there and back."""

    def __init__(self, a: Body, b: Body, contact: float, release: float) -> None:
        self.moves: tuple[Move, Move] | None = None
        self._pair_of = a, b, contact, release
        self._meshes = a.mesh, b.mesh
        self._arrays: list[list[Array]] = []
        self._ways = [np.zeros(1, np.int32), np.zeros(1, np.int32)]
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
        self._tables = [(*ends, self._pair, self._chain) for ends in (there, back)]
        self._follow = Bound(follow_planes), Bound(follow_planes)

    @cached_property
    def ghosts(self) -> Ghosts:
        """Bodies like those of the pair, to be put where these are on their way."""
        return Ghosts(*self._pair_of)

    def turn_to(self, a: Body, b: Body, contact: float, release: float) -> None:
        """Serve another pair of the same meshes, proven convex in the same way."""
        pair = a, b, contact, release
        if pair != self._pair_of:
            self._pair_of, self.moves = pair, None
            self.__dict__.pop("ghosts", None)

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
            start[...] = points[...] = move.start
            end[...] = move.end
            start_map[...] = move.start_map
            end_map[...] = move.end_map
            stays = (start_map[:, :3] == end_map[:, :3]).all()
            bends = move.start is not move.end
            way[0] = (BENDING if stays else BOTH) if bends else TURNING
        self.moves = moves

    def at(self, t: float, frame: int) -> PairState:
        """Answer for the bodies as they are at a time on the way, from cold."""
        assert self.moves is not None
        return self.ghosts.at(self.moves, t, frame)

    def first(
        self, level: float, normal: Array | None = None, *, back: bool = False
    ) -> Ending:
        """Ask when the surfaces are first, or ``back``: last, as near as a level."""
        found = self.ask(level, normal, back=back)
        moves = self.moves
        if found.ended != MET or found.solid or moves is None:
            return found
        narrow = found.upper - found.lower <= NARROW
        if narrow and self.at(found.lower if back else found.upper, 0).upper <= level:
            return found
        if not back:
            return self.ghosts.first_near(moves, level, found)
        turned = moves[0].turned(), moves[1].turned()
        return self.ghosts.first_near(turned, level, found.turned()).turned()

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


def _view(body: Body, points: Array, matrix: Array) -> BodyView:
    """Lay out a body at a time between: rings guide, nothing is proven by them."""
    mesh = body.mesh
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
