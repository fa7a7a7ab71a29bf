"""viewer.cli and viewer.gl where nothing can draw, or where no display answers."""

import json
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.gui,
    pytest.mark.skipif(sys.platform != "linux", reason="hides GL the way of Linux"),
]
GONE = {
    "__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent",
    "DISPLAY": "",
    "WAYLAND_DISPLAY": "",
}
NO_DISPLAY = {"DISPLAY": ":4077", "WAYLAND_DISPLAY": ""}  # nobody answers there
FIX = "apt install libegl1 libgl1-mesa-dri"
BROKEN, KEPT = ("the GL library is missing or broken", FIX), "a.vtkhdf"
RUN = "run script.py --view --frames 6 --record a.vtkhdf"
WAYS = [  # what is given, the exit code, what is said besides, what is there then
    *((f"view run.vtkhdf{way}", 2, BROKEN, "") for way in (
        "", " --picture a.png", " --movie a.gif", " --movie a.mp4")),
    ("demo disk --keys L*31", 0, ("no picture can be drawn here", FIX), ""),
    ("demo segments", 0, ("no picture can be drawn here", FIX), ""),
    (RUN, 0, ("5 begin ball/table", FIX), KEPT),
    ("demo", 0, ("no demo.png", "Now open demo.vtkhdf", " begin "), "demo.vtkhdf"),
    ("view run.vtkhdf --html a.html", 0, ("a.html: ",), "a.html"),
]  # fmt: skip
NO_WINDOW = [
    ("view run.vtkhdf", 2, ("is no display; start a desktop session",), ""),
    ("run script.py --view --frames 2", 0, ("there is no display",), ""),
    ("doctor", 0, ("there is no display: no live windows",), ""),
]
MANY = """
import json, sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from viewer.cli import main
for words in json.loads(sys.argv[1]):
    with redirect_stdout(StringIO()) as out, redirect_stderr(out):
        code = main(words)
    print(json.dumps([code, out.getvalue()]))
"""


@pytest.mark.web
@pytest.mark.parametrize(
    ("missing", "asked"), [(GONE, WAYS), (NO_DISPLAY, NO_WINDOW)], ids=["GL", "display"]
)
def test_what_is_missing_is_said_with_what_mends_it_and_all_else_is_done(
    recording, run, tmp_path, missing, asked
):
    pytest.importorskip("viser", reason="viser is in the extra 'web'")
    examples = str(Path(__file__).parents[3] / "examples")
    code = f"import sys; sys.path.append({examples!r})\n{MANY}"
    before = {file.name for file in tmp_path.iterdir()}
    done = run(code, json.dumps([words.split() for words, *_ in asked]), **missing)
    assert done.stderr == ""
    for (words, code, told, _), line in zip(
        asked, done.stdout.splitlines(), strict=True
    ):
        found, said = json.loads(line)
        assert (found, "Traceback" in said) == (code, False), f"{words}: {said}"
        assert all(sentence in said for sentence in told), f"{words}: {said}"
    made = {file.name for file in tmp_path.iterdir()} - before
    assert made == {name for *_, name in asked if name}
