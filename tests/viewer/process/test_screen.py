import io  # of viewer.process
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

import viewer
from sim import Body, PairTracker, World, scenes
from viewer.process import WAITING, MailedFrames
from viewer.timeline import Timeline
from wingedge import shapes

ROOT = Path(viewer.__file__).parents[1]
pytestmark = pytest.mark.gui


class Nobody:
    """A process that does nothing, and ends when ``code`` is set."""

    code = None

    def __init__(self, command, **_):
        Nobody.command = command[-1]
        self.stdin = io.BytesIO()

    def poll(self):
        return Nobody.code

    def communicate(self, timeout):
        Nobody.code = 0

    def kill(self):
        pass


@pytest.fixture
def both(monkeypatch):
    """A screen, and what the other process would see of it."""
    monkeypatch.setattr(Nobody, "code", None)
    monkeypatch.setattr(subprocess, "Popen", Nobody)
    with viewer.ProcessScreen(off_screen=True) as made:
        yield made, MailedFrames(made._path)
    made.close()
    assert not made._path.parent.exists()


def test_the_newest_frame_is_taken_with_what_happened_in_those_before(both):
    screen, taken = both
    assert repr(str(ROOT)) in Nobody.command, "the same checkout draws"
    assert not taken.extend()
    frames = list(scenes.load("demo").run(160))
    for k, frame in enumerate(frames):
        screen.show(frame)
        assert k % 37 not in (0, 11) or taken.extend()
        assert k % 37 or not taken.extend()
    assert [frame.index for frame in taken._frames][:4] == [0, 11, 37, 48]
    wanted = [event for frame in frames for event in frame.events]
    assert [event for _, event in taken.events()] == wanted != []
    assert (screen.count, screen.drawn) == (160, len(taken) - 1)
    first = next(frame for frame in frames if frame.events)
    assert len(first.events) == 1
    for _ in range(WAITING + 9):
        screen.show(first)
    assert taken.extend()
    assert len(taken.events()) == len(wanted) + WAITING


def test_time_goes_on_to_the_newest_frame_and_stays_where_it_is_paused(both):
    screen, taken = both
    a, b = Body(shapes.icosphere(1), name="a"), Body(shapes.box(4.0), name="b")
    screen.show(PairTracker(a, b).update())
    now = [0.0]
    line = Timeline(taken, clock=lambda: now[0])
    frames = list(scenes.load("demo").run(9))

    def tick(*shown):
        for frame in shown:
            screen.show(frame)
        now[0] += 1 / 60
        line.tick()
        return line.frame.index

    assert [body.name for body in line.frame.bodies] == ["a", "b"]
    assert tick(*frames[:5]) == 4
    line.pause()
    assert tick(*frames[5:8]) == 4
    line.play()
    assert tick() == 7
    assert (tick(frames[8]), tick()) == (8, 8)


def test_every_frame_of_a_world_is_handed_over_and_a_death_is_told(both, falling):
    screen, _ = both
    assert viewer.watch(falling(dt=1e-4), 7, screen=screen).index == 6
    assert screen.count == 7
    Nobody.code = -9
    assert screen.closed
    told = "the process that draws ended with exit code -9; the loop is not harmed"
    assert screen.trouble == told
    screen.show(falling().step())
    assert screen.count == 7


def test_without_a_display_it_is_refused(monkeypatch):
    from viewer import gl

    monkeypatch.setattr(gl, "probe", lambda: gl.Gl(True, "llvmpipe", "", ""))
    with pytest.raises(viewer.NoPicture, match="no window can be opened here: there"):
        viewer.ProcessScreen()


def is_there(pid):
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot stop a process")
def test_a_process_that_hangs_or_is_killed_keeps_nobody_waiting(wait_for):
    frames = list(scenes.load("demo").run(60))
    other = World([Body(shapes.box(), name="box")]).step()
    given = {"size": (320, 200), "off_screen": True}
    with viewer.ProcessScreen(**given) as screen:
        screen.show(frames[0])
        wait_for(lambda: not screen._path.exists(), "a frame is drawn")
        os.kill(screen._process.pid, signal.SIGSTOP)
        for frame in [*frames, other] * 20:  # more than any pipe has room for
            screen.show(frame)
        assert (screen.count, screen.drawn, screen.closed) == (1221, 1, False)
        os.kill(screen._process.pid, signal.SIGCONT)
        wait_for(lambda: not screen._path.exists(), "it goes on")
        os.kill(screen._process.pid, signal.SIGKILL)
        wait_for(lambda: screen.closed, "it has ended")
        screen.show(other)
        assert (screen.count, "-9" in screen.trouble) == (1221, True)
    assert not screen._path.parent.exists()


@pytest.mark.skipif(os.name == "nt", reason="os.kill ends a process there")
def test_it_goes_with_the_script_that_needs_no_guard(start, wait_for):
    """The script is not imported again, and says nothing that was not asked for."""
    script = start(
        "import sys, time, viewer; from sim import scenes\n"
        "screen = viewer.ProcessScreen(off_screen=True)\n"
        "screen.show(scenes.load('demo').step())\n"
        "while screen._path.exists(): time.sleep(0.01)\n"
        "found = screen._process.pid, screen._path.parent, screen.closed\n"
        "print(*found, file=sys.stderr)\n"
        "time.sleep(600)\n"
    )
    pid, folder, closed = script.stderr.readline().split()
    assert closed == "False"
    script.kill()
    script.wait()
    wait_for(lambda: not is_there(int(pid)), "it has ended")
    assert not Path(folder).exists()
    assert script.stderr.read() == ""
