"""What can be compared: stories, and runs of which the positions are known too."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from typing import NamedTuple

from sim.frame import Frame
from sim.story.recording import Recording
from sim.story.story import Story, is_recording

Source = Story | Recording | str | PathLike[str] | Iterable[Frame]
Frames = Recording | list[Frame]


class Side(NamedTuple):
    """One of the two that are compared."""

    story: Story
    run: Frames | None  # None: no positions are known

    def frame(self, index: int) -> Frame | None:
        """Return the frame of this number, if its positions are known."""
        k = index - self.story.first
        if self.run is None or not 0 <= k < len(self.run):
            return None
        return self.run[k]


@contextmanager
def opened(source: Source) -> Iterator[Side]:
    """Read a story, and the run that it is of as far as there is one.

    Raises OSError or ValueError if a file cannot be read, or holds neither a story nor
    a recording; TypeError if the source is something else.
    """
    if isinstance(source, Story):
        yield Side(source, None)
    elif isinstance(source, Recording):
        yield Side(Story.of(source), source)
    elif isinstance(source, str | PathLike):
        if is_recording(source):
            with Recording.open(source) as recording:
                yield Side(Story.of(recording), recording)
        else:
            yield Side(Story.read(source), None)
    elif isinstance(source, Iterable):
        frames = list(source)
        yield Side(Story.of(frames), frames)
    else:
        raise TypeError(
            f"no story can be told of {type(source).__name__}; give a Story, a "
            f"Recording, the name of a file with one of these, or frames as of "
            f"world.run(100)"
        )
