import os  # of viewer.web.page
import signal
import socket
import threading

import numpy as np
import pytest

import viewer
from viewer.sources import source_of
from viewer.timeline import Timeline

pytest.importorskip("viser", reason="viser is in the extra 'web'")
pytestmark = pytest.mark.web


@pytest.fixture
def page():
    with viewer.Page(port=0) as made:
        yield made


class Served:
    """A page that plays in a thread of its own, as the main thread would."""

    def __init__(self, page, source, **options):
        self.page, self.timeline = page, Timeline(source_of(source), **options)
        self.thread = threading.Thread(target=page.play, args=(self.timeline,))
        self.thread.start()

    def end(self):
        self.page.closed = True
        self.thread.join(30.0)
        self.page.closed = False
        self.page.close()


@pytest.fixture
def served(page, frames):
    made = Served(page, frames)
    made.timeline.pause()
    yield made
    made.end()


def listens(address, port):
    with socket.socket() as tried:
        tried.settimeout(2.0)
        return tried.connect_ex((address, port)) == 0


def own_address():
    """An address of this machine that is not the loopback, or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # sends nothing
            found = asked.getsockname()[0]
        except OSError:
            return None
    return None if found.startswith("127.") else found


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_address_is_told_and_of_this_machine_unless_it_is_for_everybody(host):
    with viewer.Page(host=host, port=0) as page:
        port = int(page.url.rsplit(":", 1)[1])
        assert page.url == f"http://127.0.0.1:{port}"
        assert listens("127.0.0.1", port)
        outside = own_address()
        assert outside is None or listens(outside, port) == (host == "0.0.0.0")


def test_a_taken_port_is_told_or_passed_by_and_foreign_addresses_refused(
    taken, monkeypatch
):
    from viewer.web import page as home

    monkeypatch.setattr(home, "PORT", taken)
    with viewer.Page() as page:
        assert taken < int(page.url.rsplit(":", 1)[1]) < taken + 100
    with pytest.raises(
        OSError, match=f"port={taken}: cannot listen there .* 0 for any"
    ):
        viewer.Page(port=taken)
    with pytest.raises(OSError, match=r"host='192\.0\.2\.1', port=0: cannot"):
        viewer.Page(host="192.0.2.1", port=0)


def test_closing_twice_is_no_error():
    page = viewer.Page(port=0)
    page.close()
    page.close()
    assert not listens("127.0.0.1", int(page.url.rsplit(":", 1)[1]))


def test_a_loop_of_ones_own_shows_frame_by_frame(page, frames):
    for frame in frames[:5]:
        page.show(frame)
    skin = page._server.scene.get_handle_by_name("/bodies/0")
    assert skin is not None
    assert page._panel.controls.timeline.frame is frames[4]
    page._panel.controls.timeline.pause()
    page.show(frames[5])
    assert page._panel.controls.timeline.frame is frames[4]
    assert len(page._panel.controls.timeline.source) == 6


def test_a_second_run_on_the_same_page_is_refused(page, frames):
    page.show(frames[0])
    with pytest.raises(ValueError, match="shows a run already"):
        page.play(Timeline(source_of(frames)))


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is no signal there")
def test_ctrl_c_ends_it_without_a_word(start):
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import viewer\n"
        "from sim import scenes\n"
        "page = viewer.Page(port=0)\n"
        "last = viewer.watch(scenes.load('demo'), 3, screen=page, speed=8.0)\n"
        "print('last', last.index)\n"
    )
    child = start(code)
    assert child.stdout.readline().startswith("open http://127.0.0.1:")
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert (out.split()[0], err, child.returncode) == ("last", "", 0)


def test_an_error_in_a_script_is_on_the_page_and_raised_in_the_end(page, breaking):
    timeline = Timeline(source_of(breaking()), speed=1e6)
    page.open(timeline)
    while timeline.trouble is None:
        page.turn()
    page.turn()
    assert "lost &lt;my&gt; way" in page._panel._answers.content
    page.close()
    page._panel, page.open = None, lambda timeline: None
    with pytest.raises(RuntimeError, match="lost"):
        page.play(timeline)


def test_in_browsers_the_page_shows_the_run_and_obeys_any_of_them(open_browser, served):
    line, browser, other = served.timeline, open_browser(), open_browser()
    browser.open(served.page.url)
    browser.sees("frame 0")

    def differs(other):
        picture = browser.picture()
        other = picture[5, 5] if other is None else other
        return (np.abs(picture - other)[:, :480].max(axis=2) > 25).mean()

    browser.until(lambda: differs(None) > 0.1, "bodies are drawn")
    first = browser.picture()
    browser.click("next")
    browser.sees("frame 37")
    assert "37 begin jelly/table" in browser.text()
    other.open(served.page.url)  # who comes later sees what is there
    other.sees("frame 37")
    other.click("on")
    browser.sees("frame 38")
    browser.click("back")
    browser.sees("frame 37")

    browser.point(".mantine-Slider-track", 0.5)
    browser.until(lambda: 25 <= line.position <= 35, "the slider seeks")
    assert not line.playing
    browser.ask("document.querySelector('input[value=\"1 x\"]').id = 'speed'")
    browser.point("#speed")
    browser.point("[value='0.03125 x']")  # else it is at its end before we look
    browser.until(lambda: line.speed == 1 / 32, "the slowest is the first")
    browser.click("Play")
    browser.sees("Pause")
    browser.click("Pause")
    browser.sees("Play")
    browser.ask(  # the first that is seen: viser has others in its settings
        "[...document.querySelectorAll('input[type=checkbox]')]"
        ".find(box => box.offsetParent).id = 'loop'"
    )
    browser.point("#loop")
    browser.until(lambda: line.loop, "the loop is on")
    for word in ("closest points", "depth of an overlap", "path of the search"):
        assert word in browser.ask("document.body.textContent")
    browser.click("last")
    browser.sees("frame 59")
    browser.until(lambda: differs(first) > 0.01, "they have moved")
    assert browser.errors == []
    outside = [r for r in browser.requests if r.startswith("http")]
    assert all(r.startswith(served.page.url) for r in outside)
