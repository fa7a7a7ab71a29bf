import sys
import time

import pytest

import sim.progress
from sim.progress import progress
from viewer.cli.options import waiting


@pytest.fixture
def terminal(monkeypatch):

    def pretend(patience=0.0):
        # in the test itself: pytest changes stderr between set-up and test
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        monkeypatch.setattr(sim.progress, "_PATIENCE", patience)
        monkeypatch.setenv("TERM", "xterm")

    return pretend


def test_items_pass_unchanged_and_printed_lines_go_to_a_pipe(capsys, terminal):
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
    with waiting("thinking"):
        pass
    assert capsys.readouterr() == ("", "")
    terminal()
    with waiting("thinking"):
        time.sleep(0.4)
    out, err = capsys.readouterr()
    assert out == ""
    assert "thinking" in err
