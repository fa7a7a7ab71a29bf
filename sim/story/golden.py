"""Golden stories: what happened once, kept in a file beside the test."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sim.frame import Frame
from sim.story.recording import Recording
from sim.story.story import Story
from sim.world import World

if TYPE_CHECKING:
    from pytest_datadir.plugin import LazyDataDir

    from sim.story.compare import Comparison

Source = World | Recording | Story | Iterable[Frame]

SUFFIX = ".story"
FIXTURE = "contact_regression"
NEEDS = (
    f"{FIXTURE} keeps its files with pytest-regressions, which is not installed or "
    "switched off; run: pip install 'pytest-regressions>=2.7'"
)


class ContactRegression:
    """Compare what happens in a test with a file that says what happened once.

    What the fixture ``contact_regression`` returns.
    """

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request
        self._checked: set[str] = set()

    def check(
        self,
        source: Source,
        name: str | None = None,
        *,
        frames: int | None = None,
        frame_tolerance: int = 0,
        tolerance: float = 1e-9,
    ) -> None:
        """Fail the test unless the same happens as the golden file says.

        The file is ``TEST_MODULE/TEST_NAME.story`` beside the test module.  Where there
        is none it is written and the test fails once: look at it and commit it. ``pytest
        --force-regen`` writes the files of the tests that fail anew, ``--regen-all`` all.

        Parameters
        ----------
        source : World, Recording, Story or iterable of Frame
            What happened; a world is run on by so many ``frames``.
        name : str, optional
            The name of the file, for a test with several checks, or for several tests
            that should agree; that of the test with its parameters if left out.
        frames : int, optional
            How many frames; of a recording or an iterable all if left out.
        frame_tolerance, tolerance : optional
            By how many frames an event may be late or early, and by how much the
            distances of two equally good answers may differ; as in `sim.compare`.

        Raises
        ------
        ValueError, TypeError
            If the source, the name or the number of frames cannot be used.
        """
        __tracebackhide__ = True
        seen = _seen(source, frames)
        story = Story.of(seen)
        self._keep(
            self._basename(name),
            story,
            lambda golden: self._words(
                golden, seen, frame_tolerance=frame_tolerance, tolerance=tolerance
            ),
        )
