import importlib  # of sim.progress, viewer.cli.run
import signal
import sys
import time
from threading import Timer

import pytest
from rich.progress import Progress

import sim.progress
from sim.progress import counting, progress
from viewer.gl import require_pyvista


@pytest.fixture
def terminal(monkeypatch):

    def pretend(patience=0.0, is_one=True):
        # in the test itself: pytest changes stderr between set-up and test
        monkeypatch.setattr(sys.stderr, "isatty", lambda: is_one)
        monkeypatch.setattr(sim.progress, "_PATIENCE", patience)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("FORCE_COLOR", "1")  # as where logs are shown in colours

    return pretend


def test_items_pass_unchanged_and_printed_lines_go_to_a_pipe(capsys, terminal):
    terminal(is_one=False)
    assert list(progress(range(5), 5, "counting")) == [0, 1, 2, 3, 4]
    assert capsys.readouterr() == ("", "")
    terminal()
    assert list(progress(range(5), 5, "counting")) == [0, 1, 2, 3, 4]
    assert "counting" in capsys.readouterr().err
    terminal()
    for item in progress(range(3), 3, "counting"):
        print(item)
    assert capsys.readouterr().out == "0\n1\n2\n"


def test_slow_work_shows_a_spinner_and_quick_work_nothing(terminal, capsys):
    terminal(patience=60.0)
    assert list(progress(range(5), 5, "counting")) == [0, 1, 2, 3, 4]
    with counting("thinking"):
        pass
    assert capsys.readouterr() == ("", "")
    terminal()
    with counting("thinking"):
        time.sleep(0.4)
    out, err = capsys.readouterr()
    assert out == ""
    assert "thinking" in err


@pytest.fixture
def heard():
    """Take Ctrl-C as a terminal sends it, where who started the tests ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_ctrl_c_while_a_bar_is_shown_leaves_the_cursor(terminal, capsys, monkeypatch):
    terminal()
    start = Progress.start

    def interrupted(bar):
        start(bar)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "start", interrupted)
    monkeypatch.setattr(sim.progress, "Timer", lambda _, show: Timer(99.0, show))
    with pytest.raises(KeyboardInterrupt):
        list(progress(range(3), 3, "counting"))
    hidden, shown = "\x1b[?25l", "\x1b[?25h"
    err = capsys.readouterr().err
    assert err.rindex(shown) > err.rindex(hidden)


@pytest.mark.usefixtures("heard")
def test_ctrl_c_while_vtk_is_imported_comes_when_it_is_there(monkeypatch):
    """It ended the process with a segmentation fault."""
    pytest.importorskip("pyvista")
    imported = []

    def importing(name):
        signal.raise_signal(signal.SIGINT)
        imported.append(name)
        return sys

    monkeypatch.setattr(importlib, "import_module", importing)
    with pytest.raises(KeyboardInterrupt):
        require_pyvista()
    assert imported == ["pyvista"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
