"""Replace a file as a whole: who reads it finds the old one or the new one.

The new one is written under a name of its own, which no link can lead away, and takes
the name that was asked for when it is on the disk.
"""

import errno
import glob
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

UNKNOWN = (errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)  # the call is none here
BLOCK = 1 << 16


@contextmanager
def beside(path: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """Open a new file in the folder of another; remove it if anything is raised.

    What killed processes left of one is removed first: nobody holds it.
    Raises OSError if it cannot be made.
    """
    stem = path.name[:40]
    for left in path.parent.glob(f"{glob.escape(stem)}.{'[0-9a-f]' * 8}.part"):
        with suppress(OSError), left.open("r+b") as found:
            if not left.is_symlink() and hold(found):
                left.unlink()
    made = path.with_name(f"{stem}.{secrets.token_hex(4)}.part")
    file = made.open("x+b", buffering=0)
    try:
        hold(file)
        yield made, file
    except BaseException:
        file.close()
        with suppress(OSError):
            made.unlink()
        raise


def hold(file: IO[bytes], *, on: bool = True) -> bool:
    """Hold a file that has no name yet, or let go; say if that is so; not on Windows.

    With its name it is let go: HDF5 opens no file for VTK that somebody holds.
    """
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB if on else fcntl.LOCK_UN)
        return True
    return False


def put(file: IO[bytes], data: bytes | memoryview) -> None:
    """Write all of it: to a file without a buffer a part may be written."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def take_name(made: Path, file: IO[bytes], path: Path) -> None:
    """Give a new file the name of an old one, after it is on the disk."""
    os.fsync(file.fileno())
    made.replace(path)
    hold(file, on=False)


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
        if target.exists():
            made.chmod(target.stat().st_mode & 0o7777)
        take_name(made, file, target)


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
            if getattr(error, "errno", None) not in (None, *UNKNOWN):
                raise
            for at in range(was, size, BLOCK):
                os.pwrite(fd, bytes(min(BLOCK, size - at)), at)
    except OSError:
        os.ftruncate(fd, was)
        raise
