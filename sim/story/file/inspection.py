"""Look at files in a process of its own, which may crash or hang over them.

HDF5, VTK and USD trust the numbers in a file: a damaged or hostile one can end the
process, or keep it busy for ever.  A child has limits to its time and memory, and dies
with its parent.  What it found comes back, pickled by this program: nothing of a file
is unpickled.
"""

import ctypes
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Timer
from time import process_time
from typing import Any, Self, TypeVar

from sim.errors import LONGEST, RecordingError

SECONDS = 1.5  # of the processor, beside those for each byte of a file
SLOWEST = 10e6  # bytes per second
BUSY = 10  # times as long on the clock: other processes may run, too
START = 60.0  # seconds on the clock to load a library
MEMORY = 224 << 20  # bytes: a library and little more, and so many for each of a file
GROWTH = 20
# -P: the current folder must not bring another ``sim``; the first path has ours.
CHILD = (
    "import os, sys; sys.path[:0] = sys.argv[1].split(os.pathsep); "
    "from sim.story.file.inspection import serve; serve(*sys.argv[2:])"
)
# every thread would take its part of the memory; and no code of others is run
THREADS = ("OPENBLAS_NUM_THREADS", "PXR_WORK_THREAD_LIMIT", "VTK_SMP_MAX_THREADS")
PLAIN = {**dict.fromkeys(THREADS, "1"), "HDF5_PLUGIN_PRELOAD": "::"}
Found = TypeVar("Found")


class Apart:
    """A process that reads files, one after the other; begun when it is asked."""

    def __init__(self, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self.seconds, self.memory = seconds, memory
        self._home = ""
        self._child: subprocess.Popen[bytes] | None = None

    def ask(
        self, path: Path, reader: Callable[[Path], Found], library: str, size: int
    ) -> Found:
        """Return what a function of a module reads, by a library that may crash.

        Raises ValueError, OSError or ImportError: what the function raised, or that
        the process did not survive, or took too long for so many bytes.
        """
        seconds = self.seconds + size / SLOWEST
        home = f"{reader.__module__}:{reader.__qualname__}"
        if self._home != home:
            self.__exit__()
            root = str(Path(__file__).resolve().parents[3])
            pipes: Any = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
            pipes |= {"stderr": subprocess.DEVNULL, "env": {**os.environ, **PLAIN}}
            paths = os.pathsep.join([root, *filter(None, sys.path)])
            command = [sys.executable, "-P", "-c", CHILD, paths, home, library]
            self._child, self._home = subprocess.Popen(command, **pipes), home
        child: Any = self._child
        timer = Timer(START + BUSY * seconds, child.kill)
        timer.start()
        try:
            told = [str(path), seconds, self.memory + GROWTH * size]
            child.stdin.write(json.dumps(told).encode() + b"\n")
            child.stdin.flush()
            error, found = pickle.load(child.stdout)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            code, self._home = child.wait(), ""
            why = f"exit status {code}" if code >= 0 else signal.Signals(-code).name
            if why in ("SIGKILL", "SIGXCPU"):
                why = "it took too long"
            said = f"reading it ended the process that tried ({why}); make it again"
            raise ValueError(f"is damaged or something else: {said}") from None
        finally:
            timer.cancel()
        if error is not None:
            raise error(found)
        return found  # type: ignore[no-any-return]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the process, if there is one."""
        if self._child is not None:
            self._child.kill()
            self._child.communicate()


def serve(home: str, library: str) -> None:
    """Read the files that standard input names; the side of the child."""
    with suppress(OSError, AttributeError, TypeError):  # on Linux: dies with its parent
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    limit("CORE", 0)
    out: Any = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # libraries print
    module, _, name = home.partition(":")
    reader = getattr(import_module(module), name)
    with suppress(ImportError):
        import_module(library)
    for line in sys.stdin:
        path, seconds, memory = json.loads(line)
        limit("DATA", memory)
        limit("CPU", int(process_time() + seconds) + 1)
        try:
            answer: Any = None, reader(Path(path))
        except Exception as error:
            kinds = ImportError, OSError, ValueError
            kind = next((k for k in kinds if isinstance(error, k)), ValueError)
            answer = kind, sentence_of(error)
        pickle.dump(answer, out)


def limit(name: str, most: int) -> None:
    """Let this process have no more of what ``resource`` calls RLIMIT_CORE, ..."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        kind = getattr(resource, f"RLIMIT_{name}")
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def sentence_of(error: Exception) -> str:
    """Say in a line what a reader raised, whatever that is."""
    text = error.strerror if isinstance(error, OSError) else None
    words = " ".join(str(text or (error.args or [""])[0]).split())[:LONGEST]
    if words and isinstance(error, OSError | ValueError | TypeError | ImportError):
        return words
    said = ": ".join(filter(None, (type(error).__name__, words)))
    return f"cannot be read ({said}); it is damaged or something else: export it again"


PATIENCE = 20.0  # seconds of the processor, before the first byte is read
AMPLE = 1 << 30  # bytes of memory


def check(path: Path) -> None:
    """Read a recording in a child first, and refuse what harms its reader.

    Cost: 0.5 s to start the child, and reading all of the file.

    Raises RecordingError saying what is wrong with the file, and what to do.
    """
    try:
        with Apart(PATIENCE, AMPLE) as child:
            size = path.stat().st_size if path.exists() else 0
            said = child.ask(path, read_all, "h5py", size)
    except ValueError as error:
        said = f"{path}: {error}, or take a copy from elsewhere"
    except (OSError, TypeError) as error:
        raise RecordingError(
            f"{path}: the process to look at it first could not be started "
            f"({error}); start Python from its own executable"
        ) from error
    if said:
        raise RecordingError(said)


def read_all(path: Path) -> str:
    """Look at all of a file; return what is wrong with it as a whole, or nothing.

    Damage in single frames is told when they are read.
    """
    from sim.story.file.header import check_casts
    from sim.story.file.reader import Reader

    try:
        reader = Reader(path, os.fspath(path))
        with reader.reading():
            check_casts(reader.header.casts)
            reader.stage()
    except RecordingError as error:
        return str(error)
    for k in range(len(reader)):
        with suppress(RecordingError):
            reader.raw(k)
    return ""
