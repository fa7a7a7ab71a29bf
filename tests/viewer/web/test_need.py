import pytest

import viewer
from sim import scenes
from viewer.web import server as need


@pytest.fixture
def without_viser(monkeypatch):
    monkeypatch.setattr(need, "has_viser", lambda: False)


def test_without_viser_a_page_says_what_to_install_and_no_file_is_begun(
    without_viser, tmp_path
):
    with pytest.raises(ImportError, match=r"pip install 'wingedge\[web\]'"):
        viewer.watch(scenes.load("demo"), 3, screen="web")
    world = scenes.load("demo")
    with pytest.raises(ImportError, match=r"pip install 'wingedge\[web\]'"):
        viewer.html(world, tmp_path / "a.html", frames=3)
    assert world.index == 0
    assert list(tmp_path.iterdir()) == []


def test_viewer_is_loaded_without_viser(run):
    code = (
        "import sys, viewer, viewer.screens, viewer.live; print('viser' in sys.modules)"
    )
    assert run(code).stdout == "False\n"
