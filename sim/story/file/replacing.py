"""Replace a file as a whole: who reads it finds the old one or the new one.

The new one is written under a name of its own, which nobody else has and no link can
lead away, and takes the name that was asked for when it is on the disk.
"""

import errno
import os
import re
import secrets
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

LOCK = struct.Struct("hhqqi4x")  # struct flock: type, from where, first byte, length
MARKED = 1 << 62  # the byte that a writer locks: no reader's library asks for it

UNKNOWN = (errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)  # the call is none here
BLOCK = 1 << 16


@contextmanager
def beside(path: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """Open a new file in the folder of another; remove it if anything is raised.

    It is locked until it is closed, and what killed processes left is removed first.
    Raises OSError if it cannot be made.
    """
    sweep(path)
    made = path.with_name(f"{path.name[:40]}.{secrets.token_hex(4)}.part")
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL  # which refuses a link, too
    for name in ("O_CLOEXEC", "O_BINARY", "O_NOINHERIT"):
        flags |= getattr(os, name, 0)
    mine = True
    try:
        mine = not os.path.lexists(made)
        file = open(os.open(made, flags, 0o666), "r+b", buffering=0)  # noqa: SIM115
        try:
            lock(file)
            if is_gone(file):
                raise FileExistsError(f"{path} is being written by another, too")
            yield made, file
        except BaseException:
            file.close()
            raise
    except BaseException:
        if mine:
            with suppress(OSError):
                made.unlink()
        raise


def sweep(path: Path) -> None:
    """Remove what killed processes left of a file: nobody holds its lock; Linux only.

    Names of the command line have the number of their process, too.
    """
    name = re.sub(r"^\.(.+)\.\d+\.part(\.\w+)$", r"\1\2", path.name)
    stem, dot, ending = map(re.escape, name.rpartition("."))
    end = r"\.[0-9a-f]{8}\.part"
    left = rf"{re.escape(name[:40])}{end}|\.{stem}\.\d+\.part{dot}{ending}({end})?"
    for file in path.parent.glob("*.part*"):
        if re.fullmatch(left, file.name) and file.is_file() and not file.is_symlink():
            with suppress(OSError), file.open("r+b") as opened:
                if lock(opened):
                    file.unlink()


def put(file: IO[bytes], data: bytes) -> None:
    """Write all of it: to a file without a buffer a part may be written."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def take_name(made: Path, file: IO[bytes], path: Path) -> None:
    """Give a new file the name of an old one, after it is on the disk."""
    os.fsync(file.fileno())
    made.replace(path)
    with suppress(OSError):  # not every system opens folders
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def replace_text(path: Path, data: bytes) -> None:
    """Replace what a file holds; what is no plain file is written to.

    A link stays, and what it leads to keeps who may read it.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    target = Path(os.path.realpath(path))
    with beside(target) as (made, file), file:
        put(file, data)
        if target.exists() and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), target.stat().st_mode & 0o7777)
        take_name(made, file, target)


def lock(file: IO[bytes]) -> bool:
    """Mark a file as written here, until it is closed; say if it is; Linux only."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        mark = LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, MARKED, 1, 0)
        fcntl.fcntl(file.fileno(), fcntl.F_OFD_SETLK, mark)
        return True
    return False


def is_locked(path: Path) -> bool:
    """Say whether another file that is open is this one, and is being written."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        with path.open("rb") as file:
            mark = LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, MARKED, 1, 0)
            found = fcntl.fcntl(file.fileno(), fcntl.F_OFD_GETLK, mark)
            return bool(LOCK.unpack(found)[0] != fcntl.F_UNLCK)
    return False


def is_gone(file: IO[bytes]) -> bool:
    """Say whether a file has lost its name, to another or altogether."""
    return os.name == "posix" and os.fstat(file.fileno()).st_nlink == 0


def lengthen(fd: int, size: int) -> None:
    """Give a file room up to a size: what is written there later finds its place.

    Raises OSError if there is none; the file is as long as it was.
    """
    was = os.fstat(fd).st_size
    if was >= size:
        return
    try:
        try:
            os.posix_fallocate(fd, was, size - was)
        except (AttributeError, OSError) as error:
            if getattr(error, "errno", errno.ENOSYS) not in UNKNOWN:
                raise
            for at in range(was, size, BLOCK):
                os.pwrite(fd, bytes(min(BLOCK, size - at)), at)
    except OSError:
        os.ftruncate(fd, was)
        raise
