import os  # of viewer.cli.show
import re
import sys

import pytest

from sim import Recording
from viewer.cli import show

EVENT = re.compile(r"\d+ (begin|change|end|penetrate|separate) \S+/\S+ ")


def check_story(result, tmp_path, name="demo"):
    *story, last = result.out.splitlines()
    assert len(story) > 3
    assert all(EVENT.match(line) for line in story)
    with Recording.open(tmp_path / f"{name}.vtkhdf") as opened:
        assert [str(event) for event in opened.events] == story
    return last


@pytest.mark.gui
@pytest.mark.parametrize(
    ("words", "name"), [(("demo",), "demo"), (("demo", "jelly"), "jelly")]
)
def test_a_demo_tells_records_and_draws_bodies_that_meet(
    process, tmp_path, words, name
):
    from PIL import Image

    result = process(*words)
    assert (result.code, result.err) == (0, "")
    assert f"Now look at {name}.png" in check_story(result, tmp_path, name)
    with Image.open(tmp_path / f"{name}.png") as picture:
        assert picture.size == (1280, 720)
        assert len(picture.getcolors(1 << 24)) > 1000
    assert sorted(os.listdir(tmp_path)) == [f"{name}.png", f"{name}.vtkhdf"]


@pytest.mark.gui
@pytest.mark.parametrize(
    ("which", "name", "keys", "line"),
    [
        ("disk", "disk_triangle", "L*31", "30 begin disk/triangle VV v0 v0"),
        ("segments", "two_segments", "K*5", "5 touching t1 0.5 t2 0 at (0, 0)"),
    ],
)
def test_keys_are_played_unseen_and_the_last_frame_is_drawn(
    wingedge, tmp_path, which, name, keys, line
):
    result = wingedge("demo", which, "--keys", keys)
    assert (result.code, result.err) == (0, "")
    assert line in result.out.splitlines()
    assert f"Now look at {name}.png" in result.out
    assert os.listdir(tmp_path) == [f"{name}.png"]


def test_where_the_examples_are_not_installed_it_says_where_they_are(
    wingedge, monkeypatch
):
    monkeypatch.setitem(show.EXAMPLES, "disk", "nowhere")
    result = wingedge("demo", "disk")
    assert result.code == 2
    assert "examples/nowhere.py of https://github.com" in result.sentence


@pytest.mark.gui
def test_the_files_come_first_then_a_window_where_somebody_watches(
    wingedge, tmp_path, monkeypatch
):
    shown, seen = [], show.gl.Gl(True, "llvmpipe", "", "", True)
    monkeypatch.setattr(show.gl, "has_display", lambda: True)
    monkeypatch.setattr(show.gl, "probe", lambda: seen)
    monkeypatch.setattr(show, "is_watched", lambda: True)
    told = lambda recording: shown.append((len(recording), os.listdir(tmp_path)))  # noqa: E731
    monkeypatch.setattr(show.viewer, "replay", told)
    assert wingedge("demo").code == 0
    ((count, files),) = shown
    assert (count, sorted(files)) == (160, ["demo.png", "demo.vtkhdf"])
    monkeypatch.undo()
    monkeypatch.setattr(show.gl, "has_display", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for ci in ("", "true"):
        monkeypatch.setenv("CI", ci)
        assert show.is_watched() is not bool(ci)
