"""Replace a file as a whole: who reads it finds the old one or the new one."""

import os
import secrets
from contextlib import suppress
from glob import escape
from pathlib import Path
from time import time
from typing import Self

OLD = 3600.0  # seconds without a change after which nobody writes to a part


class Replacement:
    """A new file in the folder of another, whose name it takes when that is asked.

    It is written under a name of its own, which no link can lead away, and what a kill
    has left of an earlier one, untouched for an hour, is removed.  In a ``with`` block
    it is closed and removed if anything is raised before it took the name.

    Raises OSError if it cannot be made.
    """

    def __init__(self, path: Path) -> None:
        start = path.name[:40]
        for left in path.parent.glob(f"{escape(start)}.{8 * '[0-9a-f]'}.part"):
            with suppress(OSError):
                if not left.is_symlink() and time() - left.stat().st_mtime > OLD:
                    left.unlink()
        self.path = path
        self.made: Path | None = path.with_name(f"{start}.{secrets.token_hex(4)}.part")
        self.file = self.made.open("x+b", buffering=0)

    def put(self, data: bytes | memoryview) -> None:
        """Write all of it: to a file without a buffer a part may be written."""
        left = memoryview(data)
        while left:
            left = left[self.file.write(left) :]

    def take_name(self) -> None:
        """Replace the file of that name, once, after this one is on the disk."""
        if self.made is not None:
            os.fsync(self.file.fileno())
            if os.name != "posix":  # where open files are not renamed
                self.file.close()
            self.made.replace(self.path)
            self.made = None
            if self.file.closed:
                self.file = self.path.open("r+b", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None and self.made is not None:
            self.file.close()
            with suppress(OSError):
                self.made.unlink()
