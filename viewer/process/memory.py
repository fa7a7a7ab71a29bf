"""Share memory between two processes, with words that one writes and one reads."""

import contextlib
import os
import secrets
import sys
import threading
from multiprocessing import resource_tracker
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

if sys.platform == "linux":
    import fcntl

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

STARTING, OPEN, CLOSED, FAILED = range(4)
"""How the other process is: before its first frame, drawing, ended by a person or when
asked to, ended by an error."""

_SAID = 2000  # bytes of a sentence
_PREFIX = "wingedge_"
_FOLDER = Path("/dev/shm")  # where Linux shows shared memory as files
_OPENING = threading.Lock()


class _Owned(SharedMemory):
    """Memory that says by a lock on its file that somebody lives who owns it."""

    _lock: int | None = None

    def hold(self, size: int) -> None:
        """Take the lock, and all the room, where memory is a file."""
        with contextlib.suppress(FileNotFoundError):
            self._lock = os.open(_FOLDER / self.name, os.O_RDWR | os.O_CLOEXEC)
            fcntl.flock(self._lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            os.posix_fallocate(self._lock, 0, size)

    def close(self) -> None:
        super().close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def create(size: int, name: str | None = None) -> SharedMemory:
    """Create zeroed memory; whoever creates it removes it with ``unlink``.

    Should this process be killed, the resource tracker of Python removes it; should
    that be killed, too, the next process that creates memory does.

    Raises OSError if there is no room. Without asking first a later write would end the
    process.
    """
    if sys.platform != "linux":
        return SharedMemory(name or fresh_name(), create=True, size=size)
    remove_left()
    memory = _Owned(name or fresh_name(), create=True, size=size)
    try:
        memory.hold(size)
    except OSError as error:
        memory.close()
        memory.unlink()
        raise OSError(
            f"no room for {size / 1e6:.1f} MB in /dev/shm ({error.strerror}); a "
            f"container gets more with --shm-size"
        ) from None
    return memory


def fresh_name() -> str:
    """Make a name that says whose memory it is; macOS allows 30 letters."""
    return f"{_PREFIX}{os.getpid()}_{secrets.token_hex(3)}"


def remove_left() -> None:
    """Remove the memory of processes that were killed: nobody holds its lock.

    The process that its name tells of must be gone as well: between making memory and
    locking it there is a moment.
    """
    for path in _FOLDER.glob(f"{_PREFIX}*_*"):
        with contextlib.suppress(OSError, ValueError):
            if Path("/proc", str(int(path.name.split("_")[1]))).exists():
                continue
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


def attach(name: str) -> SharedMemory:
    """Open memory that another process created, and removes.

    Raises FileNotFoundError if it was removed meanwhile.
    """
    if sys.version_info >= (3, 13):
        return SharedMemory(name, track=False)
    # Before Python 3.13 whoever opens memory counts as its owner, and removes it at its
    # end, with a warning (python/cpython#82300): so nobody is told.
    with _OPENING:
        register = resource_tracker.register
        try:
            vars(resource_tracker)["register"] = lambda name, kind: None
            return SharedMemory(name)
        finally:
            vars(resource_tracker)["register"] = register


def words_of(memory: SharedMemory, start: int, count: int) -> Words:
    """Return ``count`` words of 8 bytes from byte ``start`` on, a multiple of 8."""
    return np.ndarray((count,), np.uint64, bytes_of(memory), start)


def bytes_of(memory: SharedMemory) -> memoryview:
    """Return all of a memory that is open."""
    if memory.buf is None:
        raise ValueError("the shared memory was closed")
    return memory.buf


class _Word:
    """A word of the memory of a `Control`, as an attribute of a number."""

    def __init__(self, place: int) -> None:
        self._place = place

    def __get__(self, control: "Control", kind: object = None) -> int:
        return int(control._words[self._place])

    def __set__(self, control: "Control", number: int) -> None:
        control._words[self._place] = number


class Control:
    """What two processes tell each other in passing; each word has one writer.

    An aligned word of 8 bytes is written and read whole. Nobody waits for anybody: a
    word that is read late is only late.

    Parameters: ``name``: open what another process created, instead of creating it.
    """

    _LENGTH, _WORDS = 5, 6
    generation = _Word(0)  # of the mailbox in use, from 1: who makes the frames writes
    # who draws writes all others
    state = _Word(1)  # how it is
    taken = _Word(2)  # the number of the newest frame that was taken
    drawn = _Word(3)  # how many frames were taken and shown
    answered = _Word(4)  # the number of the newest question that was answered

    def __init__(self, name: str | None = None) -> None:
        self._own = name is None
        size = 8 * self._WORDS + _SAID
        self._memory = create(size) if name is None else attach(name)
        self._words = words_of(self._memory, 0, self._WORDS)

    @property
    def name(self) -> str:
        """How the other process opens it."""
        return self._memory.name

    @property
    def said(self) -> str:
        """A sentence about what went wrong; empty where nothing did."""
        start = 8 * self._WORDS
        length = min(int(self._words[self._LENGTH]), _SAID)
        text = bytes(bytes_of(self._memory)[start : start + length])
        return text.decode(errors="replace")

    @said.setter
    def said(self, sentence: str) -> None:
        text = sentence.encode()[:_SAID]
        start = 8 * self._WORDS
        bytes_of(self._memory)[start : start + len(text)] = text
        self._words[self._LENGTH] = len(text)

    def close(self, *, remove: bool = True) -> None:
        """Let go of it, and remove it if it was created here; twice is no error."""
        if hasattr(self, "_words"):
            del self._words  # else the memory could not be closed
            self._memory.close()
            if self._own and remove:
                with contextlib.suppress(FileNotFoundError):
                    self._memory.unlink()
