"""viewer.window.window, viewer.screens: real windows, closed in every way."""

import signal

import pytest

from sim import Recording, RecordingError, scenes

pytestmark = pytest.mark.gui

PATIENCE = 300.0  # seconds until a program must have ended; a busy machine is slow
WORLD = """
from sim import Body, Pose, Recording, World
from viewer import replay, watch
from wingedge import shapes

ball = Body(shapes.icosphere(1), name="ball")
table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")

fall = {"ball": lambda t: Pose.rigid(None, (0.0, 0.0, 2.0 - t))}

world = World([ball, table], motion=fall, dt=0.01)
with world.record("run.vtkhdf"):
    last = watch(world, each=lambda frame: print(frame.index, flush=True)).index
print("last", last, flush=True)
with Recording.open("run.vtkhdf") as recording:
    print(len(recording), replay(recording).index <= last)
"""


def wait_for_line(child, begin):
    while not (line := child.stdout.readline()).startswith(begin):
        assert line, child.stderr.read()
    return line


def test_one_window_after_the_other_ends_well_by_its_button_and_by_q(
    start, display, tmp_path
):
    child = start(WORLD, env=display.environment)
    wait_for_line(child, "5\n")
    display.close_button(display.window("wingedge"))
    count = int(wait_for_line(child, "last").split()[1]) + 1
    display.window("wingedge")
    display.send("mousemove", 600, 600, "key", "q")
    out, err = child.communicate(timeout=PATIENCE)
    assert (child.returncode, out, err) == (0, f"{count} True\n", "")
    with Recording.open(tmp_path / "run.vtkhdf") as recording:
        assert len(recording) == count > 5
        assert recording.replay().digest == recording.digest


def test_view_shows_a_recording_until_it_is_ended_by_ctrl_c(command, display, tmp_path):
    with (world := scenes.load("demo")).record(tmp_path / "demo.vtkhdf"):
        list(world.run(5))
    child = command("view", "demo.vtkhdf", env=display.environment)
    display.window("wingedge")
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=PATIENCE)
    assert (child.returncode, out, err) == (130, "", "")


def frames_in(path):
    try:
        with Recording.open(path) as recording:
            return len(recording)
    except (OSError, RecordingError):
        return 0


def test_one_ctrl_c_ends_a_run_whose_window_stands_still(
    command, display, tmp_path, wait_for
):
    # The first one only asked, and nobody looked: no frame was made any more.
    script = WORLD[: WORLD.index("with world")]
    script = script.replace("world = World(", "def world():\n    return World(")
    (tmp_path / "fall.py").write_text(script)
    words = ["run", "fall.py", "--view", "--frames", "2", "--record", "run.vtkhdf"]
    child = command(*words, env=display.environment)
    display.window("wingedge")
    wait_for(lambda: frames_in(tmp_path / "run.vtkhdf") == 2, "both frames are made")
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=PATIENCE)
    assert child.returncode == 130
    with Recording.open(tmp_path / "run.vtkhdf") as recording:
        assert len(recording) == 2
