import re  # of sim.story.testing.golden, sim.story.pytest_plugin
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "testing.md"


@pytest.fixture
def blocks():
    page = PAGE.read_text(encoding="utf-8").split("\n## Two stories")[0]
    (program,) = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    return program, *re.findall(r"^```text\n(.*?)^```", page, re.M | re.S)


def failures(result):
    """Keep what says what is wrong, without the names of temporary folders."""
    lines = [line.rstrip() for line in result.outlines if re.match("E( |$)", line)]
    return [re.sub(r"- .*(?=test_jelly/)", "- ", line) for line in lines]


def test_its_example_fails_once_then_passes_then_says_what_changed(blocks, suite):
    program, first, golden, changed = blocks
    suite.write(program, conftest="", module="test_jelly")
    assert failures(suite.run()) == first.splitlines()
    (story,) = (suite.path / "test_jelly").iterdir()
    assert story.read_text(encoding="utf-8") == golden
    suite.run().assert_outcomes(passed=2)
    more = program.replace("squash=0.1)", "squash=0.12)")
    suite.write(more, conftest="", module="test_jelly")
    assert failures(suite.run()) == [line for line in changed.splitlines() if line]
