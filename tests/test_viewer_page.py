"""docs/viewer.md: its keys are those of the table, its pictures are drawn."""

import importlib
import importlib.util
import re
from pathlib import Path

from viewer.layers.switches import EXTRA
from viewer.window.keys import help_lines

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = (DOCS / "viewer.md").read_text(encoding="utf-8")


def module_of(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_its_keys_are_those_of_the_table_that_binds_them():
    writing = module_of("write_viewer")
    assert writing.written(PAGE) == PAGE, "run python docs/write_viewer.py"
    for shown, does in help_lines():
        assert f"| {shown} | {does} |" in PAGE


def test_every_layer_has_its_section_and_its_picture():
    titles = re.findall(r"^### (\w+)$", PAGE, re.M)
    assert tuple(titles) == EXTRA
    sections = re.split(r"^### \w+$", PAGE, flags=re.M)[1:]
    for name, section in zip(titles, sections, strict=True):
        assert f"(gallery/layer_{name}.png)" in section


def test_every_picture_of_the_page_is_drawn_by_the_committed_command(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    layers = importlib.import_module("pictures.layers")
    drawn = {f"layer_{name}.png" for name in layers.SHOWN}
    assert set(re.findall(r"\(gallery/(layer_\w+\.png)\)", PAGE)) == drawn
    assert {path.name for path in (DOCS / "gallery").glob("layer_*")} == drawn


def test_layers_and_arguments_that_its_program_names_exist():
    programs = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    for program in programs:
        compile(program, "viewer.md", "exec")
    program = programs[0]
    (names,) = re.findall(r"layers=\(([^)]*)\)", program)
    assert set(re.findall(r'"(\w+)"', names)) <= set(EXTRA)


def test_what_the_page_says_of_a_screen_in_another_process_exists():
    import inspect

    import viewer

    words = set(re.findall(r"`screen\.(\w+)", PAGE))
    assert words >= {"show", "closed", "trouble", "wait", "lost_events"}
    assert all(
        hasattr(viewer.ProcessScreen, word) or word == "trouble" for word in words
    )
    given = inspect.signature(viewer.ProcessScreen).parameters
    assert {"theme", "layers", "size", "background"} <= set(given)
