"""A recorded run: its frames, its story, and the same run once more."""

import operator
from collections.abc import Callable, Iterator
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, overload

from sim.body.body import Body
from sim.frame import Camera, Frame
from sim.stage import Stage
from sim.story.events import Event
from sim.story.story import Story

if TYPE_CHECKING:
    from sim.story.reader import Reader


class Recording:
    """Read a run that was recorded: ``rec[k]`` is its frame number k, from 0.

    A sequence of frames. Open one with ``Recording.open``; close it, or use it in a
    ``with`` block.
    """

    def __init__(self, reader: "Reader") -> None:
        self._reader = reader

    @classmethod
    def open(cls, path: str | PathLike[str]) -> Self:
        """Open a recording for reading.

        Raises
        ------
        RecordingError
            If there is no such file, or it is no recording, damaged beyond reading, or
            written by a newer version; says what to do.
        """
        from sim.story.reader import Reader

        return cls(Reader.open(Path(fspath(path)), fspath(path)))

    @property
    def bodies(self) -> tuple[str, ...]:
        """The names of the bodies, in their order."""
        return tuple(cast.name for cast in self._reader.header.casts)

    @property
    def dt(self) -> float:
        """The time between two frames."""
        return self._reader.header.dt

    def __len__(self) -> int:
        """Count the frames."""
        return len(self._reader)

    @overload
    def __getitem__(self, k: int) -> Frame: ...
    @overload
    def __getitem__(self, k: slice) -> list[Frame]: ...

    def __getitem__(self, k: int | slice) -> Frame | list[Frame]:
        """Read a frame by its place in the recording, or a list of frames.

        Raises
        ------
        IndexError
            If there is no such frame.
        RecordingError
            If the file is damaged there.
        """
        if isinstance(k, slice):
            return [self._reader.frame(i) for i in range(*k.indices(len(self)))]
        i = operator.index(k)
        if not -len(self) <= i < len(self):
            raise IndexError(
                f"{self._reader.name}: there is no frame {i} among {len(self)}"
            )
        return self._reader.frame(i % len(self))

    def __iter__(self) -> Iterator[Frame]:
        """Read frame after frame."""
        return (self._reader.frame(k) for k in range(len(self)))

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order."""
        frames = map(self._reader.frame, self._reader.happened())
        return tuple(event for frame in frames for event in frame.events)

    @cached_property
    def story(self) -> Story:
        """Everything that happened as a value, which outlives the file.

        Raises
        ------
        RecordingError
            If what the file tells cannot have happened.
        """
        first = self._reader.index(0) if len(self) else 0
        with self._reader.reading("record the run again"):
            return Story(self.bodies, len(self), first, self.dt, self.events)

    @cached_property
    def digest(self) -> str:
        """Sum up all bits of all positions, poses and states in 16 hex digits.

        Two runs with the same digest gave the same answers to the bit, and told the
        same story of the same contacts. Only ``work`` is left out: it says what an
        answer cost, not what it is.
        """
        from hashlib import blake2b

        total = blake2b(digest_size=8)
        for part in self._reader.bits():
            total.update(part)
        for event in self.events:
            total.update(f"{event.contact} {event}\n".encode())
        return total.hexdigest()

    @property
    def story_digest(self) -> str:
        """Sum up the lines of all events, and nothing else, in 16 hex digits."""
        return self.story.digest

    def replay(self, path: str | PathLike[str] | None = None) -> "Recording":
        """Answer for the recorded positions and poses once more.

        Parameters
        ----------
        path : optional
            Where to write the new recording; it is kept in memory if left out.

        Returns
        -------
        Recording
            The same ``digest``, where this version answers as the recorded one did.

        Raises
        ------
        RecordingError
            If it cannot be written.
        ValueError
            If it would overwrite the recording that it reads.
        """
        from sim.story.reader import Reader
        from sim.story.recorder import Recorder

        source = self._reader
        bodies = [cast.make() for cast in source.header.casts]
        stage = Stage(bodies, source.header.rules)
        stage.recall(source.start(bodies), source.header.next_contact)
        stage.stand(source.standings())
        if path is None:
            recorder = Recorder.in_memory(stage, dt=self.dt)
            self._play(bodies, stage, recorder.write)
            recorder.finish()
            return Recording(Reader(recorder.file, f"replay of {source.name}"))
        target = Path(fspath(path))
        if target.exists() and target.samefile(source.file.filename):
            raise ValueError(f"{target} is what is being replayed; give another name")
        with Recorder.create(target, stage, dt=self.dt) as recorder:
            self._play(bodies, stage, recorder.write)
        return Recording.open(target)

    def close(self) -> None:
        """Close the file; frames that were read stay."""
        self._reader.file.close()

    def __enter__(self) -> Self:
        """Return the recording itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    def __repr__(self) -> str:
        """Say what was recorded."""
        return f"Recording({self._reader.name!r}, {len(self)} frames of {self.bodies})"

    def _play(
        self, bodies: list[Body], stage: Stage, write: Callable[[Frame], None]
    ) -> None:
        """Put the bodies where they were, frame by frame, and answer for them there."""
        source = self._reader
        cameras = [Camera(body) for body in bodies]
        for k in range(len(source)):
            with source.reading():
                placements = source.placements(k)
            for body, placement in zip(bodies, placements, strict=True):
                placement.put(body)
            index, time = source.index(k), source.time(k)
            pairs, events = stage.advance(index)
            seen = tuple(camera.take() for camera in cameras)
            write(Frame(index, time, pairs, events, seen))
