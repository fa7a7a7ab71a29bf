"""Compile the kernels in a process of its own, and keep them for the next program.

    python -m sim.engine.build

does it ahead of time, for an image or a test machine.  A program that wants compiled
kernels starts the same code aside (``compile_aside``): its interpreter never waits.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from sim.engine import loader
from sim.engine.loader import NoCompiledKernels, entries
from wingedge.registry import find

LIMIT = 300.0  # seconds until a compiler counts as hung

# -P: the current folder must not bring another ``sim``; the path says which it is.
CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from sim.engine.build import child; child(sys.argv[2])"
)


def compile_aside(key: str) -> bytes:
    """Compile in a child process and wait for it; return the machine code.

    Raises
    ------
    NoCompiledKernels
        If the child fails, with the last line that it wrote.
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
    payload = loader.opened(done.stdout, key)
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
    own = loader.fingerprint()
    if own != key:
        raise NoCompiledKernels(
            "the compiler found other kernels than the program: was a file edited?"
        )
    sys.stdout.buffer.write(loader.sealed(compiled(own), own))


def compiled(key: str) -> bytes:
    """Return the machine code of a key: from the cache, else compiled and kept.

    One process compiles, the others wait for it.
    """
    path = loader.path_of(key)
    with locked(path):
        payload = loader.read(path, key)
        if payload is None:
            payload = find("compile_text")(find("assemble")(entries()))
            if path is not None:
                with contextlib.suppress(OSError):
                    keep(path, loader.sealed(payload, key))
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
        key = loader.fingerprint()
        compiled(key)
    except (NoCompiledKernels, ValueError) as error:
        sys.exit(f"wingedge: {error}")
    path = loader.path_of(key)
    if loader.read(path, key) is None:
        sys.exit(f"wingedge: compiled, but {path} cannot be written")
    print(path)


if __name__ == "__main__":
    main()
