"""Run ``wingedge bisect``: find where two settings of one script part, and why."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self

from cyclopts import Parameter

from viewer.cli.codes import NO, YES
from viewer.cli.options import progress, read_settings
from viewer.cli.run import ScriptError, blamed, importing_beside, load
from viewer.interrupt import interruptible

if TYPE_CHECKING:
    from sim import Frame, World

Settings = Mapping[str, object]
COLUMNS = ("distance", "lower", "upper", "normal", "point_a", "point_b")


class FrameReport(NamedTuple):
    """What a run says of one frame; numbers as hexadecimal text, so to the bit."""

    frame: int
    events: list[str]
    bodies: dict[str, str]  # a digest of where each body is
    pairs: dict[str, dict[str, str]]  # columns by name, vectors with blanks between


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
        try:
            self._process.start()
        finally:
            os.environ.clear()
            os.environ.update(before)
            theirs.close()

    def ask(self, body: str | None = None) -> None:
        """Let it step one frame, or say where a body is; ``answer`` waits for it."""
        with suppress(OSError):  # it has ended; `answer` says so
            self._line.send(body)

    def answer(self) -> Any:
        """Return what was asked for; ScriptError if the script fails."""
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
        return said

    def body(self, name: str) -> list[str]:
        """Return the transform of a body and its points, row by row, as text."""
        self.ask(name)
        rows: list[str] = self.answer()
        return rows

    def __enter__(self) -> Self:
        """Return the run itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End its process."""
        self._process.kill()
        self._process.join()
        self._line.close()


def serve(script: Path, settings: Settings, line: Connection) -> None:
    """Answer for a script until nobody asks any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    world: World | None = None
    frame: Frame | None = None
    with importing_beside(script):
        while True:
            try:
                name = line.recv()
            except EOFError:
                return
            try:
                world = world or load(script, settings)
                if name is None:
                    with blamed(script):
                        frame = world.step()
                    line.send(_shown(frame))
                elif frame is not None:
                    line.send(_rows(frame, name))
            except ScriptError as error:
                line.send(error)


def _shown(frame: "Frame") -> FrameReport:
    from hashlib import blake2b

    bodies = {}
    for body in frame.bodies:
        bits = blake2b(body.points.tobytes(), digest_size=16)
        bits.update(body.pose.matrix.tobytes())
        bodies[body.name] = bits.hexdigest()
    pairs = {}
    for state in frame.pairs:
        n = state.numbers
        row = {name: _hex(getattr(n, name)) for name in COLUMNS}
        row["features"] = f"{state.kind} {n.parts_a} {n.parts_b}"
        pairs[f"{state.a.name}/{state.b.name}"] = row
    return FrameReport(frame.index, list(map(str, frame.events)), bodies, pairs)


def _rows(frame: "Frame", name: str) -> list[str]:
    body = frame.body(name)
    pose = [*body.pose.linear.ravel().tolist(), *body.pose.translation.tolist()]
    return [_hex(pose), *map(_hex, body.points.tolist())]


def _hex(value: Any) -> str:
    numbers = [value] if isinstance(value, float) else value
    return " ".join(float(x).hex() for x in numbers)


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
    frames: int = 120,
) -> int:
    """Find the first frame in which two settings of a script part, and why.

    The script's world is run twice, frame by frame, until an event differs. Names that
    frame, the first one in which a number differs by a bit, and, of several settings,
    those that it takes. Exit code 0 if they never part, 1 if they do, 2 if the script
    cannot be run.

    Parameters
    ----------
    script : Path
        A Python file with a function `world(...)` that returns a `sim.World`.
    good : list of str
        A setting K=V of the run that is right; may be repeated. In lower case it is a
        keyword argument of `world()`, V a Python value or else text; in upper case a
        variable of the environment, as WINGEDGE_ENGINE=python.
    bad : list of str
        A setting of the run that is wrong.
    frames : int
        How many frames to step.
    """
    if frames < 0:
        raise ValueError(f"--frames {frames}: give the number of frames, 0 or more")
    first, second = (
        read_settings("--good", good or []),
        read_settings("--bad", bad or []),
    )
    differing = sorted(
        k for k in {*first, *second} if first.get(k, _NONE) != second.get(k, _NONE)
    )
    if not differing:
        raise ValueError("--good and --bad say the same; give each its own K=V")
    seen: list[FrameReport] = []
    with interruptible() as end_if_asked:
        with ScriptRun(script, first) as one, ScriptRun(script, second) as other:
            shown = progress(_frames(one, other, frames), frames, script.name)
            bits, events = _part(one, other, shown, seen, end_if_asked)
        for what, parting in (("numbers", bits), ("events", events)):
            if parting is None:
                print(f"{what}: the same in all {len(seen)} frames")
            else:
                print(f"{what}: part in frame {parting.frame}: {parting.words}")
        last = events or bits
        if last is None:
            return YES
        if len(differing) > 1:
            end = [shown.frame for shown in seen].index(last.frame) + 1

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
) -> Iterator[tuple[FrameReport, FrameReport]]:
    """Step two runs at the same time, one frame whenever the next is asked for."""
    for _ in range(frames):
        one.ask()
        other.ask()
        yield one.answer(), other.answer()


def _part(
    one: ScriptRun,
    other: ScriptRun,
    shown: Iterator[tuple[FrameReport, FrameReport]],
    seen: list[FrameReport],
    end_if_asked: Callable[[], None],
) -> tuple[FirstDifference | None, FirstDifference | None]:
    """Step both until an event differs; return where numbers and events part."""
    bits: FirstDifference | None = None
    for ours, theirs in shown:
        end_if_asked()
        seen.append(ours)
        if bits is None and ours[2:] != theirs[2:]:
            bits = FirstDifference(ours.frame, _first_bit(one, other, ours, theirs))
        if ours.events != theirs.events:
            return bits, FirstDifference(ours.frame, _first_event(ours, theirs))
    return bits, None


def _parts_from(
    script: Path, settings: Settings, seen: list[FrameReport], *, events: bool
) -> bool:
    """Run other settings; say whether their events, or numbers, part from these."""
    with ScriptRun(script, settings) as run:
        for shown in seen:
            run.ask()
            other: FrameReport = run.answer()
            if shown.events != other.events if events else shown[2:] != other[2:]:
                return True
    return False


def _first_event(ours: FrameReport, theirs: FrameReport) -> str:
    left = [line for line in ours.events if line not in theirs.events]
    more = [line for line in theirs.events if line not in ours.events]
    good = left[0].split(" ", 1)[1] if left else "nothing"
    bad = more[0].split(" ", 1)[1] if more else "nothing"
    if not left and not more:
        return "the same events in another order"
    return f"good: {good}; bad: {bad}"


def _first_bit(
    one: ScriptRun, other: ScriptRun, ours: FrameReport, theirs: FrameReport
) -> str:
    """Name the first number that differs: of where the bodies are, then of a pair."""
    if list(ours.bodies) != list(theirs.bodies):
        return f"bodies {', '.join(ours.bodies)} became {', '.join(theirs.bodies)}"
    for name, digest in ours.bodies.items():
        if digest != theirs.bodies[name]:
            rows = zip(one.body(name), other.body(name), strict=False)
            for k, (row, there) in enumerate(rows):
                if row != there:
                    where = "pose" if k == 0 else f"v{k - 1}"
                    return f"{name} {where} {_numbers(row, there)}"
            return f"{name}: another number of vertices"
    for pair, columns in ours.pairs.items():
        if pair not in theirs.pairs:
            return f"{pair} is not reported by the bad one"
        for column, text in columns.items():
            there = theirs.pairs[pair][column]
            if text != there:
                said = f"{text} became {there}"
                return f"{pair} {column} " + (
                    said if column == "features" else _numbers(text, there)
                )
    return f"{', '.join(theirs.pairs.keys() - ours.pairs.keys())} is reported, too"


def _numbers(ours: str, theirs: str) -> str:
    """Write the first two numbers that differ, and how far they are apart."""
    for x, y in zip(ours.split(" "), theirs.split(" "), strict=True):
        if x != y:
            a, b = float.fromhex(x), float.fromhex(y)
            return f"{a!r} became {b!r} (by {abs(b - a):.2g})"
    return ours
