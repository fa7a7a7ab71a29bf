"""A browser without a screen, driven by its own protocol; and the gate for it."""

import base64
import io
import itertools
import json
import os
import shutil
import signal
import subprocess
import time
import urllib.request
from collections import deque
from contextlib import suppress

import numpy as np
import pytest

BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
)
FLAGS = (
    "--headless",
    "--no-sandbox",  # the sandbox refuses root, which containers are
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--remote-debugging-port=0",
    "--window-size=900,560",
)
PATIENCE = 60.0  # seconds until something must have happened; a busy machine is slow


class Browser:
    """One tab: open a page, ask it, press keys, look at it."""

    def __init__(self, program, folder, wait_for):
        self.folder, self._wait_for = folder, wait_for
        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={folder}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # its helpers outlive it otherwise, and draw on
        )
        port = self._wait_for(self._port, "the browser says where it listens")
        tab = self._wait_for(lambda: self._tab(port), "the browser has a tab")
        from websockets.sync.client import connect  # comes with viser

        self._line = connect(tab["webSocketDebuggerUrl"], max_size=2**27)
        self._numbers = itertools.count(1)
        self.errors = []  # what the page wrote to its console as a warning or an error
        self.requests = []  # what it asked the network for
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def _port(self):
        told = self.folder / "DevToolsActivePort"
        words = told.read_text().split() if told.exists() else ()
        return words[0] if len(words) == 2 else None  # it may be half written

    def _tab(self, port):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
            tabs = json.load(answer)
        return next((tab for tab in tabs if tab["type"] == "page"), None)

    def _call(self, method, **given):
        number, end = next(self._numbers), time.monotonic() + PATIENCE
        self._line.send(json.dumps({"id": number, "method": method, "params": given}))
        with suppress(TimeoutError):
            while (left := end - time.monotonic()) > 0.0:
                message = json.loads(self._line.recv(timeout=left))
                if message.get("id") == number:
                    assert "error" not in message, message
                    return message["result"]
                self._note(message.get("method"), message.get("params", {}))
        return pytest.fail(f"the browser did not answer {method} in {PATIENCE:.0f} s")

    def _note(self, method, given):
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(given["exceptionDetails"])[:500])
        elif method == "Runtime.consoleAPICalled" and given["type"] == "error":
            self.errors.append(json.dumps(given["args"])[:500])
        elif method == "Log.entryAdded" and given["entry"]["level"] == "error":
            self.errors.append(given["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])

    def open(self, url):
        self._call("Page.navigate", url=url)

    def resize(self, width, height):
        size = {"width": width, "height": height, "deviceScaleFactor": 1}
        self._call("Emulation.setDeviceMetricsOverride", mobile=False, **size)

    def ask(self, expression):
        found = self._call(
            "Runtime.evaluate", expression=expression, returnByValue=True
        )
        return found["result"].get("value")

    def text(self):
        return self.ask("document.body.innerText") or ""

    def sees(self, words):
        self.until(lambda: words in self.text(), f"the page says {words!r}")

    def until(self, asked, what):
        """Wait until something is true; it runs beside the browser."""
        return self._wait_for(asked, what, PATIENCE)

    def click(self, words):
        clicked = self.ask(
            "(() => { const b = [...document.querySelectorAll('button')].find("
            f"b => b.innerText.trim() === {json.dumps(words)});"
            " if (b) b.click(); return !!b; })()"
        )
        assert clicked, f"no button says {words!r}"

    def point(self, selector, share=0.5):
        """Click on an element once it stays where it is: panels open slowly."""
        told = json.dumps(selector)
        where = (
            f"(() => {{ const e = document.querySelector({told}); if (!e) return;"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.x, r.y, r.width, r.height]; })()"
        )
        seen = deque([None], maxlen=5)

        def rests():
            seen.append(self.ask(where))
            return seen[-1] is not None and seen.count(seen[-1]) == len(seen)

        self.until(rests, f"{selector} rests on the page")
        x, y, wide, high = seen[-1]
        for kind in ("mousePressed", "mouseReleased"):
            self._call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=x + share * wide,
                y=y + high / 2,
                button="left",
                clickCount=1,
            )

    def picture(self, path=None):
        from PIL import Image

        data = base64.b64decode(self._call("Page.captureScreenshot")["data"])
        if path is not None:
            path.write_bytes(data)
        return np.array(Image.open(io.BytesIO(data)).convert("RGB"))

    def close(self):
        if self._process.poll() is not None:
            return
        self._line.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE)


@pytest.fixture(scope="session")
def chromium(do_without):
    """The browser's program; skip where there is none, or nothing to drive it."""
    pytest.importorskip("viser", reason="viser is in the extra 'web'")
    found = next((p for p in map(shutil.which, BROWSERS) if p), None)
    if found is None:
        do_without(
            "BROWSER",
            "there is no Chromium; on Debian: apt install chromium-headless-shell",
        )
    return found


@pytest.fixture
def open_browser(chromium, wait_for, tmp_path):
    opened = []

    def start():
        folder = tmp_path / f"browser{len(opened)}"
        folder.mkdir()
        opened.append(Browser(chromium, folder, wait_for))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


@pytest.fixture
def browser(open_browser):
    return open_browser()
