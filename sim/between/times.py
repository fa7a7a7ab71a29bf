"""What happened between two frames of a world, and when: asked when it is read.

Which pairs may have touched and parted there is found at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import is_
from threading import local
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.between.losses import losses_between
from sim.between.moves import Array, Move, like
from sim.between.paths import PairPaths
from sim.between.told import ASKED, WHOLE, Span, hidden, when_of
from sim.contact_manager import ContactManager, FrameRecord
from sim.engine.bound import Bound, floats, ints
from sim.events.changes import telling
from sim.events.event import Event
from sim.events.touch import later
from sim.frame import Frame, Snapshots, Undecided
from sim.kernels.between.crowd import Crowd, Gaps, MovingBody, prove_gaps
from sim.kernels.trajectory import EPA, PROOF
from sim.result.answers import PairAnswers
from sim.result.state import BodyPair
from sim.tracking.broadphase import BodyBoxes, BroadPhase
from sim.tracking.options import Ends
from wingedge.mesh import WingedEdgeMesh

Pair = tuple[int, int]
Kind = tuple[WingedEdgeMesh, WingedEdgeMesh, str, str]
KEPT = 64  # buffers for pairs of two meshes that are kept


class Seen(NamedTuple):
    """What is kept of a frame for the next one."""

    frame: int
    bodies: Snapshots
    low: Array  # (B, 3) of the box of every body in the world
    high: Array
    answers: PairAnswers


class PathBuffers(local):
    """Room for pairs of meshes on their way, of each thread; the last ones are kept."""

    def __init__(self) -> None:
        self.of = lru_cache(KEPT)(_paths_of)


def _paths_of(kind: Kind, ends: Ends) -> PairPaths:
    a, b = map(like, kind[:2], "ab", kind[2:])
    return PairPaths(a, b, ends)


class FrameGap:
    """The way of all bodies from a frame to the next, every vertex going straight.

    A value: it answers alike however far the world has gone on since.
    """

    def __init__(
        self,
        before: Seen,
        frame: Frame,
        answers: tuple[PairAnswers, PairAnswers],
        times: EventTimes,
    ) -> None:
        self.start = before.bodies
        self.end: Snapshots = frame.bodies  # type: ignore[assignment]
        self._index, self._frame = frame.index, frame
        self._times = times
        self.open: dict[Pair, list[tuple[float, float, str]]] = {}
        # what may hide: pairs, and their rows in the answers at both ends, -1: no row
        self.unproven: list[tuple[int, int, int, int]] = []
        self.answers = answers  # of the frame before, and of this one
        # whose mesh is the same in both, and who went there and did not jump
        self.same = alike(self.start.meshes, self.end.meshes)
        self.edited = ~self.same
        if frame.cut:
            self.same[[self.end.places[name] for name in frame.cut]] = False

    def move(self, k: int) -> Move:
        """Return the way of a body."""
        points = self.start.points[k], self.end.points[k]
        return Move(*points, self.start.poses[k], self.end.poses[k])

    def paths_of(self, pair: Pair) -> PairPaths:
        """Return a pair on its way."""
        (i, j), meshes, bodies = pair, self.end.meshes, self.answers[1].bodies
        kind = meshes[i], meshes[j], bodies[i].convexity, bodies[j].convexity
        paths = self._times.buffers.of(kind, self._times.stage.ends(i, j))
        paths.load((self.move(i), self.move(j)))
        paths.open = self.open.setdefault(pair, [])
        return paths

    def __iter__(self) -> Iterator[Event]:
        """Tell what happened by the end, with times, and what was over before it."""
        for event in self._frame.events:
            yield later(replace(event), self._asked, "when", "time")
        bodies, editions = self.answers[1].bodies, self.answers[1].editions
        for i, j, *rows in self.unproven:
            pair = BodyPair(bodies[i], bodies[j], (editions[i], editions[j]))
            first, last = (
                None if row < 0 else answers[row]
                for row, answers in zip(rows, self.answers, strict=True)
            )
            paths = self.paths_of((i, j))
            for event in hidden(paths, first, last, self._index, pair):
                yield replace(event, time=self.time_of(event.when or WHOLE))

    def _asked(self, event: Event) -> dict[str, object]:
        when = self._when(event)
        return {"when": when, "time": self.time_of(when)}

    def time_of(self, when: Span) -> float:
        """Return the time in the middle of an interval."""
        return (self._index - 1 + 0.5 * (when[0] + when[1])) * self._times.dt

    def _when(self, event: Event) -> Span:
        names = [event.a, event.b] if event.b else [event.a]
        places = [self.end.places[name] for name in names]
        if not self.same[places].all():
            return WHOLE
        if event.kind == "convexity_lost":
            return self._lost(places[0])
        timed = event.kind in ASKED or event.kind == "change"
        return when_of(event, self.paths_of((places[0], places[1]))) if timed else WHOLE

    def _lost(self, k: int) -> Span:
        """Return when a body first lost convexity, if it had it and only bends."""
        move = self.move(k)
        if (move.start_map[:, :3] != move.end_map[:, :3]).any():
            return WHOLE
        found = losses_between(self.end.meshes[k], move.start, move.end)
        return (found.lower[0], found.upper[0]) if len(found.lower) else WHOLE

    def undecided(self, frame: Frame) -> dict[str, tuple[Undecided, ...]]:
        """Return what was left open of a frame, pair by pair, when all is asked."""
        for event in frame.events:
            if event.kind in ASKED:
                event.when  # noqa: B018 - asks for it
        names = list(self.end.places)
        found = (
            Undecided(names[i], names[j], (lower, upper), why)
            for (i, j), left in sorted(self.open.copy().items())
            for lower, upper, why in sorted(set(left))
        )
        return {"undecided": tuple(found)}


def alike(one: Sequence[object], two: Sequence[object]) -> NDArray[np.bool_]:
    """Say which members of two sequences are the same objects."""
    if one is two:
        return np.ones(len(one), bool)
    return np.fromiter(map(is_, one, two), bool, len(one))


EDITED = "the mesh of a body was edited"
DEEP = 2  # the regime of bodies that overlap
ROUNDING = 1e-13  # of coordinates: what is no deeper is no overlap


class EventTimes:
    """Say when events happened, and what happened and was over before the next frame.

    Every vertex goes straight from frame to frame, so frames alone determine it.  What
    may have touched or parted is found at once, the rest when it is read.

    Parameters: ``stage``: what answers for the bodies; ``dt``: the time between two
    frames.
    """

    def __init__(self, stage: ContactManager, dt: float) -> None:
        count = len(stage.bodies)
        self.stage, self.dt = stage, dt
        self.buffers = PathBuffers()
        self.seen: tuple[Seen, ...] = ()  # the last frame and the one before
        self._boxes = BodyBoxes.of(count)
        self._level = np.array(stage.reach)  # contact begins at the lesser of two
        self._near = BroadPhase(self._boxes, max(stage.reach, default=0.0))
        self._room = Room(count)

    def timed(self, frame: Frame, told: FrameRecord) -> Frame:
        """Return a frame with the times of its events, and the brushes before it."""
        before = next((s for s in self.seen if s.frame == frame.index - 1), None)
        here = self._see(frame.index, frame.bodies, told)
        if before is None:
            return frame
        self.seen = before, here
        answers = before.answers, told.answers
        gap = FrameGap(before, frame, answers, self)
        np.minimum(before.low, here.low, out=self._boxes.low)
        np.maximum(before.high, here.high, out=self._boxes.high)
        self._look(gap)
        timed = telling(replace(frame, events=()), (gap,))
        return later(timed, gap.undecided, "undecided")

    def begin(self, snapshots: Any, told: FrameRecord) -> None:
        """Go on after a recorded frame: where its bodies were, what it told."""
        if told.next_frame > 0:
            self._see(told.next_frame - 1, snapshots, told)

    def _see(self, index: int, snapshots: Any, told: FrameRecord) -> Seen:
        low, high = (side.copy() for side in self.stage.bound(index)[:2])
        here = Seen(index, snapshots, low, high, told.answers)
        self.seen = (here,)
        return here

    def _look(self, gap: FrameGap) -> None:
        """Find which pairs may have done and undone something on the way to a frame.

        What that was is asked when events are read.
        """
        ends = self._near.near_pairs()
        if not len(ends):
            return
        asked = ~np.isin(self.stage.keys(ends), self.stage.ignored)
        for i, j in ends[asked & gap.edited[ends].any(axis=1)].tolist():
            gap.open[i, j] = [(*WHOLE, EDITED)]
        ends = ends[asked & gap.same[ends].all(axis=1)]
        after = gap.answers[1]
        old, new = rows = [self.stage.rows(ends, x) for x in gap.answers]
        was, now = (
            np.append(answers.regimes, 0)[row]  # row -1: not reported
            for answers, row in zip(gap.answers, rows, strict=True)
        )
        apart, lasts = (was == 0) & (now == 0), (was > 0) & (now > 0)
        near = np.maximum(was, now) < DEEP  # at an end, and may dip
        normals = directions(gap, ends)
        lower = np.where(new >= 0, np.append(after.lower, 0.0)[new], 0.0)
        normals[new >= 0] = after.normal[new[new >= 0]]
        normals[~near] = 0.0
        size = np.maximum(abs(self._boxes.low), abs(self._boxes.high)).max(axis=1)
        deep = -ROUNDING * size[ends].sum(axis=1)
        level = np.where(apart, self._level[ends].min(axis=1), deep)
        keeps = alike(gap.start.points, gap.end.points)
        rigid = keeps[ends[:, 0]] & keeps[ends[:, 1]]
        room = 4.0 * self._level[ends].min(axis=1) + deep  # of release, at both ends
        for answers, row in zip(gap.answers, rows, strict=True):
            room -= np.where(lasts, depth_of(answers, row, rigid), np.inf)
        free = self._room.prove(gap, ends, normals, lower, level, room)
        hides = (free & 1 == 0) & near | lasts & (free < 2)
        found = np.column_stack([ends, old, new])
        kinds = apart[hides], found[hides]
        gap.unproven = [*kinds[1][kinds[0]].tolist(), *kinds[1][~kinds[0]].tolist()]


def depth_of(
    answers: PairAnswers, rows: NDArray[np.int32], rigid: NDArray[np.bool_]
) -> Array:
    """Bound how far apart, or how deep, bodies are that keep touching.

    What convex bodies, which do not bend, lose of a depth is what they move; else the
    points that touch are all that is known.
    """
    if not len(answers):
        return np.zeros(len(rows))
    proven = answers.facts[: len(answers), PROOF] == EPA
    proven[list(answers.kept)] = False
    upper = answers.upper[rows]
    return np.where(proven[rows] & rigid, upper, np.maximum(upper, 0.0))


def directions(gap: FrameGap, ends: NDArray[np.int32]) -> Array:
    """Return directions from bodies to others, from their origins."""
    places = gap.end.poses[:, :, 3]
    ways: Array = places[ends[:, 1]] - places[ends[:, 0]]
    lengths = np.sqrt((ways * ways).sum(axis=1))[:, None]
    np.divide(ways, lengths, out=ways, where=lengths > 0.0)
    return ways


class Room:
    """Memory for all bodies of a world at both ends of a frame, laid out once."""

    def __init__(self, count: int) -> None:
        self._maps = np.zeros((2, count, 3, 4))
        self._reach, self._sway = np.zeros((2, count))
        self._sizes: list[int] = []
        self._prove = Bound(prove_gaps)

    def prove(
        self, gap: FrameGap, ends: NDArray[np.int32], *asked: Array
    ) -> NDArray[np.int32]:
        """Say which pairs are proven to stay apart (1) or near (2), see ``Gaps``.

        Cost: one comparison a body; where one bends, all are copied.
        """
        free = np.zeros(len(ends), np.int32)
        if not len(ends):
            return free
        sizes = list(map(len, gap.end.points))
        if sizes != self._sizes:
            self._lay_out(sizes)
        for side, snapshots in enumerate((gap.start, gap.end)):
            self._maps[side] = snapshots.poses
            if not alike(snapshots.points, self._held[side]).all():
                fit = [
                    p if len(p) == v else np.resize(p, (v, 3))  # of an edited mesh
                    for p, v in zip(snapshots.points, sizes, strict=True)
                ]
                np.concatenate(fit, out=self._points[side])
            self._held[side] = snapshots.points
        still = alike(gap.start.points, gap.end.points)
        still &= (self._maps[0, :, :, :3] == self._maps[1, :, :, :3]).all(axis=(1, 2))
        self._sway[:] = np.where(still, 0.0, -1.0)
        self._reach[:] = -1.0
        n, lower, level, room = (floats(np.ascontiguousarray(x)) for x in asked)
        ids = ints(np.ascontiguousarray(ends, np.int32))
        gaps = Gaps(len(ends), ids, n, lower, level, room, ints(free))
        self._prove(self._crowd, gaps)
        return free

    def _lay_out(self, sizes: list[int]) -> None:
        self._sizes = sizes
        self._points = np.zeros((2, sum(sizes), 3))
        self._held: list[Sequence[object]] = [(None,) * len(sizes)] * 2
        places = np.cumsum(sizes)[:-1]
        sides = [np.split(points, places) for points in self._points]
        bodies = []
        for k, (start, end) in enumerate(zip(*sides, strict=True)):
            maps = floats(self._maps[0, k]), floats(self._maps[1, k])
            size = len(start)
            bodies.append(MovingBody(floats(start), floats(end), *maps, size))
        self._crowd = Crowd(tuple(bodies), floats(self._reach), floats(self._sway))
