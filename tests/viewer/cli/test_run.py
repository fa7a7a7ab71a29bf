import sys  # of viewer.cli.run
from pathlib import Path

import pytest

from sim import Recording

TROUBLE = {
    "not Python": ("def world(:\n", "script.py, line 1: SyntaxError"),
    "a missing module": ("import nosuchmodule\n", "line 1: ModuleNotFoundError"),
    "no world": ("x = 1\n", "there is no function world()"),
    "world is no function": ("world = 3\n", "there is no function world()"),
    "no World returned": ("def world():\n    return 3\n", "world() returned int"),
    "an error in world": ("def world():\n    return 1 / 0\n", "line 2: ZeroDivision"),
    "an end of its own": (
        "import sys\nsys.exit(0)\n",
        "line 2: the script ended itself",
    ),
    "world with arguments": ("def world(a):\n    pass\n", "world() missing 1"),
    "a bad body": (
        "from sim import Body\n\ndef world():\n    return Body(3)\n",
        "line 4: TypeError: a body needs a WingedEdgeMesh",
    ),
    "an unreadable mesh": (
        "from wingedge import read\n\ndef world():\n    read('missing.obj')\n",
        "line 4: FileNotFoundError: missing.obj",
    ),
}
BREAKS = """
from sim import Body, Pose, World
from wingedge import shapes

def fall(t):
    if t > 0.05:
        raise RuntimeError("lost\\nmy way")
    return Pose.identity()

def world():
    return World([Body(shapes.box(), name="box")], motion={"box": fall})
"""


def test_a_run_prints_one_line_per_event_and_none_on_stderr(wingedge, script):
    result = wingedge("run", script(), "--frames", 8)
    assert result.code == 0
    assert result.err == ""
    lines = result.out.splitlines()
    assert lines[0].startswith("5 begin ball/table ")
    assert all(" ball/table " in line for line in lines)
    result = wingedge("run", script(), "--frames", 2)
    assert (result.code, result.out) == (0, "")
    near = "; nearest: ball/table, distance 0.4 in frame 1"
    assert result.sentence == f"no events in 2 frames{near}"
    still = wingedge("run", script(), "--set", "speed=0.0")
    assert still.sentence.startswith("no events in 120 frames; nearest: ball/table")


def test_no_frames_are_a_run_and_what_is_no_script_is_named(wingedge, script):
    assert wingedge("run", script(), "--frames", 0).code == 0
    text = BREAKS.replace("Pose.identity()", "7")
    sentence = wingedge("run", script(text)).sentence
    assert "script.py: body 'box', frame 0: motion returned int" in sentence
    sentence = wingedge("run", script("a = '\0'\n", "run.vtkhdf")).sentence
    assert "run.vtkhdf: is no text, so no script" in sentence
    sentence = wingedge("run", script("v 0 0 0\n", "cube.obj")).sentence
    assert sentence.endswith("cube.obj: give a Python file that defines world()")


@pytest.mark.parametrize("trouble", TROUBLE)
def test_a_script_in_trouble_is_one_sentence_with_file_and_line(
    wingedge, script, tmp_path, trouble
):
    text, words = TROUBLE[trouble]
    result = wingedge("run", script(text), "--record", "run.vtkhdf")
    assert result.code == 2
    assert "script.py" in result.sentence
    assert words in result.sentence
    assert [p.name for p in tmp_path.iterdir()] == ["script.py"], "half-written"


def test_a_script_that_breaks_midway_keeps_the_frames_before(wingedge, script):
    result = wingedge("run", script(BREAKS), "--record", "run.vtkhdf")
    assert result.code == 2
    assert (
        "line 7: RuntimeError: lost my way; raised by motion['box'] for frame 4, time "
        "0.0666667; run.vtkhdf has the 4 frames before"
    ) in result.sentence
    with Recording.open("run.vtkhdf") as opened:
        assert len(opened) == 4


def test_a_run_that_breaks_at_once_leaves_an_older_recording_alone(
    wingedge, script, recording
):
    before = recording.read_bytes()
    text = BREAKS.replace("t > 0.05", "t >= 0")
    assert wingedge("run", script(text), "--record", recording).code == 2
    assert recording.read_bytes() == before


def test_a_script_may_import_what_lies_beside_it(wingedge, script, tmp_path):
    script("HEIGHT = 2.0\n", "constants_of_this_test.py")
    text = script().read_text().replace("2.0", "height()")
    late = "def height():\n    from constants_of_this_test import HEIGHT as h\n"
    path = script(f"{late}    return h\n{text}")
    assert wingedge("run", path, "--frames", 6).code == 0
    assert str(tmp_path) not in sys.path


def test_a_recording_never_replaces_what_is_no_recording(wingedge, script, tmp_path):
    for name in ("scene.py", "mesh.obj", "notes.txt", "masked.vtkhdf"):
        target = tmp_path / name
        target.write_text("kept")
        assert wingedge("run", script(), "--record", target).code == 2
        assert target.read_text() == "kept"


def test_a_run_is_resumed(wingedge, script):
    whole = wingedge("run", script(), "--frames", 8, "--record", "whole.vtkhdf").out
    keep = ("--record", "run.vtkhdf", "--resume")
    told = wingedge("run", script(), "--frames", 3, *keep).out
    told += wingedge("run", script(), "--frames", 8, *keep).out
    assert told == whole
    with Recording.open("run.vtkhdf") as parts, Recording.open("whole.vtkhdf") as one:
        assert parts.digest == one.digest
        assert parts.notes == {"script": str(script())}


def test_a_setting_goes_to_world_and_into_the_notes(wingedge, script):
    slow = wingedge("run", script(), "--frames", 8, "--set", "speed=0.5")
    assert slow.sentence.startswith("no events in 8 frames; nearest: ball/table, ")
    keep = ("--record", "run.vtkhdf", "--set", "speed=6.5", "--set", "fails=8.0")
    assert wingedge("run", script(), "--frames", 8, *keep).out.startswith("5 ")
    with Recording.open("run.vtkhdf") as recording:
        assert recording.notes["settings"] == "fails=8.0, speed=6.5"


def test_resuming_says_where_it_goes_on_and_takes_no_other_settings(wingedge, script):
    def resumed(frames, *more):
        keep = ("--record", "run.vtkhdf", "--resume", "--frames", frames)
        return wingedge("run", script(), *keep, *more)

    assert resumed(3).sentence.startswith("no events in 3 frames; nearest: ")
    there = "run.vtkhdf: goes on after the 3 frames that are there\n"
    assert resumed(4).err.startswith(there + "no more events in 1 more frames; ")
    assert resumed(2).sentence == "run.vtkhdf has 4 frames already"
    refused = resumed(5, "--set", "speed=6.5")
    assert refused.code == 2
    assert "was recorded with --set nothing, this is speed=6.5" in refused.sentence
    with Recording.open("run.vtkhdf") as recording:
        assert len(recording) == 4
    Path("run.vtkhdf").unlink()
    assert [resumed(k, "--set", "speed=6.5").code for k in (3, 4)] == [0, 0]
    assert "with --set speed=6.5, this is nothing" in resumed(5).sentence
