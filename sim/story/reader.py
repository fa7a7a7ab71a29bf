"""Read a recording: from the tables of its file back to frames."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import h5py
import numpy as np
from numpy.typing import NDArray

import wingedge
from sim.body.body import Body
from sim.contact import PairState
from sim.errors import RecordingError
from sim.frame import BodySnapshot, Frame, same_bits
from sim.region import Region
from sim.stage import Memory
from sim.story.events import Event
from sim.story.header import FORMAT, Header, read_header, read_standings, read_start
from sim.story.recorder import (
    AT_REST,
    EVENT,
    FRAME,
    IN_WORLD,
    NO_STATE,
    PLACEMENT,
    reason,
)
from sim.story.region_rows import read_regions, region_bits
from sim.story.standing import Standing
from sim.story.states import RAGGED, STATE, Ends, StateRows, decode
from sim.story.vtkhdf import first_vertices

Float = np.float64
Array = NDArray[Any]
TABLES = {"frames": FRAME, "placements": PLACEMENT, "states": STATE, "events": EVENT}


class Placement(NamedTuple):
    """Where one body was in one frame."""

    transform: NDArray[Float]  # (3, 4)
    points: NDArray[Float]  # (V, 3), body frame, read-only
    is_open: bool

    def put(self, body: Body) -> None:
        """Put a body there, as open or closed as it was."""
        body.transform[...] = self.transform
        if self.is_open:
            body.points[...] = self.points
        elif not same_bits(body.positions, self.points):
            body.points = self.points


class Reader:
    """Read frames from a file that a ``Recorder`` wrote, whole or cut short."""

    def __init__(self, file: h5py.File, name: str) -> None:
        self.file = file
        self.name = name
        with self.reading("record the run again"):
            self._group = file["wingedge"]
            for table, kind in TABLES.items():
                if self._group[table].dtype != kind:
                    raise TypeError(f"the columns of {table!r} are others")
            self.header: Header = read_header(self._group)
            steps = int(file["VTKHDF/bodies/Steps"].attrs["NSteps"])
            self._frames: Array = self._group["frames"][:steps]
            if len(self._frames) != steps:
                raise ValueError(f"{len(self._frames)} of {steps} frames are there")
        self._first = first_vertices([cast.mesh for cast in self.header.casts])

    @classmethod
    def open(cls, path: Path, name: str) -> "Reader":
        """Open a file.

        Raises
        ------
        RecordingError
            If it is missing, no recording, damaged or too new.
        """
        file = _open(path)
        try:
            _check_format(file, name)
            return cls(file, name)
        except BaseException:
            file.close()
            raise

    def __len__(self) -> int:
        return len(self._frames)

    @contextmanager
    def reading(
        self, advice: str = "read the frames before the damage, or record the run again"
    ) -> Iterator[None]:
        """Turn what HDF5 says about a damaged file into one sentence."""
        if not self.file:
            raise RecordingError(f"{self.name} is closed; open it again to read on")
        try:
            yield
        except RecordingError:
            raise
        except (OSError, LookupError, RuntimeError, ValueError, TypeError) as error:
            raise RecordingError(
                f"{self.name}: the recording is damaged ({reason(error)}); {advice}"
            ) from error

    def index(self, k: int) -> int:
        """Return the number that a frame had in its run."""
        return int(self._frames[k]["index"])

    def time(self, k: int) -> float:
        """Return the time of a frame."""
        return float(self._frames[k]["time"])

    def happened(self) -> list[int]:
        """List the frames in which something happened."""
        return np.flatnonzero(np.diff(self._frames["events"], prepend=0)).tolist()

    def start(self, bodies: list[Body]) -> list[Memory]:
        """Read what the pairs carried from before the first frame."""
        with self.reading():
            return read_start(self._group, bodies)

    def standings(self) -> list[Standing | None]:
        """Read what the bodies were before the first frame."""
        with self.reading():
            return read_standings(self._group, len(self.header.casts))

    def frame(self, k: int) -> Frame:
        """Read a frame, with bodies of its own."""
        with self.reading():
            bodies, snapshots = [], []
            for cast, placement in zip(
                self.header.casts, self.placements(k), strict=True
            ):
                body = cast.make()
                placement.put(body)
                bodies.append(body)
                snapshots.append(
                    BodySnapshot(cast.name, cast.mesh, placement.points, body.pose)
                )
            table, start = self.states(k, k + 1)
            states = []
            for row, (numbers, regime), found in zip(
                table.rows, decode(table, start), self._regions(k), strict=True
            ):
                a, b = row["pair"].tolist()
                pair = bodies[a], bodies[b]
                states.append(
                    PairState(numbers, regime, int(row["frame"]), *pair, regions=found)
                )
            shown = zip(states, table.rows["reported"].tolist(), strict=True)
            pairs = tuple(state for state, reported in shown if reported)
            events = self._events(k, states)
        return Frame(self.index(k), self.time(k), pairs, events, tuple(snapshots))

    def placements(self, k: int) -> list[Placement]:
        """Read where the bodies were in a frame."""
        n = len(self.header.casts)
        rows = self._group["placements"][k * n : (k + 1) * n]
        return [
            Placement(
                row["transform"].reshape(3, 4),
                self._points(k, b, int(row["points"])),
                bool(row["open"]),
            )
            for b, row in enumerate(rows)
        ]

    def bits(self) -> Iterator[bytes]:
        """Go through all bits of positions, poses and states; not what they cost."""
        with self.reading():
            for name in ("index", "time"):
                yield self._frames[name].tobytes()
            for k in range(len(self)):
                for placement in self.placements(k):
                    yield placement.transform.tobytes()
                    yield placement.points.tobytes()
                    yield bytes([placement.is_open])
            states, _ = self.states(0, len(self))
            for name in STATE.names or ():
                if name != "work":
                    yield states.rows[name].tobytes()
            for part in states[1:]:
                yield part.tobytes()
            if self.header.rules.regions:
                last = int(self._frames["states"][-1]) if len(self) else 0
                yield from region_bits(self._group, last)

    def states(self, k: int, end: int) -> tuple[StateRows, Ends]:
        """Read the states of frames k to end, and where their lists begin."""
        first, last = self._span("states", k, end)
        # the row before says where the lists of the first one begin
        rows = self._group["states"][max(0, first - 1) : last]
        start = _ends(rows[0]) if first else Ends()
        stop = _ends(rows[-1]) if len(rows) else Ends()
        lists = [
            self._group[name][a:b]
            for name, a, b in zip(RAGGED, start, stop, strict=True)
        ]
        return StateRows(rows[1:] if first else rows, *lists), start

    def _regions(self, k: int) -> Iterable[tuple[Region, ...]]:
        """Read the regions of the states of a frame; none where none were found."""
        first, last = self._span("states", k, k + 1)
        if not self.header.rules.regions:
            return [()] * (last - first)
        return read_regions(self._group, first, last)

    def _events(self, k: int, states: list[PairState]) -> tuple[Event, ...]:
        first, last = self._span("events", k, k + 1)
        if first == last:
            return ()
        # the row before says where the first line begins
        rows = self._group["events"][max(0, first - 1) : last].tolist()
        start = rows.pop(0)[-1] if first else 0
        text = self._group["lines"][start : rows[-1][-1]].tobytes().decode()
        offset, _ = self._span("states", k, k + 1)
        return tuple(
            Event.parse(line).of(
                None if state == NO_STATE else states[state - offset], contact
            )
            for (contact, state, _), line in zip(rows, text.splitlines(), strict=True)
        )

    def _points(self, k: int, b: int, row: int) -> NDArray[Float]:
        """Read the positions of a body, (V, 3), body frame, read-only."""
        mesh = self.header.casts[b].mesh
        if row == AT_REST:
            return mesh.points
        table = self._group["positions"]
        if row == IN_WORLD:
            table = self.file["VTKHDF/bodies/Points"]
            row = int(self._first[-1]) * k + int(self._first[b])
        points: NDArray[Float] = table[row : row + mesh.n_vertices]
        if len(points) != mesh.n_vertices:
            raise ValueError(f"positions of body {b} in frame {k} are missing")
        points.setflags(write=False)
        return points

    def _span(self, name: str, k: int, end: int) -> tuple[int, int]:
        """Return the first row of frame k and the last one before frame ``end``."""
        ends = self._frames[name]
        return int(ends[k - 1]) if k else 0, int(ends[end - 1]) if end else 0


def _ends(row: Any) -> Ends:
    """Return where the lists of a state end."""
    return Ends(*(int(row[name]) for name in RAGGED))


def _open(path: Path) -> h5py.File:
    if not path.exists():
        raise RecordingError(f"{path}: there is no such file; check the name")
    if path.is_dir():
        raise RecordingError(f"{path}: is a folder; give the name of a recording")
    if path.stat().st_size == 0:
        raise RecordingError(f"{path}: the file is empty; record the run again")
    try:
        if not h5py.is_hdf5(path):
            raise RecordingError(
                f"{path}: is no recording; give a .vtkhdf file written by world.record"
            )
        return h5py.File(path, "r", locking=False)
    except OSError as error:
        raise RecordingError(
            f"{path}: cannot be read ({reason(error)}); it may be cut off - copy it "
            f"once more, or record the run again"
        ) from error


def _check_format(file: h5py.File, name: str) -> None:
    group = file.get("wingedge")
    if not isinstance(group, h5py.Group) or "format" not in group.attrs:
        raise RecordingError(
            f"{name}: is an HDF5 file but no recording of a run; give a file written "
            f"by world.record"
        )
    written = int(group.attrs["format"])
    if written > FORMAT:
        raise RecordingError(
            f"{name}: is of format {written} by wingedge {group.attrs['wingedge']}, "
            f"and this is wingedge {wingedge.__version__} which reads up to {FORMAT}; "
            f"run 'pip install -U wingedge'"
        )
