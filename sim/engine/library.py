"""The kernels as machine code: a shared library that came with the package.

It holds a digest of the kernels that it was made of.  Where these were edited since, or
none was made for this platform, LLVM compiles them for the process if llvmlite is
installed, as it is where kernels are edited; else they are interpreted.
"""

import ctypes
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wingedge.registry import find

SYMBOL = "wingedge_digest"
HEX = 64
SUFFIX = {"linux": ".so", "darwin": ".dylib", "win32": ".dll"}
SYSTEM = {"linux": "linux", "darwin": "macos", "win32": "windows"}
FILES = {
    f"{SYSTEM[key]}-{machine}": f"kernels{SUFFIX[key]}"
    for key, machines in (
        ("linux", ("x86_64", "aarch64")),
        ("darwin", ("x86_64", "arm64")),
        ("win32", ("amd64",)),
    )
    for machine in machines
}
COMPILER = ("compiler.py", "emitter.py", "expressions.py")

_KEPT: list[Any] = []  # machine code lives as long as the process


class NoCompiledKernels(RuntimeError):
    """Compiled kernels cannot be had here; the message says why."""


class Functions(dict[str, Callable[..., int]]):
    """The compiled entries by name, each made callable when it is first called."""

    def __init__(self, address_of: Callable[[str], int]) -> None:
        self._address_of = address_of

    def __missing__(self, name: str) -> Callable[..., int]:
        # Only ready c_void_p are passed: a plain int would be cut to 32 bits.
        made = ctypes.CFUNCTYPE(ctypes.c_int64)(self._address_of(name))
        self[name] = made
        return made


def this_machine() -> str:
    """Return the name of the platform that this process runs on, as links know it."""
    system = SYSTEM.get(sys.platform, sys.platform)
    return f"{system}-{platform.machine().replace('AMD64', 'amd64')}"


def digest() -> str | None:
    """Return a digest of all kernels and of their translator as they lie on the disk.

    None where they lie there as bytecode only.  Cost: 2 ms.
    """
    from hashlib import blake2b

    folder = Path(__file__).parents[1]
    sources = sorted(folder.glob("kernels/**/*.py"))
    if not sources:
        return None
    found = blake2b(digest_size=HEX // 2)
    for source in [*sources, *(folder / "engine" / name for name in COMPILER)]:
        data = source.read_bytes()
        head = f"{source.relative_to(folder).as_posix()} {len(data)}\n"
        found.update(head.encode() + data)
    return found.hexdigest()


def path() -> Path:
    """Return where the library lies, or would."""
    return Path(__file__).with_name(FILES.get(this_machine(), "kernels"))


def linked() -> Functions:
    """Load the library that came with the package; cost: 2 ms.

    Raises NoCompiledKernels if there is none, or it was made of other kernels.
    """
    file = path()
    if not file.is_file():
        raise NoCompiledKernels(
            f"no library of kernels for {this_machine()} came with this installation"
        )
    try:
        library = ctypes.CDLL(str(file))
        stored = (ctypes.c_char * (HEX + 1)).in_dll(library, SYMBOL).value.decode()
        own = digest()
    except (OSError, ValueError) as error:
        raise NoCompiledKernels(f"{file} cannot be loaded: {error}") from None
    if own not in (None, stored):
        raise NoCompiledKernels(
            "the kernels were edited after their library was linked; 'python -m "
            "sim.engine.link' links it again"
        )

    def address_of(name: str) -> int:
        return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0

    return Functions(address_of)


def compiled_here() -> Functions:
    """Compile the kernels as they are now, for this process; cost: 5 s.

    Raises NoCompiledKernels if llvmlite is missing or refuses.
    """
    try:
        return in_memory(find("compile_text")(find("module_text")()))
    except (ImportError, RuntimeError, AttributeError, TypeError, OSError) as error:
        raise NoCompiledKernels(f"llvmlite cannot compile them here: {error}") from None


def in_memory(code: bytes) -> Functions:
    """Return the functions of an object file for this machine, by LLVM."""
    from llvmlite import binding as llvm

    machine = find("target_machine")()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _KEPT.append(engine)
    return Functions(engine.get_function_address)


def found() -> Functions:
    """Return the compiled kernels, from wherever they can be had.

    Raises NoCompiledKernels, saying both why there is no library and why none is made.
    """
    try:
        return linked()
    except NoCompiledKernels as error:
        try:
            return compiled_here()
        except NoCompiledKernels as other:
            raise NoCompiledKernels(f"{error}; {other}") from None
