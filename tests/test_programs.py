"""Every program of a page and every example of a docstring runs, and says what is."""

import contextlib
import doctest
import importlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = re.compile(r"^ *```python\n(.*?)^ *```", re.M | re.S)
PAGES = {
    path.relative_to(ROOT).as_posix(): programs
    for path in [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
    if (programs := PROGRAM.findall(path.read_text("utf-8")))
}
# Pages with tests of their own, which run their programs and ask for more.
OTHER_PLACE = {
    "README.md": "test_hygiene.py",
    "docs/bridges.md": "sim/bridges/test_page.py",
    "docs/first_experiment.md": "test_pages.py",
    "docs/sequences.md": "sim/sequence/test_page.py",
    "docs/stories.md": "test_pages.py",
    "docs/studies.md": "test_pages.py",
    "docs/testing.md": "sim/story/test_testing_page.py",
    "docs/viewer.md": "viewer/test_page.py",
}
HERE = sorted(PAGES.keys() - OTHER_PLACE.keys())
SOURCES = sorted(
    path.relative_to(ROOT).with_suffix("")
    for package in ("wingedge", "sim", "viewer")
    for path in (ROOT / package).rglob("*.py")
    if re.search(r"^ *>>> ", path.read_text("utf-8"), re.M)
)


def test_a_page_whose_programs_run_elsewhere_is_named_there():
    assert OTHER_PLACE.keys() <= PAGES.keys()
    for page, test in OTHER_PLACE.items():
        text = (ROOT / "tests" / test).read_text("utf-8")
        assert Path(page).name in text, f"{test} says nothing of {page}"


@pytest.mark.parametrize("page", HERE)
def test_its_programs_run_and_print_what_is_said_beside(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        for program in PAGES[page]:
            exec(program, names)
    lines = printed.getvalue().splitlines()
    for said in re.findall(r"print\(.*\)  # (.*)$", "".join(PAGES[page]), re.M):
        result = re.split(r" ?\.\.\.|: ", said)[0]
        assert any(line.startswith(result) for line in lines), f"{result!r}: {lines}"


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_the_examples_of_a_docstring_say_what_is_so(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(".".join(path.parts))
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0
