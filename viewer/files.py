"""Write files that appear only when they are complete, and sessions done by hand."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from sim.run import Reel

Item = TypeVar("Item")


def counted(
    items: Sequence[Item], told: Callable[[int, int], None] | None
) -> Iterator[Item]:
    """Go through some items; tell after each how many are done, and how many are."""
    for done, item in enumerate(items, 1):
        yield item
        if told is not None:
            told(done, len(items))


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
    """Give a name to write to; file or folder, it replaces ``path`` afterwards.

    If the block raises, ``path`` is as it was before, and nothing is left over.
    """
    check_place(path)
    # hidden beside it, of this process, with the same ending
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        yield temporary
        if temporary.exists():  # else it was renamed already
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
        shutil.rmtree(temporary, ignore_errors=True)
        with suppress(OSError):
            temporary.unlink()


_TEST = '''"""Session {n}, done by hand: its contacts are as they were then."""

from pathlib import Path

from sim import Recording

HERE = Path(__file__).parent


def test_session_{n}(contact_regression):
    """The same bodies in the same places meet by the same features."""
    with Recording.open(HERE / "{recording}") as recording:
        contact_regression.check(recording.replay(), name="session-{n}")
'''


class Saved(NamedTuple):
    """The files of one session."""

    recording: Path  # session-N.vtkhdf
    test: Path  # test_session_N.py
    golden: Path  # test_session_N/session-N.story
    frames: int

    def __str__(self) -> str:
        return (
            f"saved {self.frames} frames: {self.recording.name}; "
            f"pytest {self.test.name} plays them again"
        )


def save_session(reel: "Reel[Any]", folder: Path) -> Saved:
    """Write all frames that are there as the next session of a folder.

    ``session-N.vtkhdf``, a test that answers for its positions once more, and its
    golden file. Raises OSError, RecordingError, ValueError where that fails.
    """
    from sim import Story

    for number in count(1):
        recording = folder / f"session-{number}.vtkhdf"
        test = folder / f"test_session_{number}.py"
        golden = test.with_suffix("") / f"session-{number}.story"
        if not any(map(Path.exists, (recording, test, golden))):
            break
    check_place(recording)
    with reel.save_as(recording) as saved:
        frames = len(saved)
        story = Story.of(saved, numbers=True)
    golden.parent.mkdir(exist_ok=True)
    story.write(golden)
    test.write_text(_TEST.format(n=number, recording=recording.name), encoding="utf-8")
    return Saved(recording, test, golden, frames)
