"""The script that measures the house, on houses of three modules."""

import importlib.util
import sys
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location(
    "house", Path(__file__).with_name("house.py")
)
assert spec is not None
assert spec.loader is not None
house = sys.modules["house"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(house)

ROWS = {"modules": {"allowed": 5, "bar": 3}}


@pytest.fixture
def build(tmp_path):
    """Return a function that writes modules and reads them as the package ``sim``."""

    def made(**modules):
        for name, source in {"": "", **modules}.items():
            path = tmp_path.joinpath("sim", *name.split("__"), "__init__.py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source)
        return house.House(tmp_path, ["sim"])

    return made


def test_modules_that_import_each_other_late_or_for_types_are_a_circle(build):
    found = build(
        a="def f():\n    from sim import b\n",
        b="if TYPE_CHECKING:\n    import sim.c",
        c="from sim.a import f",
    )
    assert found.circles == [{"sim.a", "sim.b", "sim.c"}]
    assert build(c="").circles == []


def test_an_import_of_a_name_leads_to_its_module_and_not_to_the_package(build):
    found = build(a="from sim import b", b="")
    assert list(found.imports.edges) == [("sim.a", "sim.b")]


def test_the_core_reaches_what_it_names_in_a_string(build):
    found = build(
        a="class World: ...\nlate = 'sim.scenes:meet'", scenes="", paper="import sim.a"
    )
    assert found.core == {"sim.a", "sim.scenes"}


def test_the_arrow_of_fewest_imports_in_a_circle_of_rooms_goes_up(build):
    found = build(
        low__a="from sim.high import c",
        low__b="",
        high__c="from sim.low import a, b",
        high__d="import sim.low.a",
    )
    floors, up = found.rooms
    assert up == [("low", "high")]
    assert list(floors.edges) == [("high", "low")]


def test_functions_have_their_lines_and_parameters_and_class_names_their_modules(build):
    found = build(a="def f(a, /, b, *, c):\n    '''Say.'''\n    return a\n")
    assert found.modules["sim.a"].functions == [(3, 3)]
    assert build(a="class A: ...\nclass B: ...", b="class A: ...").reused == ["A"]


def test_a_file_is_in_the_room_of_the_longest_name_that_fits(tmp_path):
    for name in ("sim/a.py", "sim/body/b.py", "sim/body/c/d.py", "tests/replaced/e.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1\n2\n")
    rooms = ["sim", "sim/body", "tests"]
    assert house.lines_of(rooms, tmp_path) == {"sim": 2, "sim/body": 4, "tests": 0}


def test_figures_above_what_is_allowed_are_named_and_the_allowed_only_fall():
    assert house.above(ROWS, {"modules": 6}) == ["modules: 6, allowed are 5"]
    assert house.above(ROWS, {"modules": 5}) == []
    text = house.table({"modules": {"allowed": 5}}, {"modules": 4}).splitlines()
    assert text[1].split() == ["modules", "4", "5", "-"]
    for now, allowed in [(4, 4), (6, 5)]:
        text = house.lowered({"figures": ROWS}, {"modules": now})
        written = house.tomllib.loads(text)["figures"]
        assert written == {"modules": ROWS["modules"] | {"allowed": allowed}}
