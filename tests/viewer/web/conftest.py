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
from contextlib import suppress

import numpy as np
import pytest

BROWSERS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
FLAGS = (
    "--headless",
    "--no-sandbox",  # the sandbox refuses root, which containers are
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--hide-scrollbars",
    "--no-first-run",
    "--remote-debugging-port=0",
    "--window-size=900,560",
)
PATIENCE = 60.0  # seconds until something must have happened; a busy machine is slow
BUTTON = "[...document.querySelectorAll('button')].find(b => b.innerText.trim() === {})"
PLACE = """(() => {{
  const e = document.querySelector({}); if (!e) return;
  e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect();
  return [r.x, r.y, r.width, r.height];
}})()"""


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
        tab = self._wait_for(self._tab, "the browser has a tab")
        from websockets.sync.client import connect  # comes with viser

        self._line = connect(tab["webSocketDebuggerUrl"], max_size=2**27)
        self._numbers = itertools.count(1)
        self.errors = []  # what the page wrote to its console as an error
        self.requests = []  # what it asked the network for
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def _tab(self):
        told = self.folder / "DevToolsActivePort"
        words = told.read_text().split() if told.exists() else ()
        if len(words) != 2:  # it may be half written
            return None
        with urllib.request.urlopen(f"http://127.0.0.1:{words[0]}/json") as answer:
            return next((t for t in json.load(answer) if t["type"] == "page"), None)

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
        said = given.get("entry", given)
        is_error = "error" in (said.get("level"), said.get("type"))
        if method == "Runtime.exceptionThrown" or is_error:
            self.errors.append(json.dumps(given)[:500])
        elif method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])

    def open(self, url):
        self._call("Page.navigate", url=url)

    def ask(self, expression):
        asked = {"expression": expression, "returnByValue": True}
        return self._call("Runtime.evaluate", **asked)["result"].get("value")

    def text(self):
        return self.ask("document.body.innerText") or ""

    def sees(self, words):
        self.until(lambda: words in self.text(), f"the page says {words!r}")

    def until(self, asked, what):
        """Wait until something is true; it runs beside the browser."""
        return self._wait_for(asked, what, PATIENCE)

    def click(self, words):
        button = BUTTON.format(json.dumps(words))
        clicked = self.ask(f"(b => b && !b.click())({button})")
        assert clicked, f"no button says {words!r}"

    def point(self, selector, share=0.5):
        """Click on an element once it stays where it is: panels open slowly."""
        seen = []

        def rests():
            seen.append(self.ask(PLACE.format(json.dumps(selector))))
            return seen[-1] is not None and seen[-5:] == 5 * seen[-1:]

        self.until(rests, f"{selector} rests on the page")
        x, y, wide, high = seen[-1]
        at = {"x": x + share * wide, "y": y + high / 2, "button": "left"}
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, clickCount=1, **at)

    def picture(self):
        from PIL import Image

        data = base64.b64decode(self._call("Page.captureScreenshot")["data"])
        return np.array(Image.open(io.BytesIO(data)).convert("RGB"), dtype=int)

    def close(self):
        self._line.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE)


@pytest.fixture
def open_browser(do_without, wait_for, tmp_path):
    """Open browsers; skip where there is none, or nothing to drive it."""
    pytest.importorskip("viser", reason="viser is in the extra 'web'")
    program = next((p for p in map(shutil.which, BROWSERS) if p), None)
    if program is None:
        debian = "on Debian: apt install chromium-headless-shell"
        do_without("BROWSER", f"there is no Chromium; {debian}")
    opened = []

    def start():
        folder = tmp_path / f"browser{len(opened)}"
        folder.mkdir()
        opened.append(Browser(program, folder, wait_for))
        return opened[-1]

    yield start
    for each in opened:
        each.close()
