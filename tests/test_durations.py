"""Which tests are skipped for being long, and how the table of these is written."""

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
