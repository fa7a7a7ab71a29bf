"""The programs of docs/viewer.md run, in windows and on a page that are closed."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "viewer.md"
WATCHED, PUSHED, WEB = re.findall(
    r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S
)
PATIENCE = 300.0


def begun(program, folder, environment=os.environ):
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(child):
    """Wait until a program has ended, and return what it said."""
    out, err = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0, err
    return out


@pytest.mark.gui
def test_a_window_a_movie_and_a_picture(display, tmp_path):
    child = begun(WATCHED, tmp_path, display.environment)
    display.window("wingedge")
    while child.poll() is None and not (tmp_path / "fig6.webp").exists():
        display.send("mousemove", 640, 400, "key", "q", "sleep", "0.2")
    ended(child)
    assert (tmp_path / "fig6.webp").stat().st_size > 5_000
    assert (tmp_path / "fig6.png").stat().st_size > 5_000


@pytest.mark.gui
def test_a_window_in_a_process_of_its_own_is_given_frames(display, tmp_path):
    told = PUSHED + "print(screen.count, screen.trouble)\n"
    child = begun(told, tmp_path, display.environment)
    display.window("wingedge")  # though the loop ends long before
    while child.poll() is None:
        display.send("mousemove", 640, 400, "key", "q", "sleep", "0.2")
    assert ended(child).split() == ["120"], "all frames taken, and no trouble"


@pytest.mark.web
def test_two_pages_that_are_ended_by_ctrl_c_one_after_the_other(tmp_path):
    pytest.importorskip("viser", reason="viser is in the extra 'web'")
    set_up = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    child = begun(set_up + WEB, tmp_path)
    addresses = []
    for line in child.stdout:
        addresses += re.findall(r"http://\S+:\d+", line)
        if "http" in line:
            child.send_signal(signal.SIGINT)
    ended(child)
    assert len(addresses) == 2
