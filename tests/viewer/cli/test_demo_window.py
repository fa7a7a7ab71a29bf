"""The demo opens a window where somebody sees it, and nowhere else."""

import os
import subprocess
import sys

import pytest

from viewer.cli import show

pytestmark = pytest.mark.gui
pytest.importorskip("pty", reason="terminals are made as on Unix")


@pytest.fixture
def terminal(display, tmp_path):
    """Start the command line in a terminal of its own, before a screen in memory."""
    import pty

    children = []

    def start(*arguments, **environment):
        own, other = pty.openpty()
        around = {k: v for k, v in display.environment.items() if k != "CI"}
        child = subprocess.Popen(
            [sys.executable, "-m", "viewer.cli", *arguments],
            cwd=tmp_path,
            env={**around, **environment},
            stdin=subprocess.DEVNULL,
            stdout=other,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(other)
        children.append((child, own))
        return child, own

    yield start
    for child, own in children:
        if child.poll() is None:
            child.kill()
        child.wait()
        os.close(own)


def said(own):
    """Read what a terminal shows until its program ends."""
    parts = []
    try:
        while part := os.read(own, 4096):
            parts.append(part)
    except OSError:  # the end, as Linux says it
        pass
    return b"".join(parts).decode()


def test_files_come_first_then_a_window_and_closing_it_is_no_error(
    terminal, display, tmp_path
):
    child, own = terminal("demo")
    window = display.window("wingedge")
    assert sorted(os.listdir(tmp_path)) == ["demo.png", "demo.vtkhdf"]
    display.close_button(window)
    words = said(own)
    _, err = child.communicate(timeout=300)
    assert (child.returncode, "Traceback" in err) == (0, False)
    assert "h: keys" in words
    assert "Now look at demo.png" in words


def test_nobody_watches_where_ci_is_set(monkeypatch):
    monkeypatch.setattr(show.gl, "has_display", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for ci in ("", "true"):
        monkeypatch.setenv("CI", ci)
        assert show.is_watched() is not bool(ci)
