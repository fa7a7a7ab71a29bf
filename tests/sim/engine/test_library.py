"""sim.engine.library, sim.engine.link: code is used where it was made of these."""

import ctypes
import gc
import shutil
from pathlib import Path
from types import BuiltinFunctionType as BuiltinType

import numpy as np
import pytest

import sim
from sim.engine import library, link
from sim.engine.bound import NOTHING, Bound, address, floats
from sim.kernels.language import KERNELS
from sim.kernels.limits import are_maps
from sim.kernels.trajectory import Placements
from sim.kernels.walk.support import scan, scan_each

ROOT = Path(sim.__file__).parents[1]


@pytest.fixture
def copied(tmp_path):
    """Return another folder with the packages, as a wheel installs them."""
    for name in ("wingedge", "sim"):
        shutil.copytree(
            ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    return tmp_path


def asked(run, folder, code=""):
    """Ask a program that finds the packages in a folder which engine it runs."""
    program = (
        f"import sys; sys.path.insert(0, {str(folder)!r}); "
        "sys.modules['llvmlite'] = None\n" + code + "\n"
        "from sim import Body, PairTracker; from sim.engine.library import ENGINE\n"
        "from wingedge import shapes\n"
        "PairTracker(Body(shapes.box()), Body(shapes.box())).update()\n"
        "print(ENGINE.compiled is not None, ENGINE.reason)"
    )
    done = run(program)
    found, _, reason = done.stdout.strip().partition(" ")
    return found == "True", reason, done.stderr


@pytest.mark.compiled
def test_every_entry_is_in_the_library():
    functions = library.linked()
    assert all(functions[entry.__name__] for entry in link.entries())


@pytest.mark.compiled
@pytest.mark.parametrize("by_python", [True, False])
def test_python_calls_an_entry_as_ctypes_does(by_python, monkeypatch):
    """Where there is no interface of CPython the slower way is left."""
    library.ENGINE.obey_environment()  # once in a process; it would choose anew below
    monkeypatch.setattr(library, "BUILTINS", by_python)
    monkeypatch.setattr(library.ENGINE, "compiled", functions := library.linked())
    most = np.zeros(3)
    maps = Placements(floats(np.eye(3, 4).ravel()), 1, floats(most))
    call = Bound(are_maps, brief=True).call((maps,))
    assert bool(functions.builtins) is by_python is isinstance(call, BuiltinType)
    assert (call(), most.tolist()) == (1, [1.0, 3.0, 0.0])
    maps.flat[0] = -1.0
    assert (call(), most.tolist()) == (0, [-1.0, 3.0, 0.0])


def test_loops_go_wide_only_where_numpy_found_avx2_and_may_use_it(monkeypatch):
    told = []
    entry = lambda *_: lambda *given: told.append(given[-1].value)  # noqa: E731
    monkeypatch.setattr(library.Functions, "__missing__", entry)
    for known in ({"X86_V3": False, "AVX2": True}, {"AVX2": True}, {}):
        monkeypatch.setattr(f"{library.NUMPY}.__cpu_features__", known)
        library.Functions(None)
    assert told == [False, True, False]


@pytest.mark.compiled
def test_a_wheel_is_used_as_it_is(run, copied):
    assert asked(run, copied) == (True, "", "")


@pytest.mark.compiled
@pytest.mark.parametrize("file", ["kernels/layout.py", "engine/expressions.py"])
def test_edited_kernels_are_interpreted_and_the_reason_is_kept(run, copied, file):
    with (copied / "sim" / file).open("a") as source:
        source.write("# edited\n")
    compiled, reason, said = asked(run, copied)
    assert not compiled
    assert "python -m sim.engine.link" in reason
    assert said == "", "so short a program hears nothing"


@pytest.mark.compiled
def test_a_file_that_is_no_library_costs_time_and_nothing_else(run, copied):
    (file,) = (copied / "sim" / "engine").glob("kernels.*")
    digest = library.digest().encode()
    for content, why in ((b"", "were edited"), (digest, "cannot be loaded")):
        file.write_bytes(content)
        compiled, reason, _ = asked(run, copied)
        assert not compiled
        assert why in reason


def test_a_platform_without_a_library_is_named(run, copied):
    code = "import platform; platform.machine = lambda: 'm68k'"
    compiled, reason, _ = asked(run, copied, code)
    assert not compiled
    assert "no library of kernels for" in reason
    assert "m68k" in reason


@pytest.mark.compiled
def test_bytecode_alone_is_believed(monkeypatch):
    """Where no source lies beside the library, its own digest decides."""
    monkeypatch.setattr(library, "digest", lambda: None)
    assert library.linked()["judge_each"]


def test_the_digest_is_of_every_kernel_and_of_the_translator(monkeypatch, copied):
    monkeypatch.setattr(library, "__file__", str(copied / "sim/engine/library.py"))
    whole = library.digest()
    assert whole == library.digest()
    assert KERNELS[scan] is scan_each  # what stands in is compiled from its source
    for source in (copied / "sim" / "kernels").glob("**/*.py"):
        text = source.read_bytes()
        source.write_bytes(text + b"#")
        assert library.digest() != whole
        source.write_bytes(text)
    assert library.digest() == whole


def test_a_target_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(ValueError, match="'amiga' is not one of linux-x86_64"):
        link.link("amiga", tmp_path / "kernels")


@pytest.mark.llvm
@pytest.mark.parametrize("name", link.TARGETS)
def test_machine_code_is_made_for_every_platform(name):
    from sim.engine.compiler import assemble, compile_text

    code = compile_text(assemble(link.ENTRIES[:1]), link.TARGETS[name].triple)
    magic = {"linux": b"\x7fELF", "macos": b"\xcf\xfa\xed\xfe", "windows": b"\x64\x86"}
    assert code.startswith(magic[name.partition("-")[0]])


@pytest.mark.llvm
def test_without_zig_the_compiler_of_a_machine_links_for_it_alone(
    monkeypatch, tmp_path
):
    from sim.engine.compiler import assemble

    monkeypatch.setattr(link, "find_spec", lambda name: None)
    text, this = assemble(link.ENTRIES[:1]), library.this_machine()
    if shutil.which("cc"):
        assert link.link(this, tmp_path / "one", text).stat().st_size > 0
    other = next(name for name in link.TARGETS if name != this)
    with pytest.raises(RuntimeError, match=f"no linker for {other}: pip install zig"):
        link.link(other, tmp_path / "other", text)


@pytest.mark.compiled
def test_what_python_calls_outlives_the_functions_that_made_it():
    """The definition was freed with them; letting go of the call read it once more."""
    functions = library.linked()
    call = functions.call("are_maps", [0], brief=True)
    definition = functions.builtins["are_maps"]
    place = ctypes.addressof(definition)
    del functions, definition
    gc.collect()
    assert place in map(ctypes.addressof, library.IMMORTAL)
    del call
    gc.collect()


def test_an_empty_buffer_has_an_address_that_nobody_reads():
    """A world without bodies has tables of none."""
    assert address(memoryview(bytearray()).cast("i")) == address(NOTHING)
