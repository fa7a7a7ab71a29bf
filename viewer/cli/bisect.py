"""Run ``wingedge bisect``: find where two settings of one script part, and why.

Each run is a process of its own, stepped frame by frame: it answers one line of JSON
for every line that it reads. The first one it is given are its settings, then "step"
for a frame, "body NAME" for where a body is in it. What the script prints is lost.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self, TextIO

from cyclopts import Parameter

from viewer.cli.codes import NO, YES
from viewer.cli.options import progress, read_settings
from viewer.cli.run import ScriptError, importing_beside, load
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
    """A script's world in a process of its own.

    Settings in upper case become variables of its environment, the others keyword
    arguments of ``world()``.
    """

    def __init__(self, script: Path, settings: Settings) -> None:
        self._script = script
        outside = {k: str(v) for k, v in settings.items() if k.isupper()}
        inside = {k: v for k, v in settings.items() if not k.isupper()}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "viewer.cli.bisect", os.fspath(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **outside},
            text=True,
            encoding="utf-8",
        )
        self._say(json.dumps(inside))

    def ask(self) -> None:
        """Let it step one frame; ``answer`` waits for it."""
        self._say("step")

    def answer(self) -> FrameReport:
        """Return the frame that was asked for.

        Raises ScriptError if the script fails.
        """
        return FrameReport(**self._hear())

    def body(self, name: str) -> list[str]:
        """Return the transform of a body and its points, row by row, as text."""
        self._say(f"body {name}")
        rows: list[str] = self._hear()["rows"]
        return rows

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended; `_hear` says so
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            code = self._process.wait()
            raise ScriptError(f"{self._script}: its process ended (exit {code})")
        said: dict[str, Any] = json.loads(line)
        if "error" in said:
            raise ScriptError(said["error"])
        return said

    def __enter__(self) -> Self:
        """Return the run itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End its process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


def serve(script: Path, requests: TextIO, replies: TextIO) -> None:
    """Answer requests until there are no more."""

    def reply(said: Mapping[str, object]) -> None:
        replies.write(json.dumps(said) + "\n")
        replies.flush()

    from viewer.cli.run import blamed

    settings = json.loads(requests.readline())
    world: World | None = None
    frame: Frame | None = None
    with importing_beside(script):
        for line in requests:
            what, _, name = line.rstrip("\n").partition(" ")
            try:
                if world is None:
                    world = load(script, settings)
                if what == "step":
                    with blamed(script):
                        frame = world.step()
                    reply(_shown(frame)._asdict())
                elif frame is not None:
                    reply({"rows": _rows(frame, name)})
            except ScriptError as error:
                reply({"error": str(error)})


def _shown(frame: "Frame") -> FrameReport:
    from hashlib import blake2b

    bodies = {}
    for body in frame.bodies:
        bits = blake2b(body.points.tobytes(), digest_size=16)
        bits.update(body.pose.linear.tobytes() + body.pose.translation.tobytes())
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


def main() -> None:
    """Serve one script, on the pipes that this process was started with."""
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    serve(Path(sys.argv[1]), sys.stdin, replies)


if __name__ == "__main__":
    main()


class FirstDifference(NamedTuple):
    """The first frame in which two runs differ, and in what."""

    frame: int
    words: str


class FirstDifferences(NamedTuple):
    """Where the numbers of two runs part, and where their events do."""

    bits: FirstDifference | None
    events: FirstDifference | None


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
            partings = _part(one, other, shown, seen, end_if_asked)
        for what, parting in zip(("numbers", "events"), partings, strict=True):
            if parting is None:
                print(f"{what}: the same in all {len(seen)} frames")
            else:
                print(f"{what}: part in frame {parting.frame}: {parting.words}")
        last = partings.events or partings.bits
        if last is None:
            return YES
        if len(differing) > 1:
            kind = "events" if partings.events else "bits"
            end = [shown.frame for shown in seen].index(last.frame) + 1

            def parts(keys: Sequence[str]) -> bool:
                end_if_asked()
                mixed = {k: v for k, v in first.items() if k not in keys}
                mixed |= {k: second[k] for k in keys if k in second}
                return _parts_from(script, mixed, seen[:end], kind)

            _blame(smallest(differing, parts), first, second)
    return NO


def smallest(keys: Sequence[str], parts: Callable[[Sequence[str]], bool]) -> list[str]:
    """Reduce keys to some that together part, and none of which can be left out.

    Delta debugging: Zeller and Hildebrandt (2002), doi:10.1109/32.988498, figure 4.

    Parameters: ``parts``: whether some of the keys make a difference; all of them do.
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
) -> FirstDifferences:
    """Step both until an event differs; keep what the first one showed."""
    bits: FirstDifference | None = None
    for ours, theirs in shown:
        end_if_asked()
        seen.append(ours)
        if bits is None and ours[2:] != theirs[2:]:
            bits = FirstDifference(ours.frame, _first_bit(one, other, ours, theirs))
        if ours.events != theirs.events:
            return FirstDifferences(
                bits, FirstDifference(ours.frame, _first_event(ours, theirs))
            )
    return FirstDifferences(bits, None)


def _parts_from(
    script: Path, settings: Settings, seen: list[FrameReport], kind: str
) -> bool:
    """Run other settings, and say whether they part from what was seen."""
    with ScriptRun(script, settings) as run:
        for shown in seen:
            run.ask()
            other = run.answer()
            if kind == "events" and shown.events != other.events:
                return True
            if kind == "bits" and shown[2:] != other[2:]:
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


def _blame(keys: list[str], first: Settings, second: Settings) -> None:
    said = [
        f"{k}={second[k]!s} instead of {first[k]!s}"
        if k in first and k in second
        else (f"{k}={second[k]!s}" if k in second else f"no {k}={first[k]!s}")
        for k in keys
    ]
    print(f"it takes: {' and '.join(said)}")
