"""Put faults into a copy of the tracker, and see whether the golden stories notice.

    python tests/fuzz/mutate.py [--jobs 2] [--log FILE] [--random N --seed S] [NAME ...]
    python tests/fuzz/mutate.py --tests [--jobs 1] [--log FILE] [--random N --seed S]

Every fault of ``mutation/faults.txt`` is put into a copy of ``wingedge`` and ``sim`` of
its own; scenes are played by it and judged three times (interpreted where the fault is
in a kernel, which would be compiled anew, and else by whatever engine there is; both
tell the same stories):

* *story*: the committed golden file of the scene and the story that is told now, with
  its numbers, by ``sim.compare`` of the code without a fault;
* *check*: as ``contact_regression`` does, in the mutant itself: the golden file and the
  frames, so that features which are equally close by the positions are let pass;
* *end*: by the last frame alone, as most tests look at a run: regimes, distances within
  1e-9 of the size, and features where they are unique.

A scene that raises or does not end is noticed by all.  Scenes are played
until all three have noticed.  ``--random`` adds
faults that nobody chose: operators and numbers exchanged at random places of the same
files.  Many of those cannot be noticed by any story: what is remembered between frames
is only a hint here, so they cost time and no truth.

With ``--tests`` the tests judge instead, those beside the file first, until one fails:
of the faults that no story shows, and of faults at random places of the core.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from typing import Any, NamedTuple

import numpy as np
from mutation.at_random import random_faults
from mutation.by_tests import core_files, first_to_notice
from mutation.faults import FAULTS, SURVIVORS, TESTED, Fault

from sim import Story, compare

ROOT = Path(__file__).resolve().parents[2]
PLAY = ROOT / "tests" / "fuzz" / "mutation" / "play.py"
GOLDEN = ROOT / "tests" / "sim" / "test_golden_stories"
TOLERANCE = 1e-9

Played = dict[str, dict[str, Any]]  # by scene


class Outcome(NamedTuple):
    """Which scene noticed a fault first, by each of the judges; "" for none."""

    fault: Fault
    story: str
    check: str
    end: str
    words: str


def play(
    code: Path, scenes: Iterable[str], engine: str = "auto", limit: float = 3600.0
) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Play scenes with the code in a folder, one by one; None for one that raised.

    The scenes after the last one that is asked for are not played to the end.
    """
    environment = {
        **os.environ,
        "PYTHONPATH": str(code),
        "WINGEDGE_ENGINE": engine,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    left = list(scenes)
    while left:
        with subprocess.Popen(
            [sys.executable, str(PLAY), str(GOLDEN), *left],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as player:
            late = threading.Timer(limit, player.kill)
            late.start()
            try:
                assert player.stdout is not None
                for line in player.stdout:
                    if not line.endswith("}\n"):
                        break
                    yield left.pop(0), json.loads(line)
            finally:
                late.cancel()
                player.kill()
        if left:
            yield left.pop(0), None  # go on after the scene that ended it


def mutant(fault: Fault, folder: Path, *others: str) -> Path:
    """Write a copy of the code, and of other folders, with one fault in it."""
    for package in ("wingedge", "sim", *others):
        ignored = ignore_patterns("__pycache__", "results")
        copytree(ROOT / package, folder / package, ignore=ignored)
    file = folder / fault.file
    text = file.read_text()
    if text.count(fault.old) != 1:
        raise SystemExit(
            f"{fault.name}: {fault.file} has {text.count(fault.old)} places like "
            f"{fault.old!r}; bring tests/fuzz/mutation/faults.txt up to date"
        )
    file.write_text(text.replace(fault.old, fault.new))
    return folder


def judge(fault: Fault, true: Played, seconds: float) -> Outcome:
    """Play scenes with a fault in the code; say which noticed it first."""
    story = check = end = words = ""
    with tempfile.TemporaryDirectory() as folder:
        code = mutant(fault, Path(folder))
        engine = "python" if "/kernels/" in fault.file else "auto"
        for scene, got in play(code, true, engine, 60.0 + 30.0 * seconds):
            if not story and (said := told_apart(scene, got)):
                story, words = scene, said
            if not check and (got is None or got["check"]):
                check = scene
            right = true[scene]["final"]
            if not end and (got is None or not same_end(right, got["final"])):
                end = scene
            if story and check and end:
                break
    return Outcome(fault, story, check, end, words)


def judge_by_tests(fault: Fault) -> str:
    with tempfile.TemporaryDirectory() as folder:
        code = mutant(fault, Path(folder), "viewer", "tests", "benchmarks", "examples")
        copy(ROOT / "pyproject.toml", folder)
        return first_to_notice(code, fault.file)


def told_apart(scene: str, got: dict[str, Any] | None) -> str:
    """Say how a story differs from the golden file of its scene; empty: not at all."""
    if got is None:
        return "it raises, or does not end"
    if got["story"].endswith("!"):
        return f"cannot be told: {got['story'][:-1]}"
    try:
        told = Story.parse(got["story"])
    except ValueError as error:
        return f"it is no story: {error}"
    comparison = compare(GOLDEN / f"{scene}.story", told)
    return "" if comparison.same else comparison.summary


def same_end(right: list[list[Any]], got: list[list[Any]]) -> bool:
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


def check_golden(true: Played) -> None:
    """See that the code without a fault tells the committed stories, to the letter."""
    for scene, told in true.items():
        golden = (GOLDEN / f"{scene}.story").read_text("utf-8")
        if told["story"] != golden or told["check"]:
            raise SystemExit(f"{scene} does not tell its golden story: run pytest")


def outcomes(
    faults: list[Fault], true: Played, seconds: float, jobs: int
) -> Iterator[Outcome]:
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda fault: judge(fault, true, seconds), faults)


def report(found: list[Outcome], what: str) -> list[str]:
    count = len(found)
    lines = [f"{what}: {count}"]
    for who, seen in (
        ("the golden stories", [one.story for one in found]),
        ("contact_regression", [one.check for one in found]),
        ("the last frames", [one.end for one in found]),
    ):
        n = sum(map(bool, seen))
        lines.append(f"  noticed by {who:20s} {n:3d}  {100.0 * n / count:5.1f} %")
    for one in found:
        if not one.story:
            known = "known" if one.fault.name in SURVIVORS else "NEW"
            lines.append(f"  survived: {one.fault.name} ({one.fault.file}), {known}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="faults; all if left out")
    parser.add_argument("--scenes", nargs="*", help="scenes; all if left out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--random", type=int, default=0, help="faults at random places")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--tests", action="store_true", help="let the tests judge")
    asked = parser.parse_args()
    if asked.tests:
        ask_tests(asked)
        return
    chosen = [f for f in FAULTS if not asked.names or f.name in asked.names]
    begin = time.monotonic()
    played = dict(play(ROOT, asked.scenes or scene_names()))
    true = {scene: one for scene, one in played.items() if one is not None}
    seconds = time.monotonic() - begin
    check_golden(true)
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    say(
        f"Python {platform.python_version()}, numpy {np.__version__}, "
        f"{len(true)} scenes and their golden stories, seed {asked.seed}"
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
            judges = f"check {one.check or '-':12s} end {one.end or '-':12s}"
            say(f"{name} {judges} {said}")
        for line in report(found, what) if found else ():
            say(line)
    if asked.log:
        asked.log.write_text("\n".join(lines) + "\n")


def ask_tests(asked: argparse.Namespace) -> None:
    """Let the tests judge the faults that no story shows, and some at random."""
    known = [f for f in TESTED if not asked.names or f.name in asked.names]
    drawn = random_faults(ROOT, asked.random, asked.seed, core_files(ROOT))
    faults = known + drawn
    lines = [f"Python {platform.python_version()}, tests, seed {asked.seed}"]
    noticed = 0
    with ThreadPoolExecutor(asked.jobs) as pool:
        for fault, test in zip(faults, pool.map(judge_by_tests, faults), strict=True):
            noticed += bool(test)
            name = f"{fault.kind:13s} {fault.name:38s} {fault.file:36s}"
            lines.append(f"{name} {test or 'SURVIVED'}")
            print(lines[-1], flush=True)
    lines.append(f"faults: {len(faults)}, noticed by a test: {noticed}")
    print(lines[-1])
    if asked.log:
        asked.log.write_text("\n".join(lines) + "\n")


def scene_names() -> tuple[str, ...]:
    from sim import scenes

    return scenes.names()


if __name__ == "__main__":
    main()
