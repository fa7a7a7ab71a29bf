"""Write a run to a file while it runs.

The file is one HDF5 file with two halves: ``VTKHDF`` is what ParaView shows (see
``sim.story.file.vtkhdf``), ``wingedge`` is what a replay needs, exact to the bit: the
head (``sim.story.file.header``), and what ``sim.story.file.layout`` says of the frames.

Tables may hold more rows than were written; ``VTKHDF/bodies/Steps`` says in ``NSteps``
how many frames are whole.
"""

import os
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple, Self, cast

import h5py
import numpy as np

from sim.errors import RecordingError, advice, reason
from sim.frame import Frame, Snapshots
from sim.story.checkpoint import Checkpoint
from sim.story.file import layout, vtkhdf
from sim.story.file.header import Header, write_header
from sim.story.file.replacing import beside, put, take_name
from sim.story.file.rows import Shared, rows_of_frame
from sim.story.file.table import ROOM, Column, Table, make_room

OWN = "/wingedge/"
PER_BODY = 256  # bytes to expect in a frame


class Whole(NamedTuple):
    """How far a recording is whole; whatever is behind is written anew."""

    frames: int
    lengths: Mapping[str, int]  # of all tables that grow
    shared: Shared


class Recorder:
    """Append frames to a recording; each is whole before the next one begins.

    What an interrupt leaves of a frame counts for nothing: the frame can be written
    again.  What the system refuses ends the recording with the frame before.

    Parameters: ``raw``: the same file, without a buffer; it may be renamed meanwhile.
    """

    def __init__(
        self, file: h5py.File, raw: IO[bytes], name: str, header: Header, seal: bytes
    ) -> None:
        self.file, self._raw, self._name, self._seal = file, raw, name, seal
        self._meshes = [body.mesh for body in header.casts]
        self._place = {body.name: k for k, body in enumerate(header.casts)}
        self._regions = header.rules.regions
        vertices = sum(mesh.n_vertices for mesh in self._meshes)
        found = _own_tables(header) | vtkhdf.columns(vertices)
        self._tables = {path: Table(file, raw, path, c) for path, c in found.items()}
        self._counts = vtkhdf.counts(file)
        self._said = 0  # how many frames the file says that it has
        self._over = ""  # why it ended, where it did
        self.whole = Whole(0, dict.fromkeys(found, 0), {})

    @classmethod
    def create(
        cls,
        path: Path | None,
        header: Header,
        start: Checkpoint,
        frames: Iterable[tuple[Frame, Checkpoint]] = (),
    ) -> Self:
        """Create a recording, replacing the file that was there; None: in memory.

        ``frames`` are written before it has its name.

        Raises RecordingError if it cannot be written there.
        """
        # HDF5 does not survive a full disk: the head is made in memory
        image, seal = _head(header, start)
        if path is None:
            return cls(h5py.File(image, "r+"), image, "in memory", header, seal)
        recorder = None
        try:
            if path.is_dir():
                raise IsADirectoryError(f"{path} is a folder")
            with beside(path) as (made, raw):
                put(raw, image.getbuffer())
                # Windows keeps the name of an open file: there it is given early
                if os.name != "posix":
                    take_name(made, raw, path)
                    made = path
                file = h5py.File(made, "r+", libver="earliest", locking=False)
                recorder = cls(file, raw, str(path), header, seal)
                for frame, carry in frames:
                    recorder.write(frame, carry)
                if os.name == "posix":
                    take_name(made, raw, path)
        except BaseException as error:
            if recorder is not None:
                recorder._drop()
            if not isinstance(error, OSError | RuntimeError):
                raise
            raise RecordingError(
                f"{path}: cannot be written ({reason(error)}); {advice(error)}"
            ) from error
        return recorder

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
        tables = self._tables
        try:
            self._go_back(whole)
            rows, shared = self._all_rows(frame, carry, whole)
            make_room(self.file, tables, rows)
            for name, data in rows.items():
                tables[name].append(data)
            self._said = whole.frames + 1
            self._say(self._said)
        except (OSError, RuntimeError) as error:
            self._over = reason(error)
            raise RecordingError(
                f"{self._name}: frame {frame.index} could not be written "
                f"({self._over}); is the disk full?"
            ) from error
        ends = {name: table.count for name, table in tables.items()}
        self.whole = Whole(whole.frames + 1, ends, shared)
        return self.whole

    def _go_back(self, whole: Whole) -> None:
        """Forget what is behind; the file must not say that it has more frames."""
        for name, length in whole.lengths.items():
            self._tables[name].count = length
        if self._said != whole.frames:
            for table in self._tables.values():
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
        for table in self._tables.values():
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
        """End the file, unless it broke off."""
        try:
            if not self._over:
                self.finish()
                self.file.close()
                os.fsync(self._raw.fileno())
        except (OSError, RuntimeError) as trouble:
            if error is None:
                raise RecordingError(
                    f"{self._name}: could not be completed ({reason(trouble)}); the "
                    f"frames that were written can be read"
                ) from trouble
        else:
            if os.name == "posix" and not os.fstat(self._raw.fileno()).st_nlink:
                raise RecordingError(
                    f"{self._name}: was replaced or removed while it was recorded, and "
                    f"its {self.whole.frames} frames are lost; record two runs to two "
                    "names"
                )
        finally:
            self._drop()

    def _drop(self) -> None:
        """Close the file as it is."""
        self.file.close()
        self._raw.close()

    def _all_rows(
        self, frame: Frame, carry: Checkpoint, whole: Whole
    ) -> tuple[dict[str, layout.Array], Shared]:
        """Return what a frame adds to every table, and what the next may refer to."""
        ends = whole.lengths
        shared = {name: ends[OWN + name] for name in layout.SHARED}
        rows, world, after = rows_of_frame(
            frame, carry, shared, whole.shared, regions=self._regions
        )
        data = layout.pack(rows)
        end = ends[OWN + "data"] + len(data)
        head = frame.index, frame.time, carry.next_contact, end, 0
        row = np.array([head], layout.FRAME)
        row["seal"] = layout.frame_seal(self._seal, whole.frames, row, data)
        own = {"frames": row, "data": np.frombuffer(data, np.uint8)}
        own |= {name: rows[name] for name in layout.SHARED}
        found = {OWN + name: data for name, data in own.items()}
        return found | vtkhdf.rows_of(frame, world, self._place, ends), after


def _own_tables(header: Header) -> dict[str, Column]:
    vertices = sum(body.mesh.n_vertices for body in header.casts)
    found = {
        "frames": Column(layout.FRAME, ROOM),
        "data": Column("u1", ROOM * PER_BODY * (1 + len(header.casts))),
        "positions": Column(layout.POINTS, ROOM * max(1, vertices)),
        "hulls": Column(layout.FACES),
    }
    return {OWN + name: column for name, column in found.items()}


def _head(header: Header, start: Checkpoint) -> tuple[BytesIO, bytes]:
    """Make a file without frames; return its bytes, and the seal of what is fixed."""
    image = BytesIO()
    with h5py.File(image, "w", libver="earliest") as file:
        vtkhdf.make_root(file, [body.mesh for body in header.casts])
        seal = write_header(
            file.create_group("wingedge", track_order=True), header, start
        )
        for path, column in _own_tables(header).items():
            column.create(file, path)
    return image, seal
