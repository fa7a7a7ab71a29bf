"""Write a run to a file while it runs.

The file is one HDF5 file with two halves: ``VTKHDF`` is what ParaView shows (see
``sim.story.file.vtkhdf``), ``wingedge`` is what a replay needs, exact to the bit:

==============  ======================================================================
attributes      format, dt, distances and margin (NaN: left out), ignore, seal
``notes``       what the user noted down, JSON; ``versions``: what answered
``meshes/k``    the arrays of a mesh
``bodies/k``    name, mesh, convexity, flatness, pieces
``start``       the pairs before the first frame, where a run was joined midway
``frames`` ...  the tables that grow, as listed in ``sim.story.file.layout``
``ends``        where every frame ends in them
``seals``       checksums of every frame, see ``sim.story.file.seals``
==============  ======================================================================

Tables may hold more rows than were written; ``VTKHDF/bodies/Steps`` says in ``NSteps``
how many frames are whole.  Behind a file that was closed is a mark, see
``sim.story.file.closing``.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import h5py
import numpy as np

from sim.errors import RecordingError, advice
from sim.frame import Frame
from sim.stage import Carry
from sim.story.file import vtkhdf
from sim.story.file.closing import gaps_between, write_mark
from sim.story.file.frame_rows import FrameRows
from sim.story.file.header import Header, write_header
from sim.story.file.inspection import trust
from sim.story.file.layout import ENDS, SEALS, tables
from sim.story.file.seals import frame_seal, story_seal
from sim.story.file.table import Rows, Table, append, flush, make_room, trim

LONGEST = 300  # letters of what the system said that a message repeats

_in_memory = count()


class Recorder:
    """Append frames to a recording; each is whole before the next one begins."""

    def __init__(
        self, file: h5py.File, header: Header, start: Carry, raw: IO[bytes] | None
    ) -> None:
        self._file = file
        self._raw = raw  # the same file: it may be renamed while it is written
        self._name = str(file.filename)
        self._header = header
        self._meshes = [cast.mesh for cast in header.casts]
        self._place = {cast.name: k for k, cast in enumerate(header.casts)}
        first = vtkhdf.first_vertices(self._meshes)
        root = vtkhdf.make_root(file)
        self._contacts = vtkhdf.ContactsBlock(root)
        self._bodies = vtkhdf.BodiesBlock(root, self._meshes)
        group = file.create_group("wingedge", track_order=True)
        self._seal = write_header(group, header, start)
        room = {
            "frames": vtkhdf.ROOM,
            "events": vtkhdf.ROOM,
            "placements": vtkhdf.ROOM * max(1, len(self._meshes)),
            "positions": vtkhdf.ROOM * max(1, int(first[-1])),
            "states": vtkhdf.ROOM * max(1, len(self._meshes)),
            "memories": vtkhdf.ROOM * max(1, len(self._meshes)),
        }
        self._tables = {
            name: Table(group, name, *column, room=room.get(name, vtkhdf.ITEMS))
            for name, column in tables(header.rules).items()
        }
        self._ends = Table(group, ENDS, "<i8", (len(self._tables),), room=vtkhdf.ROOM)
        self._seals = Table(group, SEALS, "<u8", (2,), room=vtkhdf.ROOM)
        self._rows = FrameRows(header, first)
        self._count = vtkhdf.StepCount(root)
        flush(file)

    @classmethod
    def create(
        cls,
        path: Path,
        header: Header,
        start: Carry,
        frames: Iterable[tuple[Frame, Carry]] = (),
    ) -> Self:
        """Create a recording, replacing the file that was there.

        ``frames`` are written before it has its name.

        Raises
        ------
        RecordingError
            If it cannot be written there.
        """
        # A file with half a head must never stand under the name that was asked for.
        # (Windows keeps the name of an open file: there it does, for a moment.)
        made = path.with_name(f"{path.name}.part") if os.name == "posix" else path
        recorder = None
        try:
            if path.is_dir():
                raise IsADirectoryError(f"{path} is a folder")
            file = h5py.File(made, "w", libver="earliest", locking=False)
            recorder = cls(file, header, start, made.open("r+b"))
            recorder._name = str(path)
            for frame, carry in frames:
                recorder.write(frame, carry)
            if made != path:
                made.replace(path)
        except (OSError, RuntimeError, RecordingError) as error:
            if recorder is not None:
                recorder._drop()
            with suppress(OSError):
                if made != path:
                    made.unlink()
            if isinstance(error, RecordingError):
                raise
            raise RecordingError(
                f"{path}: cannot be written ({reason(error)}); {advice(error)}"
            ) from error
        return recorder

    @classmethod
    def in_memory(cls, header: Header, start: Carry) -> Self:
        """Create a recording that is no file and is gone when it is closed."""
        name = f"wingedge recording {next(_in_memory)}"  # HDF5 knows files by name
        file = h5py.File(
            name, "w", driver="core", backing_store=False, libver="earliest"
        )
        return cls(file, header, start, None)

    @property
    def file(self) -> h5py.File:
        """The file, open."""
        return self._file

    def write(self, frame: Frame, carry: Carry) -> None:
        """Append a frame, and what is carried out of it; hand both to the system.

        Raises
        ------
        RecordingError
            If the file refuses it, or a body has another mesh than at the beginning:
            a recording holds the topology once. The frames before can still be read.
        """
        for body, mesh in zip(frame.bodies, self._meshes, strict=True):
            if body.mesh is not mesh:
                raise RecordingError(
                    f"{self._name}: frame {frame.index} cannot be written, since body "
                    f"'{body.name}' has another mesh now and a recording holds one; "
                    "end the recording before replace(), and begin another one after"
                )
        try:
            rows = self._all_rows(frame, carry)
            make_room(self._file, rows)
            append(rows)
            self._count.write(self._ends.count)
            flush(self._file)
        except (OSError, RuntimeError) as error:
            raise RecordingError(
                f"{self._name}: frame {frame.index} could not be written "
                f"({reason(error)}); is the disk full?"
            ) from error

    def finish(self) -> None:
        """Give back the room that is not used, and leave the file open."""
        own = (*self._tables.values(), self._ends, self._seals)
        trim([*own, *self._bodies.tables, *self._contacts.tables])
        flush(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._close()
        except (OSError, RuntimeError) as trouble:
            if error is None:
                raise RecordingError(
                    f"{self._name}: could not be completed ({reason(trouble)}); the "
                    f"frames that were written can be read"
                ) from trouble
        finally:
            self._drop()

    def _drop(self) -> None:
        """Close the file as it is."""
        self._file.close()
        if self._raw is not None:
            self._raw.close()

    def _close(self) -> None:
        """End the file, and mark that it was ended."""
        self.finish()
        own = (*self._tables.values(), self._ends, self._seals)
        growing = (*own, *self._bodies.tables, *self._contacts.tables)
        gaps = gaps_between(chunk for table in growing for chunk in table.chunks())
        self._file.close()
        if self._raw is not None:
            write_mark(self._raw, self._ends.count, gaps)
            trust(self._raw.fileno())

    def _all_rows(self, frame: Frame, carry: Carry) -> Rows:
        """Return what a frame adds to every table."""
        before = {name: table.count for name, table in self._tables.items()}
        rows, shared, world = self._rows.of(frame, carry, before)
        ends = np.array([before[name] + len(rows[name]) for name in before], np.int64)
        story = story_seal(self._seal, self._ends.count, ends, rows)
        whole = frame_seal(story, rows, shared)
        seals = np.frombuffer(story + whole, "<u8").reshape(1, 2)
        return [
            *((self._tables[name], data) for name, data in rows.items()),
            (self._ends, ends[None]),
            (self._seals, seals),
            *self._bodies.rows(frame.time, world),
            *self._contacts.rows(frame, self._place),
        ]


def reason(error: Exception) -> str:
    """Say in a few words what the system said."""
    text = getattr(error, "strerror", None) or str(error)
    line = text.splitlines()[0] if text else type(error).__name__
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."
