import numpy as np  # of viewer.web.html
import pytest

import viewer
from sim import Body, Pose, World, scenes
from wingedge import shapes

pytest.importorskip("viser", reason="viser is in the extra 'web'")
pytestmark = pytest.mark.web


def test_frames_are_stored_at_the_pace_that_was_asked_for(tmp_path, capsys):
    told = []
    frames = list(scenes.load("demo").run(31))
    count = viewer.html(
        frames, tmp_path / "a.html", fps=6, progress=lambda *done: told.append(done)
    )
    assert count == 4
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert capsys.readouterr() == ("", "")


def test_ten_bodies_and_a_hundred_frames_stay_below_eight_megabytes(tmp_path):
    balls = [
        Body(shapes.icosphere(3), name=f"ball{k}", pose=Pose(None, (2.5 * k, 0, 0)))
        for k in range(10)
    ]
    frames = World(balls, deform={"ball3": lambda rest, t: rest * (1.0 + t)})
    viewer.html(frames, tmp_path / "a.html", frames=100, fps=60)
    assert (tmp_path / "a.html").stat().st_size < 8e6


def test_layers_are_stored_too(tmp_path):
    frames = list(scenes.load("demo").run(38))[36:]
    sizes = []
    for layers in ((), ("distance", "path")):
        viewer.html(frames, tmp_path / "a.html", layers=layers)
        sizes.append((tmp_path / "a.html").stat().st_size)
    assert sizes[1] > sizes[0]


def test_names_of_the_users_cannot_become_a_part_of_the_page(tmp_path):
    body = Body(shapes.box(), name="<img src=x onerror=alert(1)>")
    viewer.html(World([body]).step(), tmp_path / "a.html", title="<b>&")
    text = (tmp_path / "a.html").read_text("utf-8")
    assert "<img src=x" not in text
    assert "&lt;img src=x onerror" in text
    assert "<title>&lt;b&gt;&amp;</title>" in text


def test_the_file_plays_without_a_network_with_its_story_beside(open_browser, tmp_path):
    browser, path = open_browser(), tmp_path / "run.html"
    viewer.html(list(scenes.load("demo").run(60)), path, speed=0.5, title="a & b")
    browser.open(path.as_uri())
    browser.sees("a & b")
    browser.sees("0.617 37 begin jelly/table VF")

    def differs(other):
        picture = browser.picture()
        other = picture[-80, 5] if other is None else other
        return (np.abs(picture - other)[60:-60, :600].max(axis=2) > 25).mean()

    browser.until(lambda: differs(None) > 0.1, "the picture has faded in")
    first = browser.picture()
    browser.until(lambda: differs(first) > 0.003, "something moves")
    browser.point(".mantine-Slider-root", 0.7)  # the player pauses
    assert browser.errors == []
    assert not [r for r in browser.requests if r.startswith(("http", "ws"))]
