import inspect
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from sim.story.testing.golden import GROUP

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def view():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    ((name, value),) = project["entry-points"][GROUP].items()
    return EntryPoint(name, value, GROUP).load()


def test_it_takes_a_frame_and_a_path(view, tmp_path):
    bound = inspect.signature(view).bind("a frame", tmp_path / "a.png")
    assert list(bound.arguments.values()) == ["a frame", tmp_path / "a.png"]
