"""Measure every test, and keep in durations.txt which ones take long.

``python -m pytest -p tests.durations`` runs all tests in ten minutes, which must be
quiet, and writes the file; with names of files it measures these, and keeps the other
lines of tests that are still there.  What several tests share is divided among them.
Of a file whose tests are all long the shortest runs always, unless it takes seconds.
"""

from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path
from time import perf_counter as now

import pytest

Around = Generator[None, object, object]
TABLE = Path(__file__).with_name("durations.txt")
LONG = 0.15  # seconds; at 0.1 the suite is 20 % faster, at 0.25 it is 30 % slower
MOST = 3.0  # seconds; what takes longer never runs unasked

tests: dict[str, float] = {}
users: dict[str, list[object]] = {}  # the shared fixtures of a test
shared: Counter[object] = Counter()  # seconds
paid = 0.0  # what the test that runs has set up for others, too


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("numprocesses", None):
        raise pytest.UsageError("tests are measured one at a time: leave out -n")
    config.option.all = True


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Around:
    """Measure what is set up for more than one test."""
    global paid
    start = now()
    try:
        return (yield)
    finally:
        if fixturedef.scope != "function":
            shared[fixturedef] += now() - start
            paid += now() - start


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Function) -> Around:
    """Measure a test alone, and note what it shares."""
    global paid
    paid, start = 0.0, now()
    result = yield
    tests[item.nodeid] = now() - start - paid
    known = item._fixtureinfo.name2fixturedefs.values()
    users[item.nodeid] = [one for some in known for one in some]
    return result


def is_there(name: str) -> bool:
    path, _, test = name.partition("::")
    file = TABLE.parents[1] / path
    return file.exists() and f"def {test.split('[')[0]}(" in file.read_text("utf-8")


def pytest_sessionfinish() -> None:
    count = Counter(one for some in users.values() for one in some)
    files = defaultdict(list)
    for name, own in tests.items():
        seconds = own + sum(shared[one] / count[one] for one in users[name])
        files[name.partition("::")[0]].append((seconds, name))
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    old = [(name, float(s)) for s, _, name in (x.partition(" ") for x in lines)]
    kept = [x for x in old if x[0].partition("::")[0] not in files and is_there(x[0])]
    for measured in files.values():
        long = sorted(test for test in measured if test[0] > LONG)
        first = len(long) == len(measured) and long[0][0] <= MOST
        kept += [(name, seconds) for seconds, name in long[first:]]
    TABLE.write_text("".join(f"{s:.2f} {name}\n" for name, s in sorted(kept)), "utf-8")
