"""Real windows on a screen in memory, and a person before them."""

import json
import queue
import runpy
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from sim import PairTracker, Pose
from viewer.drawing.camera import View, project

PROGRAM = Path(__file__).with_name("told.py")
PATIENCE = 300.0  # seconds until something must have happened; a busy machine is slow


class Windows:
    """A program that opens one window after the other."""

    def __init__(self, display, log):
        self.display = display
        self._log = log
        self._told = queue.Queue()
        self._child = subprocess.Popen(
            [sys.executable, PROGRAM],
            env=display.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log.open("w"),
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._child.stdout:
            self._told.put(json.loads(line))
        self._told.put(None)

    def ask(self, **given):
        print(json.dumps(given), file=self._child.stdin, flush=True)

    def hear(self, until, what):
        """Take what is told until something is heard; return all of it."""
        end, heard = time.monotonic() + PATIENCE, []
        while True:
            try:
                now = self._told.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                last = heard[-1] if heard else "nothing"
                pytest.fail(f"waited {PATIENCE:.0f} s until {what}; last told: {last}")
            if now is None:
                pytest.fail(f"until {what}: the window ended\n{self._log.read_text()}")
            heard.append(now)
            if until(now):
                return heard

    @property
    def ended(self):
        return self._child.poll() is not None

    def end(self):
        self._child.stdin.close()  # it ends after its last window
        try:
            self._child.wait(5.0)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self._child.stdout.close()


class Person:
    """Look at a window, and use mouse and keyboard before it.

    Places are pixels from the lower left of the window, as for `project`.
    """

    def __init__(self, windows, **given):
        self._windows, self.display = windows, windows.display
        windows.ask(**given)
        self.states = [self._one(lambda now: "slider" in now, "a window opens")]
        self.number = self.display.window("wingedge")
        told = self.display.send("getwindowgeometry", "--shell", self.number)
        self._place = dict(line.split("=") for line in told.split())
        self.mouse(640, 700)  # over the window, over no body

    def _one(self, until, what):
        return self._windows.hear(until, what)[-1]

    @property
    def now(self):
        return self.states[-1]

    def sees(self, until, what):
        """Wait until the window shows something; return what it showed since."""
        if until(self.now):
            return []
        heard = self._windows.hear(lambda now: "closed" not in now and until(now), what)
        self.states += heard
        return heard

    def press(self, *keys):
        self.display.send("key", *keys)

    def mouse(self, x, y):
        place = [round(float(x)), round(float(y))]
        self.display.send(*self._at(*place))
        self.sees(lambda now: now["mouse"][:2] == place, f"the mouse is at {place}")

    def button(self, down):
        self.display.send("mousedown" if down else "mouseup", 1)
        self.sees(lambda now: now["mouse"][2] == down, "a button is heard")

    def click(self, place):
        self.mouse(*place)
        self.button(True)
        self.button(False)

    def drag(self, start, way, *, control=False, steps=6):
        """Drag with the left button; return what the window shows meanwhile.

        No faster than it serves the mouse: VTK forgets all places but the last one of
        a mouse that it did not look at for a while, even those before a button.
        """
        since = len(self.states)
        start, way = np.asarray(start, float), np.asarray(way, float)
        self.mouse(*start)
        if control:
            self.display.send("keydown", "Control_L")
        try:
            self.button(True)
            for k in range(1, steps + 1):
                self.mouse(*(start + way * k / steps))
            self.button(False)
        finally:
            if control:
                self.display.send("keyup", "Control_L")
        return self.states[since:]

    def _at(self, x, y):
        left, top, high = (int(self._place[n]) for n in ("X", "Y", "HEIGHT"))
        return "mousemove", left + x, top + high - 1 - y

    def seen(self, points):
        """Return where points of the world are in the window, (n, 2)."""
        view = View(*map(np.array, self.now["view"]))
        return project(np.atleast_2d(points), view, self.now["size"])

    def picture(self):
        left, top, wide, high = (
            int(self._place[n]) for n in ("X", "Y", "WIDTH", "HEIGHT")
        )
        return self.display.picture()[top : top + high, left : left + wide]

    def shows(self, until, what):
        """Wait until what is seen of the window is as it should be; return it."""
        end = time.monotonic() + PATIENCE
        while not until(picture := self.picture()):
            assert time.monotonic() < end, f"waited {PATIENCE:.0f} s until {what}"
            time.sleep(0.02)
        return picture

    def leave(self):
        self.display.send(*self._at(640, 700), "key", "q")
        return self._one(lambda now: "closed" in now, "the window closes")["closed"]


@pytest.fixture(scope="session")
def worlds():
    """The worlds that windows are opened on, by name."""
    return runpy.run_path(str(PROGRAM))["WORLDS"]


@pytest.fixture(scope="module")
def _program(display, tmp_path_factory):
    log, made = tmp_path_factory.mktemp("windows") / "stderr.txt", []

    def running():
        if not made or made[-1].ended:
            made.append(Windows(display, log))
        return made[-1]

    yield running
    for program in made:
        program.end()


@pytest.fixture
def windows(_program):
    """A program that opens windows; the same one for a file of tests."""
    return _program()


@pytest.fixture
def opened(windows):
    persons = []

    def open_window(world, **given):
        persons.append(Person(windows, world=world, **given))
        return persons[-1]

    yield open_window
    for person in persons:
        try:
            person.leave()
        except BaseException:
            windows.end()  # the next test begins with another program
            raise


@pytest.fixture
def answer(worlds):
    """Return a function that answers anew for bodies that stand as they are shown."""

    def fresh(world, state):
        bodies = {body.name: body for body in worlds[world]().bodies}
        for name, (linear, translation) in state["poses"].items():
            bodies[name].pose = Pose(linear, translation)
        return PairTracker(*bodies.values()).update()

    return fresh
