"""What pages and modules cite exists: files, tests, names of the product."""

import pkgutil
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = "wingedge|sim|viewer|tests|benchmarks|examples|docs"
# What a user has, and a group of entry points.
EXAMPLES = {"jelly.py", "test_jelly.py", "SCRIPT.py", "sim.py", "wingedge.sequences"}
EXAMPLES |= {"test_jelly", "test_session_1", "test_session_N", "test_session_N.py"}
EXAMPLES |= {"test_session_1.py", "LICENSES.md", "viewer.py", "press.py"}
EXAMPLES |= {"index.md", "changelog.md", "contributing.md", "tolerances.md"}  # made


@pytest.fixture(scope="module")
def files():
    below = (p for name in FOLDERS.split("|") for p in (ROOT / name).rglob("*"))
    return {p.relative_to(ROOT).as_posix() for p in (*ROOT.iterdir(), *below)}


@pytest.fixture(scope="module")
def texts(files):
    """Every page without its programs, and every module but those of the tests.

    The changelog tells what was.
    """
    found = {}
    for name in sorted(files - {"CHANGELOG.md"}):
        if name.endswith((".md", ".py")) and not name.startswith("tests/"):
            text = (ROOT / name).read_text(encoding="utf-8")
            found[name] = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return found


def missing(texts, pattern, is_there):
    """List what is cited and not there, each with its page."""
    return [
        f"{page}: {cited}"
        for page, text in texts.items()
        for cited in sorted(set(re.findall(pattern, text)) - EXAMPLES)
        if not is_there(cited)
    ]


def test_every_file_that_is_cited_by_its_path_exists(texts, files):
    def is_there(cited):
        path = cited.rstrip("./")
        return path in files or any(fnmatch(name, path) for name in files)

    pattern = rf"(?<![\w/.-])((?:{FOLDERS})/[\w./*-]+)"
    assert missing(texts, pattern, is_there) == []


def test_every_file_that_is_cited_by_its_name_exists(texts, files):
    names = {name.rpartition("/")[2] for name in files}
    pattern = r"(?<![\w./*{-])(\w[\w-]*\.(?:py|md))\b"
    assert missing(texts, pattern, names.__contains__) == []


def test_every_page_that_is_linked_exists(texts):
    for page, text in texts.items():
        if page.endswith(".md"):
            for link in re.findall(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)", text):
                assert (ROOT / page).parent.joinpath(link).exists(), f"{page}: {link}"


def test_every_test_that_is_cited_exists(texts, files):
    tests = {Path(name).stem for name in files}
    for name in files:
        if name.startswith("tests/") and name.endswith(".py"):
            tests.update(re.findall(r"def (test_\w+)", (ROOT / name).read_text()))

    def is_there(cited):  # test_a_... is the beginning of a name
        begun = cited.rstrip(".*_")
        is_whole = cited == begun
        return any(t == begun if is_whole else t.startswith(begun) for t in tests)

    assert missing(texts, r"`(test_\w+(?:\.{3}|\*)?)", is_there) == []


def test_every_name_of_the_product_that_is_cited_exists(texts):
    def is_there(cited):
        try:
            pkgutil.resolve_name(cited)
        except (AttributeError, ImportError):
            return False
        return True

    assert missing(texts, r"`((?:sim|wingedge|viewer)(?:\.\w+)+)\b", is_there) == []
