import pytest

from viewer import live
from viewer.gl import Gl
from viewer.live import watch

NO_SCREEN = Gl(True, "llvmpipe", "", "")
NO_GL = Gl(False, "", "the GL library is missing", "on Debian: apt install libegl1")


@pytest.fixture
def world(falling):
    return falling(dt=1e-4)


@pytest.mark.parametrize("found", [NO_SCREEN, NO_GL])
def test_without_a_screen_one_sentence_says_why_and_frames_asked_for_run_unseen(
    world, monkeypatch, capsys, found
):
    monkeypatch.setattr(live, "probe", lambda: found)
    assert watch(world) is None
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert found.no_window in err
    assert ("viewer.picture draws without one" in err) == (found is NO_SCREEN)
    assert world.index == 0
    assert watch(world, 7).index == 6


RECORDED = """
from sim import Body, Pose, Recording, World
from viewer.live import replay, watch
from viewer.window.window import WindowScreen as Window
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
def test_one_real_window_after_the_other_opens_and_closes(display, run):
    done = run(RECORDED, env=display.environment)
    assert (done.stdout, done.stderr) == ("19\n19\n", "")
