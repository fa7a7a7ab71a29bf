"""viewer.live, viewer.plot: the programs of docs/viewer.md run, windows are closed."""

import re
import signal
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "viewer.md"
WATCHED, PUSHED, WEB = re.findall(
    r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S
)
PATIENCE = 300.0


def ended(child):
    """Wait until a program has ended, and return what it said."""
    out, err = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0, err
    return out


@pytest.mark.gui
def test_a_window_a_movie_and_a_picture(start, display, tmp_path):
    child = start(WATCHED, env=display.environment)
    display.window("wingedge")
    while child.poll() is None and not (tmp_path / "fig6.webp").exists():
        display.send("mousemove", 640, 400, "key", "q", "sleep", "0.2")
    ended(child)
    assert (tmp_path / "fig6.webp").stat().st_size > 5_000
    assert (tmp_path / "fig6.png").stat().st_size > 5_000


@pytest.mark.gui
def test_a_window_in_a_process_of_its_own_is_given_frames(start, display):
    told = PUSHED + "print(screen.count, screen.trouble)\n"
    child = start(told, env=display.environment)
    display.window("wingedge")  # though the loop ends long before
    while child.poll() is None:
        display.send("mousemove", 640, 400, "key", "q", "sleep", "0.2")
    assert ended(child).split() == ["120"], "all frames taken, and no trouble"


@pytest.mark.web
def test_two_pages_that_are_ended_by_ctrl_c_one_after_the_other(start):
    pytest.importorskip("viser", reason="viser is in the extra 'web'")
    set_up = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    child = start(set_up + WEB, PYTHONUNBUFFERED="1")
    addresses = []
    for line in child.stdout:
        addresses += re.findall(r"http://\S+:\d+", line)
        if "http" in line:
            child.send_signal(signal.SIGINT)
    ended(child)
    assert len(addresses) == 2
