"""Put faults into a copy of the code, one by one, and see who notices.

    python tests/fuzz/mutate.py [--jobs 2] [--random N --seed S] [--of NAME ...]
    python tests/fuzz/mutate.py --tests [--jobs 1] [--random N --seed S] [--log FILE]

Every fault of ``mutation/faults.txt`` is put into a copy of its own.  There all scenes
are played (interpreted where the fault is in a kernel, which would be compiled anew)
until one tells another story than its golden file, with its numbers, or does not end.
``--random`` adds faults that nobody chose: operators and numbers exchanged at random
places of the same files.  Many of those cannot be noticed by any story: what is
remembered between frames is only a hint here, so they cost time and no truth.

With ``--tests`` the tests judge instead, those beside the file first, until one fails:
of the faults that no story shows, and of faults at random places of the core.
"""

import os
import re
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

from mutation.at_random import random_faults
from mutation.faults import FAULTS, SURVIVORS, TESTED, Fault
from runner import Say, main

from sim import scenes

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "sim" / "test_golden_stories"
LIMIT = 600.0  # seconds, of a run of tests
TELL = """
import sys
from pathlib import Path
from sim import Story, compare, scenes
for name in sys.argv[2:]:
    told = Story.of(scenes.load(name).run(scenes.length(name)), numbers=True)
    found = compare(Path(sys.argv[1]) / f"{name}.story", Story.parse(str(told)))
    if not found.same:
        sys.exit(f"{name}: {found.summary}")
"""
CORE = (
    *("sim/kernels", "sim/body", "sim/result/state.py", "sim/result/rows.py"),
    *("sim/contact_manager.py", "sim/world.py", "sim/events/event.py"),
    *("sim/story/file", "sim/tracking/pair.py", "sim/tracking/buffers.py"),
    *("sim/tracking/fallback.py", "sim/tracking/options.py"),
)
WIDE = (
    *("tests/sim/test_golden_stories.py", "tests/sim/test_contact_manager.py"),
    *("tests/sim/tracking/test_pair.py", "tests/sim/tracking/test_regressions.py"),
    *("tests/sim/kernels", "tests/sim/tracking", "tests/sim/body"),
    *("tests/sim/story/test_recording.py", "tests/sim/story/file"),
    *("tests/sim/test_world.py", "tests/sim/story"),
)


def core_files(root: Path) -> list[str]:
    """List the files in which an answer, an event or a file is made."""
    places = [root / part for part in CORE]
    files = [sorted(x.rglob("*.py")) if x.is_dir() else [x] for x in places]
    return [str(file.relative_to(root)) for some in files for file in some]


def suites(root: Path, file: str) -> Iterator[list[str]]:
    """List tests to run one after the other, the likeliest to notice first."""
    path = Path(file)
    folder = root / "tests" / path.parent
    ahead = sorted(str(p.relative_to(root)) for p in folder.glob(f"*{path.stem}*.py"))
    if ahead:
        yield ahead
    if folder.name != "tracking" and folder.is_dir():
        yield [str(folder.relative_to(root))]
    yield from ([name] for name in WIDE if name not in ahead)


def ran(code: Path, engine: str, limit: float, *command: object) -> tuple[int, str]:
    """Run Python on a copy of the code; return the exit code and what it wrote."""
    at = {"PYTHONPATH": str(code), "WINGEDGE_ENGINE": engine}
    try:
        done = subprocess.run(
            [sys.executable, *map(str, command)],
            cwd=code,
            env={**os.environ, **at, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 1, "it does not end"
    return done.returncode, done.stdout + done.stderr


def told_apart(code: Path, file: str, names: tuple[str, ...]) -> str:
    """Say which scene tells another story than its golden file first; empty: none."""
    engine = "python" if "/kernels/" in file else "auto"
    exit_code, said = ran(code, engine, 6 * LIMIT, "-c", TELL, GOLDEN, *names)
    return said.strip().rpartition("\n")[2] if exit_code else ""


def first_to_notice(code: Path, file: str) -> str:
    """Name the first test that fails on a copy of the code; empty: none did."""
    for tests in suites(code, file):
        quick = ("-m", "pytest", "-q", "-x", "--tb=no", "-m", "not compiled")
        # interpreted: a fault in a kernel would be compiled anew for every run
        exit_code, said = ran(code, "python", LIMIT, *quick, *tests)
        if exit_code not in (0, 5):  # 5: no test was selected
            failed = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
            return failed.group(1) if failed else f"{tests[0]} (does not run or end)"
    return ""


def judge(fault: Fault, by_tests: bool, names: tuple[str, ...]) -> str:
    """Put a fault into a copy of the code; say who noticed it first, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        code = Path(folder)
        others = ("viewer", "tests", "benchmarks", "examples") if by_tests else ()
        for package in ("wingedge", "sim", *others):
            ignored = ignore_patterns("__pycache__", "results")
            copytree(ROOT / package, code / package, ignore=ignored)
        copy(ROOT / "pyproject.toml", code)
        text = (code / fault.file).read_text()
        if text.count(fault.old) != 1:
            raise SystemExit(
                f"{fault.name}: {fault.file} has {text.count(fault.old)} places like "
                f"{fault.old!r}; bring tests/fuzz/mutation/faults.txt up to date"
            )
        (code / fault.file).write_text(text.replace(fault.old, fault.new))
        if by_tests:
            return first_to_notice(code, fault.file)
        return told_apart(code, fault.file, names)


def run(options: Namespace, say: Say) -> bool:
    known = TESTED if options.tests else FAULTS
    chosen = [f for f in known if f.name in options.of or options.of == ["all"]]
    files = core_files(ROOT) if options.tests else None
    drawn = random_faults(ROOT, options.random, options.seed, files)
    names = scenes.names() if options.scenes == ["all"] else tuple(options.scenes)
    if not options.tests and (found := told_apart(ROOT, "", names)):
        raise SystemExit(f"without a fault, run pytest: {found}")
    ask = partial(judge, by_tests=options.tests, names=names)
    for what, faults in (("of the list", chosen), ("at random", drawn)):
        missed = []
        with ThreadPoolExecutor(options.jobs) as pool:
            for fault, noticed in zip(faults, pool.map(ask, faults), strict=True):
                say(f"{fault.kind:22} {fault.name:38} {noticed or 'SURVIVED'}")
                missed += [] if noticed else [fault]
        if faults:
            count = len(faults) - len(missed)
            share = 100.0 * count / len(faults)
            say(f"faults {what}: {len(faults)}, noticed {count}, {share:.1f} %")
        for fault in missed:
            why = "known" if fault.name in SURVIVORS else "NEW"
            say(f"  survived: {fault.name} ({fault.file}), {why}")
    return True


if __name__ == "__main__":
    options = {"of": ["all"], "scenes": ["all"], "tests": False, "random": 0}
    sys.exit(main(__doc__, run, **options, seed=0, jobs=os.cpu_count() or 1))
