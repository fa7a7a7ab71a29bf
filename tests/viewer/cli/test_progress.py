import sys
import time

import pytest

from viewer.cli import options
from viewer.cli.options import progress, waiting


@pytest.fixture
def terminal(monkeypatch):
    """Take stderr for a terminal from now on, and lose patience after so long."""

    def pretend(patience=0.0):
        # in the test itself: pytest changes stderr between set-up and test
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        monkeypatch.setattr(options, "_PATIENCE", patience)
        monkeypatch.setenv("TERM", "xterm")

    return pretend


def test_items_pass_unchanged_without_a_terminal(capsys):
    assert list(progress(range(5), 5, "counting")) == [0, 1, 2, 3, 4]
    assert capsys.readouterr() == ("", "")


def test_items_pass_unchanged_with_a_bar(terminal, capsys):
    terminal()
    assert list(progress(range(5), 5, "counting")) == [0, 1, 2, 3, 4]
    assert "counting" in capsys.readouterr().err


def test_quick_work_shows_nothing(terminal, capsys):
    terminal(patience=60.0)
    assert list(progress(range(5), 5, "counting")) == [0, 1, 2, 3, 4]
    with waiting("thinking"):
        pass
    assert capsys.readouterr() == ("", "")


def test_slow_work_shows_a_spinner(terminal, capsys):
    terminal()
    with waiting("thinking"):
        time.sleep(0.4)
    out, err = capsys.readouterr()
    assert out == ""
    assert "thinking" in err


def test_printed_lines_go_to_stdout_when_it_is_a_pipe(terminal, capsys):
    terminal()
    for item in progress(range(3), 3, "counting"):
        print(item)
    assert capsys.readouterr().out == "0\n1\n2\n"
