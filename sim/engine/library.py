"""Which engine runs the kernels: machine code where there is some, else Python.

Machine code is a shared library that came with the package.  It holds a digest of the
kernels that it was made of.  Where these were edited since, or none was made for this
platform, they are interpreted.
"""

import ctypes
import os
import platform
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

from sim.kernels.language import Later
from wingedge.registry import wings

ENGINES = ("auto", "python", "compiled")
VARIABLE = "WINGEDGE_ENGINE"
SYMBOL = "wingedge_digest"
SYSTEM = {"linux": "linux", "darwin": "macos", "win32": "windows"}
FILES = {
    "linux-x86_64": "kernels.so",
    "linux-aarch64": "kernels.so",
    "macos-x86_64": "kernels.dylib",
    "macos-arm64": "kernels.dylib",
    "windows-amd64": "kernels.dll",
}
PATIENCE = 2.0  # seconds of interpreted work that nothing is said about
SLOW = "the kernels are interpreted, some 100 times slower"
REMEDY = (
    "for machine code work outside of a clone, or: pip install 'llvmlite>=0.50,<0.51' "
    "ziglang && python -m sim.engine.link; WINGEDGE_ENGINE=python for none, and no word"
)
COMPILER = ("compiler.py", "emitter.py", "expressions.py")


class NoCompiledKernels(RuntimeError):
    """Compiled kernels cannot be had here; the message says why."""


class Builtin(ctypes.Structure):
    """``PyMethodDef`` of the stable interface of Python."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


METH_NOARGS = 4
IMMORTAL: list[Builtin] = []  # Python reads them when it lets go of what they made
BUILTIN = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p
)
BUILTINS = sys.implementation.name == "cpython"
NUMPY = "numpy._core._multiarray_umath"  # 2.0 and later it says what the processor has
Later.find = partial(getattr, wings)


class Functions(dict[str, Callable[..., int]]):
    """The compiled entries by name, each made callable when it is first called."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self.builtins: dict[str, Builtin] = {}
        if BUILTINS:
            reader, maker = (
                ctypes.cast(getattr(ctypes.pythonapi, f), ctypes.c_void_p)
                for f in ("PyLong_AsVoidPtr", "PyLong_FromLongLong")
            )
            found = getattr(sys.modules.get(NUMPY), "__cpu_features__", {})
            wide = ctypes.c_bool(found.get("X86_V3", found.get("AVX2")))
            self["know_python"](reader, maker, wide)

    def _address_of(self, name: str) -> int:
        return ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value or 0

    def __missing__(self, name: str) -> Callable[..., int]:
        # Only ready c_void_p are passed: a plain int would be cut to 32 bits.
        made = ctypes.CFUNCTYPE(ctypes.c_int64)(self._address_of(name))
        self[name] = made
        return made

    def call(self, name: str, at: Sequence[int], brief: bool) -> Callable[[], int]:
        """Return what runs an entry on tables at these addresses.

        ``brief``: of one table, and soon done: it is called by the interpreter itself,
        which takes 30 ns where ctypes takes 190, and lets no other thread run.
        """
        if not brief or not BUILTINS:
            call = partial(self[name], *map(ctypes.c_void_p, at))
            call.__dict__["at"] = at  # which keeps the tables there
            return call
        if name not in self.builtins:
            where = self._address_of(f"{name}_builtin")
            self.builtins[name] = Builtin(name.encode(), where, METH_NOARGS, None)
            IMMORTAL.append(self.builtins[name])
        make = BUILTIN(("PyCFunction_NewEx", ctypes.pythonapi))
        made: Callable[[], int] = make(ctypes.addressof(self.builtins[name]), *at, None)
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
    found = blake2b(digest_size=32)
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
            f"no library of kernels for {this_machine()} lies in {file.parent}"
        )
    try:
        own = digest()
        if own is not None and own.encode() not in file.read_bytes():
            raise NoCompiledKernels(
                "the kernels were edited after their library was linked, or it is not "
                "whole; 'python -m sim.engine.link' links it again"
            )
        # no earlier: the process keeps what it loads
        return Functions(ctypes.CDLL(str(file)))
    except OSError as error:
        raise NoCompiledKernels(f"{file} cannot be loaded: {error}") from None


class Engine:
    """The engine of all trackers in this process.

    Attributes
    ----------
    mode : {"auto", "python", "compiled"}
        What was asked for; empty before the first tracker asks.
    compiled : dict or None
        The compiled function of every entry by its name, while it runs them.
    reason : str
        Why there is no compiled code; empty if there is, or none was tried for.
    worked : float
        Seconds of work by Python where machine code was wanted.
    """

    def __init__(self) -> None:
        self.mode = ""
        self.compiled: Functions | None = None
        self.reason = ""
        self._found: Functions | None = None
        self.worked = 0.0

    def choose(self, name: str) -> None:
        """Take another engine from the next frame on; see ``set_engine``."""
        if name not in ENGINES:
            raise ValueError(f"engine {name!r} is not one of {', '.join(ENGINES)}")
        if name != "python" and self._found is None and not self.reason:
            self._find()
        if name == "compiled" and self._found is None:
            raise RuntimeError(
                f"the compiled engine cannot be had: {self.reason}; set_engine('auto') "
                f"does without it"
            )
        self.mode = name
        self.compiled = None if name == "python" else self._found

    def obey_environment(self) -> None:
        """Choose what ``WINGEDGE_ENGINE`` names, unless an engine was chosen already.

        Raises ValueError if it names no engine; RuntimeError if it asks for compiled
        code that cannot be had.
        """
        if self.mode:
            return
        name = os.environ.get(VARIABLE) or "auto"
        if name not in ENGINES:
            raise ValueError(
                f"the environment variable {VARIABLE} is {name!r}; it must be one of "
                f"{', '.join(ENGINES)}"
            )
        self.choose(name)

    def interpreted(self, run: Callable[[], int]) -> Callable[[], int]:
        """Return what runs an entry in Python, and says once when it has taken long."""
        return run if self.worked > PATIENCE else partial(self._clocked, run)

    def _clocked(self, run: Callable[[], int]) -> int:
        start, before = perf_counter(), self.worked
        code = run()
        if self.mode == "auto" and self.reason:
            self.worked += perf_counter() - start
        if before <= PATIENCE < self.worked:
            print(f"wingedge: {SLOW}: {self.reason}; {REMEDY}", file=sys.stderr)
        return code

    def _find(self) -> None:
        try:
            self._found = linked()
        except NoCompiledKernels as error:
            self.reason = str(error)


ENGINE = Engine()


def set_engine(name: str) -> None:
    """Choose the engine of all trackers, from their next frame on.

    Both run one source and give the same bits; nothing that is remembered is lost.

    Raises ValueError if there is no such engine; RuntimeError if compiled kernels
    cannot be had here; the message says why.

    The environment variable ``WINGEDGE_ENGINE`` chooses for programs that do not.

    Parameters
    ----------
    name : {"auto", "python", "compiled"}
        "python" interprets the kernels.  "compiled" takes the machine code that came
        with the package, or raises.  "auto", which needs not be asked for, takes it
        where it is, and interprets elsewhere; after 2 s of that it says so, once, on
        standard error.
    """
    ENGINE.choose(name)
