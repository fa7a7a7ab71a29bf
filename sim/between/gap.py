"""What happened between two frames of a world, and when: asked when it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import is_
from threading import local
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.between.losses import losses_between
from sim.between.moves import Array, Move, like
from sim.between.paths import PairPaths
from sim.between.told import ASKED, WHOLE, Span, hidden, when_of
from sim.contact_manager import ContactManager
from sim.events.event import Event
from sim.events.touch import later
from sim.frame import Frame, Snapshots, Undecided
from sim.result.answers import PairAnswers
from sim.result.state import BodyPair
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
        stage: ContactManager,
        dt: float,
        buffers: PathBuffers,
    ) -> None:
        self.start = before.bodies
        self.end: Snapshots = frame.bodies  # type: ignore[assignment]
        self._index, self._of_frame = frame.index, frame.events
        self._stage, self._dt = stage, dt
        self._buffers = buffers
        self.open: dict[Pair, list[tuple[float, float, str]]] = {}
        # what may hide: pairs, and their rows in the answers at both ends, -1: no row
        self.unproven: list[tuple[int, int, int, int]] = []
        self.answers = answers  # of the frame before, and of this one
        self._editions = [body.edition for body in stage.bodies]
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
        (i, j), meshes, bodies = pair, self.end.meshes, self._stage.bodies
        kind = meshes[i], meshes[j], bodies[i].convexity, bodies[j].convexity
        paths = self._buffers.of(kind, self._stage.ends(i, j))
        paths.load((self.move(i), self.move(j)))
        paths.open = self.open.setdefault(pair, [])
        return paths

    def events(self) -> Iterator[Event]:
        """Tell what happened by the end, with times, and what was over before it."""
        for event in self._of_frame:
            yield later(replace(event), self._asked, "when", "time")
        bodies, editions = self._stage.bodies, self._editions
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
        return (self._index - 1 + 0.5 * (when[0] + when[1])) * self._dt

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
