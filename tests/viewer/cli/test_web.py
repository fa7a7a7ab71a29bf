import os
import signal
import subprocess
import sys

import pytest

from sim import Recording

needs_viser = pytest.mark.skipif(
    not __import__("viewer.web.server", fromlist=["has_viser"]).has_viser(),
    reason="viser is in the extra 'web'",
)


@pytest.mark.web
@needs_viser
def test_view_writes_a_page_with_a_player_of_its_own(wingedge, recording, tmp_path):
    result = wingedge("view", recording, "--html", "run.html", "--theme", "dark")
    assert result.code == 0
    told = "run.html: 5 of 8 frames, 30 a second; --speed 0.5 shows all\n"
    assert result.out == told
    text = (tmp_path / "run.html").read_text("utf-8")
    assert "<title>run</title>" in text
    assert "5 begin ball/table" in text


@pytest.mark.parametrize("options", [["--web"], ["--html", "a.html"]])
def test_without_viser_it_says_what_to_install(
    wingedge, recording, monkeypatch, options
):
    from viewer.web import server as need

    monkeypatch.setattr(need, "has_viser", lambda: False)
    result = wingedge("view", recording, *options)
    assert result.code == 2
    assert "pip install 'wingedge[web]'" in result.sentence


def interrupted(folder, *arguments):
    """Run a command, send Ctrl-C once its page has an address, and let it end."""
    code = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from viewer.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    lines = []
    for line in child.stdout:
        lines.append(line)
        if "begin" in line or (arguments[0] == "view" and "open http" in line):
            break
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    return child.returncode, "".join(lines) + out, err


@pytest.mark.web
@needs_viser
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is no signal there")
def test_view_tells_the_address_and_ends_on_ctrl_c(recording, tmp_path):
    code, out, err = interrupted(tmp_path, "view", recording, "--web")
    assert out.startswith("open http://127.0.0.1:")
    assert out.endswith(" in a browser; Ctrl-C ends it\n")
    assert (code, err) == (0, "")


@pytest.mark.web
@needs_viser
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is no signal there")
def test_run_on_a_page_tells_events_and_keeps_its_recording(script, tmp_path):
    path = tmp_path / "page.vtkhdf"
    code, out, err = interrupted(
        tmp_path, "run", script(), "--web", "--frames", 8, "--record", path
    )
    assert (code, err) == (0, "")
    assert out.startswith("open http://127.0.0.1:")
    assert "5 begin ball/table" in out
    with Recording.open(path) as opened:
        assert 6 <= len(opened) <= 8
