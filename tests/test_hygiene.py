"""What holds for the project as a whole: names, imports, sizes, README and examples."""

import ast
import importlib
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("wingedge", "sim", "viewer")
SOURCES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.py"))  # others have tests
# What gives the same bits on every machine.
PORTABLE = [ROOT / "sim" / "motion.py", *(ROOT / "sim" / "kernels").rglob("*.py")]
PORTABLE += (
    p for room in ("deform", "scenes") for p in (ROOT / "sim" / room).glob("*.py")
)

# Each of these costs 0.1 to 0.7 s to import; VTK may not even be installed.
VTK = {"pyvista", "vtk", "vtkmodules"}
HEAVY = VTK | {"cyclopts", "h5py", "llvmlite", "matplotlib", "networkx", "numba"}
HEAVY |= {"rich", "scipy", "trimesh"}
# The only functions of `math` that every platform rounds alike.
PORTABLE_MATH = {"sqrt", "fabs", "copysign", "isfinite", "isnan", "inf", "nan"}
PORTABLE_MATH |= {"comb", "floor", "pi"}
# What numpy sums in an order that depends on the CPU, or every libm rounds differently.
UNPORTABLE = {"dot", "einsum", "inner", "matmul", "mean", "norm", "sum", "vdot"}
UNPORTABLE |= {"sin", "cos", "tan", "exp", "hypot", "random"}


def test_no_name_of_the_viewer_is_the_name_of_a_module_too():
    """`viewer.movie` was the module once something had loaded that."""
    import viewer

    modules = {path.stem for path in Path(viewer.__file__).parent.iterdir()}
    assert not modules & set(viewer.__all__)


def python(code: str, *args: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter, away from the checkout."""
    command = [sys.executable, "-c", code, *map(str, args)]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False
    )


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture
def readme() -> list[str]:
    return (ROOT / "README.md").read_text(encoding="utf-8").splitlines()


def in_isort_order(name: str) -> tuple[bool, bool, str]:
    return not name.isupper(), not name[0].isupper(), name


@pytest.mark.parametrize("package", PACKAGES)
def test_exported_names_are_sorted_true_few_and_typed(package):
    module = importlib.import_module(package)
    exported = list(module.__all__)
    public = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert exported == sorted(set(exported), key=in_isort_order)
    assert [name for name in exported if not hasattr(module, name)] == []
    assert public <= set(exported), "public, but not in __all__"
    assert len(exported) <= 25
    assert Path(module.__file__).with_name("py.typed").is_file()


def test_a_foreign_sim_on_the_path_is_named(tmp_path):
    (tmp_path / "sim.py").write_text("Body = None\n")
    result = python("import sys; sys.path[:0] = ['']; import viewer", cwd=tmp_path)
    assert result.returncode == 1
    assert "ImportError" in result.stderr
    assert str(tmp_path / "sim.py") in result.stderr


@pytest.mark.parametrize("package", PACKAGES)
def test_importing_a_package_loads_nothing_heavy(package, tmp_path):
    code = (
        f"import sys, {package} as p; [getattr(p, name) for name in p.__all__]; "
        "print(*sys.modules)"
    )
    result = python(code, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert HEAVY & set(result.stdout.split()) == set()


def unportable(node: ast.AST) -> list[str]:
    """Name what a piece of code has that not every machine rounds alike."""
    if isinstance(node, ast.Pow | ast.MatMult):
        return [type(node).__name__]
    if isinstance(node, ast.Attribute) and node.attr in UNPORTABLE:
        return [node.attr]
    if isinstance(node, ast.ImportFrom) and node.module == "math":
        return [a.name for a in node.names if a.name not in PORTABLE_MATH]
    return []


def test_what_is_portable_uses_correctly_rounded_operations_only():
    found = {
        f"{name_of(path)}: {name}"
        for path in PORTABLE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in unportable(node)
        if name != "MatMult" or path.parent.name != "scenes"
    }
    # the @ is Pose's own, in a fixed order
    assert found == {"sim/motion.py: MatMult"}


def test_a_module_fits_into_a_head():  # functions: tests/house.toml
    lines = {name_of(p): p.read_text("utf-8").count("\n") for p in SOURCES}
    assert {name: n for name, n in lines.items() if n > 400} == {}


def test_a_module_gives_one_name_to_one_constant():
    for path in SOURCES:
        body = ast.parse(path.read_text(encoding="utf-8")).body
        found = [ast.unparse(n.targets[0]) for n in body if isinstance(n, ast.Assign)]
        assert sorted(found) == sorted(set(found)), path


def test_no_module_is_called_utils():
    modules = [*SOURCES, *(ROOT / "tests").rglob("*.py"), *EXAMPLES]
    assert [name_of(p) for p in modules if re.match("utils?$", p.stem)] == []


def test_the_first_line_of_a_test_names_modules_and_its_folder_mirrors_a_room():
    house = runpy.run_path(str(ROOT / "tests" / "house.py"))
    assert house["untested"](house["House"]())[1] == []


def test_what_needs_viser_runs_where_that_is_installed():
    """Sixteen tests of pages ran nowhere: `.ci/run` has viser for those marked web."""
    asks = re.compile(r"importorskip\('(viser|websockets)")
    for path in (ROOT / "tests" / "viewer").rglob("test_*.py"):
        text = path.read_text("utf-8")
        marked = "pytestmark" in text and "mark.web" in text
        for node in ast.parse(text).body:
            if not isinstance(node, ast.FunctionDef) or "test_" not in node.name:
                continue
            marks = map(ast.unparse, node.decorator_list)
            asking = asks.search(ast.unparse(node))
            if asking and not marked:
                assert "pytest.mark.web" in marks, f"{path}: {node.name}"


def test_readme_is_short_and_starts_with_a_program(readme):
    assert len(readme) <= 150
    assert readme.index("```python") + 1 < 25


def test_readme_program_runs_and_prints(readme, tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```", "\n".join(readme), re.M | re.S)
    result = python("\n".join(blocks), cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() != ""


def test_readme_names_one_command_that_installs_and_tests(readme):
    install = "\n".join(readme).split("\n## Install", 1)[1].split("\n## ", 1)[0]
    commands = [x for x in install.splitlines() if "pip install" in x and "pytest" in x]
    assert commands == ['pip install ".[viewer,test]" && pytest -n auto']


def test_a_citation_names_the_version_and_its_day():
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    version, day = re.findall(r"^(?:version|date-released): (.*)", text, re.M)
    assert version == importlib.import_module("wingedge").__version__
    assert f"## [{version}] - {day}\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_examples_are_short_and_run_without_a_screen(tmp_path):
    run = "import runpy, sys; sys.path.insert(0, sys.argv[2]);"
    run += "runpy.run_path(sys.argv[1])['main'](view=False)"
    for path in EXAMPLES:
        source = path.read_text(encoding="utf-8")
        result = python(run, path, path.parent, cwd=tmp_path)
        assert result.returncode == 0, f"{path.name}: {result.stderr}"
        assert source.count("\n") <= 60, path.name
        assert ast.get_docstring(ast.parse(source)), f"{path.name} says nothing"
