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

from wingedge.tables import Floats

if sys.platform == "linux":
    import fcntl


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
    """Memory as words and what follows them, and its end."""

    def __init__(self, memory: SharedMemory, words: int, *, own: bool) -> None:
        self._memory, self._own = memory, own
        # views of it, made once: while there are any it stays open
        self._views = {"head": self.seen("u8", 0, words)}
        self._slots: list[_Slot] = []

    @property
    def name(self) -> str:
        """How the other process opens it."""
        return self._memory.name

    def seen(self, kind: DTypeLike, start: int, count: int = 1) -> NDArray[Any]:
        """Return a view of so many records, from a byte on that is a multiple of 8."""
        return np.ndarray((count,), kind, bytes_of(self._memory), start)

    def close(self, *, remove: bool = True) -> None:
        """Let go of it, and remove it if it was created here; twice is no error."""
        if not self._views:
            return
        self._views.clear()
        self._slots.clear()
        self._memory.close()
        if self._own and remove:
            with contextlib.suppress(FileNotFoundError):
                self._memory.unlink()


class _Word:
    """A word at the head of shared memory, as an attribute."""

    def __init__(self, place: int) -> None:
        self._place = place

    def __get__(self, shared: _Shared, kind: object = None) -> int:
        return int(shared._views["head"][self._place])

    def __set__(self, shared: _Shared, number: int) -> None:
        shared._views["head"][self._place] = number


class Control(_Shared):
    """What two processes tell each other in passing; each word has one writer.

    An aligned word of 8 bytes is written and read whole, and nobody waits for it.
    """

    generation = _Word(0)  # of the mailbox in use, from 1: who makes the frames writes
    # who draws writes all others
    state = _Word(1)  # how it is
    taken = _Word(2)  # the number of the newest frame that was taken
    drawn = _Word(3)  # how many frames were taken and shown
    answered = _Word(4)  # the number of the newest question that was answered

    def __init__(self, name: str | None = None) -> None:
        memory = create(8 * 5 + _SAID) if name is None else attach(name)
        super().__init__(memory, 5, own=name is None)
        self._views["said"] = self.seen(f"S{_SAID}", 8 * 5)

    @property
    def said(self) -> str:
        """A sentence about what went wrong, cut where it is long; empty without."""
        text: bytes = self._views["said"][0]
        return text.decode(errors="replace")

    @said.setter
    def said(self, sentence: str) -> None:
        self._views["said"][0] = sentence.encode()

    def mailbox(self, generation: int) -> str:
        """Name a mailbox; both sides know it without being told."""
        return f"{self.name}_{generation}"


SLOTS = 3
TRIES = 5  # while messages come faster than one can be copied
_HEAD = 5  # words: the newest message; of the preface length and sum; floats; text
_BEGUN, _LENGTH, _SUM, _DONE = range(4)  # words of a slot


class Message(NamedTuple):
    """What was put, copied."""

    number: int
    floats: Floats
    text: bytes


class _Slot(NamedTuple):
    """One slot, as views of the memory."""

    words: NDArray[np.uint64]
    floats: Floats
    text: NDArray[np.uint8]


class _Mailbox(_Shared):
    """A head, the preface, and slots one after the other."""

    latest = _Word(0)  # the number of the newest message

    def _lay_out(self) -> bool:
        """See the slots; tell whether the memory has room for all of them."""
        length, _, floats, room = self._views["head"][1:].tolist()
        room = -(-room // 8) * 8
        each = [
            ("words", "u8", 4),
            ("floats", "f8", (floats,)),
            ("text", "u1", (room,)),
        ]
        kind, start = np.dtype(each), 8 * _HEAD + -(-length // 8) * 8
        whole: bool = start + SLOTS * kind.itemsize <= len(bytes_of(self._memory))
        for k in range(SLOTS if whole else 0):
            slot = self.seen(kind, start + k * kind.itemsize)[0]
            self._slots.append(_Slot(slot["words"], slot["floats"], slot["text"]))
        return whole


class Outbox(_Mailbox):
    """Where messages are put: so many floats each, and up to ``room`` bytes of text.

    Every reader needs the preface once. Raises OSError if there is no room for it.
    """

    def __init__(self, name: str, preface: bytes, floats: int, room: int) -> None:
        size = 8 * (_HEAD + 1) + len(preface) + SLOTS * (8 * (4 + floats + 1) + room)
        super().__init__(create(size, name), _HEAD, own=True)
        bytes_of(self._memory)[8 * _HEAD : 8 * _HEAD + len(preface)] = preface
        self._views["head"][:] = 0, len(preface), zlib.crc32(preface), floats, room
        self._lay_out()
        self.room = room

    def put(self, number: int, arrays: Sequence[Floats], text: Sequence[bytes]) -> None:
        """Put the newest message, its number above all before.

        Cost: one copy, and a checksum: some 40 us for two bodies of 2500 vertices.
        """
        words, floats, taken = self._slots[number % SLOTS]
        words[_BEGUN] = number
        kept, at, length = taken.data, 0, 0
        for array in arrays:
            floats[at : at + array.size] = array.ravel()
            at += array.size
        for part in text:
            kept[length : length + len(part)] = part
            length += len(part)
        words[_LENGTH] = length
        words[_SUM] = _checksum(number, floats, kept[:length])
        words[_DONE] = number
        self.latest = number


class Inbox(_Mailbox):
    """Where messages are taken; always the newest. ValueError if it is not whole."""

    def __init__(self, name: str) -> None:
        super().__init__(attach(name), _HEAD, own=False)
        self._last = 0
        _, length, total, *_ = self._views["head"].tolist()
        self.preface = bytes(bytes_of(self._memory)[8 * _HEAD : 8 * _HEAD + length])
        if not self._lay_out() or zlib.crc32(self.preface) != total:
            self.close()
            raise ValueError("the mailbox is not whole")

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
        words, numbers, kept = self._slots[number % SLOTS]
        begun, length, total, done = words.tolist()
        if not begun == done == number or length > len(kept):
            return None
        floats, text = numbers.copy(), kept[:length].tobytes()
        whole = int(words[_BEGUN]) == number
        whole = whole and _checksum(number, floats, text) == total
        return Message(number, floats, text) if whole else None


def _checksum(number: int, floats: Floats, text: bytes | memoryview) -> int:
    head = number.to_bytes(8, "little") + len(text).to_bytes(8, "little")
    return zlib.crc32(text, zlib.crc32(floats.data, zlib.crc32(head)))
