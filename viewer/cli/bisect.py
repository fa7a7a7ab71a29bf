"""Run ``wingedge bisect``: find where two settings of one script part, and why."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from sim.progress import counting, progress
from sim.story.compare import difference
from sim.study.script import ScriptError
from viewer.cli import NO, YES
from viewer.cli.options import Texts, Whole, read_settings
from viewer.timeline import interruptible

if TYPE_CHECKING:
    from sim import Frame, Recording

_NONE = object()  # a setting that is not given


@contextmanager
def recorded(
    script: Path, settings: Mapping[str, object], frames: int
) -> Iterator["Recording"]:
    """Run a script in a process of its own, which records; what it prints is lost.

    Settings in upper case become variables of its environment, others arguments.
    """
    from sim import Recording

    inside = [f"--set={k}={v!r}" for k, v in settings.items() if not k.isupper()]
    outside = {k: str(v) for k, v in settings.items() if k.isupper()}
    outside["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    with TemporaryDirectory() as folder:
        path = f"{folder}/run.vtkhdf"
        run = ["run", str(script), *inside, f"--frames={frames}", f"--record={path}"]
        with counting(f"running {script.name}"):
            done = subprocess.run(
                [sys.executable, "-P", "-m", "viewer.cli", *run],
                env={**os.environ, **outside},
                capture_output=True,
                text=True,
                check=False,
                start_new_session=True,  # Ctrl-C is for this process alone
            )
        if done.returncode:
            ended = f"{script}: its process ended (exit {done.returncode})"
            last = (done.stderr.splitlines() or [ended])[-1].partition(f"; {path}")[0]
            raise ScriptError(last.removeprefix("wingedge run: "))
        with Recording.open(path) as recording:
            yield recording


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
    if frames < 1:
        raise ValueError(f"--frames {frames}: give the number of frames, 1 or more")
    first, second = read_settings("--good", good), read_settings("--bad", bad)
    keys = sorted({*first, *second})
    keys = [k for k in keys if first.get(k, _NONE) != second.get(k, _NONE)]
    if not keys:
        raise ValueError("--good and --bad say the same; give each its own K=V")
    seen: list[Frame] = []
    parted: dict[str, str] = {}
    asked = {"numbers": in_numbers, "events": in_events}
    with (
        interruptible() as end_if_asked,
        recorded(script, first, frames) as a,
        recorded(script, second, frames) as b,
    ):
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
            with recorded(script, mixed, last) as tried:
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
