"""Pass the newest message only, through memory shared by two processes, without a lock.

One process puts, one takes. There are three slots, written in turn, so a message stays
whole until two more have been put, and the next one is being put. There is no lock that
a dead process could hold: who takes finds out itself whether it read one message, and
asks again if it did not.

Why a message that was taken is never torn. Each slot has its message's number twice:
it is written before the message (BEGUN) and after it (DONE). On a processor that keeps
the order of its writes and of its reads (x86) a message whose two numbers were equal
before it was read, and whose first number was still the same afterwards, was not
written to in between. Others (ARM) may show writes in another order, and Python has no
fence to forbid that; therefore a checksum (CRC-32) over number, lengths and message is
written too, and compared with that of the private copy. A message is accepted only if
all of it is as it was put, in whatever order it arrived; what is not whole yet is whole
the next time.
"""

import contextlib
import os
import secrets
import sys
import threading
import zlib
from collections.abc import Sequence
from multiprocessing import resource_tracker
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from viewer.arrays import Floats

if sys.platform == "linux":
    import fcntl


STARTING, OPEN, CLOSED, FAILED = range(4)
"""How the other process is: before its first frame, drawing, ended by a person or when
asked to, ended by an error."""

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
    """Open memory that another process made; FileNotFoundError if it was removed."""
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


def bytes_of(memory: SharedMemory) -> memoryview:
    """Return all of a memory that is open."""
    if memory.buf is None:
        raise ValueError("the shared memory was closed")
    return memory.buf


class _Shared:
    """Memory as records of numpy, and its end."""

    def __init__(self, memory: SharedMemory, *, own: bool) -> None:
        self._memory, self._own = memory, own
        self._views: dict[str, NDArray[Any]] = {}  # while there are any it stays open

    @property
    def name(self) -> str:
        """How the other process opens it."""
        return self._memory.name

    def see(self, view: str, kind: DTypeLike, start: int = 0, count: int = 1) -> None:
        """Keep a view of so many records, from a byte on that is a multiple of 8."""
        memory = bytes_of(self._memory)
        self._views[view] = np.ndarray((count,), kind, memory, start)

    def close(self, *, remove: bool = True) -> None:
        """Let go of it, and remove it if it was created here; twice is no error."""
        if not self._views:
            return
        self._views.clear()
        self._memory.close()
        if self._own and remove:
            with contextlib.suppress(FileNotFoundError):
                self._memory.unlink()


class _Word:
    """A word at the head of shared memory, as an attribute."""

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, shared: _Shared, kind: object = None) -> int:
        return int(shared._views["head"][self._name][0])

    def __set__(self, shared: _Shared, number: int) -> None:
        shared._views["head"][self._name] = number


class Control(_Shared):
    """What two processes tell each other in passing; each word has one writer.

    An aligned word of 8 bytes is written and read whole, and nobody waits for it.
    """

    generation = _Word()  # of the mailbox in use, from 1: who makes the frames writes
    # who draws writes all others
    state = _Word()  # how it is
    taken = _Word()  # the number of the newest frame that was taken
    drawn = _Word()  # how many frames were taken and shown
    answered = _Word()  # the number of the newest question that was answered

    def __init__(self, name: str | None = None) -> None:
        words = "generation", "state", "taken", "drawn", "answered"
        kind = np.dtype([*((word, "u8") for word in words), ("said", "S2000")])
        memory = create(kind.itemsize) if name is None else attach(name)
        super().__init__(memory, own=name is None)
        self.see("head", kind)

    @property
    def said(self) -> str:
        """A sentence about what went wrong, cut where it is long; empty without."""
        text: bytes = self._views["head"]["said"][0]
        return text.decode(errors="replace")

    @said.setter
    def said(self, sentence: str) -> None:
        self._views["head"]["said"] = sentence.encode()

    def mailbox(self, generation: int) -> str:
        """Name a mailbox; both sides know it without being told."""
        return f"{self.name}_{generation}"


SLOTS = 3
TRIES = 5  # while messages come faster than one can be copied
_HEAD = np.dtype(
    [(word, "u8") for word in ("latest", "preface", "sum", "floats", "room")]
)
_SLOT = [(word, "u8") for word in ("begun", "length", "sum", "done")]


class Message(NamedTuple):
    """What was put, copied."""

    number: int
    floats: Floats
    text: bytes


class _Mailbox(_Shared):
    """A head, the preface, and slots one after the other."""

    latest = _Word()  # the number of the newest message

    def __init__(self, memory: SharedMemory, *, own: bool) -> None:
        super().__init__(memory, own=own)
        self.see("head", _HEAD)

    def slot(self, number: int) -> Any:
        """Return the record that a message with this number is in."""
        return self._views["slots"][number % SLOTS]


class Outbox(_Mailbox):
    """Where messages are put: so many floats each, and up to ``room`` bytes of text.

    Every reader needs the preface once. Raises OSError if there is no room for it.
    """

    def __init__(self, name: str, preface: bytes, floats: int, room: int) -> None:
        start, kind = _layout(len(preface), floats, room)
        super().__init__(create(start + SLOTS * kind.itemsize, name), own=True)
        after = _HEAD.itemsize, _HEAD.itemsize + len(preface)
        bytes_of(self._memory)[slice(*after)] = preface
        self.see("slots", kind, start, SLOTS)
        self._views["head"][0] = 0, len(preface), zlib.crc32(preface), floats, room
        self.room = room

    def put(self, number: int, arrays: Sequence[Floats], text: Sequence[bytes]) -> None:
        """Put the newest message, its number above all before.

        Cost: one copy, and a checksum: some 40 us for two bodies of 2500 vertices.
        """
        slot = self.slot(number)
        slot["begun"] = number
        floats, kept = slot["floats"], memoryview(slot["text"])
        at = length = 0
        for array in arrays:
            floats[at : at + array.size] = array.ravel()
            at += array.size
        for part in text:
            kept[length : length + len(part)] = part
            length += len(part)
        slot["length"] = length
        slot["sum"] = _checksum(number, floats, kept[:length])
        slot["done"] = number
        self.latest = number


class Inbox(_Mailbox):
    """Where messages are taken; always the newest. ValueError if it is not whole."""

    def __init__(self, name: str) -> None:
        super().__init__(attach(name), own=False)
        self._last = 0
        memory = bytes_of(self._memory)
        _, length, total, floats, room = self._views["head"][0].item()
        self.preface = bytes(memory[_HEAD.itemsize :][:length])
        start, kind = _layout(length, floats, room)
        if (
            start + SLOTS * kind.itemsize > len(memory)
            or zlib.crc32(self.preface) != total
        ):
            self.close()
            raise ValueError("the mailbox is not whole")
        self.see("slots", kind, start, SLOTS)

    def take(self) -> Message | None:
        """Return the newest message; None if it was taken, or comes too fast."""
        for _ in range(TRIES):
            number = self.latest
            if number == self._last:
                return None
            message = self._copied(number)
            if message is not None:
                self._last = number
                return message
        return None

    def _copied(self, number: int) -> Message | None:
        """Copy a message; None if it is not whole."""
        slot = self.slot(number)
        begun, length, total, done = (int(slot[word]) for word, _ in _SLOT)
        if not begun == done == number or length > len(slot["text"]):
            return None
        floats, text = slot["floats"].copy(), slot["text"][:length].tobytes()
        whole = int(slot["begun"]) == number
        whole = whole and _checksum(number, floats, text) == total
        return Message(number, floats, text) if whole else None


def _layout(preface: int, floats: int, room: int) -> tuple[int, np.dtype[np.void]]:
    """Return where the first slot begins, and what each is."""
    kind = [("floats", "f8", (floats,)), ("text", "u1", (-(-room // 8) * 8,))]
    return _HEAD.itemsize + -(-preface // 8) * 8, np.dtype([*_SLOT, *kind])


def _checksum(number: int, floats: Floats, text: bytes | memoryview) -> int:
    head = number.to_bytes(8, "little") + len(text).to_bytes(8, "little")
    return zlib.crc32(text, zlib.crc32(floats.data, zlib.crc32(head)))
