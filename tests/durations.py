"""Measure every test, and keep in durations.txt which ones take long.

``python -m pytest -p tests.durations`` runs all tests, in about ten minutes, and writes
the file; with names of files or folders it measures these and keeps the other lines.
What several tests share, such as a recording that a module makes once, is divided among
them.  Of a file whose tests are all long the shortest is left out, so that it always
runs, unless it takes seconds.
"""

import itertools
import time
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

TABLE = Path(__file__).with_name("durations.txt")
LONG = 0.15  # seconds; at 0.1 the suite is 20 % faster, at 0.25 it is 30 % slower

MOST = 3.0  # seconds; what takes longer never runs unasked

Shared = tuple[str, str]  # for whom it is set up, and its name
tests: dict[str, float] = {}
users: dict[str, list[Shared]] = {}
shared: dict[Shared, float] = {}
paid = 0.0  # what the test that runs has set up for others, too


def now() -> float:
    """Return seconds, without what this thread had to wait for a busy machine."""
    try:
        waited = Path("/proc/thread-self/schedstat").read_text().split()[1]
    except OSError:  # on Linux only: elsewhere the machine must be quiet
        waited = "0"
    return time.perf_counter() - 1e-9 * int(waited)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("numprocesses", None):
        raise pytest.UsageError("tests are measured one at a time: leave out -n")
    config.option.all = True


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Measure what is set up for more than one test."""
    global paid
    start = now()
    try:
        return (yield)
    finally:
        if fixturedef.scope != "function":
            key = request.node.nodeid, fixturedef.argname
            shared[key] = shared.get(key, 0.0) + now() - start
            paid += now() - start


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure a test alone, and note what it shares."""
    global paid
    paid, start = 0.0, now()
    result = yield
    tests[item.nodeid] = now() - start - paid
    keys = itertools.product(
        [node.nodeid for node in item.listchain()], getattr(item, "fixturenames", [])
    )
    users[item.nodeid] = [key for key in keys if key in shared]
    return result


def costs() -> dict[str, tuple[float, float]]:
    """Return what every test takes with its part of what it shares, and run alone."""
    count = Counter(key for keys in users.values() for key in keys)
    return {
        name: (
            seconds + sum(shared[key] / count[key] for key in users[name]),
            seconds + sum(shared[key] for key in users[name]),
        )
        for name, seconds in tests.items()
    }


def table(old: str, new: dict[str, tuple[float, float]]) -> str:
    """Return the lines of the long tests; files without new figures keep theirs."""
    files = defaultdict(list)
    for name, (seconds, alone) in new.items():
        files[name.partition("::")[0]].append((seconds, alone, name))
    found = [
        (float(seconds), name)
        for seconds, name in (line.split(" ", 1) for line in old.splitlines())
        if name.partition("::")[0] not in files
    ]
    for measured in files.values():
        long = sorted(test for test in measured if test[0] > LONG)
        if len(long) == len(measured) and long[0][1] <= MOST:
            del long[0]
        found += [(seconds, name) for seconds, _, name in long]
    lines = sorted((name, seconds) for seconds, name in found)
    return "".join(f"{seconds:.2f} {name}\n" for name, seconds in lines)


def pytest_sessionfinish() -> None:
    old = TABLE.read_text(encoding="utf-8")
    TABLE.write_text(table(old, costs()), encoding="utf-8")
