import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import viewer
from sim import Body, PairTracker, Pose, World, scenes
from viewer.process import screen as screens
from viewer.process.screen import ProcessScreen
from viewer.screens import Player
from viewer.window.window import WindowScreen
from wingedge import shapes

pytestmark = pytest.mark.gui
SIZE = 480, 300
ROOT = Path(__file__).parents[3]


@pytest.fixture
def opened(left):
    """A screen that draws into memory; in the end nothing may be left of it."""
    made = []

    def make(**options):
        # where all cores are busy with tests, one in the background would not be heard
        options = {"background": False, "off_screen": True, "size": SIZE, **options}
        made.append(ProcessScreen(**options))
        return made[-1]

    yield make
    for screen in made:
        screen.close()
        assert not is_there(screen.pid)
    assert left() == set()


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def run(program, **options):
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def test_the_other_process_draws_what_a_window_here_would(opened):
    screen = opened(layers=("elements",), theme="dark")
    here = WindowScreen(size=SIZE, off_screen=True, layers=("elements",), theme="dark")
    frame = list(scenes.load("demo").run(40))[-1]
    with pytest.raises(ValueError, match=r"there is no picture: call show\(frame\)"):
        screen.image()
    with pytest.raises(ValueError, match=r"nothing was shown yet"):
        screen.press("g")
    screen.show(frame)
    here.show(frame)
    np.testing.assert_array_equal(screen.image(), here.window.image())
    screen.press("g")
    here.window.press("g")
    here.turn()
    np.testing.assert_array_equal(screen.image(), here.window.image())
    assert isinstance(screen, Player)
    assert (screen.count, screen.drawn, screen.lost_events) == (1, 1, 0)
    here.close()
    screen.close()
    screen.close()
    screen.show(frame)
    assert (screen.closed, screen.trouble, screen.count) == (True, "", 1)
    assert screen.drawn == 1


def test_more_events_than_there_is_room_for_get_more_room(opened):
    screen = opened()
    frames = list(scenes.load("demo").run(60))
    event = next(e for frame in frames for e in frame.events)
    screen.show(frames[0])
    screen.image()
    for frame, events in (frames[1], [event] * 20_000), (frames[2], []):
        screen.show(frame, events=events)
        screen.image()  # it takes each of them
    assert (screen.closed, screen.drawn, screen.count) == (False, 3, 3)


def test_answers_of_a_tracker_can_be_shown_without_a_world(opened):
    a = Body(shapes.icosphere(1), name="a")
    b = Body(shapes.box(), name="b", pose=Pose(None, (2.0, 0.1, 0.2)))
    tracker = PairTracker(a, b)
    screen = opened()
    screen.show(tracker.update())
    first = screen.image()
    b.pose = Pose(None, (1.7, 0.1, 0.2))
    screen.show(tracker.update())
    assert (screen.image() != first).any()


def test_a_process_that_was_killed_is_told_once_and_harms_nothing(opened):
    screen = opened()
    world = scenes.load("demo")
    screen.show(world.step())
    os.kill(screen.pid, signal.SIGKILL)
    while not screen.closed:
        screen.show(world.step())
    count = screen.count
    screen.show(world.step())
    assert screen.count == count
    assert screen.trouble == (
        "the process that draws was ended by SIGKILL; the loop is not harmed"
    )
    with pytest.raises(ValueError, match="was ended by SIGKILL"):
        screen.image()


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot stop a process")
def test_a_process_that_hangs_keeps_nobody_waiting(opened):
    """More frames, events and meshes than any pipe has room for."""
    screen = opened()
    os.kill(screen.pid, signal.SIGSTOP)
    frames = list(scenes.load("demo").run(60))
    other = World([Body(shapes.box(), name="box")]).step()
    for _ in range(40):
        for frame in frames:
            screen.show(frame)
        screen.show(other)
    assert screen.count == 40 * 61
    assert screen.drawn == 0
    assert not screen.closed
    os.kill(screen.pid, signal.SIGCONT)
    assert screen.image().shape == (300, 480, 3)


def test_watch_opens_a_window_in_another_process_and_tells_of_its_end(
    monkeypatch, opened, capfd
):
    from viewer import gl, live

    made = []

    def make(**given):
        made.append(given)
        made.append(opened(**given))
        return made[1]

    def kill(frame):
        if frame.index == 3:
            os.kill(made[1].pid, signal.SIGKILL)

    monkeypatch.setattr(live, "probe", lambda: gl.Gl(True, "llvmpipe", "", "", True))
    monkeypatch.setattr(screens, "ProcessScreen", make)
    world = scenes.load("demo")
    last = viewer.watch(world, screen="process", theme="dark", each=kill)
    assert last.index == world.index - 1 >= 3
    assert made[0] == {"size": (1280, 720), "theme": "dark", "layers": ()}
    assert capfd.readouterr().err == (
        "the process that draws was ended by SIGKILL; the loop is not harmed\n"
    )


def test_a_person_who_closes_the_window_ends_the_loop(display, left):
    script = run(
        "import viewer; from sim import scenes\n"
        "screen = viewer.ProcessScreen(background=False)\n"
        "last = viewer.watch(scenes.load('demo'), 90, screen=screen)\n"
        "print(last.index, screen.drawn > 0, repr(screen.trouble))\n",
        env=display.environment,
    )
    display.window("wingedge")
    display.send("mousemove", 400, 300)  # keys go to the window under it
    display.send("key", "q")
    out, err = script.communicate(timeout=60)
    index, *rest = out.split()
    assert int(index) <= 89
    assert (rest, err) == (["True", "''"], "")
    assert left(script.pid) == set()


def test_what_a_script_raises_is_raised_when_the_screen_is_closed(opened):
    screen = opened()

    def broken(t):
        if t > 2.5e-4:
            os.kill(screen.pid, signal.SIGKILL)  # so that nobody need close it
            raise RuntimeError("lost")
        return Pose.identity()

    world = World([Body(shapes.box(), name="box")], motion={"box": broken}, dt=1e-4)
    with pytest.raises(RuntimeError, match="lost") as caught:
        viewer.watch(world, screen=screen)
    assert caught.value.__notes__ == [
        "raised by motion['box'] for frame 3, time 0.0003",
        "in frame 3 of a world that was watched",
    ]


def test_an_exception_in_a_loop_ends_the_other_process(left):
    made = []

    def loop():
        with viewer.ProcessScreen(off_screen=True) as screen:
            made.append(screen)
            screen.show(scenes.load("demo").step())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        loop()
    assert made[0].closed
    assert not is_there(made[0].pid)
    assert left() == set()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("fork", ["", "if not os.fork(): sys.exit()\n"])
def test_a_script_needs_no_guard_and_neither_it_nor_a_fork_leaves_a_thing(left, fork):
    """It is not imported again, and says nothing that was not asked for."""
    script = run(
        "import os, sys, viewer; from sim import scenes\n"
        "screen = viewer.ProcessScreen(off_screen=True, background=False)\n"
        f"{fork}screen.show(scenes.load('demo').step())\n"
        "print(screen.image().shape, screen.closed, repr(screen.trouble))\n"
    )
    out, err = script.communicate(timeout=60)
    assert (out, err) == ("(720, 1280, 3) False ''\n", "")
    assert left(script.pid) == set()


def test_a_python_without_an_executable_is_told_what_to_do(monkeypatch, left):
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(OSError, match="does not know its own executable"):
        ProcessScreen(off_screen=True)
    assert left() == set()


def test_the_process_ends_when_the_one_that_started_it_is_killed(left, wait_for):
    script = run(
        "import time, viewer; from sim import scenes\n"
        "screen = viewer.ProcessScreen(off_screen=True, background=False)\n"
        "screen.show(scenes.load('demo').step())\n"
        "screen.image()\n"
        "print(screen.pid, flush=True)\n"
        "time.sleep(600)\n",
        start_new_session=True,
    )
    pid = int(script.stdout.readline())
    script.kill()
    script.wait()
    wait_for(lambda: not is_there(pid), "the process that draws has ended")
    wait_for(lambda: left(script.pid) == set(), "its memory is removed")
    script.communicate()
    assert not is_there(pid)
    assert left(script.pid) == set()


@pytest.mark.web
def test_a_page_in_a_browser_has_a_process_of_its_own_too(left, wait_for):
    pytest.importorskip("viser", reason="viser is in the extra 'web'")
    script = run(
        "import viewer; from sim import scenes\n"
        "screen = viewer.ProcessScreen('web', background=False)\n"
        "screen.show(scenes.load('demo').step())\n"
        "input()\n"
        "print(screen.closed, screen.trouble)\n",
        stdin=subprocess.PIPE,
    )
    words = script.stdout.readline().split()
    assert words[0] == "open"
    with urllib.request.urlopen(words[1]) as page:
        assert page.status == 200
    out, err = script.communicate("\n", timeout=60)
    assert (out, err) == ("False \n", "")
    assert left(script.pid) == set()
    wait_for(lambda: not answers(words[1]), "the page has ended")


def answers(url):
    try:
        urllib.request.urlopen(url).close()
    except OSError:
        return False
    return True


def test_a_window_that_cannot_be_opened_is_refused_with_a_reason(monkeypatch, left):
    from viewer import gl

    monkeypatch.setattr(gl, "probe", lambda: gl.Gl(True, "llvmpipe", "", ""))
    with pytest.raises(viewer.NoPicture, match="no window can be opened here: there"):
        viewer.ProcessScreen()
    assert left() == set()


def test_what_cannot_be_shown_is_refused(left):
    with pytest.raises(ValueError, match="kind='wall': there are 'window', 'web'"):
        viewer.ProcessScreen("wall")
    with pytest.raises(ValueError, match="theme"):
        viewer.ProcessScreen(theme="pink", off_screen=True)
    with pytest.raises(ValueError, match="layer"):
        viewer.ProcessScreen(layers=("nothing",), off_screen=True)
    assert screens.KINDS == ("window", "web")
    assert left() == set()
