import importlib
from pathlib import Path

import pytest

pytestmark = pytest.mark.web
DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_the_browser_of_the_gallery_opens(chromium, monkeypatch):
    """What the tests have drives it; once that had become another, and it failed."""
    monkeypatch.syspath_prepend(DOCS)
    pictures = importlib.import_module("pictures.browser")
    with pictures.browser() as tab:
        assert tab.ask("6 * 7") == 42
