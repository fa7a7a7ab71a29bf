"""Expected stories in a test: asked for once at least, with a picture if wanted."""

import pytest

from sim.story.story import Story
from sim.story.testing.expectation import Expectation
from sim.story.testing.runs import Source, frame_of, run_of
from sim.story.testing.views import try_picture


class ExpectContacts:
    """Make expectations: what the fixture ``expect_contacts`` gives.

    Attributes
    ----------
    unasked : list of str
        The texts of those that were compared with nothing so far.
    """

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request
        self.unasked: list[str] = []

    def __call__(self, text: str) -> "Asked":
        """Expect a story; the grammar is in `sim.story.testing.script`.

        Raises
        ------
        ValueError
            Naming the step and the character that cannot be read.
        """
        __tracebackhide__ = True  # pytest shows the line of the test
        expectation = Expectation.parse(text)
        self.unasked.append(text)
        return Asked(expectation, self, self._request)


class Asked:
    """An expectation that a test is to compare with what happens."""

    def __init__(
        self,
        expectation: Expectation,
        owner: ExpectContacts,
        request: pytest.FixtureRequest,
    ) -> None:
        self._expectation = expectation
        self._owner = owner
        self._request = request

    def of(self, source: Source, frames: int | None = None) -> None:
        """Fail the test unless what happens is as expected.

        Parameters
        ----------
        source : World, Recording, Story or iterable of Frame
            What happens.
        frames : int, optional
            How many frames: of a world so many from now on, else the first so many.
        """
        __tracebackhide__ = True  # pytest shows the line of the test
        if self._expectation.text in self._owner.unasked:
            self._owner.unasked.remove(self._expectation.text)
        run = run_of(source, frames)
        story = Story.of(run)
        mismatch = self._expectation.mismatch(story.events, story.bodies)
        if mismatch is None:
            return
        words = mismatch.words
        if self._request.config.getoption("contact_picture"):
            folder = self._request.getfixturevalue("tmp_path")
            path = folder / "not_as_expected.png"
            words += "\n\n" + try_picture(frame_of(run, mismatch.frame), path)
        raise AssertionError(words)
