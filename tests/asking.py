"""Run chosen tests in copies of the tree, for ``tests.mutate``; a plugin of pytest."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from coverage import Coverage, CoverageData

from tests.house import ROOT

IGNORED = shutil.ignore_patterns(".git", "__pycache__", ".*_cache")
LINK = ("-m", "sim.engine.link")
PYTEST = ("-m", "pytest", "-q", "--all", "--tb=no", "-p", "tests.asking")
FIRST = ("tests/sim/test_golden", "tests/sim/test_scenes", "tests/sim/", "tests/")


def note(test: str, outcome: str, seconds: float = 0.0) -> None:
    with open(os.environ["TESTS_SAID"], "a", encoding="utf-8") as file:
        file.write(json.dumps([test, outcome, seconds]) + "\n")


def pytest_collection_modifyitems(items: list[Any]) -> None:
    if name := os.environ.get("TESTS_ASKED"):
        order = {test: k for k, test in enumerate(json.loads(Path(name).read_text()))}
        asked = [item for item in items if item.nodeid in order]
        items[:] = sorted(asked, key=lambda item: order[item.nodeid])


def pytest_runtest_logstart(nodeid: str) -> None:
    if cover := Coverage.current():
        if sys.gettrace() is None:  # a test that looked at lines ended its own look
            cover.stop()
            cover.start()
        cover.switch_context(nodeid)
    note(nodeid, "begun")


def pytest_runtest_logreport(report: Any) -> None:
    if not hasattr(report, "node"):  # else told again, by who started the workers
        note(report.nodeid, report.outcome, report.duration)
        note(report.nodeid, "ended" if report.when == "teardown" else "begun")


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        note(report.nodeid, "failed")


class Tree:
    """A copy of the checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.said, self.asked = Path(f"{root}.said"), Path(f"{root}.asked")
        inside = {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": ""}
        self.env = os.environ | inside | {"TESTS_SAID": str(self.said)}
        if not root.exists():
            shutil.copytree(ROOT, root, ignore=IGNORED)

    def run(self, *command: str, seconds: float = 60.0) -> int:
        """Run what takes so long; return its exit code.

        It is ended after five times that of a processor's time, or 15 times of ours.
        """
        most = round(60 + 5 * seconds)
        program = subprocess.Popen(
            [sys.executable, *command],
            cwd=self.root,
            env=self.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most)),
        )
        try:
            return program.wait(3 * most)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            return program.wait()

    def tests(
        self, *command: str, seconds: float
    ) -> tuple[list[str], dict[str, float]]:
        """Return which tests failed, hung or crashed, and how long others took."""
        self.said.write_text("", "utf-8")
        code = self.run(*command, seconds=seconds)
        taken: dict[str, float] = defaultdict(float)
        seen: dict[str, set[str]] = defaultdict(set)
        for line in self.said.read_text("utf-8").splitlines():
            test, outcome, more = json.loads(line)
            seen[test].add(outcome)
            taken[test] += more
        stopped = [t for t, told in seen.items() if "ended" not in told and code < 0]
        failed = [t for t, told in seen.items() if "failed" in told or t in stopped]
        if code not in (0, 5) and not failed:
            failed = ["(pytest itself)"]
        wrong = {"failed", "skipped"}
        return failed, {t: taken[t] for t, told in seen.items() if not told & wrong}

    def ask(self, tests: list[str], known: dict[str, float], *more: str) -> list[str]:
        """Ask tests that take so long; return which failed."""
        if not tests:
            return []
        self.asked.write_text(json.dumps(tests), "utf-8")
        self.env["TESTS_ASKED"] = str(self.asked)
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        taken = sum(known[test] for test in tests)
        return self.tests(*PYTEST, *more, *files, seconds=taken)[0]


class Base(NamedTuple):
    """What runs without a fault."""

    passed: dict[str, float]  # tests, with the seconds that each takes
    lines: dict[str, dict[int, set[str]]]  # which tests pass a line of a file

    @classmethod
    def of(cls, tree: Tree, jobs: int) -> "Base":
        """Run all tests under coverage, unless they ran in this folder before."""
        kept, lines = Path(f"{tree.root}.passed"), {}
        if not kept.exists():
            tree.run(*LINK)
            cover = ("-m", "coverage", "run", *PYTEST, "-n", str(jobs), "tests")
            passed = tree.tests(*cover, seconds=1000.0)[1]
            tree.run("-m", "coverage", "combine")
            kept.write_text(json.dumps(passed), "utf-8")
        read = CoverageData(str(tree.root / ".coverage"))
        read.read()
        for file in filter(f"{tree.root}/".__lt__, read.measured_files()):
            told = read.contexts_by_lineno(file)
            name = file.removeprefix(f"{tree.root}/")
            lines[name] = {line: set(tests) for line, tests in told.items()}
        return cls(json.loads(kept.read_text("utf-8")), lines)

    def order(self, tests: set[str], limit: float) -> list[str]:
        """Sort by file, the quickest first, as many as the limit allows."""
        files: dict[str, list[str]] = defaultdict(list)
        for test in filter(tests.__contains__, self.passed):
            files[test.partition("::")[0]].append(test)

        def rank(file: str) -> tuple[int, float]:
            place = next(k for k, name in enumerate(FIRST) if file.startswith(name))
            return place, sum(map(self.passed.get, files[file])) / len(files[file])

        chosen, taken = [], 0.0
        for test in (test for file in sorted(files, key=rank) for test in files[file]):
            if taken + self.passed[test] <= limit:
                taken += self.passed[test] + 0.01
                chosen.append(test)
        return chosen

    def groups(
        self, where: tuple[str, int], own: tuple[str, ...], limit: float
    ) -> Iterator[list[str]]:
        """Hand out tests that pass a line: of its room, golden stories, and others."""
        passing = self.lines.get(where[0], {}).get(where[1], set()) & {*self.passed}
        if where[0].startswith("sim/kernels/") or not passing:
            passing = {*self.passed}  # compiled, or run by other processes
        for begin, share in ((own, 1.0), (FIRST[:2], 0.5), (FIRST, 1.0)):
            tests = {test for test in passing if test.startswith(begin)}
            yield (chosen := self.order(tests, share * limit))
            passing.difference_update(chosen)
