"""Replace a file as a whole: who reads it finds the old one or the new one.

The new one is written under a name of its own, which no link can lead away, and takes
the name that was asked for when it is on the disk.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from time import time
from typing import IO

OLD = 3600.0  # seconds without a change after which nobody writes to a part


@contextmanager
def beside(path: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """Open a new file in the folder of another; remove it if anything is raised.

    And what a kill has left of an earlier one, untouched for an hour.

    Raises OSError if it cannot be made.
    """
    start = path.name[:40]
    for left in path.parent.glob(f"{escape(start)}.{8 * '[0-9a-f]'}.part"):
        with suppress(OSError):
            if not left.is_symlink() and time() - left.stat().st_mtime > OLD:
                left.unlink()
    made = path.with_name(f"{start}.{secrets.token_hex(4)}.part")
    file = made.open("x+b", buffering=0)
    try:
        yield made, file
    except BaseException:
        file.close()
        with suppress(OSError):
            made.unlink()
        raise


def put(file: IO[bytes], data: bytes | memoryview) -> None:
    """Write all of it: to a file without a buffer a part may be written."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def take_name(made: Path, file: IO[bytes], path: Path) -> None:
    """Give a new file the name of an old one, after it is on the disk.

    It is closed where a system keeps open files from being renamed.
    """
    os.fsync(file.fileno())
    if os.name != "posix":
        file.close()
    made.replace(path)
