"""The site: every public name has its place, links hold, nothing is from afar."""

import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from viewer.window.keys import help_lines

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("wingedge", "sim", "viewer")
TIMEOUT = 600


def public_names(package):
    """List what a package exports, and what the modules among it export."""
    module = importlib.import_module(package)
    for name in module.__all__:
        path = f"{package}.{name}"
        is_module = isinstance(getattr(module, name), ModuleType)
        if is_module and hasattr(getattr(module, name), "__all__"):
            yield from public_names(path)
        else:
            yield path


NAMES = [name for package in PACKAGES for name in public_names(package)]


@pytest.fixture(scope="module")
def making():
    spec = importlib.util.spec_from_file_location("site", ROOT / "docs/make_site.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Where the site is: what `.ci/run` built, else built here."""
    if built := os.environ.get("WINGEDGE_SITE"):
        return Path(built)
    for name in ("material", "mkdocstrings_handlers.python"):
        pytest.importorskip(name, reason="the site needs the extra 'docs'")
    folder = tmp_path_factory.mktemp("built") / "site"
    build = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    done = subprocess.run(
        [*build, "-f", str(ROOT / ".mkdocs.yml"), "--site-dir", str(folder)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        # a proxy that is nowhere: whoever asks the network fails
        env={**os.environ, "https_proxy": "http://127.0.0.1:9", "NO_COLOR": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING -" not in done.stderr, done.stderr  # of docstrings, too
    return folder


def test_the_reference_asks_for_every_public_name_once(making):
    asked = [
        line.removeprefix("::: ")
        for _, text in making.reference()
        for line in text.splitlines()
        if line.startswith("::: ")
    ]
    assert len(NAMES) > 100
    assert set(NAMES) <= set(asked)
    assert len(asked) == len(set(asked))


def test_every_public_name_has_a_heading_with_what_it_says(site):
    pages = [p.read_text("utf-8") for p in (site / "reference").glob("*.html")]
    heads = {name for page in pages for name in re.findall(r'<h\d id="([\w.]+)"', page)}
    assert set(NAMES) - heads == set()
    assert "sim.World.step" in heads
    assert any("with hysteresis.</p>" in page for page in pages)  # what it says
    assert "wingedge.primitives.segment_triangle.hit" in heads


def test_links_out_of_docs_lead_to_the_source_and_those_within_to_pages(site):
    first = (site / "index.html").read_text("utf-8")
    assert 'href="deformation.html"' in first
    assert 'href="architecture.html#decisions"' in first
    source = "https://github.com/wingedge/wingedge/blob/main/"
    assert f'href="{source}examples"' in first
    page = (site / "architecture.html").read_text("utf-8")
    assert f'href="{source}sim/kernels/solve.py"' in page


def test_what_is_made_has_its_pages(site):
    keys = (site / "viewer.html").read_text("utf-8")
    assert all(f"<td>{does}</td>" in keys for _, does in help_lines())
    assert "layer_path.png" in (site / "gallery/index.html").read_text("utf-8")
    assert "sim/kernels/layout.py" in (site / "tolerances.html").read_text("utf-8")


def test_no_page_loads_anything_from_elsewhere(site):
    for path in site.rglob("*.html"):
        page = path.read_text("utf-8")
        loaded = re.findall(r'<(?:img|script|iframe)[^>]* src="([^"]+)"', page)
        loaded += re.findall(
            r'<link rel="(?:stylesheet|preconnect)" href="(.*?)"', page
        )
        assert [x for x in loaded if x.startswith(("http", "//"))] == [], path
        for place in loaded:
            assert (
                path.parent / place.partition("?")[0]
            ).exists() or "404" in path.name


def test_the_search_finds_pages_and_names(site):
    found = json.loads((site / "search/search_index.json").read_text("utf-8"))["docs"]
    places = {entry["location"].partition("#")[0] for entry in found}
    assert {"studies.html", "first_experiment.html", "reference/sim.html"} <= places
    assert any(entry["location"].endswith("#sim.World") for entry in found)
