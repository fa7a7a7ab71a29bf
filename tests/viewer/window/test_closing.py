import signal

import pytest

from sim import Recording, RecordingError

pytestmark = pytest.mark.gui

PATIENCE = 300.0  # seconds until a program must have ended; a busy machine is slow
WORLD = """
from sim import Body, Pose, World
from viewer import watch
from wingedge import shapes

ball = Body(shapes.icosphere(1), name="ball")
table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")

fall = {"ball": lambda t: Pose.rigid(None, (0.0, 0.0, 2.0 - t))}

world = World([ball, table], motion=fall, dt=0.01)
with world.record("run.vtkhdf"):
    print("last", watch(world, each=lambda frame: print(frame.index, flush=True)).index)
"""


def wait_for_frame(child, index):
    while (line := child.stdout.readline()) != f"{index}\n":
        assert line, child.stderr.read()


def by_q(display, window, child):
    display.send("mousemove", 600, 600, "key", "q")


def by_its_button(display, window, child):
    display.close_button(window)


def by_ctrl_c(display, window, child):
    child.send_signal(signal.SIGINT)


@pytest.mark.parametrize("close", [by_q, by_its_button])
def test_a_program_ends_well_when_its_window_is_closed(start, display, tmp_path, close):
    child = start(WORLD, env=display.environment)
    wait_for_frame(child, 5)
    close(display, display.window("wingedge"), child)
    out, err = child.communicate(timeout=PATIENCE)
    assert (child.returncode, err) == (0, "")
    count = int(out.split()[-1]) + 1
    with Recording.open(tmp_path / "run.vtkhdf") as recording:
        assert len(recording) == count > 5
        assert recording.replay().digest == recording.digest


@pytest.mark.parametrize("close", [by_q, by_ctrl_c])
def test_view_shows_a_recording_until_its_window_is_closed(
    command, display, tmp_path, close
):
    from sim import scenes

    world = scenes.load("demo")
    with world.record(tmp_path / "demo.vtkhdf"):
        list(world.run(5))
    child = command("view", "demo.vtkhdf", env=display.environment)
    window = display.window("wingedge")
    close(display, window, child)
    out, err = child.communicate(timeout=PATIENCE)
    assert (child.returncode, out, err) == (130 if close is by_ctrl_c else 0, "", "")


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
