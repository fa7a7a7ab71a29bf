"""Hand out frames of a running world, of a recording, or of another loop.

A source is a growing list of frames with its events.  Its oldest frames may be gone:
what a world has shown is kept as long as there is room, so that memory stays flat.
"""

import sys
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from operator import itemgetter
from os import SEEK_END
from tempfile import TemporaryFile
from typing import Any, TypeAlias

import numpy as np

from sim import Body, Event, Frame, PairState, Recording, World
from sim.arguments import check_count
from sim.frame import SnapshotRecorder, Snapshots
from sim.result.answers import PairAnswers
from wingedge import WingedEdgeMesh

KEPT_BYTES = 256 * 2**20  # of positions that a world has shown
KEPT_FRAMES = 20_000
_STATE_BYTES = 4096  # about what a frame weighs beside its positions, for each pair


class FrameSource:
    """Frames by their place, from ``first`` to ``len(source) - 1``.

    ``ended`` says whether no frame will come after the last one, ``trouble`` what ended
    it before its time.
    """

    ended = True
    trouble: Exception | None = None
    endless = False  # whether it goes on until somebody ends it
    _events: Sequence[tuple[int, Event]]

    def __init__(self, frames: Any, count: int = 0) -> None:
        self._frames, self._count = frames, count

    @property
    def dt(self) -> float:
        """The time between two frames, 1/60 where that cannot be told."""
        frames = self._frames
        if isinstance(frames, Recording):
            return float(frames.dt)
        passed = float(frames[-1].time - frames[-2].time) if len(frames) > 1 else 0.0
        return passed if passed > 0.0 else 1 / 60

    @property
    def first(self) -> int:
        """The place of the oldest frame that is still there."""
        return max(0, self._count - len(self._frames))

    def __len__(self) -> int:
        """Count all frames so far, those that are gone too."""
        return self._count

    def __getitem__(self, k: int) -> Frame:
        """Return a frame that is still there; RecordingError where it is damaged."""
        if not self.first <= k < self._count:
            there = f"frames {self.first} to {self._count - 1} are"
            raise IndexError(f"frame {k} is not there; {there}")
        frame: Frame = self._frames[k - self.first]
        return frame

    def extend(self) -> bool:
        """Make one more frame; False if there is none."""
        return False

    def events(self) -> Sequence[tuple[int, Event]]:
        """Everything that happened in frames that are there, with their places."""
        return self._events


class PushedFrames(FrameSource):
    """The frames that were handed over, as many as there is room for."""

    ended = False
    out_of_reach = "another loop moves these bodies: here they can be read only"

    def __init__(self, keep_bytes: int = KEPT_BYTES) -> None:
        super().__init__(deque[Frame]())
        self._events: list[tuple[int, Event]] = []
        self._room = keep_bytes

    def append(self, frame: Frame, events: Sequence[Event] | None = None) -> None:
        """Take a frame; ``events`` instead of its own, where they are given."""
        last = self._frames[-1].bodies if len(self._frames) else ()
        shared = {id(body.points) for body in last}
        weight = (
            _STATE_BYTES * len(frame.pairs)
            + 2 * len(getattr(frame.law, "packed", b""))  # and its arrays, once read
            + sum(b.points.nbytes for b in frame.bodies if id(b.points) not in shared)
        )
        self._frames.append(frame)
        happened = frame.events if events is None else events
        self._events += ((self._count, event) for event in happened)
        self._count += 1
        # as many as this one; it is shown itself, however heavy
        most = min(KEPT_FRAMES, max(1, self._room // max(1, weight)))
        while len(self._frames) > most:
            self._frames.popleft()
        gone = bisect_left(self._events, self.first, key=itemgetter(0))
        del self._events[:gone]


class RunningWorld(PushedFrames):
    """The frames of a world, made when asked for; up to ``keep_bytes`` are kept."""

    def __init__(
        self,
        world: World,
        frames: int | None = None,
        *,
        each: Callable[[Frame], None] | None = None,
        keep_bytes: int = KEPT_BYTES,
    ) -> None:
        super().__init__(keep_bytes)
        self.world = world
        self._each = each or (lambda _: None)
        self._limit, self.endless = frames, frames is None

    @property
    def dt(self) -> float:
        """The time between two frames."""
        return self.world.dt

    @property
    def ended(self) -> bool:  # type: ignore[override]
        """Whether it has come to its last frame, or into trouble."""
        done = self._limit is not None and self._count >= self._limit
        return done or self.trouble is not None

    def extend(self, *, more: bool = False) -> bool:
        """Step the world once; what a script raises is kept as ``trouble``.

        ``more``: for a hand that moved something, beyond the last frame; that raises.
        """
        if self.ended and not more:
            return False
        try:
            frame = self.world.step()
        except Exception as error:
            if more:
                raise
            error.add_note(f"in frame {self.world.index} of a world that was watched")
            self.trouble = error
            return False
        self.append(frame)
        self._each(frame)
        return True


class FiledRun(RunningWorld):
    """All frames of a world; positions that change are in a file that goes with it."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options, keep_bytes=sys.maxsize)
        self._file = TemporaryFile()  # noqa: SIM115  it is mapped as long as this is
        self._last: dict[int, tuple[Any, Any]] = {}  # positions, by identity, and filed

    def append(self, frame: Frame, events: Sequence[Event] | None = None) -> None:
        """Take a frame, and file what the one before did not have."""
        bodies: Any = frame.bodies
        fresh = [at for at in bodies.points if id(at) not in self._last]
        if fresh:
            start, ends = self._file.seek(0, SEEK_END), np.cumsum([*map(len, fresh)])
            np.concatenate(fresh).tofile(self._file)
            rows = np.memmap(self._file, np.float64, "r", start, (ends[-1], 3))
            pairs = zip(fresh, np.split(rows, ends[:-1]), strict=True)
            self._last |= {id(at): (at, filed) for at, filed in pairs}
        self._last = {id(at): self._last[id(at)] for at in bodies.points}
        points = tuple(self._last[id(at)][1] for at in bodies.points)
        filed = Snapshots(bodies.places, bodies.meshes, points, bodies.poses)
        super().append(replace(frame, bodies=filed), events)


class StoredFrames(FrameSource):
    """The frames of a recording, or of a list; nothing is made anew."""

    def __init__(
        self, frames: Recording | Sequence[Frame], limit: int | None = None
    ) -> None:
        count = len(frames)
        super().__init__(frames, count if limit is None else min(limit, count))

    @cached_property
    def _events(self) -> Sequence[tuple[int, Event]]:  # type: ignore[override]
        frames = self._frames
        if not isinstance(frames, Recording):
            some = enumerate(frames[: self._count])
            return [(k, event) for k, frame in some for event in frame.events]
        # it may have begun midway: events count the frames of their world
        start = frames[0].index if self._count else 0
        placed = [(e.frame - start, e) for e in frames.events]
        return [(k, event) for k, event in placed if k < self._count]


def source_of(
    shown: Any,  # a World, a Recording, a Frame, a sequence of frames
    frames: int | None = None,
    each: Callable[[Frame], None] | None = None,
    make: type[RunningWorld] = RunningWorld,
) -> FrameSource:
    """Make a source of whatever has frames; TypeError else."""
    frames = None if frames is None else check_count("frames", frames)
    if isinstance(shown, World):
        return make(shown, frames, each=each)
    if isinstance(shown, Recording | Sequence | Frame) and not isinstance(shown, str):
        return StoredFrames([shown] if isinstance(shown, Frame) else shown, frames)
    raise TypeError(
        f"a {type(shown).__name__} has no frames: give a World, a Recording, as of "
        f"Recording.open(path), a Frame or a list of frames"
    )


def whole_run(
    shown: World | Recording | Frame | Sequence[Frame], frames: int | None, what: str
) -> FrameSource:
    """Make a source of all frames, or raise what a world does; ``what`` asks for it."""
    if isinstance(shown, World) and frames is None:
        raise ValueError(f"{what}(world): a world has no end; say frames=120")
    source = source_of(shown, frames, make=FiledRun)
    while source.extend():
        pass
    if source.trouble is not None:
        raise source.trouble
    return source


Still: TypeAlias = Body | PairState | WingedEdgeMesh | Frame


def frame_of(shown: "Still | Sequence[Still]") -> Frame:
    """Make a frame of bodies, meshes and answers where they are; TypeError else."""
    if isinstance(shown, Frame):
        return shown
    things = list(shown) if isinstance(shown, Sequence) else [shown]
    if not things:
        raise ValueError("there is nothing to show; give a body, a mesh or an answer")
    pairs = tuple(thing for thing in things if isinstance(thing, PairState))
    bodies: list[Any] = [thing for thing in things if not isinstance(thing, PairState)]
    for state in pairs:
        bodies += [body for body in (state.a, state.b) if body not in bodies]
    for k, body in enumerate(bodies):
        if isinstance(body, WingedEdgeMesh):
            bodies[k] = Body(body, name=f"mesh{k}" if k else "mesh")
        elif not isinstance(body, Body):
            said = "give bodies, meshes, states of pairs, or one frame alone"
            raise TypeError(f"a {type(body).__name__} cannot be shown here: {said}")
    index = pairs[0].frame if pairs else 0
    ends = [(bodies.index(state.a), bodies.index(state.b)) for state in pairs]
    answers = PairAnswers.of(pairs, ends)
    return Frame(index, 0.0, answers, (), tuple(SnapshotRecorder(bodies).take()))
