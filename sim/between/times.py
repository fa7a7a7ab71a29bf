"""A world that looks between its frames: which pairs touched and parted there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.between.gap import FrameGap, PathBuffers, Rules, Seen, TimedEvents, alike
from sim.between.moves import Array
from sim.between.told import WHOLE, brush_of
from sim.body.body import Body
from sim.contact_manager import ContactManager, FrameRecord
from sim.engine.bound import Bound, floats, ints
from sim.events.touch import later
from sim.frame import Frame
from sim.kernels.between.crowd import Crowd, Gaps, MovingBody, prove_gaps
from sim.result.answers import PairAnswers
from sim.tracking.broadphase import BodyBoxes, BroadPhase
from sim.tracking.options import thresholds

EDITED = "the mesh of a body was edited"
DEEP = 2  # the regime of bodies that overlap
ROUNDING = 1e-13  # of coordinates: what is no deeper is no overlap


class EventTimes:
    """Say when events happened, and what happened and was over before the next frame.

    Every vertex goes straight from frame to frame, so frames alone determine it.  What
    touched and parted is found at once, when that was and the rest was when it is read.

    Parameters: ``bodies`` of the world; ``stage``: what answers for them; ``dt``: the
    time between two frames.
    """

    def __init__(
        self, bodies: Sequence[Body], stage: ContactManager, dt: float
    ) -> None:
        self._count = len(bodies)
        self._stage = stage
        rules = stage.rules
        self._rules = Rules(tuple(bodies), rules.contact_distance, dt)
        self._buffers = PathBuffers()
        self.seen: tuple[Seen, ...] = ()  # the last frame and the one before
        place = {body.name: k for k, body in enumerate(bodies)}
        ignored = [sorted(place[name] for name in pair) for pair in rules.ignore]
        self._ignored = np.array(ignored, int).reshape(-1, 2)
        self._boxes = BodyBoxes.of(len(bodies))
        reach = [
            thresholds(body, body, rules.contact_distance, None)[0] for body in bodies
        ]
        self._level = np.array(reach)  # contact begins at the lesser of two
        self._near = BroadPhase(self._boxes, max(reach, default=0.0))
        self._room = Room(len(bodies))

    def timed(self, frame: Frame, told: FrameRecord) -> Frame:
        """Return a frame with the times of its events, and the brushes before it."""
        before = next((s for s in self.seen if s.frame == frame.index - 1), None)
        here = self._see(frame.index, frame.bodies, told)
        if before is None:
            return frame
        self.seen = before, here
        answers = before.answers, told.answers
        gap = FrameGap(before, frame, answers, self._rules, self._buffers)
        np.minimum(before.low, here.low, out=self._boxes.low)
        np.maximum(before.high, here.high, out=self._boxes.high)
        self._look(frame, before.answers, gap)
        timed = replace(frame, events=TimedEvents(frame.events, gap))
        return later(timed, gap.undecided, "undecided")

    def begin(self, snapshots: Any, told: FrameRecord) -> None:
        """Go on after a recorded frame: where its bodies were, what it told."""
        if told.next_frame > 0:
            self._stage.bound(told.next_frame - 1)
            self._see(told.next_frame - 1, snapshots, told)

    def _see(self, index: int, snapshots: Any, told: FrameRecord) -> Seen:
        low, high = (side.copy() for side in self._stage.boxes[:2])
        here = Seen(index, snapshots, low, high, told.answers)
        self.seen = (here,)
        return here

    def _look(self, frame: Frame, before: PairAnswers, gap: FrameGap) -> None:
        """Find which pairs touched and parted on the way to this frame.

        And those in contact at an end that may have undone it: of them it is asked when
        events are read.
        """
        ends, after = self._near.near_pairs(), gap.answers[1]
        if not len(ends):
            return
        asked = ~np.isin(self._keys(ends), self._keys(self._ignored))
        for i, j in ends[asked & gap.edited[ends].any(axis=1)].tolist():
            gap.open[i, j] = [(*WHOLE, EDITED)]
        ends = ends[asked & gap.same[ends].all(axis=1)]
        old, new = (self._rows(ends, answers) for answers in (before, after))
        was, now = (
            np.append(answers.regimes, 0)[row]  # row -1: not reported
            for answers, row in ((before, old), (after, new))
        )
        apart = (was == 0) & (now == 0)
        lasts = (was > 0) & (now > 0)
        normals = directions(gap, ends)
        lower = np.where(new >= 0, np.append(after.lower, 0.0)[new], 0.0)
        normals[new >= 0] = after.normal[new[new >= 0]]
        low, high = self._boxes.low, self._boxes.high
        deep = -ROUNDING * np.maximum(abs(low), abs(high)).max(axis=1)[ends].sum(axis=1)
        level = np.where(apart, self._level[ends].min(axis=1), deep)
        unproven = self._unproven(ends, normals, lower, level, gap)
        for i, j in ends[apart & unproven].tolist():
            brush = brush_of(gap.paths_of((i, j)), frame.index, gap.who((i, j)))
            if brush is not None and brush.when is not None:
                gap.brushes.append(replace(brush, time=gap.time_of(brush.when)))
        dips = ~apart & unproven & (was < DEEP) & (now < DEEP)
        for k in np.flatnonzero(dips | lasts).tolist():
            pair = int(ends[k, 0]), int(ends[k, 1])
            gap.touching.append((pair, int(old[k]), int(new[k])))

    def _rows(self, ends: NDArray[Any], answers: PairAnswers) -> NDArray[np.intp]:
        """Return the rows of pairs in some answers; -1 where there is none."""
        keys, known = self._keys(ends), self._keys(answers.ends)
        row = np.searchsorted(known, keys)
        return np.where(np.append(known, -1)[row] == keys, row, -1)

    def _keys(self, ends: NDArray[Any]) -> NDArray[np.int64]:
        """Return a number for each pair, ascending as they are."""
        keys: NDArray[np.int64] = ends[:, 0].astype(np.int64) * self._count
        keys += ends[:, 1]
        return keys

    def _unproven(
        self,
        ends: NDArray[np.int32],
        normals: Array,
        lower: Array,
        level: Array,
        gap: FrameGap,
    ) -> NDArray[np.bool_]:
        """Say which pairs are not proven apart by distances or their own directions."""
        free = np.zeros(len(ends), np.int32)
        if len(ends):
            arrays = floats(np.ascontiguousarray(normals)), floats(lower), floats(level)
            ids = ints(np.ascontiguousarray(ends, np.int32))
            self._room.prove(gap, Gaps(len(ends), ids, *arrays, ints(free)))
        unproven: NDArray[np.bool_] = free == 0
        return unproven


def directions(gap: FrameGap, ends: NDArray[np.int32]) -> Array:
    """Return directions from bodies to others, from their origins."""
    places = gap.end.poses[:, :, 3]
    ways: Array = places[ends[:, 1]] - places[ends[:, 0]]
    lengths = np.sqrt((ways * ways).sum(axis=1))[:, None]
    np.divide(ways, lengths, out=ways, where=lengths > 0.0)
    return ways


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

    def prove(self, gap: FrameGap, gaps: Gaps) -> None:
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
