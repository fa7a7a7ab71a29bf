import ast  # of wingedge.registry
import re
import sys
from importlib import import_module
from inspect import signature
from pathlib import Path
from pkgutil import resolve_name

import pytest

import sim
from wingedge.registry import HOMES, INSTEAD, _Wings, wings


def promised(package):
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    return {alias.name: node.module for node in block.body for alias in node.names}


def test_a_type_checker_is_told_of_every_name_and_where_it_is_from():
    told = promised(sim)
    assert sorted(told) == sorted(sim.__all__)
    modules = {name: module for name, module in told.items() if module != "sim"}
    assert modules.items() <= HOMES.items()


@pytest.mark.parametrize("name", sim.__all__)
def test_a_name_is_the_thing_itself(name):
    home = promised(sim)[name]
    thing = getattr(sim, name)
    if home == "sim":
        assert thing is sys.modules[f"sim.{name}"]
    else:
        assert thing is getattr(sys.modules[home], name)
        assert thing.__name__ == name
    assert name in dir(sim)


def test_another_name_is_refused_and_nothing_imported_before_it_is_asked(run):
    with pytest.raises(AttributeError, match="module 'sim' has no attribute 'Bodies'"):
        sim.Bodies  # noqa: B018
    with pytest.raises(ImportError, match="Bodies"):
        exec("from sim import Bodies")
    code = (
        "import sys, sim; assert 'numpy' not in sys.modules; sim.Pose; "
        "print(*(m for m in sys.modules if m.startswith('sim.kernels.closest')))"
    )
    done = run(code)
    assert (done.stdout.strip(), done.returncode) == ("", 0)


@pytest.mark.parametrize("name", INSTEAD)
def test_a_name_that_is_gone_says_what_to_use_instead(name):
    """As an attribute of a module or of what a class makes; a package's, imported."""
    home, _, last = name.rpartition(".")
    owner = resolve_name(home)
    said = re.escape(f"{name} is gone since 0.3: {INSTEAD[name]}")
    if hasattr(owner, "__getattr__"):  # a plain package finds modules only
        with pytest.raises(AttributeError, match=said):
            owner.__getattr__(*[object()] * isinstance(owner, type), last)
    for code in (f"import {name}", f"from {home} import {last}"):
        if hasattr(owner, "__path__"):
            with pytest.raises(ImportError, match=said):
                exec(code)


def test_the_core_is_given_what_it_asks_for():
    assert all(isinstance(getattr(wings, x), type) for x in _Wings.__annotations__)
    for n in [name for name in vars(_Wings) if name[0] != "_"]:
        asked, taken = ([*signature(getattr(x, n)).parameters] for x in (_Wings, wings))
        assert asked[1:] == taken[: len(asked) - 1], n


def test_a_name_that_never_was_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"No module named .sim\.nothing."):
        import_module("sim.nothing")


def test_every_module_can_be_the_first_that_is_imported(run, tmp_path):
    """The package imports none by itself, so nothing else hides a circle."""
    root = Path(sim.__file__).parent
    names = {
        ".".join(("sim", *path.relative_to(root).with_suffix("").parts))
        for path in root.rglob("*.py")
    }
    modules = sorted(name.removesuffix(".__init__") for name in names)
    code = (
        "import importlib, sys\n"
        "sys.dont_write_bytecode, sys.pycache_prefix = False, sys.argv.pop(1)\n"
        "import numpy, wingedge\n"
        "for name in sys.argv[1:]:\n"
        "    importlib.import_module(name)\n"
        "    for known in [m for m in sys.modules if m.partition('.')[0] == 'sim']:\n"
        "        if not known.startswith(('sim.kernels', 'sim.engine')):\n"
        "            del sys.modules[known]\n"
    )
    done = run(code, tmp_path, *modules)
    assert done.returncode == 0, done.stderr
