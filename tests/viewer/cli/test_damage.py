import re

import pytest

from sim import Recording

KEPT = 7  # frames before the damage
BREAKS = """
from sim import Body, Pose, World
from wingedge import shapes

def squash(rest, t):
    if t > 0.11:
        {what}
    return rest * (1.0 - t)

def world():
    ball = Body(shapes.icosphere(1), name="ball", pose=Pose(None, (0.0, 0.0, 2.0)))
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    return World([ball, table], deform={{"ball": squash}})
"""
FAILURES = {
    "an exception": (
        "raise RuntimeError('lost')",
        "RuntimeError: lost; raised by deform['ball'] for frame 7",
    ),
    "not a number": ("return rest * float('nan')", "body 'ball', frame 7: deform"),
}


@pytest.fixture
def missing(wingedge, script, tmp_path):
    import h5py

    path = tmp_path / "missing.vtkhdf"
    assert wingedge("run", script(), "--frames", 12, "--record", path).code == 0
    with h5py.File(path, "r+") as file:
        ends = file["wingedge/frames"]["end"]
        file["wingedge/data"].resize(ends[KEPT - 1], 0)
    return path


@pytest.mark.gui
def test_a_picture_of_a_frame_before_the_damage_is_drawn(wingedge, missing, tmp_path):
    result = wingedge("view", missing, "--picture", "a.png", "--frame", 6)
    assert (result.code, result.out) == (0, "a.png: frame 6 of 12\n")
    result = wingedge("view", missing, "--picture", "b.png", "--frame", 9)
    assert result.code == 2
    assert "the recording is damaged in frame 9" in result.sentence
    assert "read the frames before" in result.sentence
    assert not (tmp_path / "b.png").exists()


@pytest.mark.web
@pytest.mark.gui
@pytest.mark.parametrize("name", ["a.gif", "a.mp4", "a.html"])
def test_what_needs_all_frames_names_the_one_that_is_missing(
    wingedge, missing, tmp_path, name
):
    if name == "a.html":
        pytest.importorskip("viser", reason="viser is in the extra 'web'")
    option = "--html" if name == "a.html" else "--movie"
    before = sorted(tmp_path.iterdir())
    result = wingedge("view", missing, option, name)
    assert result.code == 2
    # the story is read before the pictures, and a page leaves out frame 7
    assert re.search("the recording is damaged in frame [78] ", result.sentence)
    assert sorted(tmp_path.iterdir()) == before


def _frames(path):
    from sim.errors import RecordingError

    try:
        with Recording.open(path) as recording:
            return len([frame.index for frame in recording])
    except (OSError, RecordingError):
        return 0


@pytest.mark.parametrize("failure", FAILURES)
def test_a_run_names_the_frame_recorded_or_not(wingedge, script, tmp_path, failure):
    """Without a recording nothing said when it happened."""
    what, words = FAILURES[failure]
    result = wingedge("run", script(BREAKS.format(what=what)))
    assert result.code == 2
    assert words in result.sentence
    result = wingedge("run", script(BREAKS.format(what=what)), "--record", "b.vtkhdf")
    assert f"b.vtkhdf has the {KEPT} frames before" in result.sentence
    assert _frames(tmp_path / "b.vtkhdf") == KEPT
