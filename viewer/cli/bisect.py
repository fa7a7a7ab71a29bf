"""Run ``wingedge bisect``: find where two settings of one script part, and why."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

import numpy as np
from cyclopts import Parameter

from sim.progress import progress
from sim.story.compare import difference
from sim.study.script import ScriptError, blamed, importing_beside, load
from viewer.cli.codes import NO, YES
from viewer.cli.options import Whole, read_settings
from viewer.timeline import interruptible

if TYPE_CHECKING:
    from sim import Frame, World

Settings = Mapping[str, object]


class ScriptRun:
    """A script's world in a process of its own; what it prints is lost.

    Settings in upper case become variables of its environment, others arguments.
    """

    def __init__(self, script: Path, settings: Settings) -> None:
        self._script = script
        outside = {k: str(v) for k, v in settings.items() if k.isupper()}
        inside = {k: v for k, v in settings.items() if not k.isupper()}
        spawning, before = get_context("spawn"), dict(os.environ)
        self._line, theirs = spawning.Pipe()
        self._process = spawning.Process(
            target=serve, args=(script, inside, theirs), daemon=True
        )
        os.environ.update(outside)  # what it inherits
        posix = os.name == "posix"
        if posix:  # Ctrl-C is for this process, and not for those that it starts
            ensure_running()  # which lets signals through
            signals = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            if posix:
                signal.pthread_sigmask(signal.SIG_SETMASK, signals)
            os.environ.clear()
            os.environ.update(before)
            theirs.close()

    def ask(self) -> None:
        """Let it step one frame; ``answer`` waits for it."""
        with suppress(OSError):  # it has ended; `answer` says so
            self._line.send(True)

    def answer(self) -> "Frame":
        """Return the frame that was asked for; ScriptError if the script fails."""
        try:
            said = self._line.recv()
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode
            raise ScriptError(
                f"{self._script}: its process ended (exit {code})"
            ) from None
        if isinstance(said, ScriptError):
            raise said
        frame: Frame = said
        return frame

    def __enter__(self) -> Self:
        """Return the run itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End its process."""
        self._process.kill()
        self._process.join()
        self._line.close()


def serve(script: Path, settings: Settings, line: Connection) -> None:
    """Answer for a script until nobody asks any more, frame by frame."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    world: World | None = None
    with importing_beside(script), suppress(EOFError):
        while line.recv():
            try:
                world = world or load(script, settings)
                with blamed(script):
                    frame = world.step()
            except ScriptError as error:
                line.send(error)
                continue
            line.send(frame)


class FirstDifference(NamedTuple):
    """The first frame in which two runs differ, and in what."""

    frame: int
    words: str


def bisect(
    script: Path,
    /,
    *,
    good: Annotated[list[str] | None, Parameter(negative="")] = None,
    bad: Annotated[list[str] | None, Parameter(negative="")] = None,
    frames: Whole = 120,
) -> int:
    """Find the first frame in which two settings of a script differ, and why.

    Runs the script's world twice, frame by frame, until an event differs. Names that
    frame, the first frame in which a number differs by a bit, and the settings that are
    responsible. Exit code 0 if the runs never differ, 1 if they do, 2 if the script
    cannot be run.

    Parameters
    ----------
    script : Path
        A Python file with a function `world(...)` that returns a `sim.World`.
    good : list of str
        A setting K=V of the good run; may be repeated. In lower case it is a keyword
        argument of `world()`, V a Python value or else text; in upper case it is an
        environment variable, for example WINGEDGE_ENGINE=python.
    bad : list of str
        A setting of the bad run, in the same form.
    frames : int
        Number of frames.
    """
    if frames < 0:
        raise ValueError(f"--frames {frames}: give the number of frames, 0 or more")
    first = read_settings("--good", good or [])
    second = read_settings("--bad", bad or [])
    differing = sorted(
        k for k in {*first, *second} if first.get(k, _NONE) != second.get(k, _NONE)
    )
    if not differing:
        raise ValueError("--good and --bad say the same; give each its own K=V")
    seen: list[Frame] = []
    with interruptible() as end_if_asked:
        with ScriptRun(script, first) as one, ScriptRun(script, second) as other:
            shown = progress(_frames(one, other, frames), frames, script.name)
            bits, events = _part(shown, seen, end_if_asked)
        for what, parting in (("numbers", bits), ("events", events)):
            if parting is None:
                print(f"{what}: the same in all {len(seen)} frames")
            else:
                print(f"{what}: part in frame {parting.frame}: {parting.words}")
        last = events or bits
        if last is None:
            return YES
        if len(differing) > 1:
            end = [shown.index for shown in seen].index(last.frame) + 1

            def parts(keys: Sequence[str]) -> bool:
                end_if_asked()
                mixed = {k: v for k, v in first.items() if k not in keys}
                mixed |= {k: second[k] for k in keys if k in second}
                return _parts_from(script, mixed, seen[:end], events=bool(events))

            said = []
            for k in smallest(differing, parts):
                more = f" instead of {first[k]!s}" if k in first else ""
                said.append(
                    f"{k}={second[k]!s}{more}"
                    if k in second
                    else f"no {k}={first[k]!s}"
                )
            print(f"it takes: {' and '.join(said)}")
    return NO


def smallest(keys: Sequence[str], parts: Callable[[Sequence[str]], bool]) -> list[str]:
    """Reduce keys that together part to some of which none can be left out.

    Delta debugging: Zeller and Hildebrandt (2002), doi:10.1109/32.988498, figure 4.
    """
    left, n = list(keys), 2
    while len(left) > 1:
        size = -(-len(left) // n)
        some = [left[k : k + size] for k in range(0, len(left), size)]
        rests = [[key for key in left if key not in part] for part in some]
        tried = some if n == 2 else some + rests
        found = next((part for part in tried if parts(part)), None)
        if found is None:
            if n >= len(left):
                break
            n = min(2 * n, len(left))
        else:
            n = 2 if found in some else max(n - 1, 2)
            left = found
    return left


_NONE = object()  # a setting that is not given


def _frames(
    one: ScriptRun, other: ScriptRun, frames: int
) -> Iterator[tuple["Frame", "Frame"]]:
    """Step two runs at the same time, one frame whenever the next is asked for."""
    for _ in range(frames):
        one.ask()
        other.ask()
        yield one.answer(), other.answer()


def _part(
    shown: Iterator[tuple["Frame", "Frame"]],
    seen: list["Frame"],
    end_if_asked: Callable[[], None],
) -> tuple[FirstDifference | None, FirstDifference | None]:
    """Step both until an event differs; return where numbers and events part."""
    bits: FirstDifference | None = None
    for ours, theirs in shown:
        end_if_asked()
        seen.append(ours)
        said = "" if bits else _in_numbers(ours, theirs)
        bits = FirstDifference(ours.index, said) if said else bits
        if said := _in_events(ours, theirs):
            return bits, FirstDifference(ours.index, said)
    return bits, None


def _parts_from(
    script: Path, settings: Settings, seen: list["Frame"], *, events: bool
) -> bool:
    """Run other settings; say whether their events, or numbers, part from these."""
    with ScriptRun(script, settings) as run:
        for shown in seen:
            run.ask()
            if (_in_events if events else _in_numbers)(shown, run.answer()):
                return True
    return False


def _in_events(ours: "Frame", theirs: "Frame") -> str:
    """Name the first event that only one has; nothing where all are the same."""
    told, other = (list(map(str, frame.events)) for frame in (ours, theirs))
    if told == other:
        return ""
    good, bad = (
        next((line.split(" ", 1)[1] for line in some if line not in rest), "nothing")
        for some, rest in ((told, other), (other, told))
    )
    if good == bad:
        return "the same events in another order"
    return f"good: {good}; bad: {bad}"


def _in_numbers(ours: "Frame", theirs: "Frame") -> str:
    """Name the first number that differs: of where bodies are, then of an answer."""
    names = [", ".join(body.name for body in frame.bodies) for frame in (ours, theirs)]
    if names[0] != names[1]:
        return f"bodies {names[0]} became {names[1]}"
    for one, other in zip(ours.bodies, theirs.bodies, strict=True):
        if one.points.shape != other.points.shape:
            return f"{one.name}: another number of vertices"
        for where, x, y in (
            ("pose", one.pose.matrix, other.pose.matrix),
            ("v", one.points, other.points),
        ):
            for k in np.flatnonzero(x.ravel().view("i8") != y.ravel().view("i8"))[:1]:
                a, b = float(x.flat[k]), float(y.flat[k])
                where = where if where == "pose" else f"v{k // 3}"
                apart = f"{a!r} became {b!r} (by {abs(b - a):.2g})"
                return f"{one.name} {where} {apart}"
    answers = (replace(frame, events=(), bodies=()) for frame in (ours, theirs))
    return difference(*answers)
