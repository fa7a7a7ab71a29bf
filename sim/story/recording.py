"""A recorded run: its frames, its story, and the same run once more."""

import operator
import os
from collections.abc import Iterator
from contextlib import closing
from functools import cached_property
from hashlib import blake2b
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self, overload

from sim.contact_manager import ContactRules
from sim.events.event import Event
from sim.frame import Frame
from sim.scripts import Note
from sim.story.file.header import versions
from sim.story.file.inspection import check
from sim.story.file.reader import Reader
from sim.story.file.recorder import Recorder
from sim.story.file.rows import Raw
from sim.story.order import contact_table
from sim.story.story import Story
from sim.table import Table
from wingedge.registry import wings


class Recording:
    """Read a run that was recorded: ``rec[k]`` is its frame number k, from 0.

    A sequence of frames. Open one with ``Recording.open``; close it, or use it in a
    ``with`` block.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    @classmethod
    def open(cls, path: str | PathLike[str], *, untrusted: bool = False) -> Self:
        """Open a recording for reading.

        Raises RecordingError if there is no such file, or it is no recording, damaged
        beyond reading, or written by a newer version; says what to do.

        Parameters: ``untrusted``: let another process, with limits to its time and
        memory, read it from end to end first, so that nothing in it can crash this one
        or keep it waiting; that costs half a second and more.
        """
        name = fspath(path)
        if untrusted:
            check(Path(name))
        return cls(Reader(Path(name), name))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel by path: opened once more where it arrives."""
        return Recording.open, (os.path.abspath(self._reader.name),)

    @property
    def bodies(self) -> tuple[str, ...]:
        """The names of the bodies, in their order."""
        return self._reader.names

    @property
    def dt(self) -> float:
        """The time between two frames."""
        return self._reader.header.dt

    @property
    def rules(self) -> ContactRules:
        """What was fixed for the whole run: contact distance, resolution ..."""
        return self._reader.header.rules

    @property
    def notes(self) -> dict[str, Note]:
        """What was noted down when the run was recorded: scene, script, seeds ..."""
        return dict(self._reader.header.notes)

    @property
    def versions(self) -> dict[str, str]:
        """What answered: the versions of wingedge, Python, numpy, and the platform."""
        return dict(self._reader.header.versions)

    def __len__(self) -> int:
        """Count the frames."""
        return len(self._reader)

    @overload
    def __getitem__(self, k: int) -> Frame: ...
    @overload
    def __getitem__(self, k: slice) -> list[Frame]: ...

    def __getitem__(self, k: int | slice) -> Frame | list[Frame]:
        """Read a frame by its place in the recording, or a list of frames.

        Raises IndexError if there is no such frame; RecordingError if the file is
        damaged there.
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

    def table(self) -> Table:
        """Return all reported pairs of all frames as one table, a row each.

        The columns are those of ``Frame.table``.
        """
        return self._reader.table()

    def contacts(self, pattern: str | None = None, *, when: bool = False) -> Table:
        """Return every contact as a row; see ``sim.story.order.contact_table``.

        Parameters: ``pattern``: of which bodies, as ``foot/*``; ``when``: answer once
        more, to say when between two frames contacts began and ended; brushes are rows,
        too.
        """
        return contact_table(self.timed() if when else self, pattern)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order.

        Raises RecordingError if the story of any frame is not what was written.
        """
        return tuple(self._reader.happened())

    @cached_property
    def story(self) -> Story:
        """Everything that happened as a value, which outlives the file.

        Raises RecordingError if what the file tells cannot have happened.
        """
        source = self._reader
        first = int(source.indices[0]) if len(self) else 0
        with source.reading():
            events: Any = source.happened()  # frames are let go one by one
            r = max(self.rules.resolution, default=0.0)
            return Story(self.bodies, len(self), first, self.dt, events, (), r)

    @cached_property
    def digest(self) -> str:
        """Sum up all bits of all positions, poses and states in 16 hex digits.

        Two runs with the same digest gave the same answers to the bit, and told the
        same story of the same contacts. Only ``work`` is left out: it says what an
        answer cost, not what it is.
        """
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

        Raises RecordingError if it cannot be written; ValueError if it would overwrite
        the recording that it reads.

        Returns: the same ``digest``, where this version answers as the recorded one
        did.

        Parameters
        ----------
        path : optional
            Where to write the new recording; nowhere that lasts if left out.
        """
        source = self._reader
        stage = source.stage()
        start = Raw.of(stage, stage.told)
        header = source.header._replace(versions=versions())
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            target = Path(folder, "replay") if path is None else self._elsewhere(path)
            recorder = Recorder(target, header, start)
            with recorder if path else closing(recorder):
                for frame in self._reader.play(stage, len(self)):
                    recorder.written(stage, stage.told, frame)
            name = fspath(path) if path else f"replay of {source.name}"
            return Recording(Reader(target, name))

    def rerun(self) -> Iterator[Frame]:
        """Answer for the recorded positions and poses once more, frame by frame.

        ``first_difference(recording, recording.rerun())`` says where the answers part.
        """
        return self._reader.play(self._reader.stage(), len(self))

    def timed(self) -> Iterator[Frame]:
        """Answer once more, and say when between two frames things happened.

        Events have ``when`` and ``time``, and brushes are told, as in a world with
        ``between=True``: where vertices go straight, the frames alone determine it.
        """
        stage = self._reader.stage()
        times = wings.EventTimes(stage, self.dt)
        for frame in self._reader.play(stage, len(self)):
            yield times.timed(frame, stage.told)

    def save_as(
        self, path: str | PathLike[str], frames: slice = slice(None)
    ) -> "Recording":
        """Write a part of the recording, or all of it, to another file and open that.

        Frames keep their numbers, times, notes and versions, contacts their
        identities. What a killed process left becomes a file that was closed.

        Raises RecordingError if a frame is damaged, or it cannot be written; ValueError
        if the slice has a step or no frame, or it would overwrite the recording that it
        reads.

        Parameters: ``frames``: which ones, by their place; a slice without a step.
        """
        taken = range(len(self))[frames] if isinstance(frames, slice) else range(0)
        if taken.step != 1 or not (taken or frames == slice(None)):
            raise ValueError(
                f"save_as(frames={frames!r}): give a slice without a step, of some of "
                f"its {len(self)} frames, as in slice(100, 200)"
            )
        target, source = self._elsewhere(path), self._reader
        with Recorder(target, source.header, *source.part(taken)):
            pass
        return Recording.open(target)

    def close(self) -> None:
        """Close the file; frames that were read stay."""
        self._reader.close()

    def __enter__(self) -> Self:
        """Return the recording itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def __repr__(self) -> str:
        """Say what was recorded."""
        return f"Recording({self._reader.name!r}, {len(self)} frames of {self.bodies})"

    def _elsewhere(self, path: str | PathLike[str]) -> Path:
        target = Path(fspath(path))
        here = self._reader.path
        if target.exists() and here.exists() and target.samefile(here):
            raise ValueError(f"{target} is what is being read; give another name")
        return target
