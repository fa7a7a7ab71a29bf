"""Write files that appear only when they are complete."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def check_place(path: Path) -> None:
    """Raise ``OSError`` unless a file can be written there; before the work is done."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent}; create it first")
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(f"{path}: the folder cannot be written to")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a name to write a file to; it replaces ``path`` afterwards.

    If the block raises, ``path`` is as it was before, and nothing is left over.
    """
    check_place(path)
    # hidden beside it, of this process, with the same ending
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        yield temporary
        if temporary.exists():  # else nothing was written
            os.replace(temporary, path)
    except Exception as error:
        # the file that was asked for is named, not the one that was written
        error.args = tuple(
            part.replace(str(temporary), str(path)) if isinstance(part, str) else part
            for part in error.args
        )
        if isinstance(error, OSError) and error.filename in (temporary, str(temporary)):
            error.filename = str(path)
        raise
    finally:
        with suppress(OSError):
            temporary.unlink()
