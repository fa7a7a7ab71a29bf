"""Two runs of one script in processes of their own, stepped frame by frame.

A run answers one line of JSON for every line that it reads: the first one it is given
are its settings, then "step" for a frame, "body NAME" for where a body is in it.  What
the script prints is lost: twice the same lines would help nobody.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TextIO

from viewer.cli.run import ScriptError, importing_beside, load

if TYPE_CHECKING:
    from sim import Frame, World

Settings = Mapping[str, object]
COLUMNS = ("distance", "lower", "upper", "normal", "point_a", "point_b")


class Shown(NamedTuple):
    """What a run says of one frame; numbers as hexadecimal text, so to the bit."""

    frame: int
    events: list[str]
    bodies: dict[str, str]  # a digest of where each body is
    pairs: dict[str, dict[str, str]]  # columns by name, vectors with blanks between


class Run:
    """A script's world in a process of its own.

    Settings in upper case become variables of its environment, the others keyword
    arguments of ``world()``.
    """

    def __init__(self, script: Path, settings: Settings) -> None:
        self._script = script
        outside = {k: str(v) for k, v in settings.items() if k.isupper()}
        inside = {k: v for k, v in settings.items() if not k.isupper()}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "viewer.cli.lockstep", os.fspath(script)],
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

    def answer(self) -> Shown:
        """Return the frame that was asked for.

        Raises
        ------
        ScriptError
            If the script fails.
        """
        return Shown(**self._hear())

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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


def _shown(frame: "Frame") -> Shown:
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
    return Shown(frame.index, list(map(str, frame.events)), bodies, pairs)


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
