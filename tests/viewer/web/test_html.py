import time

import numpy as np
import pytest

import viewer
from sim import Body, Pose, Recording, World, scenes
from wingedge import shapes

pytest.importorskip("viser", reason="viser is in the extra 'web'")
pytestmark = pytest.mark.web


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"path": "a.png"}, "give a name that ends in .html"),
        ({"fps": 0.0}, "fps=0.0: give a number above 0"),
        ({"speed": float("nan")}, "speed=nan"),
        ({"theme": "pink"}, "theme='pink'"),
        ({"frames": None}, "a world has no end; say frames=120"),
        ({"frames": 0}, "there are no frames to show"),
    ],
)
def test_what_cannot_be_is_refused_and_leaves_no_file(tmp_path, given, words):
    given = {"path": "a.html", "frames": 3} | given
    path = tmp_path / given.pop("path")
    with pytest.raises(ValueError, match=words):
        viewer.html(scenes.load("demo"), path, **given)
    assert list(tmp_path.iterdir()) == []


def test_an_error_in_a_script_leaves_no_file(tmp_path):
    world = scenes.load("demo")
    world.step = lambda: 1 / 0
    with pytest.raises(ZeroDivisionError):
        viewer.html(world, tmp_path / "a.html", frames=3)
    assert list(tmp_path.iterdir()) == []


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


def test_layers_are_stored_too_and_unknown_ones_are_refused(tmp_path):
    frames = list(scenes.load("demo").run(38))[36:]
    sizes = []
    for layers in ((), ("elements", "path")):
        viewer.html(frames, tmp_path / "a.html", layers=layers)
        sizes.append((tmp_path / "a.html").stat().st_size)
    assert sizes[1] > sizes[0]
    with pytest.raises(ValueError, match="layers='pink'"):
        viewer.html(frames, tmp_path / "b.html", layers=["pink"])


def test_names_of_the_users_cannot_become_a_part_of_the_page(tmp_path):
    body = Body(shapes.box(), name="<img src=x onerror=alert(1)>")
    viewer.html(World([body]).step(), tmp_path / "a.html", title="<b>&")
    text = (tmp_path / "a.html").read_text("utf-8")
    assert "<img src=x" not in text
    assert "&lt;img src=x onerror" in text
    assert "<title>&lt;b&gt;&amp;</title>" in text


def test_the_file_plays_in_a_browser_without_a_network(browser, tmp_path):
    world = scenes.load("demo")
    with world.record(tmp_path / "run.vtkhdf"):
        list(world.run(60))
    path = tmp_path / "run.html"
    with Recording.open(tmp_path / "run.vtkhdf") as recording:
        viewer.html(recording, path, title="jelly on a table")
    browser.open(path.as_uri())
    browser.sees("jelly on a table")
    browser.sees("37 begin jelly/table VF")
    time.sleep(6.0)  # the picture fades in
    first = browser.picture(tmp_path / "html.png").astype(int)
    drawn = np.abs(first - first[-80, 5]).max(axis=2) > 25
    assert drawn[:, :600].mean() > 0.1
    end = time.monotonic() + 20.0
    while (np.abs(browser.picture() - first)[60:-60, :600] > 25).mean() < 0.003:
        assert time.monotonic() < end, "nothing moves"
    assert browser.errors == []
    assert not [r for r in browser.requests if r.startswith(("http", "ws"))]


STORY = "[...document.querySelectorAll('#wingedge-story div')].map(d => d.className)"


def test_the_file_marks_the_present_event_also_when_somebody_seeks(browser, tmp_path):
    """The story was a list that stood still, whatever the player showed."""
    path = tmp_path / "run.html"
    viewer.html(list(scenes.load("demo").run(60)), path, fps=60, speed=0.1)
    browser.open(path.as_uri())
    browser.sees("frame ")
    browser.until(
        lambda: browser.ask(STORY) == ["later", "later"], "nothing happened yet"
    )
    browser.point(".mantine-Slider-root", 0.7)  # the player pauses
    browser.until(lambda: "last" in browser.ask(STORY)[1], "events are over")
    assert browser.ask(STORY)[0] == ""
    assert "penetrating" in browser.text()
    browser.point(".mantine-Slider-root", 0.3)
    browser.until(
        lambda: browser.ask(STORY) == ["later", "later"], "events are to come again"
    )
    assert "separated, distance" in browser.text()
    present = "wingedgeShow(37, 36, '<b>frame 37</b>')"  # as the file itself does
    browser.ask(present)
    browser.until(lambda: browser.ask(STORY) == ["now last", "later"], "one is marked")
    story = "document.getElementById('wingedge-story')"
    browser.ask(f"{story}.style.height = '20px'; {story}.scrollTop = 15")
    assert browser.ask(f"{story}.scrollTop") > 0
    browser.ask("wingedgeShow(0, -1, '')")
    browser.until(lambda: browser.ask(f"{story}.scrollTop") == 0, "the list is at 0")
    assert browser.errors == []


def test_the_answer_in_the_file_is_that_of_the_frame(tmp_path):
    frames = list(scenes.load("demo").run(3))
    from viewer.theme import LIGHT
    from viewer.web.html import step_script

    told = step_script(frames[2], 2, 1, LIGHT)
    assert told.startswith("window.wingedgeShow?.(2, 1, ")
    assert "frame 2" in told
    body = Body(shapes.box(), name="<script><b>")
    told = step_script(World([body, Body(shapes.box(), name="b")]).step(), 0, -1, LIGHT)
    assert "<script>" not in told


WATCH = """(() => {
  const viewer = window.__viserMutable, nodes = viewer?.nodeRefFromName;
  const named = viewer?.nodePoseData["/names/0"];
  if (!(named && nodes["/bodies/0"] && nodes["/marks"])) return false;
  const middle = (node) => {
    const at = node.position.clone().setScalar(0);
    let count = 0;
    node.traverse((each) => {
      const held = each.geometry?.attributes;
      const points = held?.instanceStart ?? held?.position;
      for (let k = 0; k < (points?.count ?? 0); k++, count++)
        at.add(node.position.clone().fromBufferAttribute(points, k)
          .applyMatrix4(each.matrixWorld));
    });
    return at.divideScalar(count).toArray().map((x) => x.toFixed(4)).join(" ");
  };
  window.drawn = [];
  viewer.scene.onBeforeRender = () => {
    const place = viewer.nodePoseData["/names/0"].position.join(" ");
    const row = [middle(nodes["/bodies/0"]), middle(nodes["/marks"]), place];
    if (`${row}` !== `${window.drawn.at(-1)}`) window.drawn.push(row);
  };
  return true;
})()"""


@pytest.mark.parametrize("how", ["moves", "deforms"])
def test_all_of_a_frame_is_drawn_at_one_time(browser, tmp_path, how):
    """A body that moved stood one picture before its marks: 0.5 s in slow browsers."""
    ball, table = (
        Body(shapes.icosphere(2), name="ball"),
        Body(shapes.box(4.0), name="b"),
    )
    ball.pose, step = _above(0.0), np.array([60.0 * 0.3, 0.0, 0.0])
    moves = {"motion": {"ball": lambda t: _above(60.0 * 0.3 * t)}}
    deforms = {"deform": {"ball": lambda rest, t: rest + step * t}}
    given = moves if how == "moves" else deforms
    frames = list(World([ball, table], **given).run(6))
    viewer.html(frames, tmp_path / "a.html", fps=60, speed=1 / 60)
    browser.resize(320, 240)  # drawn soon, however busy the machine is
    browser.open((tmp_path / "a.html").as_uri())
    browser.until(lambda: browser.ask(WATCH), "all is there")

    def drawn():
        every = list(map(tuple, browser.ask("window.drawn")))
        return {row for row in every if row[0] != every[0][0]}  # they came one by one

    browser.until(lambda: len({row[0] for row in drawn()}) > 2, "frames were drawn")
    found = drawn()
    for column in range(3):
        assert len({row[column] for row in found}) == len(found), found


def _above(x):
    return Pose.rigid(None, (x, 0.0, 3.2))
