"""Run ``wingedge bisect``: find where two settings of one script part, and why."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sim.progress import progress
from sim.story.compare import difference
from sim.study.script import ScriptError, blamed, importing_beside, load
from viewer.cli import NO, YES
from viewer.cli.options import Texts, Whole, read_settings
from viewer.timeline import interruptible

if TYPE_CHECKING:
    from sim import Frame

Settings = Mapping[str, object]
_CHILD = """
import pickle, sys
sys.path, *given = pickle.load(sys.stdin.buffer)
from viewer.cli.bisect import serve
serve(*given)
"""
_NONE = object()  # a setting that is not given


@contextmanager
def running(
    script: Path, settings: Settings, frames: int
) -> Iterator[Iterator["Frame"]]:
    """Run a script's world in a process of its own; what it prints is lost.

    Settings in upper case become variables of its environment, others arguments.
    """
    inside = {k: v for k, v in settings.items() if not k.isupper()}
    outside = {k: str(v) for k, v in settings.items() if k.isupper()}
    with subprocess.Popen(
        [sys.executable, "-P", "-c", _CHILD],
        env={**os.environ, **outside},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for this process alone
    ) as child:
        assert child.stdin is not None
        try:
            with suppress(OSError), child.stdin as asked:  # it ended: `_answers` tells
                pickle.dump((sys.path, script, inside, frames), asked)
            yield _answers(child, script, frames)
        finally:
            child.kill()


def _answers(
    child: "subprocess.Popen[bytes]", script: Path, frames: int
) -> Iterator["Frame"]:
    """Yield the frames that a child tells; ScriptError if its script fails."""
    assert child.stdout is not None
    for _ in range(frames):
        try:
            answer = pickle.load(child.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            ended = f"{script}: its process ended (exit {child.wait()})"
            raise ScriptError(ended) from None
        if isinstance(answer, ScriptError):
            raise answer
        yield answer


def serve(script: Path, settings: Settings, frames: int) -> None:
    """Tell the frames of a script's world, or what was wrong, by standard output."""
    line = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def tell(answer: object) -> None:
        pickle.dump(answer, line)
        line.flush()

    try:
        with importing_beside(script):
            world = load(script, settings)
            for _ in range(frames):
                with blamed(script):
                    frame = world.step()
                tell(frame)
    except ScriptError as error:
        tell(error)


def bisect(
    script: Path, /, *, good: Texts = None, bad: Texts = None, frames: Whole = 120
) -> int:
    """Find the first frame in which two settings of a script differ, and why.

    Args:
        script: A Python file with a function `world(...)` that returns a `sim.World`.
        good: A setting K=V of the good run; may be repeated. In lower case it is a
            keyword argument of `world()`, V a Python value or else text; in upper case
            it is an environment variable, for example WINGEDGE_ENGINE=python.
        bad: A setting of the bad run, in the same form.
        frames: Number of frames.
    """
    if frames < 0:
        raise ValueError(f"--frames {frames}: give the number of frames, 0 or more")
    first, second = read_settings("--good", good), read_settings("--bad", bad)
    keys = sorted({*first, *second})
    keys = [k for k in keys if first.get(k, _NONE) != second.get(k, _NONE)]
    if not keys:
        raise ValueError("--good and --bad say the same; give each its own K=V")
    seen: list[Frame] = []
    parted: dict[str, str] = {}
    asked = {"numbers": in_numbers, "events": in_events}
    with interruptible() as end_if_asked:
        with running(script, first, frames) as a, running(script, second, frames) as b:
            both = zip(a, b, strict=True)
            for ours, theirs in progress(both, frames, script.name):
                end_if_asked()
                seen.append(ours)
                for what in [name for name in asked if name not in parted]:
                    if words := asked[what](ours, theirs):
                        parted[what] = f"part in frame {ours.index}: {words}"
                        last, words_of = len(seen), asked[what]
                if "events" in parted:
                    break
        for what in asked:
            print(f"{what}: {parted.get(what, f'the same in all {len(seen)} frames')}")
        if not parted:
            return YES

        def parts(chosen: Sequence[str]) -> bool:
            end_if_asked()
            mixed = {k: v for k, v in first.items() if k not in chosen}
            mixed |= {k: second[k] for k in chosen if k in second}
            with running(script, mixed, last) as tried:
                return any(map(words_of, seen, tried))

        if len(keys) > 1:
            told = []
            for k in smallest(keys, parts):
                was = f" instead of {first[k]!s}" if k in first else ""
                new = f"{k}={second[k]!s}{was}" if k in second else ""
                told.append(new or f"no {k}={first[k]!s}")
            print(f"it takes: {' and '.join(told)}")
    return NO


def smallest(keys: Sequence[str], parts: Callable[[Sequence[str]], bool]) -> list[str]:
    """Reduce keys that together part to some of which none can be left out."""
    left, k = list(keys), len(keys)
    while k > 0 and len(left) > 1:
        k -= 1
        rest = left[:k] + left[k + 1 :]
        if parts(rest):
            left, k = rest, len(rest)
    return left


def in_events(ours: "Frame", theirs: "Frame") -> str:
    """Name the first event that only one has; nothing where all are the same."""
    first, second = (list(map(str, frame.events)) for frame in (ours, theirs))
    if first == second:
        return ""
    good, bad = (
        next((line.split(" ", 1)[1] for line in some if line not in rest), "nothing")
        for some, rest in ((first, second), (second, first))
    )
    if good == bad:
        return "the same events in another order"
    return f"good: {good}; bad: {bad}"


def in_numbers(ours: "Frame", theirs: "Frame") -> str:
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
                return f"{one.name} {where} {a!r} became {b!r} (by {abs(b - a):.2g})"
    answers = (replace(frame, events=(), bodies=()) for frame in (ours, theirs))
    return difference(*answers)
