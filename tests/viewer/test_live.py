import subprocess
import sys

import pytest

from sim import Body, Pose, World
from viewer import live
from viewer.gl import Gl
from viewer.live import watch
from wingedge import shapes

NO_SCREEN = Gl(True, "llvmpipe", "", "")
NO_GL = Gl(False, "", "the GL library is missing", "on Debian: apt install libegl1")


@pytest.fixture
def world():
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    fall = lambda t: Pose.rigid(None, (0.0, 0.0, 2.0 - t))  # noqa: E731
    return World([ball, table], motion={"ball": fall}, dt=1e-4)


@pytest.mark.parametrize("screen", ["window", "process"])
@pytest.mark.parametrize("found", [NO_SCREEN, NO_GL])
def test_without_a_screen_one_sentence_says_why(
    world, monkeypatch, capsys, found, screen
):
    monkeypatch.setattr(live, "probe", lambda: found)
    assert watch(world, screen=screen) is None
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert found.no_window in err
    assert world.index == 0


def test_without_a_screen_the_frames_that_were_asked_for_run_unseen(
    world, monkeypatch, capsys
):
    monkeypatch.setattr(live, "probe", lambda: NO_SCREEN)
    assert watch(world, 7).index == 6
    assert "viewer.picture draws without one" in capsys.readouterr().err


def test_without_a_screen_an_error_in_a_script_is_raised(monkeypatch):
    def broken(t):
        if t > 2e-4:
            raise RuntimeError("lost")
        return Pose.identity()

    monkeypatch.setattr(live, "probe", lambda: NO_SCREEN)
    box = Body(shapes.box(), name="box")
    with pytest.raises(RuntimeError, match="lost") as caught:
        watch(World([box], motion={"box": broken}, dt=1e-4), 9)
    assert caught.value.__notes__ == [
        "raised by motion['box'] for frame 3, time 0.0003",
        "in frame 3 of a world that was watched",
    ]


RECORDED = """
from sim import Body, Pose, Recording, World
from viewer.live import replay, watch
from viewer.window.window import Window
from wingedge import shapes

turn, turns = Window.turn, iter(range(60))

def counted(self):
    turn(self)
    if next(turns, None) is None:
        self.closed = True

Window.turn = counted
ball = Body(shapes.icosphere(1), name="ball")
fall = lambda t: Pose.rigid(None, (0.0, 0.0, 2.0 - t))
world = World([ball, Body(shapes.box(), name="box")], motion={"ball": fall}, dt=1e-4)
with world.record("run.vtkhdf"):
    print(watch(world, 20, speed=8.0).index)
turns = iter(range(60))
with Recording.open("run.vtkhdf") as recording:
    print(replay(recording, speed=8.0).index)
"""


@pytest.mark.gui
def test_one_real_window_after_the_other_opens_and_closes(display, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", RECORDED],
        cwd=tmp_path,
        env=display.environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("19\n19\n", "")
