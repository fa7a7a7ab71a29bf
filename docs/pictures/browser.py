"""The page in a browser and the HTML file, as headless Chromium shows them."""

import importlib.util
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from pictures import ROOT, LegendEntry
from sim import scenes
from viewer import Page, html

TESTS = ROOT / "tests" / "viewer"
DRAWN = 6.0  # seconds in which a browser without a graphics card has drawn all


def _loaded(path: Path) -> ModuleType:
    """Load what the tests have: it drives a browser, and waits for what it says."""
    spec = importlib.util.spec_from_file_location("browser_driver", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def browser() -> Iterator[Any]:
    """Open a tab of 1280 x 720 in a headless browser."""
    import shutil

    driver = _loaded(TESTS / "web" / "conftest.py")
    wait_for = _loaded(TESTS / "conftest.py").wait_for
    program = next((p for p in map(shutil.which, driver.BROWSERS) if p), None)
    if program is None:
        raise FileNotFoundError(
            "no Chromium; on Debian: apt install chromium-headless-shell"
        )
    flags = [flag for flag in driver.FLAGS if "window-size" not in flag]
    driver.FLAGS = (*flags, "--window-size=1280,720")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        tab = driver.Browser(program, Path(folder), wait_for)
        try:
            yield tab
        finally:
            tab.close()


def photograph(tab: Any, path: Path) -> None:
    """Wait until all is drawn, close the note on slow graphics, take a picture."""
    time.sleep(DRAWN / 2)
    tab.ask(
        "document.querySelectorAll('.mantine-Notification-closeButton')"
        ".forEach(b => b.click())"
    )
    time.sleep(DRAWN / 2)
    tab.picture(path)


def draw_page(path: Path) -> None:
    """Show a frame on a page and take a picture of it."""
    page = Page(port=0)
    try:
        for frame in scenes.load("demo").run(105):
            page.show(frame)
        with browser() as tab:
            tab.open(page.url)
            tab.sees("frame")
            photograph(tab, path)
    finally:
        page.close()


def draw_file(path: Path) -> None:
    """Write an HTML file, open it and take a picture of it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "demo.html"
        *_, frame = scenes.load("demo").run(105)
        html(frame, file, title="demo")  # one: a slow browser shows parts of several
        with browser() as tab:
            tab.open(file.as_uri())
            tab.sees("demo")
            photograph(tab, path)


ENTRIES = {
    "web_page.png": LegendEntry(
        "the page in a browser", 'watch(scenes.load("demo"), screen="web")', draw_page
    ),
    "web_file.png": LegendEntry(
        "the HTML file that plays by itself",
        'html(frame, "demo.html"), frame 104 of scene demo',
        draw_file,
    ),
}
