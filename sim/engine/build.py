"""Compile the kernels in a process of its own, and keep them for the next program.

python -m sim.engine.build

does it ahead of time, for an image or a test machine.  A program that wants compiled
kernels starts the same code aside (``compile_aside``): its interpreter never waits.

The key of a file is a digest over everything that decides its bits: the kernels as they
were imported, the compiler's own modules, LLVM and this processor.  What does not fit
is compiled again; a file that is cut short or damaged counts as missing.
"""

import contextlib
import ctypes
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from sim.kernels.audit.hinges import ring_proof
from sim.kernels.audit.sag import measure_sag
from sim.kernels.audit.verdict import audit, side_out
from sim.kernels.frames import checked_frame, hull_frame, many_frames, vouched_frame
from sim.kernels.language import SOURCES, Record
from sim.kernels.overlap.penetration import hulls_frame
from sim.kernels.surface.found import level_frame
from sim.kernels.surface.inside import deepest_frame
from sim.kernels.surface.search import nearest_frame, true_frame
from wingedge.registry import KERNELS, find

ENTRIES = (
    checked_frame,
    vouched_frame,
    hull_frame,
    many_frames,
    true_frame,
    nearest_frame,
    level_frame,
    deepest_frame,
    hulls_frame,
    audit,
    side_out,
    ring_proof,
    measure_sag,
)
Compiled = dict[Callable[..., int], Callable[..., int]]
"""The compiled function of every entry."""

MAGIC = b"wingedge compiled kernels 2\n"
DIGEST = 32
COMPILER = ("emitter", "expressions", "compiler", "build")

_KEPT: list[Any] = []  # machine code lives as long as the process


def entries() -> tuple[Callable[..., int], ...]:
    """Return all that is compiled: what the core calls, and what ``sim`` registered."""
    return (*ENTRIES, *map(find, KERNELS))


class NoCompiledKernels(RuntimeError):
    """Compiled kernels cannot be had here; the message says why."""


def cache_folder() -> Path | None:
    """Return the folder of compiled kernels: ``WINGEDGE_CACHE`` or the user's own."""
    chosen = os.environ.get("WINGEDGE_CACHE")
    if chosen:
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:
        return None  # a user without a home
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        folder = Path(local) if local else home / "AppData" / "Local"
        return folder / "wingedge" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "wingedge"
    given = os.environ.get("XDG_CACHE_HOME")
    folder = Path(given) if given and os.path.isabs(given) else home / ".cache"
    return folder / "wingedge"


def fingerprint() -> str:
    """Return the key of the compiled kernels: a digest over what decides their bits.

    Raises NoCompiledKernels if llvmlite is missing or the text of a kernel is not
    known.
    """
    llvm = import_llvm()
    entries()  # every kernel is imported from here on
    from hashlib import sha256  # brings OpenSSL: not at import

    import llvmlite

    digest = sha256()

    def add(*texts: object) -> None:
        for text in texts:
            data = str(text).encode()
            digest.update(len(data).to_bytes(8, "little") + data)

    add(llvmlite.__version__, llvm.llvm_version_info, llvm.get_process_triple())
    add(llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    for name in sorted(m for m in sys.modules if m.startswith("sim.kernels.")):
        source = SOURCES.get(name, "")
        if source is None:
            raise NoCompiledKernels(f"the source of module {name} cannot be read")
        add(name, source, *constants(sys.modules[name]))
    for name in COMPILER:
        path = Path(__file__).with_name(f"{name}.py")
        try:
            add(name, path.read_text(encoding="utf-8"))
        except OSError as error:
            raise NoCompiledKernels(f"{path} cannot be read: {error}") from None
    return digest.hexdigest()


def constants(module: ModuleType) -> list[object]:
    """Return the numbers and tables of a module, as they are now."""
    found: list[object] = []
    for name, value in sorted(vars(module).items()):
        if isinstance(value, int | float | tuple):
            found += [name, repr(value)]
        elif isinstance(value, type) and hasattr(value, "_fields"):
            found += [name, value.__annotations__]
        elif isinstance(value, type) and issubclass(value, Record):
            found += [name, getattr(value, "layout", None)]
    return found


def path_of(key: str) -> Path | None:
    """Return the file that holds, or will hold, the kernels of a key."""
    folder = cache_folder()
    return None if folder is None else folder / f"kernels-{key[:32]}.bin"


def sealed(payload: bytes, key: str) -> bytes:
    """Return the content of a file: first a digest of key and payload together.

    So damage shows, and code of another key under this one's name.
    """
    from hashlib import sha256

    return MAGIC + sha256(key.encode() + payload).digest() + payload


def opened(content: bytes, key: str) -> bytes | None:
    """Return the payload of a file's content, or None if it is not this key's."""
    payload = content[len(MAGIC) + DIGEST :]
    return payload if content == sealed(payload, key) else None


def read(path: Path | None, key: str) -> bytes | None:
    """Return the machine code of a file, or None where there is none to be trusted.

    Code that somebody else may have written is not run, nor that of another key.
    """
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            if not _is_ours(os.fstat(file.fileno())):
                return None
            return opened(file.read(), key)
    except OSError:
        return None


def _is_ours(status: os.stat_result) -> bool:
    if not hasattr(os, "getuid"):
        return True  # Windows: the folder belongs to the user
    writable = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid in (0, os.getuid()) and not writable


def load(
    payload: bytes, wanted: Iterable[Callable[..., int]] | None = None
) -> Compiled:
    """Make machine code callable.  Cost: 5 ms, and 20 ms once to load LLVM.

    Raises NoCompiledKernels if LLVM refuses it.
    """
    llvm = import_llvm()
    try:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        engine.add_object_file(llvm.ObjectFileRef.from_data(payload))
        engine.finalize_object()
        _KEPT.append(engine)
        return {entry: _callable(engine, entry) for entry in wanted or entries()}
    except (RuntimeError, AttributeError, TypeError, OSError) as error:
        raise NoCompiledKernels(f"llvmlite refused the machine code: {error}") from None


def _callable(engine: Any, entry: Callable[..., int]) -> Callable[..., int]:
    address = engine.get_function_address(entry.__name__)
    if not address:
        raise RuntimeError(f"no function {entry.__name__}")
    count = len(entry.__annotations__) - 1
    # Only ready c_void_p are passed: a plain int would be cut to 32 bits.
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * count)(address)


def import_llvm() -> Any:
    """Return ``llvmlite.binding``, or say that it is not there."""
    try:
        from llvmlite import binding
    except (ImportError, OSError, AttributeError) as error:
        raise NoCompiledKernels(
            f"llvmlite cannot be imported ({error}); pip install 'wingedge[compiled]'"
        ) from None
    return binding


LIMIT = 300.0  # seconds until a compiler counts as hung

# -P: the current folder must not bring another ``sim``; the path says which it is.
CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from sim.engine.build import child; child(sys.argv[2])"
)


def compile_aside(key: str) -> bytes:
    """Compile in a child process and wait for it; return the machine code.

    Raises NoCompiledKernels if the child fails, with the last line that it wrote.
    """
    root = str(Path(__file__).parents[2])
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", CHILD, root, key],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT,
            check=False,
        )
    except (OSError, TypeError, subprocess.SubprocessError) as error:
        raise NoCompiledKernels(f"no compiler process could run: {error}") from None
    payload = opened(done.stdout, key)
    if payload is None:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        why = said[-1] if said else f"exit status {done.returncode}"
        raise NoCompiledKernels(f"the kernels could not be compiled: {why}")
    return payload


def child(key: str) -> None:
    """Compile what was imported here, if it is what the parent imported.

    The machine code goes to standard output as well as into the cache: a parent
    without a writable folder gets it, too.
    """
    own = fingerprint()
    if own != key:
        raise NoCompiledKernels(
            "the compiler found other kernels than the program: was a file edited?"
        )
    sys.stdout.buffer.write(sealed(compiled(own), own))


def compiled(key: str) -> bytes:
    """Return the machine code of a key: from the cache, else compiled and kept.

    One process compiles, the others wait for it.
    """
    path = path_of(key)
    with locked(path):
        payload = read(path, key)
        if payload is None:
            payload = find("compile_text")(find("assemble")(entries()))
            if path is not None:
                with contextlib.suppress(OSError):
                    keep(path, sealed(payload, key))
    return payload


def keep(path: Path, content: bytes) -> None:
    """Write a file that is whole at any moment, for its owner only."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


@contextlib.contextmanager
def locked(path: Path | None) -> Iterator[None]:
    """Hold the lock beside a file; its holder's death releases it.

    Where no lock can be had everybody compiles: slower, nothing else.
    """
    with contextlib.ExitStack() as stack:
        if path is not None:
            with contextlib.suppress(OSError):
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                file = stack.enter_context(path.with_suffix(".lock").open("a+b"))
                _lock(file)
        yield


def _lock(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt
        import time

        while True:
            try:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                return
            except OSError:
                time.sleep(0.1)  # it gives up after ten seconds
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def main() -> None:
    """Compile for this machine and say where the result lies."""
    try:
        key = fingerprint()
        compiled(key)
    except (NoCompiledKernels, ValueError) as error:
        sys.exit(f"wingedge: {error}")
    path = path_of(key)
    if read(path, key) is None:
        sys.exit(f"wingedge: compiled, but {path} cannot be written")
    print(path)


if __name__ == "__main__":
    main()
