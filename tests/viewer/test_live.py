import sys

import pytest

from sim import Body, Pose, Recording, World
from viewer import live
from viewer.gl import Gl
from viewer.live import watch
from wingedge import shapes

SCREEN = Gl(True, "llvmpipe", "", "", window=True)
NO_SCREEN = Gl(True, "llvmpipe", "", "")
NO_GL = Gl(False, "", "the GL library is missing", "on Debian: apt install libegl1")


class Interactor:
    def __init__(self, window):
        self.window = window

    def add_observer(self, event, call):
        self.window.observers[event] = call

    def process_events(self):
        self.window.turns += 1
        assert self.window.turns < 5000, "the window is never closed"
        for key in self.window.script.pop(self.window.turns, ()):
            calls = self.window.keys | self.window.observers
            calls[key]()


class Window:
    """A plotter and a scene without a screen, that gets keys by a script."""

    def __init__(self, script):
        self.script, self.turns = script, 0
        self.keys, self.observers, self.shown = {}, {}, []
        self.moved = self.closed = False
        self.annotated = self.rendered = 0
        self.plotter, self.iren = self, Interactor(self)

    def add_key_event(self, key, call):
        self.keys[key] = call

    def show(self, **_):
        pass

    def render(self):
        self.rendered += 1

    def update(self, frame, *, keep_camera, events):
        self.shown.append((frame.index, keep_camera, [str(e) for e in events]))

    def contains(self, frame):
        return True

    def camera_moved(self):
        moved, self.moved = self.moved, False
        return moved

    def annotate(self):
        self.annotated += 1

    def close(self):
        self.closed = True


@pytest.fixture
def world():
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    fall = lambda t: Pose.rigid(None, (0.0, 0.0, 2.0 - t))  # noqa: E731
    return World([ball, table], motion={"ball": fall}, dt=1e-4)


@pytest.fixture
def window(monkeypatch):
    """Open windows that press these keys: {turn: [key, ...]}."""

    def make(script):
        opened = Window(script)
        monkeypatch.setattr("viewer.scene.Scene", lambda **_: opened)
        monkeypatch.setattr(live, "probe", lambda: SCREEN)
        monkeypatch.setattr(live, "_IDLE", 0.0)
        return opened

    return make


def test_frames_are_shown_one_after_the_other_until_the_window_is_closed(world, window):
    opened = window({200: ["ExitEvent"]})
    last = watch(world)
    indices = [index for index, _, _ in opened.shown]
    assert indices == list(range(len(indices)))
    assert last.index == indices[-1] > 3
    assert opened.closed


def test_the_window_stays_on_the_last_frame_that_was_asked_for(world, window):
    opened = window({4000: ["ExitEvent"]})
    assert watch(world, 5).index == 4
    assert len(opened.shown) == 5
    assert opened.turns == 4000
    assert opened.rendered < 10, "an idle window costs nothing"


def test_space_pauses_and_goes_on_and_right_steps(world, window):
    opened = window(
        {1: ["space"], 1000: ["Right"], 2000: ["space"], 4000: ["ExitEvent"]}
    )
    at_pause, at_step = [], []
    opened.script[999] = ["note"]
    opened.script[1999] = ["note again"]
    opened.keys["note"] = lambda: at_pause.append(len(opened.shown))
    opened.keys["note again"] = lambda: at_step.append(len(opened.shown))
    watch(world)
    assert at_pause[0] <= 3
    assert at_step[0] == at_pause[0] + 1
    assert len(opened.shown) > at_step[0] + 3


def test_the_camera_is_set_once_and_left_alone(world, window):
    opened = window({100: ["ExitEvent"]})
    watch(world)
    assert [keep for _, keep, _ in opened.shown[:3]] == [False, True, True]


def test_a_camera_that_was_moved_gets_its_markers_placed_anew(world, window):
    opened = window({50: ["space"], 60: ["drag"], 100: ["ExitEvent"]})
    opened.keys["drag"] = lambda: setattr(opened, "moved", True)
    watch(world)
    assert opened.annotated == 1


def test_an_event_can_still_be_read_in_later_frames(window):
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    fall = lambda t: Pose.rigid(None, (0.0, 0.0, 2.0 - 6.0 * t))  # noqa: E731
    opened = window({k: ["Right"] for k in range(1, 9)} | {20: ["ExitEvent"]})
    watch(World([ball, table], motion={"ball": fall}))
    story = {index: events for index, _, events in opened.shown}
    assert story[4] == []
    assert story[5][0].startswith("5 begin ball/table")
    assert story[5][0] in story[8]


def test_an_error_in_a_script_closes_the_window(window):
    def broken(t):
        if t > 2e-4:
            raise RuntimeError("lost")
        return Pose.identity()

    opened = window({})
    box = Body(shapes.box(), name="box")
    with pytest.raises(RuntimeError, match="lost"):
        watch(World([box], motion={"box": broken}, dt=1e-4))
    assert opened.closed


@pytest.mark.parametrize("found", [NO_SCREEN, NO_GL])
def test_without_a_screen_one_sentence_says_why(world, monkeypatch, capsys, found):
    monkeypatch.setattr(live, "probe", lambda: found)
    assert watch(world) is None
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


def test_a_recording_is_replayed_to_its_end(world, window, tmp_path):
    with world.record(tmp_path / "run.vtkhdf"):
        list(world.run(4))
    opened = window({3000: ["ExitEvent"]})
    with Recording.open(tmp_path / "run.vtkhdf") as recording:
        assert watch(recording).index == 3
    assert [index for index, _, _ in opened.shown] == [0, 1, 2, 3]


@pytest.mark.gui
@pytest.mark.skipif(sys.platform != "linux", reason="opens a window without asking")
def test_a_real_window_opens_and_closes_where_there_is_a_screen(world):
    from viewer.gl import probe

    if not probe().window:
        pytest.skip(f"no window can be opened here: {probe().no_window}")
    window = live._Live(world.run(20))
    turns = iter(range(60))
    advance = window._turn

    def turn():
        advance()
        if next(turns, None) is None:
            window._end()

    window._turn = turn
    assert window.run().index == 19
