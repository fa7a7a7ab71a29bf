"""Write a run to a file while it runs.

The file is one HDF5 file with two halves: ``VTKHDF`` is what ParaView shows (see
``sim.story.file.vtkhdf``), ``wingedge`` is what a replay needs, exact to the bit:

==============  ======================================================================
attributes      format, dt, distances and margin (NaN: left out), ignore, seal
``notes``       what the user noted down, JSON; ``versions``: what answered
``meshes/k``    the arrays of a mesh
``bodies/k``    name, mesh, convexity, flatness
``start``       the pairs before the first frame, where a run was joined midway
``frames`` ...  the tables that grow, as listed in ``sim.story.file.layout``
``ends``        where every frame ends in them
``seals``       checksums of every frame, see ``sim.story.file.layout``
==============  ======================================================================

Tables may hold more rows than were written; ``VTKHDF/bodies/Steps`` says in ``NSteps``
how many frames are whole.  Behind a file that was closed is a mark, see
``sim.story.file.inspection``.
"""

import os
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple, Self, cast

import h5py
import numpy as np

from sim.errors import RecordingError, advice, reason
from sim.frame import Frame, Snapshots
from sim.story.checkpoint import Checkpoint
from sim.story.file import vtkhdf
from sim.story.file.frame_rows import FrameRows, Shared
from sim.story.file.header import Header, write_header
from sim.story.file.inspection import trust, write_mark
from sim.story.file.layout import ENDS, SEALS, frame_seal, story_seal, tables
from sim.story.file.replacing import beside, is_gone, is_locked, put, take_name
from sim.story.file.table import Rows, Table, append, make_room

_in_memory = count()


class Whole(NamedTuple):
    """How far a recording is whole; whatever is behind is written anew."""

    frames: int
    lengths: tuple[int, ...]  # of all tables that grow
    shared: Shared


class Recorder:
    """Append frames to a recording; each is whole before the next one begins.

    What an interrupt leaves of a frame counts for nothing: the frame can be written
    again.  What the system refuses ends the recording with the frame before.
    """

    def __init__(self, file: h5py.File, header: Header, start: Checkpoint) -> None:
        self.file = file
        self._raw: IO[bytes] | None = None  # the same file: it may be renamed meanwhile
        self._name = str(file.filename)
        self._meshes = [cast.mesh for cast in header.casts]
        self._place = {cast.name: k for k, cast in enumerate(header.casts)}
        first = vtkhdf.first_vertices(self._meshes)
        root = vtkhdf.make_root(file)
        vtkhdf.write_surface(root["bodies"], self._meshes, first)
        room, block = vtkhdf.ROOM * max(1, int(first[-1])), vtkhdf.GrowingBlock
        self._bodies = block(root["bodies"], ("body", "face"), room=room, still=True)
        labels, room = tuple(vtkhdf.LABELS), vtkhdf.ITEMS
        self._contacts = block(root["contacts"], labels, room=room, still=False)
        group = file.create_group("wingedge", track_order=True)
        self._seal = write_header(group, header, start)
        bodies = max(1, len(self._meshes))
        each = {"frames": 1, "events": 1, "positions": max(1, int(first[-1]))}
        each |= dict.fromkeys(("placements", "states", "memories"), bodies)
        self._tables = {}
        for name, column in tables(header.rules).items():
            room = vtkhdf.ROOM * each[name] if name in each else vtkhdf.ITEMS
            self._tables[name] = Table(group, name, *column, room=room)
        self._ends = Table(group, ENDS, "<i8", (len(self._tables),), room=vtkhdf.ROOM)
        self._seals = Table(group, SEALS, "<u8", (2,), room=vtkhdf.ROOM)
        own = (*self._tables.values(), self._ends, self._seals)
        self._growing = (*own, *self._bodies.tables, *self._contacts.tables)
        self._rows = FrameRows(header, first)
        self._counts = vtkhdf.counts(file)
        self._said = 0  # how many frames the file says that it has
        self._over = ""  # why it ended, where it did
        self.whole = Whole(0, (0,) * len(self._growing), {})
        file.flush()

    @classmethod
    def create(
        cls,
        path: Path,
        header: Header,
        start: Checkpoint,
        frames: Iterable[tuple[Frame, Checkpoint]] = (),
    ) -> Self:
        """Create a recording, replacing the file that was there.

        ``frames`` are written before it has its name.

        Raises RecordingError if it cannot be written there, or is being recorded by
        another.
        """
        recorder = None
        try:
            if path.is_dir():
                raise IsADirectoryError(f"{path} is a folder")
            if is_locked(path):
                raise RecordingError(
                    f"{path}: is being recorded by another world; end that recording "
                    "first, or give another name"
                )
            with beside(path) as (made, raw):
                # HDF5 does not survive a full disk: the head is made in memory
                recorder = cls.in_memory(header, start)
                recorder._name = str(path)
                put(raw, recorder.file.id.get_file_image())
                # (Windows keeps the name of an open file: there it is given early.)
                if os.name == "posix":
                    recorder._move(made, raw)
                else:
                    take_name(made, raw, path)
                    recorder._move(path, raw)
                for frame, carry in frames:
                    recorder.write(frame, carry)
                if os.name == "posix":
                    take_name(made, raw, path)
        except BaseException as error:
            if recorder is not None:
                recorder._drop()
            if isinstance(error, RecordingError):
                raise
            if not isinstance(error, OSError | RuntimeError):
                raise
            raise RecordingError(
                f"{path}: cannot be written ({reason(error)}); {advice(error)}"
            ) from error
        return recorder

    @classmethod
    def in_memory(cls, header: Header, start: Checkpoint) -> Self:
        """Create a recording that is no file and is gone when it is closed."""
        name = f"wingedge recording {next(_in_memory)}"  # HDF5 knows files by name
        file = h5py.File(
            name, "w", driver="core", backing_store=False, libver="earliest"
        )
        return cls(file, header, start)

    def _move(self, path: Path, raw: IO[bytes]) -> None:
        """Go on in a file that holds a copy of what was made in memory."""
        made, self._raw = self.file, raw
        self.file = h5py.File(path, "r+", libver="earliest", locking=False)
        for table in self._growing:
            table.move(self.file)
        self._counts = vtkhdf.counts(self.file)
        made.close()

    def write(self, frame: Frame, carry: Checkpoint) -> None:
        """Append a frame, and what is carried out of it; hand both to the system."""
        self.written(self.whole, frame, carry)

    def written(self, whole: Whole, frame: Frame, carry: Checkpoint) -> Whole:
        """Write a frame behind what is whole, and return what is whole then.

        Raises RecordingError if the file refuses it, now or before, or a body has
        another mesh than at the beginning: a recording holds the topology once. The
        frames before can still be read.
        """
        meshes = cast("Snapshots", frame.bodies).meshes
        for name, now, mesh in zip(self._place, meshes, self._meshes, strict=True):
            if now is not mesh:
                raise RecordingError(
                    f"{self._name}: frame {frame.index} cannot be written, since body "
                    f"'{name}' has another mesh now and a recording holds one; "
                    "end the recording before replace(), and begin another one after"
                )
        if self._over:
            raise RecordingError(
                f"{self._name}: frame {frame.index} is not written, since the "
                f"recording ended after {whole.frames} frames ({self._over}); end it, "
                "and resume it when there is room"
            )
        try:
            self._go_back(whole)
            rows, shared = self._all_rows(frame, carry, whole.shared)
            make_room(self.file, rows)
            append(rows)
            self._said = whole.frames + 1
            self._say(self._said)
        except (OSError, RuntimeError) as error:
            self._over = reason(error)
            raise RecordingError(
                f"{self._name}: frame {frame.index} could not be written "
                f"({self._over}); is the disk full?"
            ) from error
        lengths = tuple(table.count for table in self._growing)
        self.whole = Whole(whole.frames + 1, lengths, shared)
        return self.whole

    def _go_back(self, whole: Whole) -> None:
        """Forget what is behind; the file must not say that it has more frames."""
        for table, length in zip(self._growing, whole.lengths, strict=True):
            table.count = length
        if self._said == whole.frames:
            return
        for table in self._growing:
            if table.exact:  # never longer than the number of frames that is said
                table.trim()
        self.file.flush()
        self._say(whole.frames)
        self._said = whole.frames

    def _say(self, frames: int) -> None:
        """Say how many frames are whole, and hand that to the system."""
        for place in self._counts:
            place.write(np.array(frames, np.int64))
        self.file.flush()

    def finish(self) -> None:
        """Give back the room that is not used, and leave the file open."""
        self._go_back(self.whole)
        for table in self._growing:
            table.trim()
        self.file.flush()

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
        self.file.close()
        if self._raw is not None:
            self._raw.close()

    def _close(self) -> None:
        """End the file, and mark that it was ended, unless it broke off."""
        if self._over:
            return
        self.finish()
        self.file.close()
        if self._raw is None:
            return
        write_mark(self._raw, self.whole.frames)
        os.fsync(self._raw.fileno())
        trust(self._raw.fileno())
        if is_gone(self._raw):
            raise RecordingError(
                f"{self._name}: was replaced or removed while it was recorded, and its "
                f"{self.whole.frames} frames are lost; record two runs to two names"
            )

    def _all_rows(
        self, frame: Frame, carry: Checkpoint, shared: Shared
    ) -> tuple[Rows, Shared]:
        """Return what a frame adds to every table, and what the next may refer to."""
        before = {name: table.count for name, table in self._tables.items()}
        rows, sums, world, after = self._rows.of(frame, carry, before, shared)
        ends = np.array([before[name] + len(rows[name]) for name in before], np.int64)
        story = story_seal(self._seal, self._ends.count, ends, rows)
        whole = frame_seal(story, rows, sums)
        seals = np.frombuffer(story + whole, "<u8").reshape(1, 2)
        added = [
            *((self._tables[name], data) for name, data in rows.items()),
            (self._ends, ends[None]),
            (self._seals, seals),
            *self._bodies.rows(frame.time, {"Points": world}),
            *self._contacts.rows(frame.time, vtkhdf.contact_rows(frame, self._place)),
        ]
        return added, after
