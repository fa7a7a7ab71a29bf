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


@pytest.mark.gui
def test_it_draws_a_frame_and_another_one_beside_it(view, vertex_above_face, tmp_path):
    one = view(vertex_above_face, tmp_path / "a.png", size=(640, 480))
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    said = "as it was", vertex_above_face
    both = view(vertex_above_face, tmp_path / "b.png", size=(640, 480), beside=said)
    assert both.shape == (480, 1280, 3)
    assert (both[:, 640:] == one).all()
    changed = (both[:, :640] != one).any(axis=2)
    assert changed[:100].any()  # the words over it,
    assert changed[240:].mean() < 0.01  # and seen from the same place
