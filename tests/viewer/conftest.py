"""Small worlds to look at, a screen in memory, and the gates for tests that draw."""

import ctypes
import os
import shutil
import socket
import subprocess
import sys
import time
from functools import partial

import numpy as np
import pytest

from sim import Body, Pose, RecordingError, World, scenes
from viewer.gl import probe
from viewer.sources import RunningWorld
from viewer.timeline import Timeline
from wingedge import shapes


@pytest.fixture(autouse=True)
def _pictures_or_a_reason(request):
    """Skip a test that draws where nothing can draw; fail it where that is required."""
    if request.node.get_closest_marker("gui") is None:
        return
    found = probe()
    if not found.works:
        do_without("PICTURES", f"{found.reason}; {found.fix}")


def do_without(what, sentence):
    """Skip a test for want of something; fail it where that is required."""
    required = f"WINGEDGE_REQUIRE_{what}"
    if os.environ.get(required):
        pytest.fail(f"{required} is set, but {sentence}")
    pytest.skip(sentence)


@pytest.fixture(name="do_without", scope="session")
def _do_without():
    return do_without


PATIENCE = 300.0  # seconds until something must have happened; a busy machine is slow


class Display:
    """A screen in memory, its mouse and its keyboard."""

    SIZE = 1400, 800  # larger than a window

    def __init__(self):
        read, write = os.pipe()
        self._server = subprocess.Popen(
            [
                *("Xvfb", "-displayfd", str(write), "-nolisten", "tcp", "-noreset"),
                *("-screen", "0", "{}x{}x24".format(*self.SIZE)),
            ],
            pass_fds=[write],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the tests; they end it themselves
        )
        os.close(write)
        with open(read) as told:  # the end of the file if it could not start
            number = told.readline().strip()
        self.environment = {**os.environ, "DISPLAY": f":{number}"}
        for name in ("WAYLAND_DISPLAY", "VTK_DEFAULT_OPENGL_WINDOW"):
            self.environment.pop(name, None)
        assert number, f"Xvfb ended with exit code {self._server.wait(PATIENCE)}"

    def send(self, *words):
        """Move the mouse and press keys, with the words of xdotool; return its answer.

        Keys go to the window under the mouse.
        """
        done = subprocess.run(
            ["xdotool", *map(str, words)],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        return done.stdout

    def window(self, title):
        wait_for(lambda: self._windows(title), f"a window is called {title!r}")
        return int(self._windows(title)[0])

    def _windows(self, title):
        asked = ["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"]
        return subprocess.run(
            asked, env=self.environment, capture_output=True, text=True
        ).stdout.split()

    def close_button(self, window):
        x11 = ctypes.CDLL("libX11.so.6")
        x11.XOpenDisplay.restype = ctypes.c_void_p
        x11.XInternAtom.restype = ctypes.c_ulong
        display = ctypes.c_void_p(
            x11.XOpenDisplay(self.environment["DISPLAY"].encode())
        )
        protocols, delete = (
            x11.XInternAtom(display, name, 0)
            for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW")
        )
        # an XClientMessageEvent: type, serial, send_event, display, window, ...
        message = (ctypes.c_long * 24)(33, 0, 1, 0, window, protocols, 32, delete)
        assert x11.XSendEvent(display, ctypes.c_ulong(window), 0, 0, message)
        x11.XCloseDisplay(display)

    def end(self):
        self._server.terminate()
        self._server.wait(PATIENCE)


def wait_for(asked, what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := asked():
            return found
        time.sleep(0.02)
    return pytest.fail(f"waited {seconds:.0f} s until {what}")


@pytest.fixture(name="wait_for", scope="session")
def _wait_for():
    return wait_for


COMMAND = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal
from viewer.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def command(start):
    """Start the command line in a process of its own, in an empty folder."""
    return partial(start, COMMAND)


@pytest.fixture
def commanded(run):
    """Wait until the command line has ended in a process of its own."""
    return partial(run, COMMAND)


@pytest.fixture(scope="session")
def display():
    missing = [p for p in ("Xvfb", "xdotool") if shutil.which(p) is None]
    sentence = ""
    if sys.platform != "linux":
        sentence = "windows are opened on a screen of X11 only"
    elif missing:
        sentence = f"no {' and no '.join(missing)}; on Debian: apt install xvfb xdotool"
    if sentence:
        do_without("DISPLAY", sentence)
    made = Display()
    yield made
    made.end()


def tilted(angle_xyz, translation):
    """Turn by small rational quaternions, one per axis, and move."""
    pose = Pose.rigid(None, translation)
    for axis, part in enumerate(angle_xyz):
        quaternion = [0.0, 0.0, 0.0, 1.0]
        quaternion[axis] = part
        pose = pose @ Pose.rigid(quaternion, None)
    return pose


def first_frame(*bodies, **options):
    return World(bodies, **options).step()


@pytest.fixture(scope="session")
def falling():
    """A ball that comes down on a table, by a second each second."""

    def make(height=lambda t: 2.0 - t, **options):
        ball = Body(shapes.icosphere(1), name="ball")
        table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
        fall = {"ball": lambda t: Pose.rigid(None, (0.0, 0.0, height(t)))}
        return World([ball, table], **{"motion": fall, "dt": 0.1, **options})

    return make


@pytest.fixture
def breaking(falling):
    """A run whose script raises an error for its frame 3."""

    def make(words="lost <my> way"):
        def height(t):
            if t > 0.25:
                raise RuntimeError(words)
            return 0.0

        return falling(height)

    return make


@pytest.fixture
def world():
    """A box 0.1 above a table, and a ball that sinks beside it."""
    box = Body(shapes.box(), name="box", pose=Pose(None, (-1.0, 0.0, 1.1)))
    table = Body(shapes.grid_box((4, 4, 1), (6.0, 6.0, 1.0)), name="table")
    ball = Body(shapes.icosphere(1), name="ball")
    sink = {"ball": lambda t: Pose.rigid(None, (1.6, 0.0, 2.0 - t))}
    return World([box, table, ball], motion=sink, dt=0.1)


@pytest.fixture
def hands(world):
    """Hands on that world, paused at its first frame."""
    from viewer.window.hands import Hands

    timeline = Timeline(RunningWorld(world))
    timeline.pause()
    return Hands(timeline)


@pytest.fixture
def vertex_above_face():
    """A tilted box 0.2 above a table of 4 x 4 cells."""
    jelly = Body(
        shapes.box((1.0, 0.8, 0.6)),
        name="jelly",
        pose=tilted((0.3, 0.2, 0.1), (0.0, 0.0, 1.15)),
    )
    table = Body(shapes.grid_box((4, 4, 1), (3.0, 3.0, 0.3)), name="table")
    return first_frame(jelly, table)


@pytest.fixture
def face_on_face():
    """A box standing on a block, touching exactly."""
    box = Body(
        shapes.box((1.0, 0.5, 0.5)), name="box", pose=Pose.rigid(None, (0.25, 0, 0.75))
    )
    block = Body(shapes.box((2.0, 2.0, 1.0)), name="block")
    return first_frame(box, block)


@pytest.fixture
def edge_over_edge():
    """Two crossed roofs, edge above edge."""
    prism = shapes.prism(3, 1.0, 4.0)
    ridge_up = Pose.rigid([0.0, -1.0, 0.0, 1.0])
    ridge_down = Pose.rigid([1.0, 0.0, 0.0, 1.0], (0.0, 0.0, 3.0))
    low = Body(prism, name="low", pose=ridge_up)
    high = Body(prism, name="high", pose=ridge_down @ Pose.rigid([0.0, 0.0, -1.0, 1.0]))
    return first_frame(low, high)


@pytest.fixture
def overlapping():
    """Two boxes, one 0.25 deep in the other."""
    a = Body(shapes.box(1.0), name="a")
    b = Body(shapes.box(1.0), name="b", pose=Pose.rigid(None, (0.75, 0.1, 0.05)))
    return first_frame(a, b)


@pytest.fixture
def heap():
    """Six boxes in a row, two of them touching."""
    bodies = [
        Body(
            shapes.box(1.0),
            name=f"box{k}",
            pose=Pose.rigid(None, (1.5 * k - 0.5 * (k == 5), 0.0, 0.0)),
        )
        for k in range(6)
    ]
    return first_frame(*bodies)


@pytest.fixture(scope="module")
def frames():
    return list(scenes.load("demo").run(60))


@pytest.fixture(scope="module")
def rolling():
    """Frames of a ball that rolls over another, up to a step that tries six pairs."""
    return list(scenes.load("fig6").run(65))


class Damaged(list):
    """Frames of which the third cannot be read."""

    error = RecordingError("frame 2 is damaged")

    def __getitem__(self, k):
        if k == 2:
            raise self.error
        return super().__getitem__(k)


@pytest.fixture
def damaged():
    return Damaged


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def taken():
    """A port on which another program listens."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.fixture
def scene(request):
    pytest.importorskip("pyvista")
    from viewer import Scene

    scene = Scene(size=request.module.SIZE)
    yield scene
    scene.close()


@pytest.fixture
def plotter(request):
    pyvista = pytest.importorskip("pyvista")
    size = getattr(request.module, "SIZE", (320, 240))
    made = pyvista.Plotter(off_screen=True, window_size=size)
    yield made
    made.close()


FRAMES = ["vertex_above_face", "face_on_face", "edge_over_edge", "overlapping", "heap"]


@pytest.fixture(params=FRAMES)
def any_frame(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def assert_near():

    def check(found, wanted, tolerance=1e-12):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance)

    return check
