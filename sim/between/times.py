"""When, between two frames of a world, what happened: the times of its events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.between.changes import ChangeFinder
from sim.between.losses import losses_between
from sim.between.moves import Array, Move
from sim.between.passage import ASKED, WHOLE, brush_of, when_of
from sim.between.paths import PairPaths
from sim.between.retelling import changes_on, may_change, retold
from sim.between.solids import flat_times, may_be_flat, when_of_volume
from sim.body.body import Body
from sim.contact_manager import ContactManager, FrameRecord
from sim.engine.bound import Bound, floats, ints
from sim.events.event import EVENT_KINDS, REGION_KINDS, Event
from sim.frame import Frame, Snapshots, Undecided
from sim.kernels.between.crowd import Crowd, Gaps, MovingBody, prove_gaps
from sim.tracking.broadphase import BodyBoxes, BroadPhase
from sim.tracking.options import thresholds
from wingedge.mesh import WingedEdgeMesh

Pair = tuple[int, int]
Ends = tuple[Frame, Frame]  # the last two
Sides = tuple[Array, Array]  # of boxes, the least and the greatest coordinates
Kind = tuple[WingedEdgeMesh, WingedEdgeMesh, str, str]
VOLUME_KINDS = ("collapsed", "expanded", "inverted", "upright")
EDITED = "the mesh of a body was edited"
KEPT = 64  # buffers for pairs of two meshes that are kept


class EventTimes:
    """Say when events happened, and what happened and was over before the next frame.

    Every vertex goes straight from frame to frame, so frames alone determine it.

    Parameters: ``bodies`` of the world; ``stage``: what answers for them; ``dt``: the
    time between two frames.
    """

    def __init__(
        self, bodies: Sequence[Body], stage: ContactManager, dt: float
    ) -> None:
        self._bodies = bodies
        self._stage = stage
        self._contact = stage.rules.contact_distance
        self._dt = dt
        self.frames: tuple[Frame, ...] = ()  # the last two, all that is carried on
        self._seen: tuple[tuple[Frame, Sides], ...] = ()  # these, and their boxes
        self._paths: dict[Kind, PairPaths] = {}
        self._place = {body.name: k for k, body in enumerate(bodies)}
        ignored = ([self._place[name] for name in pair] for pair in stage.rules.ignore)
        self._ignored = [(min(pair), max(pair)) for pair in ignored]
        self._boxes = BodyBoxes.of(len(bodies))
        reach = [self._ends_of(k, k)[0] for k in range(len(bodies))]
        self._level = np.array(reach)  # contact begins at the lesser of two
        self._near = BroadPhase(self._boxes, max(reach, default=0.0))
        self._room = Room(len(bodies))
        self._open: dict[Pair, list[tuple[float, float, str]]] = {}

    def timed(self, frame: Frame, told: FrameRecord) -> Frame:
        """Return a frame with the times of its events, and the brushes before it."""
        before = next((f for f in self.frames if f.index == frame.index - 1), None)
        boxes = self._stage.boxes
        sides = boxes.low.copy(), boxes.high.copy()
        events: Sequence[Event] = frame.events
        if before is not None:
            known = (were for seen, were in self._seen if seen is before)
            low, high = next(known, None) or boxes_of(before)
            np.minimum(low, sides[0], out=self._boxes.low)
            np.maximum(high, sides[1], out=self._boxes.high)
            gap = _Gap(before, frame)
            events = [self._timed(event, gap) for event in events]
            events = self._with_changes(events, (before, frame), told, gap)
            events = self._flat(frame, gap) + events
            happened = [self._pair_of(event) for event in events if event.b]
            events += self._brushes(frame, told, gap, happened)
        frame = replace(frame, events=tuple(events), undecided=self._undecided())
        self.frames = (*self.frames[-1:], frame)
        self._seen = (*self._seen[-1:], (frame, sides))
        return frame

    def _undecided(self) -> tuple[Undecided, ...]:
        """Return what was left open since it was asked for last, pair by pair."""
        names = [body.name for body in self._bodies]
        found = [
            Undecided(names[i], names[j], (lower, upper), why)
            for (i, j), left in sorted(self._open.items())
            for lower, upper, why in dict.fromkeys(left)
        ]
        self._open = {}
        return tuple(found)

    def _ends_of(self, i: int, j: int) -> tuple[float, float]:
        return thresholds(self._bodies[i], self._bodies[j], self._contact, None)

    def _timed(self, event: Event, gap: _Gap) -> Event:
        """Return an event with its time."""
        when = WHOLE
        if event.kind == "convexity_lost":
            when = gap.lost(self._place[event.a])
        elif event.kind in VOLUME_KINDS:
            when = gap.turned(event.kind, self._place[event.a])
        elif event.kind in ASKED:
            pair = self._place[event.a], self._place[event.b]
            if gap.same[list(pair)].all():
                when = when_of(event.kind, self._paths_of(pair, gap))
        return self._at(event, when)

    def _flat(self, frame: Frame, gap: _Gap) -> list[Event]:
        """Tell which bodies have no volume on the way, for their maps are flat."""
        start, end = gap.start.poses[:, :, :3], gap.end.poses[:, :, :3]
        turns = (start != end).any(axis=(1, 2))  # others keep their map all the way
        some = np.flatnonzero(gap.same & turns)
        if len(some):
            some = some[may_be_flat(start[some], end[some])]
        return [
            self._at(
                Event(frame.index, "collapsed", self._bodies[k].name, "", -1), when
            )
            for k in some.tolist()
            for when in flat_times(gap.move(k))
        ]

    def _with_changes(
        self, events: list[Event], frames: Ends, told: FrameRecord, gap: _Gap
    ) -> list[Event]:
        """Tell the changes of pairs in contact by time, with those that went back."""
        own: dict[Pair, list[Event]] = {}
        for event in events:
            if event.kind in EVENT_KINDS:
                own.setdefault(self._pair_of(event), []).append(event)
        now = frames[1].pairs
        for pair in map(tuple, now.ends[now.regimes != 0].tolist()):
            own.setdefault(pair, [])
        rest = [e for e in events if e.b and e.kind not in EVENT_KINDS]
        for pair, mine in own.items():
            rest += self._retold(pair, mine, frames, told, gap)
        rest.sort(key=lambda e: (self._pair_of(e), e.kind in REGION_KINDS))
        return [e for e in events if not e.b] + rest

    def _retold(
        self,
        pair: Pair,
        events: list[Event],
        frames: Ends,
        told: FrameRecord,
        gap: _Gap,
    ) -> Sequence[Event]:
        """Tell the events of a pair with its changes, where these can be found."""
        rows = [frame.pairs.row_of(*pair) for frame in frames]
        if min(rows) < 0 or not gap.same[list(pair)].all():
            return events
        first, last = (f.pairs.state(k) for f, k in zip(frames, rows, strict=True))
        bodies, moves = (first.a, first.b), (gap.move(pair[0]), gap.move(pair[1]))
        finder = ChangeFinder(bodies, moves, lambda t: paths.at(t, last.frame))
        if not may_change(finder, first, last):
            return events
        paths = self._paths_of(pair, gap)
        found = changes_on(paths, finder, first, last)
        contact = told.contacts[told.answers.row_of(*pair)]
        contact = max([int(contact), *(event.contact for event in events)])
        whole = [self._at(e, e.when or WHOLE) for e in retold(events, found)]
        return [replace(event, contact=contact) for event in whole]

    def _pair_of(self, event: Event) -> Pair:
        return self._place[event.a], self._place[event.b]

    def _paths_of(self, pair: Pair, gap: _Gap) -> PairPaths:
        """Return a pair on its way."""
        a, b = (self._bodies[k] for k in pair)
        ends = self._ends_of(*pair)
        kind = a.mesh, b.mesh, a.convexity, b.convexity
        made = self._paths.pop(kind, None)
        paths = PairPaths(a, b, *ends) if made is None else made
        paths.turn_to(a, b, *ends)
        self._paths[kind] = paths  # the latest stands last
        if len(self._paths) > KEPT:
            del self._paths[next(iter(self._paths))]
        paths.load((gap.move(pair[0]), gap.move(pair[1])))
        paths.open = self._open.setdefault(pair, [])
        return paths

    def _brushes(
        self, frame: Frame, told: FrameRecord, gap: _Gap, happened: list[Pair]
    ) -> list[Event]:
        """Tell which pairs touched and parted on the way to this frame."""
        ends = self._near.near_pairs()
        if not len(ends):
            return []
        answers = told.answers
        keys, known = self._keys(ends), self._keys(answers.ends)
        passed = [*self._ignored, *happened]
        asked = np.ones(len(ends), bool)
        if passed:
            asked = ~np.isin(keys, self._keys(np.array(passed, int)))
        for i, j in ends[asked & gap.edited[ends].any(axis=1)].tolist():
            self._open[i, j] = [(*WHOLE, EDITED)]
        asked &= gap.same[ends].all(axis=1)
        row = np.searchsorted(known, keys)
        row = np.where(np.append(known, -1)[row] == keys, row, -1)
        asked &= np.append(answers.regimes, 0)[row] == 0  # row -1: not reported
        ends, row = ends[asked], row[asked]
        normals = gap.directions(ends)
        lower = np.where(row >= 0, np.append(answers.lower, 0.0)[row], 0.0)
        normals[row >= 0] = answers.normal[row[row >= 0]]
        found = []
        for i, j in ends[self._unproven(ends, normals, lower, gap)].tolist():
            brush = brush_of(self._paths_of((i, j), gap), frame.index)
            if brush is not None:
                found.append(self._at(brush, brush.when or WHOLE))
        return found

    def _keys(self, ends: NDArray[Any]) -> NDArray[np.int64]:
        """Return a number for each pair, ascending as they are."""
        keys: NDArray[np.int64] = ends[:, 0].astype(np.int64) * len(self._bodies)
        keys += ends[:, 1]
        return keys

    def _unproven(
        self, ends: NDArray[np.int32], normals: Array, lower: Array, gap: _Gap
    ) -> NDArray[np.bool_]:
        """Say which pairs are not proven apart by distances or their own directions."""
        free = np.zeros(len(ends), np.int32)
        if len(ends):
            level = self._level[ends].min(axis=1)
            arrays = floats(np.ascontiguousarray(normals)), floats(lower), floats(level)
            ids = ints(np.ascontiguousarray(ends, np.int32))
            self._room.prove(gap, Gaps(len(ends), ids, *arrays, ints(free)))
        unproven: NDArray[np.bool_] = free == 0
        return unproven

    def _at(self, event: Event, when: tuple[float, float]) -> Event:
        """Return an event with a time between two frames."""
        time = (event.frame - 1 + 0.5 * (when[0] + when[1])) * self._dt
        return replace(event, when=when, time=time)


def boxes_of(frame: Frame) -> Sides:
    """Bound the bodies of a frame in the world, one by one."""
    points = [body.world_points() for body in frame.bodies]
    return np.array([p.min(0) for p in points]), np.array([p.max(0) for p in points])


class _Gap:
    """Two frames, one after the other: where all bodies are in both."""

    def __init__(self, before: Frame, frame: Frame) -> None:
        start: Any = before.bodies
        end: Any = frame.bodies
        self.start: Snapshots = start
        self.end: Snapshots = end
        # whose mesh is the same in both, and who went there and did not jump
        self.same = alike(start.meshes, end.meshes)
        self.edited = ~self.same
        if frame.cut:
            self.same = self.same & ~np.isin([body.name for body in end], frame.cut)

    def move(self, k: int) -> Move:
        """Return the way of a body."""
        points = self.start.points[k], self.end.points[k]
        return Move(*points, self.start.poses[k], self.end.poses[k])

    def lost(self, k: int) -> tuple[float, float]:
        """Return when a body first lost convexity, if it had it and only bends."""
        move = self.move(k)
        turns = (move.start_map[:, :3] != move.end_map[:, :3]).any()
        if turns or not self.same[k]:
            return WHOLE
        found = losses_between(self.end.meshes[k], move.start, move.end)
        return (found.lower[0], found.upper[0]) if len(found.lower) else WHOLE

    def turned(self, kind: str, k: int) -> tuple[float, float]:
        """Return when a body lost or got its volume, or turned inside-out and back."""
        if not self.same[k]:
            return WHOLE
        return when_of_volume(kind, self.end.meshes[k], self.move(k)) or WHOLE

    def directions(self, ends: NDArray[np.int32]) -> Array:
        """Return directions from bodies to others, from their origins."""
        places = self.end.poses[:, :, 3]
        ways: Array = places[ends[:, 1]] - places[ends[:, 0]]
        lengths = np.sqrt((ways * ways).sum(axis=1))[:, None]
        np.divide(ways, lengths, out=ways, where=lengths > 0.0)
        return ways


def alike(one: Sequence[object], two: Sequence[object]) -> NDArray[np.bool_]:
    """Say which members of two sequences are the same objects."""
    if one is two:
        return np.ones(len(one), bool)
    return np.fromiter(map(is_, one, two), bool, len(one))


class Room:
    """Memory for all bodies of a world at both ends of a frame, laid out once.

    What was the end is the start of the next frame: two sides, by turns.
    """

    def __init__(self, count: int) -> None:
        self._maps = np.zeros((2, count, 3, 4))
        self._reach, self._sway = np.zeros((2, count))
        self._sizes: list[int] = []
        self._turn = 0
        self._prove = (
            Bound(prove_gaps),
            Bound(prove_gaps),
        )  # each with its side laid out

    def prove(self, gap: _Gap, gaps: Gaps) -> None:
        """Say which pairs are apart throughout, in ``gaps.free``.

        Cost: one comparison a body; those that bent are copied, all of them.
        """
        sizes = list(map(len, gap.end.points))
        if sizes != self._sizes:
            self._lay_out(sizes)
        self._turn = 1 - self._turn
        for side, snapshots in ((1 - self._turn, gap.start), (self._turn, gap.end)):
            self._maps[side] = snapshots.poses
            points, held = snapshots.points, self._held[side]
            if points is not held and not alike(points, held).all():
                fit = [
                    np.resize(p, (v, 3)) if len(p) != v else p
                    for p, v in zip(points, sizes, strict=True)
                ]
                np.concatenate(fit, out=self._points[side])
            self._held[side] = points
        still = alike(gap.start.points, gap.end.points)
        still &= (self._maps[0, :, :, :3] == self._maps[1, :, :, :3]).all(axis=(1, 2))
        self._sway[:] = np.where(still, 0.0, -1.0)
        self._reach[:] = -1.0
        self._prove[self._turn](self._crowds[self._turn], gaps)

    def _lay_out(self, sizes: list[int]) -> None:
        self._sizes = sizes
        self._points = np.zeros((2, sum(sizes), 3))
        self._held: list[Sequence[object]] = [(None,) * len(sizes)] * 2
        places = np.cumsum([0, *sizes])
        self._crowds = []
        for turn in range(2):
            bodies = []
            for i, (first, size) in enumerate(zip(places[:-1], sizes, strict=True)):
                ends = [self._points[k][first : first + size] for k in (1 - turn, turn)]
                start, end = map(floats, ends)
                maps = [floats(self._maps[k, i]) for k in (1 - turn, turn)]
                bodies.append(MovingBody(start, end, maps[0], maps[1], size))
            rest = floats(self._reach), floats(self._sway)
            self._crowds.append(Crowd(tuple(bodies), *rest))
