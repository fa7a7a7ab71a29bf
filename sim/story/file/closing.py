"""The mark behind a recording that was closed: nothing in its skeleton has changed.

A file is opened by HDF5, which may crash or run for ever on damaged bytes of its own
(the skeleton: all but the rows of tables).  So whoever closes a recording writes behind
the end that HDF5 knows what the skeleton sums up to; it can be checked without HDF5.
What was not closed, or was changed since, has no such mark or a wrong one, and is left
to a process of its own (``sim.story.file.inspection``).  Damaged rows are told by
their seals.

Layout, from the end of the file: 16 bytes BLAKE2 of the skeleton and of all that
follows here; ``MAGIC``; three little-endian 64-bit numbers, frames, bytes of the HDF5
file, gaps; the gaps, a first byte and a length each.
"""

import struct
from collections.abc import Iterable
from hashlib import blake2b
from io import SEEK_END
from typing import IO

import numpy as np
from numpy.typing import NDArray

from sim.story.file.replacing import put

SIGNATURE = b"\x89HDF\r\n\x1a\n"  # how a file of HDF5 begins
MAGIC = b"wingedge"
TAIL = struct.Struct("<8sqqq16s")
SIZE = 16  # bytes of the digest
BLOCK = 1 << 20

Gaps = NDArray[np.int64]  # (n, 2) first byte and length, ascending, apart


def gaps_between(chunks: Iterable[tuple[int, int]]) -> Gaps:
    """Join pieces of a file, first byte and length each, that follow each other."""
    found: list[list[int]] = []
    for first, length in sorted(chunks):
        if found and sum(found[-1]) == first:
            found[-1][1] += length
        else:
            found.append([first, length])
    return np.array(found, np.int64).reshape(-1, 2)


def write_mark(file: IO[bytes], frames: int, gaps: Gaps) -> None:
    """Put the mark behind a whole file; ``gaps`` are the rows of its tables."""
    size = file.seek(0, SEEK_END)
    digest = _digest(file, frames, size, gaps)
    file.seek(size)
    try:
        put(file, gaps.tobytes() + TAIL.pack(MAGIC, frames, size, len(gaps), digest))
    except OSError:
        file.truncate(size)  # half a mark is none
        raise


def read_mark(file: IO[bytes]) -> int | None:
    """Return how many frames a file has whose skeleton is as it was when closed.

    None if it was not closed, or was changed since.
    """
    whole = file.seek(0, SEEK_END)
    if whole < TAIL.size:
        return None
    file.seek(whole - TAIL.size)
    magic, frames, size, count, digest = TAIL.unpack(file.read(TAIL.size))
    if magic != MAGIC or size + 16 * count + TAIL.size != whole:
        return None
    if not 0 <= 128 * count <= size:
        return None  # more gaps than tables ever have: it would only cost memory
    file.seek(size)
    gaps = np.frombuffer(file.read(16 * count), np.int64).reshape(-1, 2)
    if digest != _digest(file, frames, size, gaps):
        return None
    return int(frames)


def _digest(file: IO[bytes], frames: int, size: int, gaps: Gaps) -> bytes:
    """Sum up all bytes of the HDF5 file but the gaps, and the gaps themselves."""
    total = blake2b(struct.pack("<qq", frames, size) + gaps.tobytes(), digest_size=SIZE)
    at = 0
    for first, length in [*gaps.tolist(), (size, 0)]:
        if not at <= first <= size or length < 0:
            return b""  # no such gaps: the mark itself is damaged
        file.seek(at)
        for start in range(at, first, BLOCK):
            total.update(file.read(min(BLOCK, first - start)))
        at = first + length
    return total.digest()
