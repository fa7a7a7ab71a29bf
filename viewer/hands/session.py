"""What was done by hand, kept: a recording, and a test that plays it again."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from viewer.files import check_place

if TYPE_CHECKING:
    from sim.story.file.reel import Reel

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


def save_session(reel: "Reel", folder: Path) -> Saved:
    """Write all frames that are there as the next session of a folder.

    ``session-N.vtkhdf``, the recording; ``test_session_N.py``, which answers for its
    positions once more and wants the same contacts; and the golden file of that test.
    N is the first number of which there is no file.

    Raises
    ------
    OSError
        If the folder is not there or cannot be written to.
    RecordingError, ValueError
        If the frames make no recording (see `sim.story.file.reel.Reel.save_as`).
    """
    from sim import Story

    number = next(
        n for n in range(1, 10**9) if not any(map(Path.exists, _names(folder, n)))
    )
    recording, test, golden = _names(folder, number)
    check_place(recording)
    with reel.save_as(recording) as saved:
        frames = len(saved)
        story = Story.of(saved, numbers=True)
    golden.parent.mkdir(exist_ok=True)
    story.write(golden)
    test.write_text(_TEST.format(n=number, recording=recording.name), encoding="utf-8")
    return Saved(recording, test, golden, frames)


def _names(folder: Path, n: int) -> tuple[Path, Path, Path]:
    return (
        folder / f"session-{n}.vtkhdf",
        folder / f"test_session_{n}.py",
        folder / f"test_session_{n}" / f"session-{n}.story",
    )
