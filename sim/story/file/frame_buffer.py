"""Frames of a world in memory, with what it takes to write them as a recording."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from sim.contact_manager import ContactManager
from sim.frame import Frame
from sim.scripts import NO_NOTES, Note, Notes
from sim.story.checkpoint import Checkpoint

if TYPE_CHECKING:
    from sim.story.recording import Recording


class FrameBuffer:
    """Keep the last frames of a world; made by ``World.reel``.

    A sequence of frames that follow one another. What has no room may be dropped at
    its beginning; what is written then is a part of the run that replays to the same
    bits, like that of ``Recording.save_as``.

    Examples
    --------
    >>> from sim import Body, World
    >>> from wingedge import shapes
    >>> world = World([Body(shapes.box(1.0), name="box")])
    >>> reel = world.reel()
    >>> for _ in range(3):
    ...     reel.append(world.step())
    >>> [frame.index for frame in reel]
    [0, 1, 2]
    """

    def __init__(
        self,
        stage: ContactManager,
        dt: float,
        notes: Mapping[str, Note],
        next_index: Callable[[], int],
    ) -> None:
        self._stage = stage
        self._dt = dt
        self._notes = notes
        self._next_index = next_index
        self._kept: deque[tuple[Frame, Checkpoint]] = deque()
        self._start: Checkpoint | ValueError
        try:
            self._start = Checkpoint.into_next(stage)
        except ValueError as error:  # refused where it is written: it may never be
            self._start = error

    def __len__(self) -> int:
        """Count the frames that are kept."""
        return len(self._kept)

    def __getitem__(self, k: int) -> Frame:
        """Return a frame by its place among those that are kept."""
        return self._kept[k][0]

    def __iter__(self) -> Iterator[Frame]:
        """Go through the frames that are kept."""
        return (frame for frame, _ in self._kept)

    def append(self, frame: Frame) -> None:
        """Keep the frame that the world has just made.

        Raises ValueError if the world has gone on since, or it does not follow the last
        one.
        """
        last = self[-1].index if self._kept else frame.index - 1
        if frame.index != self._next_index() - 1 or frame.index != last + 1:
            raise ValueError(
                f"frame {frame.index} cannot be kept after frame {last}, when the next "
                f"one of the world is {self._next_index()}; keep every frame before "
                f"the next step: reel.append(world.step())"
            )
        self._kept.append((frame, Checkpoint.out_of(self._stage)))

    def drop(self) -> Frame:
        """Drop the oldest frame and return it.

        Raises IndexError if there is none.
        """
        frame, carry = self._kept.popleft()
        if isinstance(self._start, Checkpoint):
            self._start = self._start.after(carry)
        return frame

    def save_as(
        self, path: str | PathLike[str], notes: Notes = NO_NOTES
    ) -> "Recording":
        """Write the frames to a VTKHDF file, replacing what was there, and open that.

        Raises RecordingError if it cannot be written, or a body was given another mesh
        on the way; ValueError if there is no frame, or the world began with a contact
        by a feature that was edited away.

        Parameters: ``notes``: what to keep beside the frames, after the notes of the
        world.
        """
        from sim.story.file.header import Header
        from sim.story.file.recorder import Recorder
        from sim.story.recording import Recording

        if not self._kept:
            raise ValueError("no frame was kept; step the world first")
        if isinstance(self._start, ValueError):
            raise self._start
        file = Path(fspath(path))
        header = Header.of(self._stage, self._dt, {**self._notes, **notes})
        with Recorder.create(file, header, self._start, self._kept):
            pass
        return Recording.open(file)
