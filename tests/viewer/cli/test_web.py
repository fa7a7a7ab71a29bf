import os  # of viewer.cli.show, viewer.web.server
import signal

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


@pytest.mark.web
@needs_viser
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is no signal there")
def test_run_on_a_page_tells_events_and_keeps_its_recording(script, command, tmp_path):
    given = "--web", "--frames", 8, "--record", "page.vtkhdf"
    child = command("run", script(), *given, PYTHONUNBUFFERED="1")
    lines = []
    while not lines or "begin" not in lines[-1]:
        lines.append(child.stdout.readline())
        assert lines[-1]
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (0, "")
    assert lines[0].startswith("open http://127.0.0.1:")
    assert lines[-1].startswith("5 begin ball/table")
    with Recording.open(tmp_path / "page.vtkhdf") as opened:
        assert 6 <= len(opened) <= 8
