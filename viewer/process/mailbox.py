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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.arrays import Floats

if sys.platform == "linux":
    import fcntl


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

    An aligned word of 8 bytes is written and read whole, and nobody waits for it.
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


SLOTS = 3
TRIES = 5  # while messages come faster than one can be copied
_LATEST, _PREFACE, _PREFACE_SUM, _FLOATS, _TEXT, _HEAD = range(6)
_BEGUN, _LENGTH, _SUM, _DONE, _SLOT_HEAD = range(5)


class Message(NamedTuple):
    """What was put, copied."""

    number: int
    floats: Floats
    text: bytes


class _Slot(NamedTuple):
    """One slot, as views of the memory."""

    words: Words
    floats: Floats
    text: memoryview


class _Mailbox:
    """Memory with views of its head and its slots."""

    _own = False

    def __init__(self, memory: SharedMemory) -> None:
        self._memory = memory
        self._head = words_of(memory, 0, _HEAD)
        self._places: list[_Slot] = []

    def close(self, *, remove: bool = True) -> None:
        """Let go of it, and remove it if it was created here; twice is no error."""
        if not hasattr(self, "_head"):
            return
        del self._head  # else the memory could not be closed
        for place in self._places:
            place.text.release()
        self._places = []
        self._memory.close()
        if self._own and remove:
            with contextlib.suppress(FileNotFoundError):
                self._memory.unlink()


class Outbox(_Mailbox):
    """Where messages are put: so many floats each, and up to ``room`` bytes of text.

    Every reader needs the preface once. Raises OSError if there is no room for it.
    """

    _own = True

    def __init__(self, name: str, preface: bytes, floats: int, room: int) -> None:
        start, size = _layout(len(preface), floats, room)
        super().__init__(create(start + SLOTS * size, name))
        memory = bytes_of(self._memory)
        memory[8 * _HEAD : 8 * _HEAD + len(preface)] = preface
        self._places = _places(memory, start, size, floats, room)
        self._head[_PREFACE] = len(preface)
        self._head[_PREFACE_SUM] = zlib.crc32(preface)
        self._head[_FLOATS], self._head[_TEXT] = floats, room
        self.room = room

    def put(self, number: int, arrays: Sequence[Floats], text: Sequence[bytes]) -> None:
        """Put the newest message, its number above all before.

        Cost: one copy, and a checksum: some 40 us for two bodies of 2500 vertices.
        """
        words, floats, kept = self._places[number % SLOTS]
        words[_BEGUN] = number
        at = 0
        for array in arrays:
            floats[at : at + array.size] = array.ravel()
            at += array.size
        length = 0
        for part in text:
            kept[length : length + len(part)] = part
            length += len(part)
        words[_LENGTH] = length
        words[_SUM] = _checksum(number, floats, kept[:length])
        words[_DONE] = number
        self._head[_LATEST] = number


class Inbox(_Mailbox):
    """Where messages are taken; always the newest. ValueError if it is not whole."""

    def __init__(self, name: str) -> None:
        super().__init__(attach(name))
        self._last = 0
        memory = bytes_of(self._memory)
        length, total, floats, room = (int(word) for word in self._head[_PREFACE:])
        start, size = _layout(length, floats, room)
        self.preface = bytes(memory[8 * _HEAD : 8 * _HEAD + length])
        whole = start + SLOTS * size <= len(memory)
        if not whole or zlib.crc32(self.preface) != total:
            self.close()
            raise ValueError("the mailbox is not whole")
        self._places = _places(memory, start, size, floats, room)

    def take(self) -> Message | None:
        """Return the newest message; None if it was taken, or comes too fast."""
        for _ in range(TRIES):
            number = int(self._head[_LATEST])
            if number == self._last:
                return None
            message = self._copied(number)
            if message is not None:
                self._last = number
                return message
        return None

    def _copied(self, number: int) -> Message | None:
        """Copy a message; None if it is not whole."""
        words, floats, text = self._places[number % SLOTS]
        begun, length, total, done = words.tolist()
        if not begun == done == number or length > len(text):
            return None
        copy, words_copy = floats.copy(), bytes(text[:length])
        whole = int(words[_BEGUN]) == number
        whole = whole and _checksum(number, copy, words_copy) == total
        return Message(number, copy, words_copy) if whole else None


def _layout(preface: int, floats: int, room: int) -> tuple[int, int]:
    """Return where the first slot begins, and how long each is, in bytes."""
    room = -(-room // 8) * 8
    return 8 * _HEAD + -(-preface // 8) * 8, 8 * (_SLOT_HEAD + floats) + room


def _places(
    buffer: memoryview, start: int, size: int, floats: int, room: int
) -> list[_Slot]:
    found = []
    for k in range(SLOTS):
        at = start + k * size
        words: Words = np.ndarray((_SLOT_HEAD,), np.uint64, buffer, at)
        at += 8 * _SLOT_HEAD
        numbers: Floats = np.ndarray((floats,), np.float64, buffer, at)
        at += 8 * floats
        found.append(_Slot(words, numbers, buffer[at : at + room]))
    return found


def _checksum(number: int, floats: Floats, text: bytes | memoryview) -> int:
    head = number.to_bytes(8, "little") + len(text).to_bytes(8, "little")
    return zlib.crc32(text, zlib.crc32(floats.data, zlib.crc32(head)))
