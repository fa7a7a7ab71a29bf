import socket
from contextlib import suppress

import pytest

from viewer.web.server import checking_origin, is_allowed

OWN = socket.gethostname().lower()


def test_the_page_itself_is_welcome():
    for origin, host in [
        (None, "127.0.0.1:8080"),  # no browser
        ("http://127.0.0.1:8080", "127.0.0.1:8080"),
        ("http://localhost:8080", "localhost:8080"),
        ("http://[::1]:8080", "[::1]:8080"),
        ("http://192.0.2.7:8080", "192.0.2.7:8080"),
        ("http://localhost", "localhost"),
        ("https://localhost:443", "localhost:443"),
        (f"http://{OWN}:8080", f"{OWN}:8080"),
        (f"http://{OWN.upper()}.local:8080", f"{OWN}.local:8080"),
    ]:
        assert is_allowed(origin, host)


def test_every_other_page_is_refused():
    for origin, host in [
        ("http://example.com", "127.0.0.1:8080"),  # a page from anywhere
        ("http://127.0.0.1:9000", "127.0.0.1:8080"),  # another program of this machine
        ("http://localhost:8080", "127.0.0.1:8080"),
        ("http://evil.example:8080", "evil.example:8080"),  # DNS rebinding
        ("http://127.0.0.1.evil.example:8080", "127.0.0.1.evil.example:8080"),
        ("http://localhost.evil.example:8080", "localhost.evil.example:8080"),
        ("null", "127.0.0.1:8080"),  # a file, a frame in a sandbox
        ("file://", "127.0.0.1:8080"),
        ("chrome-extension://127.0.0.1:8080", "127.0.0.1:8080"),
        ("http://127.0.0.1:x", "127.0.0.1:x"),
        ("http://127.0.0.1:8080", None),
        ("", "127.0.0.1:8080"),
    ]:
        assert not is_allowed(origin, host)


def test_a_name_that_was_given_is_welcome_whatever_the_proxy_says():
    assert is_allowed("https://lab.example", "127.0.0.1:8080", ("lab.example",))
    assert not is_allowed("https://other.example", "127.0.0.1:8080", ("lab.example",))


@pytest.mark.web
def test_a_server_that_cannot_be_guarded_is_an_error_and_not_an_open_door():
    pytest.importorskip("websockets", reason="it comes with viser")
    import websockets.asyncio.server as home

    before = home.serve
    with pytest.raises(RuntimeError, match="could not be kept out"), checking_origin():
        pass
    assert home.serve is before
    with pytest.raises(ZeroDivisionError), checking_origin():
        raise ZeroDivisionError
    assert home.serve is before


def connected(url, origin):
    """Whether the server accepts a websocket from a page of this origin."""
    viser = pytest.importorskip("viser", reason="viser is in the extra 'web'")
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect
    from websockets.typing import Subprotocol

    spoken = [Subprotocol(f"viser-v{viser.__version__}")]
    address = url.replace("http", "ws")
    code = 0
    try:
        with connect(address, origin=origin, subprotocols=spoken) as line:
            return len(line.recv(timeout=30)) > 0
    except InvalidStatus as error:
        code = error.response.status_code
    assert code == 403
    return False


@pytest.mark.web
def test_a_foreign_page_gets_no_websocket():
    pytest.importorskip("viser", reason="viser is in the extra 'web'")
    import viewer

    with viewer.Page(port=0, names=("lab.example",)) as page:
        assert connected(page.url, page.url)
        assert connected(page.url, None)
        assert connected(page.url, "https://lab.example")
        assert not connected(page.url, "http://evil.example")
        assert not connected(page.url, "null")
        local = page.url.replace("127.0.0.1", "localhost")
        assert not connected(page.url, local)


@pytest.mark.web
def test_messages_that_are_none_are_told_in_a_line_and_not_in_megabytes(capfd):
    """Every one was told by a traceback: 18 MB within seconds, from any page."""
    viser = pytest.importorskip("viser", reason="viser is in the extra 'web'")
    import msgspec
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect
    from websockets.typing import Subprotocol

    import viewer
    from sim import scenes

    spoken = [Subprotocol(f"viser-v{viser.__version__}")]
    pack = msgspec.msgpack.encode
    junk = ["a text", b"", b"\xc1" * 99, pack(7), pack({}), pack({"type": "no"})]
    junk += [pack({"type": "GuiUpdateMessage", "uuid": 3, "updates": 7})] * 3
    update = {"type": "GuiUpdateMessage", "uuid": "0", "updates": {"no": 1}}
    with viewer.Page(port=0) as page:
        page.show(scenes.load("demo").step())
        uuids = list(page._server.gui._gui_input_handle_from_uuid)
        junk += [pack(update | {"uuid": uuid}) for uuid in uuids] * 5
        for content in junk * 3:
            with (
                suppress(ConnectionClosed),
                connect(page.url.replace("http", "ws"), subprotocols=spoken) as line,
            ):
                line.send(content)
                line.recv(timeout=30)
        assert connected(page.url, page.url)
    said = capfd.readouterr().err
    assert "is no message" in said
    assert "Traceback" not in said
    assert len(said) < 2000


@pytest.mark.web
def test_a_foreign_page_in_the_same_browser_cannot_drive_it(browser, tmp_path):
    """It would play, pause and read the run of whoever looks at both pages."""
    import viewer
    from sim import scenes

    foreign = tmp_path / "foreign.html"
    foreign.write_text(
        "<p id=said>trying</p><script>const s = new WebSocket("
        "location.hash.slice(1), [location.search.slice(1)]);"
        "s.onopen = () => said.innerText = 'driven';"
        "s.onerror = () => said.innerText = 'refused';</script>"
    )
    viser = pytest.importorskip("viser", reason="viser is in the extra 'web'")
    with viewer.Page(port=0) as page:
        page.show(scenes.load("demo").step())
        address = page.url.replace("http", "ws")
        asked = f"{foreign.as_uri()}?viser-v{viser.__version__}#{address}"
        browser.open(asked)
        browser.sees("refused")
        assert browser.text() == "refused"
        browser.open(page.url)
        browser.sees("frame 0")
        assert "refused" not in browser.text()
