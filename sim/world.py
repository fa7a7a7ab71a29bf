"""A world: bodies that move and deform by a script, and meet."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import deepcopy
from os import PathLike, fspath
from pathlib import Path
from typing import Any
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from sim import scripts
from sim.arguments import check_count, check_number
from sim.body.body import Body, attribute
from sim.body.judged import LAST_CHANGE
from sim.contact_manager import ContactManager, ContactRules, FrameRecord, Names
from sim.events.changes import telling
from sim.frame import Frame, SnapshotRecorder
from sim.progress import FrameRun, warn_if_unused
from sim.tracking import options
from wingedge.registry import wings

NO_LAW = nullcontext()
MANY_PAIRS = 10**6  # seconds a frame


class World:
    """Step bodies through time and say what happens between them.

    Raises TypeError or ValueError if two bodies share a name, a script is for no body,
    or a number makes no sense.

    Parameters
    ----------
    bodies : iterable of Body
        In this order they are answered for; their names must differ.
    motion : mapping of name to function
        ``motion[name](t) -> Pose`` places the body at time t (see ``sim.motion``).
    deform : mapping of name to function
        ``deform[name](rest, t) -> points`` gives it positions, (V, 3), body frame,
        from those of its mesh (see ``sim.deform``). They are copied.
    dt : float
        Time between two frames; the first frame is at time 0.
    contact_distance : float, optional
        At this distance or less a pair is in contact, for all pairs; 1e-3 of the rest
        size of the smaller body if left out. The contact lasts to twice as far.
    margin : float, optional
        Report only pairs closer than this; if left out every pair, a million of 1500.
    ignore : iterable of pairs of names
        Pairs that are never looked at.
    regions : bool
        Find all contacts of every pair, ``state.regions``, not only its closest one,
        and say when they begin, split, merge and end; ``convexity="hull"`` is refused.
    threads : int
        How many pairs are answered for at once, by the compiled kernels; the answers
        and their order are the same.
    between : bool
        Look between frames, every vertex going straight: ``event.when`` and ``time``
        say when, and a pair that touches and parts before the next frame is told as a
        "brush".  Recordings keep the story of frames.
    law : Law, optional
        What moves bodies in answer to contact, after scripts, which have the last word
        on theirs: ``law.advance(bodies, frame, dt)`` sees the last frame and returns
        poses or positions by name.  See ``sim.laws`` and docs/laws.md.
    status : bool
        Tell which bodies lose convexity, turn inside-out or collapse, and until when.
    resolution : float, "float32", None or one length a body
        How far at most each vertex may be off [length unit of the input]; what that
        cannot tell is not told.  None: what the bodies know, 0 of float64.  Fixed here.

    Examples
    --------
    >>> from sim import Body, World, motion
    >>> from wingedge import shapes
    >>> ball = Body(shapes.icosphere(1), name="ball")
    >>> table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    >>> fall = motion.linear((0.0, 0.0, -6.0), start=(0.0, 0.0, 2.0))
    >>> world = World([ball, table], motion={"ball": fall})
    >>> [str(event) for frame in world.run(6) for event in frame.events]
    ['5 begin ball/table VF v35 f1']
    """

    __copy__ = deepcopy  # a body is of one world: it would be taken from this one

    def __init__(
        self,
        bodies: Iterable[Body],
        *,
        motion: Mapping[str, scripts.Motion] = scripts.STILL,
        deform: Mapping[str, scripts.Deformer] = scripts.STIFF,
        dt: float = 1 / 60,
        contact_distance: float | None = None,
        margin: float | None = None,
        ignore: Names = (),
        regions: bool = False,
        threads: int = 1,
        between: bool = False,
        law: scripts.Law | None = None,
        status: bool = True,
        resolution: options.Resolution = None,
    ) -> None:
        self._bodies = scripts.check_bodies(bodies)
        lengths = {"contact_distance": contact_distance, "margin": margin}
        pairs = scripts.check_names(ignore)
        rest = dict(dt=dt, regions=regions, between=between, law=law, status=status)
        self._given: Any = dict(lengths, ignore=pairs, threads=threads, **rest)
        self._steps: dict[object, None] = {}  # that are being made: only the first is
        self._named = {body.name: body for body in self._bodies}
        names = list(self._named)
        self._motion = scripts.check_script("motion", motion, names)
        self._deform = scripts.check_script("deform", deform, names)
        moving = self._motion.keys() | self._deform.keys()
        self._scripted = [body for body in self._bodies if body.name in moving]
        self._dt = check_number("dt", dt)
        if not self._dt > 0.0:
            raise ValueError(f"dt={dt!r} must be a time in seconds, greater than 0")
        threads = check_count("threads", threads, least=1)
        contact, near = (
            None if value is None else options.check_length(name, value)
            for name, value in lengths.items()
        )
        if near is None and (count := len(names) * (len(names) - 1) // 2) > MANY_PAIRS:
            said = f"each frame answers for {count} pairs; margin=LENGTH: for near ones"
            warn(said, stacklevel=2)
        kind = scripts.check_law(law)
        known = options.resolutions(self._bodies, resolution)
        if known and isinstance(resolution, (str, int, float)):  # of the least room
            least = min(self._bodies, key=options.rest_size)
            options.thresholds(least, least, contact, None, max(known))
        self._given["resolution"] = known
        switches = bool(regions), kind, bool(status)
        rules = ContactRules(contact, near, pairs, *switches, known)
        self._poses = np.array([x.transform for x in self._bodies]).reshape(-1, 3, 4)
        self._rows = list(self._poses)
        for body, row in zip(self._bodies, self._rows, strict=True):
            body.share(row)
        self._after: object = None  # the last change that is known
        self._manager = ContactManager(self._bodies, rules, threads=threads)
        self._snapshots = SnapshotRecorder(self._bodies, self._manager.scan)
        self._times = wings.EventTimes(self._manager, self._dt) if between else None
        moved = law, self._manager, self._poses, self._dt
        self._law = None if law is None else wings.LawRunner(*moved)
        self._held: dict[str, int] = {}  # from which frame on
        self._cut: dict[str, int] = {}  # who jumps, and to which frame
        self._waited = dict.fromkeys(names, 0)  # frames in which scripts stood still
        self._write: Callable[[Frame, FrameRecord], Any] | None = None
        self.notes: dict[str, scripts.Note] = {}  # kept in every recording of it

    bodies: tuple[Body, ...] = attribute("_bodies", "The bodies, in the order given.")
    dt: float = attribute("_dt", "The time between two frames.")
    index: int = attribute("_manager.told.next_frame", "The number of the next frame.")

    @property
    def poses(self) -> NDArray[np.float64]:
        """Where the bodies are, (B, 3, 4), ``[linear | translation]``; live, writable.

        ``world.poses[...] = new`` moves all of them, as ``body.pose`` does one.  The
        next step refuses what is no pose, by body and frame.
        """
        return self._poses

    @property
    def law(self) -> scripts.Law | None:
        """The law that moves bodies, as it was given."""
        law: scripts.Law | None = self._given["law"]
        return law

    @property
    def time(self) -> float:
        """The time of the next frame, ``index * dt``."""
        return self.index * self._dt

    def body(self, name: str) -> Body:
        """Return a body by its name.

        Raises KeyError if there is no such body.
        """
        if name not in self._named:
            known = ", ".join(self._named)
            raise KeyError(f"the world has no body {name!r}; it has {known}")
        return self._named[name]

    def ignores(self, a: str, b: str) -> bool:
        """Tell whether a pair, by names, is never looked at; ValueError if unknown."""
        return self._manager.ignores(a, b)

    @property
    def held(self) -> tuple[str, ...]:
        """The names of the bodies whose scripts stand still, in the bodies' order."""
        return tuple(body.name for body in self._bodies if body.name in self._held)

    def hold(self, name: str) -> None:
        """Take hold of a body: its scripts stand still, its place and shape are yours.

        Between steps set ``body.pose`` and ``body.points``; frames, events and
        recordings go on. Once more holding what is held changes nothing.

        Raises KeyError if there is no such body. After `let_go` a script goes on with
        the time at which it was held. A recording does not store how long that was: a
        world that resumes it asks scripts for the time of the frame.
        """
        self._held.setdefault(self.body(name).name, self.index)

    def let_go(self, name: str) -> None:
        """Let go of a body that is held: its scripts go on; without one it stays.

        Raises KeyError if there is no such body; ValueError if it is not held.
        """
        if self.body(name).name not in self._held:
            held = ", ".join(self.held) or "no body"
            raise ValueError(f"body {name!r} is not held; held is {held}")
        self._waited[name] += self.index - self._held.pop(name)

    def cut(self, name: str) -> None:
        """Say that a body jumps to the next frame, past a law; KeyError if none."""
        self._cut[self.body(name).name] = self.index

    def step(self) -> Frame:
        """Move and deform the bodies to the next frame, and answer for every pair.

        Raises TypeError or ValueError if a script returns what is no pose or no
        positions, or a coordinate is not finite; names the body and the frame;
        RecordingError if the world is recorded, and the frame cannot be written;
        whatever a script or a law raises, with a note of whom and when.

        Whatever is raised, an interrupt too, at whatever line: the frame is not taken,
        and the step can be asked for again as if it never had been. Where there is a
        law, bodies are put back to where they were.
        """
        mine = object()
        try:
            try:
                self._steps[mine] = None
                first, *_ = self._steps
                if first is mine:
                    with self._law.trying(self._deform) if self._law else NO_LAW:
                        return self._step(self.index)
            finally:
                self._steps.pop(mine, None)
        finally:  # an interrupt may have come before that
            self._steps.pop(mine, None)
        being_made = f"frame {self.index} of this world is being made already"
        remedy = "step it from one place, or its copy.deepcopy(world)"
        raise RuntimeError(f"{being_made}, by a thread or script; {remedy}")

    def _step(self, index: int) -> Frame:
        cut = {name for name, frame in self._cut.items() if frame == index}
        self._refuse_others()
        for body in self._scripted:
            if body.name in self._held:
                continue
            time = (index - self._waited[body.name]) * self._dt
            script = self._motion.get(body.name), self._deform.get(body.name)
            scripts.play(body, script, index, time)
        if self._law is not None:
            self._law.move(index, self._motion, self._deform, self._held, cut)
        record = self._manager.answer(index)
        bodies = self._snapshots.take(self._poses)
        here = index, index * self._dt, record.pairs, (), bodies, tuple(sorted(cut))
        frame = Frame(*here)
        if self._law is not None:
            record, frame = self._law.record(record, frame)
        telling(frame, record.events)
        if self._write is not None:
            record = record._replace(written=self._write(frame, record))
        if self._times is not None:
            frame = self._times.timed(frame, record)
        self._manager.told = record  # here it is taken: all of it, or nothing
        return frame

    def _refuse_others(self) -> None:
        """Raise ValueError for a body that another world has taken over."""
        last = LAST_CHANGE[0]
        if last is not self._after:
            scripts.refuse_others(self._bodies, self._rows)
            self._after = last

    def run(self, n: int, *, progress: bool = False) -> FrameRun[Frame]:
        """Step ``n`` frames, one whenever the next is asked for; may be continued.

        Parameters: ``progress``: show a bar with rate and time left on the terminal
        (standard error) when it takes longer than a second.  ``len()`` of what is
        returned says how many frames are to come, so ``tqdm`` sees the end.
        """
        count = check_count("number of frames", n)
        return FrameRun(self.step, count, bar=progress)

    def __repr__(self) -> str:
        names, when = [*self._named], f"frame {self.index}, t={self.time:g}"
        first = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
        return f"World({len(names)} bodies: {first}; {when})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel with bodies, scripts and contacts, not with what is being recorded.

        A copy, or what another process gets, steps on to the same frames.
        """
        if self._write is not None:
            raise ValueError("the world is being recorded; copy it when that has ended")
        times = None if self._times is None else self._times.seen
        given = {**self._given, "motion": self._motion, "deform": self._deform}
        held = self._held, self._waited, self.notes, self._cut
        record = self._manager.told._replace(written=None)
        return _copied, (self._bodies, given, record, times, held)

    def record(
        self,
        path: str | PathLike[str],
        *,
        notes: scripts.Notes = scripts.NO_NOTES,
        resume: bool = False,
    ) -> AbstractContextManager[Path]:
        """Write every frame that is stepped in a ``with`` block to a VTKHDF file.

        The file is there from the first frame on, replacing an older recording, and can
        be read to its last whole frame even if the process is killed; ParaView and VTK
        read it when the block has ended.

        Raises RecordingError if another file is there, or none can be written; where it
        is resumed, if it cannot be read, or is of other bodies, rules or steps of time;
        TypeError or ValueError if a note is no text or number, or it is recorded.

        Parameters
        ----------
        notes : mapping of str to text or number
            What to keep beside the frames, as seeds; those of ``world.notes`` too.
        resume : bool
            Go on with the recording that is there, after its last whole frame: a world
            that was not stepped is put into that frame, with the contacts, identities
            and regimes of it, and steps on from there.  The story is the one of a run
            that was never left, where motions and deformers are functions of time.
            Where there is no such file it is begun.
        """
        made = self._record(path, notes, resume)
        warn_if_unused(made, f"world.record({fspath(path)!r})")
        return made

    @contextmanager
    def _record(
        self, path: str | PathLike[str], notes: scripts.Notes, resume: bool
    ) -> Iterator[Path]:
        if self._write is not None:
            raise ValueError("the world is being recorded already; end that one first")
        file, manager = Path(fspath(path)), self._manager
        told = {**self.notes, **notes}
        opened = wings.recorded(file, manager, self._dt, notes=told, resume=resume)
        with opened as (recorder, write):
            if (index := recorder.next_frame) is not None:
                manager.told = manager.told._replace(next_frame=index)
                self._held = dict.fromkeys(self._held, index)
                self._cut = dict.fromkeys(self._cut, index)
                if self._times and not self._times.seen:
                    self._times.begin(self._snapshots.take(self._poses), manager.told)
            manager.told = manager.told._replace(written=recorder.whole)
            self._write = write
            try:
                yield file
            finally:
                self._write = None
                recorder.whole = manager.told.written


def _copied(
    bodies: Any, given: dict[str, Any], record: FrameRecord, times: Any, held: Any
) -> World:
    """Make a world that goes on where another one was."""
    world = World(bodies, **given)
    world._manager.told = record._replace(memory=record.memory.vouched(record.answers))
    world._held, world._waited, world.notes, world._cut = held
    if world._times and times:
        world._times.seen = times
        world._snapshots.go_on(times[-1].bodies)  # what stays is told by its array
    return world
