"""Pass the newest message only, through shared memory, without a lock.

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
import zlib
from collections.abc import Sequence
from multiprocessing.shared_memory import SharedMemory
from typing import NamedTuple

import numpy as np

from viewer.arrays import Floats
from viewer.process.memory import Words, attach, bytes_of, create, words_of

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
        """Let go of it, and remove it if it was created here; twice is no error.

        A reader keeps what it has opened.
        """
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
    """Where messages are put: so many floats each, and so many bytes at most.

    Parameters: ``name``: how a reader opens it; ``preface``: what every reader needs
    once; ``floats``: how many float64 every message has; ``room``: how many bytes of
    text a message may have.

    Raises OSError if there is no room for it.
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
        """Put a message; it is the newest from now on.

        Parameters: ``number``: above that of every message before; ``arrays`` sequence
        of float64 arrays: together as many numbers as the messages have; ``text``: not
        more than there is room for.

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
    """Where messages are taken; always the newest.

    Raises FileNotFoundError if there is no such mailbox any more; ValueError if its
    preface is not what was written.
    """

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
        """Return the newest message; None if it was taken already.

        Also None where the one who puts is so fast that none could be copied in time.
        """
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
        if int(words[_BEGUN]) != number:
            return None
        if _checksum(number, copy, words_copy) != total:
            return None
        return Message(number, copy, words_copy)


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
