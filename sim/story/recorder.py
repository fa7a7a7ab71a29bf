"""Write a run to a file while it runs.

The file is one HDF5 file with two halves: ``VTKHDF`` is what ParaView shows (see
``sim.story.vtkhdf``), ``wingedge`` is what a replay needs, exact to the bit:

==============  ======================================================================
attributes      format, versions, dt, distances and margin (NaN: left out), ignore
``meshes/k``    the arrays of a mesh
``bodies/k``    name, mesh, convexity, flatness
``start``       the pairs before the first frame, where a run was joined midway
``frames``      index, time, and where its states and events end
``placements``  one row per frame and body: transform, open, where its positions are
``positions``   positions in the body frame, only where they changed
``states``      every number of every pair, with lists in ``ints`` ``floats`` ``text``
``events``      contact, state, and where its line ends in ``lines``
``regions``     where all contacts are found: with their lists, see ``region_rows``
==============  ======================================================================

Tables may hold more rows than were written; ``VTKHDF/bodies/Steps`` says in ``NSteps``
how many frames are whole.
"""

import os
from contextlib import suppress
from itertools import accumulate, count
from pathlib import Path
from types import TracebackType
from typing import Self

import h5py
import numpy as np
from numpy.typing import NDArray

from sim.body.pose import Pose
from sim.contact import PairState
from sim.errors import RecordingError
from sim.frame import Frame
from sim.stage import Stage
from sim.story import vtkhdf
from sim.story.events import Event
from sim.story.header import plain_bodies, write_header
from sim.story.region_rows import TABLES, RegionRows, encode_regions
from sim.story.states import RAGGED, STATE, Ends, encode
from sim.story.table import Rows, Table, append, flush, make_room, trim

FRAME = np.dtype(
    [("index", "<i8"), ("time", "<f8"), ("states", "<i8"), ("events", "<i8")]
)
PLACEMENT = np.dtype([("transform", "<f8", (12,)), ("points", "<i8"), ("open", "u1")])
EVENT = np.dtype([("contact", "<i8"), ("state", "<i8"), ("line", "<i8")])
# Where the positions of a body are, if not from a row of ``positions`` on.
AT_REST = -1
IN_WORLD = -2  # the pose is the identity: they are the points that VTK reads
NO_STATE = -1  # of an event that happened to one body
IDENTITY = Pose.identity()

_in_memory = count()


class Recorder:
    """Append frames to a recording; each is whole before the next one begins."""

    def __init__(self, file: h5py.File, stage: Stage, *, dt: float) -> None:
        self._file = file
        self._name = str(file.filename)
        self._stage = stage
        self._place = {body.name: k for k, body in enumerate(stage.bodies)}
        meshes = [body.mesh for body in stage.bodies]
        self._meshes = meshes
        self._first = vtkhdf.first_vertices(meshes)
        root = vtkhdf.make_root(file)
        self._contacts = vtkhdf.ContactsBlock(root)
        self._bodies = vtkhdf.BodiesBlock(root, meshes)
        group = file.create_group("wingedge", track_order=True)
        write_header(group, stage, dt)
        frames, items = vtkhdf.ROOM, vtkhdf.ITEMS
        bodies = frames * max(1, len(meshes))
        points = frames * max(1, int(self._first[-1]))
        self._frames = Table(group, "frames", FRAME, room=frames)
        self._placements = Table(group, "placements", PLACEMENT, room=bodies)
        self._positions = Table(group, "positions", "<f8", (3,), room=points)
        self._states = Table(group, "states", STATE, room=bodies)
        self._lists = [Table(group, k, v, room=items) for k, v in RAGGED.items()]
        self._regions = [
            Table(group, name, kind, width, room=items)
            for name, (kind, width) in TABLES.items()
            if stage.rules.regions
        ]
        self._events = Table(group, "events", EVENT, room=frames)
        self._lines = Table(group, "lines", "u1", room=items)
        # per body: the array that was last put into ``positions``, and its row
        self._kept: list[tuple[NDArray[np.float64] | None, int]]
        self._kept = [(None, 0) for _ in meshes]
        self._count = vtkhdf.StepCount(root)
        flush(file)

    @classmethod
    def create(cls, path: Path, stage: Stage, *, dt: float) -> Self:
        """Create a recording, replacing the file that was there.

        Raises
        ------
        RecordingError
            If it cannot be written there, or a body is a compound.
        ValueError
            If a pair touches by features that its bodies no longer have.
        """
        plain_bodies(stage)  # both refuse before the file that was there is replaced
        stage.remember()
        # A file with half a head must never stand under the name that was asked for.
        # (Windows keeps the name of an open file: there it does, for a moment.)
        posix = os.name == "posix"
        made = path.with_name(f"{path.name}.part") if posix else path
        try:
            if path.is_dir():
                raise IsADirectoryError(f"{path} is a folder")
            file = h5py.File(made, "w", libver="earliest", locking=False)
            recorder = cls(file, stage, dt=dt)
            if posix:
                made.replace(path)
        except (OSError, RuntimeError) as error:
            with suppress(OSError):
                if made != path:
                    made.unlink()
            raise RecordingError(
                f"{path}: cannot be written ({reason(error)}); give the name of a file "
                f"in a folder that exists and can be written to"
            ) from error
        recorder._name = str(path)
        return recorder

    @classmethod
    def in_memory(cls, stage: Stage, *, dt: float) -> Self:
        """Create a recording that is no file and is gone when it is closed."""
        name = f"wingedge recording {next(_in_memory)}"  # HDF5 knows files by name
        file = h5py.File(
            name, "w", driver="core", backing_store=False, libver="earliest"
        )
        return cls(file, stage, dt=dt)

    @property
    def file(self) -> h5py.File:
        """The file, open."""
        return self._file

    def write(self, frame: Frame) -> None:
        """Append a frame and hand it to the system.

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
            rows = self._rows(frame)
            make_room(self._file, rows)
            append(rows)
            self._count.write(self._frames.count)
            flush(self._file)
        except (OSError, RuntimeError) as error:
            raise RecordingError(
                f"{self._name}: frame {frame.index} could not be written "
                f"({reason(error)}); is the disk full?"
            ) from error

    def finish(self) -> None:
        """Give back the room that is not used, and leave the file open."""
        own = (self._frames, self._placements, self._positions, self._states)
        more = (*self._lists, *self._regions, self._events, self._lines)
        trim([*own, *more, *self._bodies.tables, *self._contacts.tables])
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
            self.finish()
        except (OSError, RuntimeError) as trouble:
            if error is None:
                raise RecordingError(
                    f"{self._name}: could not be completed ({reason(trouble)}); the "
                    f"frames that were written can be read"
                ) from trouble
        finally:
            self._file.close()

    def _rows(self, frame: Frame) -> Rows:
        """Return what a frame adds to every table."""
        placed, world = self._bodies_of(frame)
        told = self._pairs_of(frame)
        states = self._states.count + len(told[0][1])
        events = self._events.count + len(frame.events)
        row = np.array([(frame.index, frame.time, states, events)], FRAME)
        seen = self._bodies.rows(frame.time, world)
        met = self._contacts.rows(frame, self._place)
        return [*placed, *told, (self._frames, row), *seen, *met]

    def _bodies_of(self, frame: Frame) -> tuple[Rows, NDArray[np.float64]]:
        """Return what the bodies add, and all their points in the world, (V, 3)."""
        world = np.empty((int(self._first[-1]), 3))
        placements = np.empty(len(frame.bodies), PLACEMENT)
        changed: Rows = []
        end = self._positions.count
        for k, body in enumerate(frame.bodies):
            here = slice(self._first[k], self._first[k + 1])
            kept, row = self._kept[k]
            if body.pose == IDENTITY:
                world[here] = body.points
                row = IN_WORLD
            else:
                world[here] = body.world_points()
                if body.points is body.mesh.points:
                    row = AT_REST
                elif body.points is not kept:
                    changed.append((self._positions, body.points))
                    self._kept[k] = (body.points, end)
                    row, end = end, end + len(body.points)
            opened = self._stage.bodies[k].is_open
            placements[k] = (body.pose.matrix.ravel(), row, opened)
        return [(self._placements, placements), *changed], world

    def _pairs_of(self, frame: Frame) -> Rows:
        """Return what states and events add; the states come first."""
        reported = {id(state) for state in frame.pairs}
        # a contact may end beyond the margin, where its pair is not reported
        states: list[PairState] = [*frame.pairs]
        for event in frame.events:
            if event.state is not None and event.state not in states:
                states.append(event.state)
        place = self._place
        pairs = [(place[state.a.name], place[state.b.name]) for state in states]
        shown = [id(state) in reported for state in states]
        lists = Ends(*(table.count for table in self._lists))
        added = encode(list(zip(pairs, shown, states, strict=True)), lists)
        parts: Rows = list(zip(self._lists, added[1:], strict=True))
        number = {id(s): self._states.count + k for k, s in enumerate(states)}
        return [
            (self._states, added.rows),
            *parts,
            *self._regions_of(states),
            *self._events_of(frame.events, number),
        ]

    def _regions_of(self, states: list[PairState]) -> Rows:
        """Return what the regions of states add; nothing where none are found."""
        if not self._regions:
            return []
        ends = RegionRows(*(table.count for table in self._regions))
        added = encode_regions(states, ends)
        return list(zip(self._regions, added, strict=True))

    def _events_of(self, events: tuple[Event, ...], number: dict[int, int]) -> Rows:
        lines = [f"{event}\n".encode() for event in events]
        ends = accumulate(map(len, lines), initial=self._lines.count)
        next(ends)
        rows = [
            (event.contact, number.get(id(event.state), NO_STATE), end)
            for event, end in zip(events, ends, strict=True)
        ]
        return [
            (self._events, np.array(rows, EVENT)),
            (self._lines, np.frombuffer(b"".join(lines), np.uint8)),
        ]


def reason(error: Exception) -> str:
    """Say in a few words what the system said."""
    text = getattr(error, "strerror", None) or str(error)
    return text.splitlines()[0] if text else type(error).__name__
