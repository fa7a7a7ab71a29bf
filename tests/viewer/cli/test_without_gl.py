import sys
from pathlib import Path

import pytest

from viewer.gl import probe

pytestmark = [
    pytest.mark.gui,
    pytest.mark.skipif(sys.platform != "linux", reason="hides GL the way of Linux"),
]
NO_GL = {
    "__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent",
    "DISPLAY": "",
    "WAYLAND_DISPLAY": "",
}
EXAMPLES = str(Path(__file__).parents[3] / "examples")
NO_DISPLAY = {"DISPLAY": ":4077", "WAYLAND_DISPLAY": ""}  # nobody answers there
SAID = "the GL library is missing or broken"
FIX = "apt install libegl1 libgl1-mesa-dri"


ALL_WAYS = """
import sys
from viewer.cli import main
for way in ([], ["--picture", "a.png"], ["--movie", "a.gif"], ["--movie", "a.mp4"]):
    print(main(["view", sys.argv[1], *way]))
"""


def test_view_says_what_is_missing_and_what_mends_it(recording, run, tmp_path):
    done = run(ALL_WAYS, recording.name, **NO_GL)
    assert done.stdout.split() == ["2"] * 4
    sentences = done.stderr.splitlines()
    assert len(sentences) == 4
    assert all(SAID in sentence and FIX in sentence for sentence in sentences)
    assert not any(tmp_path.glob("*a.*"))


@pytest.mark.parametrize("which", [["disk", "--keys", "L*31"], ["segments"]])
def test_a_demo_goes_on_without_its_picture(process, which):
    result = process("demo", *which, **NO_GL, PYTHONPATH=EXAMPLES)
    assert (result.code, result.out == "") == (0, False)
    assert ".png: no picture can be drawn here" in result.err
    assert FIX in result.err


def test_a_run_goes_on_unseen_and_is_recorded(process, script, tmp_path):
    record = tmp_path / "a.vtkhdf"
    result = process(
        "run", script(), "--view", "--frames", 6, "--record", record, **NO_GL
    )
    assert result.code == 0
    assert "5 begin ball/table" in result.out
    assert FIX in result.sentence
    assert record.exists()


@pytest.mark.web
def test_what_needs_no_gl_is_drawn_all_the_same(process, recording, tmp_path):
    pytest.importorskip("viser", reason="viser is in the extra 'web'")
    assert process("view", recording, "--html", "a.html", **NO_GL).code == 0
    assert (tmp_path / "a.html").exists()


def test_a_display_that_does_not_answer_is_none(process, recording, script):
    result = process("view", recording, **NO_DISPLAY)
    assert result.code == 2
    assert "there is no display; start a desktop session" in result.sentence
    result = process("run", script(), "--view", "--frames", 2, **NO_DISPLAY)
    assert result.code == 0
    assert "there is no display" in result.err
    result = process("doctor", **NO_DISPLAY)
    assert "there is no display: no live windows" in result.out
    assert probe().works
