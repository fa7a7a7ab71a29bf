"""Put faults into a copy of the tracker, and see whether the golden stories notice.

    python benchmarks/mutate.py [--jobs 2] [--log FILE] [--random N --seed S] [NAME ...]

Every fault of ``mutation/faults.py`` is put into a copy of ``wingedge`` and ``sim`` of
its own; all scenes are played by it, interpreted, and judged twice:

* *story*: by ``sim.compare`` with the story that the code without a fault tells, which
  is first seen to equal the committed golden file of the scene;
* *end*: by the last frame alone, as most tests look at a run: regimes, distances within
  1e-9 of the size, and features where they are unique.

A scene that raises or takes ten times as long is noticed by both.  ``--random`` adds
faults that nobody chose: operators and numbers exchanged at random places of the same
files.  Many of those cannot be noticed by any story: what is remembered between frames
is only a hint here, so they cost time and no truth.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any, NamedTuple

import numpy as np
from mutation.at_random import random_faults
from mutation.faults import FAULTS, Fault

from sim import Story, compare

ROOT = Path(__file__).resolve().parents[1]
PLAY = ROOT / "benchmarks" / "mutation" / "play.py"
GOLDEN = ROOT / "tests" / "sim" / "story" / "test_golden"
TOLERANCE = 1e-9

Played = dict[str, dict[str, Any]]  # by scene


class Outcome(NamedTuple):
    """Which scene noticed a fault first, by its story and by its end; "" for none."""

    fault: Fault
    story: str
    end: str
    words: str


def play(code: Path, scenes: Iterable[str], limit: float | None = None) -> Played:
    """Play scenes with the code in a folder; one that raised or hung is left out."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(code),
        "WINGEDGE_ENGINE": "python",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    found: Played = {}
    left = list(scenes)
    while left:
        try:
            ran = subprocess.run(
                [sys.executable, str(PLAY), *left],
                env=environment,
                capture_output=True,
                text=True,
                timeout=limit,
                check=False,
            )
            lines = ran.stdout
        except subprocess.TimeoutExpired as late:
            lines = (late.stdout or b"").decode()
        told = [json.loads(line) for line in lines.splitlines() if line.endswith("}")]
        found |= {one["scene"]: one for one in told}
        left = left[len(told) + 1 :]  # go on after the scene that ended it
    return found


def mutant(fault: Fault, folder: Path) -> Path:
    """Write a copy of the code with one fault in it."""
    for package in ("wingedge", "sim"):
        copytree(
            ROOT / package, folder / package, ignore=ignore_patterns("__pycache__")
        )
    file = folder / fault.file
    text = file.read_text()
    if text.count(fault.old) != 1:
        raise SystemExit(
            f"{fault.name}: {fault.file} has {text.count(fault.old)} places like "
            f"{fault.old!r}; bring benchmarks/mutation/faults.py up to date"
        )
    file.write_text(text.replace(fault.old, fault.new))
    return folder


def judge(fault: Fault, true: Played, seconds: float) -> Outcome:
    """Play all scenes with a fault in the code; say which noticed it first."""
    with tempfile.TemporaryDirectory() as folder:
        played = play(mutant(fault, Path(folder)), true, limit=10.0 * seconds)
    story = end = words = ""
    for scene, right in true.items():
        got = played.get(scene)
        if not story:
            words = told_apart(right, got)
            story = scene if words else ""
        if not end and (got is None or not same_end(right["final"], got["final"])):
            end = scene
    return Outcome(fault, story, end, words)


def told_apart(right: dict[str, Any], got: dict[str, Any] | None) -> str:
    """Say how the story of a scene differs; empty if it does not."""
    if got is None:
        return "it raises, or does not end"
    try:
        told = Story.parse(got["story"])
    except ValueError as error:
        return f"it is no story: {error}"
    comparison = compare(Story.parse(right["story"]), told)
    return "" if comparison.same else comparison.summary


def same_end(right: list[list[Any]], got: list[list[Any]]) -> bool:
    """Compare how all pairs are in the last frame."""
    if len(right) != len(got):
        return False
    for one, other in zip(right, got, strict=True):
        if one[:3] != other[:3] or one[5] != other[5]:
            return False
        if abs(one[3] - other[3]) > TOLERANCE * one[4]:
            return False
        if one[5] and one[6:] != other[6:]:
            return False
    return True


def check_golden(true: Played) -> int:
    """See that the code without a fault tells the committed stories; count them."""
    files = sorted(GOLDEN.glob("*.story")) if GOLDEN.is_dir() else []
    texts = {Story.parse(one["story"]).digest for one in true.values()}
    committed = {Story.read(file).digest for file in files}
    missing = texts - committed
    if files and missing:
        raise SystemExit(
            f"{len(missing)} scenes do not tell their golden story: run pytest"
        )
    return len(files)


def outcomes(
    faults: list[Fault], true: Played, seconds: float, jobs: int
) -> Iterator[Outcome]:
    """Judge the faults, some at a time, in their order."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda fault: judge(fault, true, seconds), faults)


def report(found: list[Outcome], what: str) -> list[str]:
    """Sum up: how many were noticed by either judge, and who survived."""
    story = sum(bool(one.story) for one in found)
    end = sum(bool(one.end) for one in found)
    count = len(found)
    lines = [
        f"{what}: {count}",
        f"  noticed by the stories     {story:3d}  {100.0 * story / count:5.1f} %",
        f"  noticed by the last frames {end:3d}  {100.0 * end / count:5.1f} %",
    ]
    lines += [
        f"  survived: {o.fault.name} ({o.fault.file})" for o in found if not o.story
    ]
    return lines


def main() -> None:
    """Judge all faults, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="faults; all if left out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--random", type=int, default=0, help="faults at random places")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log", type=Path)
    asked = parser.parse_args()
    chosen = [f for f in FAULTS if not asked.names or f.name in asked.names]
    begin = time.monotonic()
    true = play(ROOT, scene_names())
    seconds = time.monotonic() - begin
    golden = check_golden(true)
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    say(
        f"Python {platform.python_version()}, numpy {np.__version__}, "
        f"{len(true)} scenes, {golden} golden stories, seed {asked.seed}"
    )
    at_random = random_faults(ROOT, asked.random, asked.seed)
    for what, faults in (
        ("faults of the list", chosen),
        ("faults at random", at_random),
    ):
        found = []
        for one in outcomes(faults, true, seconds, asked.jobs):
            found.append(one)
            said = f"{one.story}: {one.words}" if one.story else "SURVIVED"
            name = f"{one.fault.kind:22s} {one.fault.name:36s}"
            say(f"{name} end {one.end or '-':14s} {said}")
        for line in report(found, what) if found else ():
            say(line)
    if asked.log:
        asked.log.write_text("\n".join(lines) + "\n")


def scene_names() -> tuple[str, ...]:
    """List the scenes of the code without a fault."""
    from sim import scenes

    return scenes.names()


if __name__ == "__main__":
    main()
