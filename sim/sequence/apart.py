"""Read files in a process of its own, by libraries that trust the numbers in them.

It has limits to its time and memory, and may crash; what it found comes back, pickled
by this program: nothing of a file is unpickled.
"""

import json
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from os import dup, dup2, fdopen
from pathlib import Path
from threading import Timer
from typing import Any, Self
from xml.etree import ElementTree

from sim.errors import LONGEST
from sim.story.file.inspection import BUSY, SLOWEST, die_with_parent, limit, program

XML = (".pvd", ".pvtu", ".pvtp", ".vtm", ".vtmb")  # lists of files
SECONDS = 1.5  # of the processor, beside those for each byte of a file
MEMORY = 224 << 20  # bytes: a library and little more, and so many for each of a file
GROWTH = 20
START = 10.0  # seconds on the clock to load a library
CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from sim.sequence.apart import serve; serve(*sys.argv[2:])"
)


def named_files(path: Path, seen: set[Path]) -> Iterator[Path]:
    """Go through a file and those that it takes points from.

    Raises ValueError if one of them is not in the folder of the file or below;
    FileNotFoundError if it is missing.
    """
    seen.add(path)
    yield path
    suffix, names = path.suffix.lower(), []
    if suffix.startswith(".usd"):  # which does not say what it takes until it is read
        yield from path.parent.rglob("*.usd*")
    elif suffix == ".series":
        with suppress(LookupError, TypeError):  # whoever reads it says so
            names = [row["name"] for row in json.loads(path.read_bytes())["files"]]
    elif suffix in XML:
        with suppress(ElementTree.ParseError):  # which VTK tells, too
            tree = ElementTree.parse(path)
            names = [e.get(key) for e in tree.iter() for key in ("file", "Source")]
    for name in filter(None, names):
        found = path.parent / str(name)
        if not found.resolve().is_relative_to(path.parent.resolve()):
            said = f"names {str(name)[:80]!r}, which is not in its folder or below"
            raise ValueError(f"{path}: {said}; put all files into one folder")
        if not found.is_file():
            raise FileNotFoundError(f"{path}: its file {found} is missing")
        if found not in seen:
            yield from named_files(found, seen)


class Apart:
    """A process that reads files, one after the other; begun when it is asked."""

    def __init__(self) -> None:
        self._home = ""
        self._child: subprocess.Popen[bytes] | None = None

    def ask(self, path: Path, reader: Callable[[Path], Any], library: str) -> Any:
        """Return what a function of a module reads, by a library that may crash.

        Raises ValueError, OSError or ImportError: what it raised, or that the process
        did not survive or took too long.
        """
        size = sum(file.stat().st_size for file in named_files(path, set()))
        seconds = SECONDS + size / SLOWEST
        home = f"{reader.__module__}:{reader.__qualname__}"
        if self._home != home:
            self.__exit__()
            pipes: Any = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
            pipes |= {"stderr": subprocess.DEVNULL, **program(CHILD, home, library)}
            self._child, self._home = subprocess.Popen(**pipes), home
        child: Any = self._child
        timer = Timer(START + BUSY * seconds, child.kill)
        timer.start()
        try:
            child.stdin.write(json.dumps([str(path), size, seconds]).encode() + b"\n")
            child.stdin.flush()
            error, found = pickle.load(child.stdout)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            code, self._home = child.wait(), ""
            why = f"exit status {code}" if code >= 0 else signal.Signals(-code).name
            if why in ("SIGKILL", "SIGPROF"):
                why = f"it took more than {seconds:.1f} s"
            raise ValueError(
                f"{path}: is damaged or something else: reading it ended the process "
                f"that tried ({why}); export it again"
            ) from None
        finally:
            timer.cancel()
        if error is not None:
            raise error(found)
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the process, if there is one."""
        if self._child is not None:
            self._child.kill()
            with self._child:
                pass


def serve(home: str, library: str) -> None:
    """Read the files that standard input names; the side of the child."""
    die_with_parent()
    limit(CORE=0)
    out: Any = fdopen(dup(1), "wb", buffering=0)
    dup2(2, 1)  # libraries print
    module, _, name = home.partition(":")
    reader = getattr(import_module(module), name)
    with suppress(ImportError):
        import_module(library)
    for line in sys.stdin:
        path, size, seconds = json.loads(line)
        limit(DATA=MEMORY + GROWTH * size)
        with suppress(AttributeError):  # only POSIX can end it
            signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            answer: Any = None, reader(Path(path))
        except Exception as error:
            kinds = ImportError, OSError, ValueError
            kind = next((k for k in kinds if isinstance(error, k)), ValueError)
            answer = kind, sentence_of(error)
        pickle.dump(answer, out)
        with suppress(AttributeError):
            signal.setitimer(signal.ITIMER_PROF, 0.0)


def sentence_of(error: Exception) -> str:
    """Say in a line what a reader raised, whatever that is."""
    text = error.strerror if isinstance(error, OSError) else None
    words = " ".join(str(text or (error.args or [""])[0]).split())[:LONGEST]
    if words and isinstance(error, OSError | ValueError | TypeError | ImportError):
        return words
    said = ": ".join(filter(None, (type(error).__name__, words)))
    return f"cannot be read ({said}); it is damaged or something else: export it again"
