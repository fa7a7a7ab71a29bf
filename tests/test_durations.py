"""Which tests are skipped for being long, and how the table of these is written."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

HERE = Path(__file__).parent


def test_what_is_long_is_skipped_unless_all_are_asked_for(pytester):
    pytester.makepyfile(test_a="def test_long(): pass\n\ndef test_short(): pass\n")
    pytester.makeconftest((HERE / "conftest.py").read_text())
    pytester.path.joinpath("durations.txt").write_text("1.5 test_a.py::test_long\n")
    result = pytester.runpytest_inprocess("-rs")
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*run it by name, or all tests with --all"])
    pytester.runpytest_inprocess("--all").assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (["tests"], False),
        (["tests", "tests/test_a.py"], True),
        (["tests/test_b.py"], False),
        (["tests/test_a.py::test_long"], True),
        (["tests/test_a.py::test_long[1 2]"], True),
        (["tests/test_a.py::test_short"], False),
    ],
)
def test_a_test_is_named_by_its_file_or_by_itself(pytestconfig, asked, named):
    conftest = pytestconfig.pluginmanager.get_plugin(str(HERE / "conftest.py"))
    item = SimpleNamespace(
        config=SimpleNamespace(args=asked),
        path=Path("tests/test_a.py").resolve(),
        nodeid="tests/test_a.py::test_long[1 2]",
    )
    assert conftest.is_named(item) == named


@pytest.fixture
def table():
    spec = importlib.util.spec_from_file_location("durations", HERE / "durations.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.table


def test_of_a_file_that_is_measured_the_long_tests_are_kept_and_no_others(table):
    old = "9.00 a.py::test_x[1 2]\n9.00 b.py::test_y\n"
    new = {"b.py::test_y": (0.01, 0.01), "b.py::test_z[1 2]": (0.5, 0.5)}
    assert table(old, new) == "9.00 a.py::test_x[1 2]\n0.50 b.py::test_z[1 2]\n"


def test_of_a_file_whose_tests_are_all_long_the_shortest_runs_if_it_can(table):
    new = {f"a.py::test_{x}": (t, t) for x, t in (("x", 2.0), ("y", 1.0), ("z", 3.0))}
    assert table("", new) == "2.00 a.py::test_x\n3.00 a.py::test_z\n"
    # what it shares with forty others takes half a minute
    new = {"a.py::test_x": (0.7, 30.0)}
    assert table("", new) == "0.70 a.py::test_x\n"
