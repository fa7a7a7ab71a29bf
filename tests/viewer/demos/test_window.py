import subprocess
import sys
import threading

import pytest

from sim.planar.disk import DiskDemo, story
from sim.planar.keys import KeyLog, SegmentDemo
from viewer.demos import play as module
from viewer.demos.boards import DiskBoard, SegmentBoard
from viewer.demos.play import DemoWindow, play
from viewer.gl import Gl

NO_SCREEN = Gl(True, "llvmpipe", "", "")


@pytest.fixture
def disk(typist):
    board = DiskBoard(size=(320, 180))
    window = DemoWindow(board, DiskDemo)
    board.image()  # a window is shown after its keys are bound
    yield window, typist(board.plotter)
    board.close()


@pytest.mark.gui
def test_the_articles_own_keys_work_r_and_s_too(disk):
    window, typist = disk
    for key in "hjklrst":
        typist.tap(key)
        window.turn()
        typist.tap(key.upper(), shift=True)
        window.turn()
    both = [f"{key} Shift+{key}" for key in "HJKLRST"]
    assert str(window.log) == " ".join(both)
    setting = window.demo.frame.setting
    assert setting.center == (-4.0, 0.0)
    assert (setting.turns, setting.scale) == (0, (2.0, 2.0))


@pytest.mark.gui
def test_pyvistas_and_vtks_own_keys_do_nothing_in_the_window_either(disk):
    window, typist = disk
    window.turn()
    camera, before = window.board.plotter.camera, window.board.sight
    camera_before = camera.position, camera.focal_point, camera.up
    style = window.board.plotter.iren.style
    for key in [*"rswpef3jtcauibvC", "Up", "Down", "plus", "minus"]:
        typist.tap(key)
        window.turn()
    assert window.board.sight == before
    assert (camera.position, camera.focal_point, camera.up) == camera_before
    assert window.board.plotter.iren.style is style
    assert not window.closed


@pytest.mark.gui
def test_keys_that_are_held_go_on_frame_after_frame(disk):
    window, typist = disk
    typist.press("l")
    for _ in range(30):
        window.turn()
    typist.press("k")
    window.turn()
    typist.release("l")
    window.turn()
    typist.release("k")
    for _ in range(5):
        window.turn()
    assert str(window.log) == "L*30 K+L K"
    assert [str(event) for event in window.events] == list(story(window.log).lines)
    assert window.events


@pytest.mark.gui
def test_time_stands_still_and_nothing_is_drawn_while_no_key_is_held(disk, monkeypatch):
    window, _ = disk
    drawn = []
    monkeypatch.setattr(window.board, "draw", lambda *given: drawn.append(given))
    for _ in range(4):
        window.turn()
    assert len(drawn) == 1
    assert window.demo.frame.state.frame == 0
    window.board.plotter.camera.parallel_scale *= 2.0
    window.turn()
    assert len(drawn) == 2


@pytest.mark.gui
def test_home_begins_anew_and_q_ends(disk):
    window, typist = disk
    typist.press("l")
    window.turn()
    typist.release("l")
    typist.tap("Home")
    window.turn()
    assert (len(window.log), window.demo.frame.state.frame) == (0, 0)
    assert not window.closed
    typist.tap("q")
    assert window.closed


@pytest.mark.gui
def test_a_log_is_played_first_then_the_keys_count(typist):
    board = DiskBoard(size=(320, 180))
    window = DemoWindow(board, DiskDemo, KeyLog.parse("L*2 -"))
    board.image()
    keys = typist(board.plotter)
    keys.press("k")
    for _ in range(5):
        window.turn()
    board.close()
    assert str(window.log) == "L*2 - K*2"


@pytest.mark.gui
def test_two_segments_are_played_in_the_same_window(typist):
    board = SegmentBoard(size=(320, 180))
    window = DemoWindow(board, SegmentDemo)
    board.image()
    keys = typist(board.plotter)
    for key in ("1", "l", "2", "r"):
        keys.tap(key)
        window.turn()
    board.close()
    assert str(window.log) == "1 L 2 R"
    setting = window.demo.frame.setting
    assert (setting.first.right, setting.second.turns) == (1, 181)
    assert window.events == []


@pytest.mark.gui
def test_the_mouse_moves_the_plane_and_never_turns_it(disk):
    window, _ = disk
    window.board.image()
    iren = window.board.plotter.iren
    before = window.board.sight
    for button in ("left", "middle", "right"):
        getattr(iren, f"_mouse_{button}_button_press")(100, 100)
        iren._mouse_move(140, 120)
        getattr(iren, f"_mouse_{button}_button_release")(140, 120)
    camera = window.board.plotter.camera
    assert camera.direction == pytest.approx((0.0, 0.0, -1.0))
    assert camera.up == pytest.approx((0.0, 1.0, 0.0))
    assert window.board.sight != before


@pytest.mark.parametrize("which", ["disk", "segments"])
def test_without_a_screen_or_with_a_log_that_is_none_one_sentence_says_why(
    which, monkeypatch, capsys
):
    with pytest.raises(ValueError, match="nothing is done by X"):
        play(which, "X")
    monkeypatch.setattr(module, "probe", lambda: NO_SCREEN)
    assert play(which, "L*2") is None
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert NO_SCREEN.no_window in err


TOLD = """
from viewer.demos.play import DemoWindow, play
turn = DemoWindow.turn

def turn_and_tell(self):
    turn(self)
    print(self.log, flush=True)

DemoWindow.turn = turn_and_tell
play("disk", "L*9")
"""


@pytest.mark.gui
def test_a_real_window_plays_a_log_then_keys_and_ends_with_q(display):
    child = subprocess.Popen(
        [sys.executable, "-c", TOLD],
        env=display.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    killer = threading.Timer(120.0, child.kill)
    killer.start()
    try:
        display.window("disk and triangle")
        display.send("mousemove", 200, 200)
        logs = iter(child.stdout.readline, "")
        assert "L*9\n" in logs
        display.send("keydown", "k")
        assert any(log.startswith("L*9 K*3") for log in logs)
        display.send("keyup", "k", "key", "q")
        _, err = child.communicate()
    finally:
        killer.cancel()
        child.kill()
    assert (child.returncode, err) == (0, "")
