"""Save what was done by hand as a recording, and a test that plays it again."""

from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from sim.run import Reel
from viewer.files import check_place

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


def save_session(reel: Reel[Any], folder: Path) -> Saved:
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
