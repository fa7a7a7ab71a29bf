"""Look at a file in a process of its own first, which may crash or hang over it.

HDF5 trusts the numbers in a file, so whoever closes a recording writes a mark behind
the end that HDF5 knows: what all of it sums up to, which can be checked without HDF5.
What this process did not write and close itself is looked at by a child with limits
(`sim.story.file.apart`); only what the child came through is opened here.  Of a file
with a mark the child reads all but the rows of tables, which are plain bytes and have
seals; of one that was not closed, or was changed since, it reads everything.

The mark, 48 bytes: ``MAGIC``; three little-endian 64-bit numbers, frames, bytes of the
HDF5 file, 0 (where older versions counted bytes that were left out); 16 bytes BLAKE2 of
the first two numbers and the file.
"""

import os
import struct
from contextlib import suppress
from hashlib import blake2b
from io import SEEK_END
from pathlib import Path
from typing import IO

from sim.errors import RecordingError
from sim.story.file.apart import Apart
from sim.story.file.replacing import put

SIGNATURE = b"\x89HDF\r\n\x1a\n"  # how a file of HDF5 begins
MAGIC = b"wingedge"
TAIL = struct.Struct("<8sqqq16s")
SIZE = 16  # bytes of the digest
BLOCK = 1 << 20


def write_mark(file: IO[bytes], frames: int) -> None:
    """Put the mark behind a whole file."""
    size = file.seek(0, SEEK_END)
    mark = TAIL.pack(MAGIC, frames, size, 0, _digest(file, frames, size))
    try:
        put(file, mark)
    except OSError:
        file.truncate(size)  # half a mark is none
        raise


def read_mark(file: IO[bytes]) -> int | None:
    """Return how many frames a file has that is as it was when closed.

    None if it was not closed, or was changed since.
    """
    size = file.seek(0, SEEK_END) - TAIL.size
    if size < 0:
        return None
    file.seek(size)
    mark = file.read(TAIL.size)
    frames = TAIL.unpack(mark)[1]
    digest = _digest(file, frames, size)
    return frames if mark == TAIL.pack(MAGIC, frames, size, 0, digest) else None


def is_marked(path: Path) -> bool:
    """Say whether a mark is there, right or not; a closed recording has one."""
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, SEEK_END) - TAIL.size))
        return file.read(len(MAGIC)) == MAGIC


def _digest(file: IO[bytes], frames: int, size: int) -> bytes:
    """Sum up all bytes of the HDF5 file, and end behind them."""
    total = blake2b(struct.pack("<qq", frames, size), digest_size=SIZE)
    file.seek(0)
    for start in range(0, size, BLOCK):
        total.update(file.read(min(BLOCK, size - start)))
    return total.digest()


PATIENCE = 20.0  # seconds of the processor, before the first byte is read
MEMORY = 1 << 30  # bytes
Identity = tuple[int, int, int, int]
_known: set[Identity] = set()  # closed files that were written, or looked at, here


def check(path: Path) -> None:
    """Refuse what cannot be read here, without risk.

    Raises RecordingError saying what is wrong with the file, and what to do.
    """
    if not path.exists():
        raise RecordingError(f"{path}: there is no such file; check the name")
    if not path.is_file():
        what = "a folder" if path.is_dir() else "no file but a pipe or a device"
        raise RecordingError(f"{path}: is {what}; give the name of a recording")
    try:
        with path.open("rb") as file:
            identity = _identity(file.fileno())
            head = file.read(len(SIGNATURE))
            if not head:
                raise RecordingError(f"{path}: the file is empty; record the run again")
            if head != SIGNATURE:
                raise RecordingError(
                    f"{path}: is no recording; give a .vtkhdf file written by "
                    f"world.record"
                )
            frames = read_mark(file)
    except OSError as error:
        raise RecordingError(
            f"{path}: cannot be read ({error.strerror}); check who may read it"
        ) from error
    if frames is None or identity not in _known:
        inspect(path)
    if frames is not None:
        _known.add(identity)


def trust(descriptor: int) -> None:
    """Remember a file that was written and closed here; it may be renamed."""
    _known.add(_identity(descriptor))


def _identity(descriptor: int) -> Identity:
    told = os.fstat(descriptor)
    return told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns


def inspect(path: Path) -> None:
    """Let a child look at a file.

    Cost: 0.5 s to start it, and reading a file that was not closed.

    Raises RecordingError: what the child found, or that it did not survive.
    """
    try:
        with Apart(PATIENCE, MEMORY) as child:
            said = child.ask(path, read_all, "h5py", path.stat().st_size)
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
    from sim.story.file.reader import Reader

    try:
        with path.open("rb") as file:
            closed = read_mark(file) is not None
        reader = Reader.open(path, os.fspath(path), wary=True)
        if closed:
            reader.find_rows()
        else:
            for k in range(len(reader)):
                with suppress(RecordingError), reader.reading():
                    reader.raw(k)
        reader.file.close()
    except RecordingError as error:
        return str(error)
    return ""
