"""Read a recording: from the tables of its file back to frames."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.errors import RecordingError, reason
from sim.events.event import Event
from sim.frame import Frame, Snapshots
from sim.result.answer import Region
from sim.result.answers import PairAnswers
from sim.result.state import PairState
from sim.story.checkpoint import Checkpoint
from sim.story.file import contents, layout
from sim.story.file.frame_rows import Hulls, Placement, Raw, carry_of, events_of
from sim.story.file.header import check_casts, check_format, read_header, read_start
from sim.story.file.states import RAGGED, STATE, decode, decode_regions
from sim.story.file.states import TABLES as REGION_TABLES
from sim.story.file.vtkhdf import BLOCKS, first_vertices
from wingedge.registry import find

Float = np.float64
Array = NDArray[Any]


AHEAD = 1 << 16  # bytes of a table to read at once: the frames after this one
NOTHING = np.empty(0)


class Reader:
    """Read frames from a file that a ``Recorder`` wrote, whole or cut short.

    Parameters: ``untrusted``: look at every mesh before anything is made of it, and
    follow no link to elsewhere.
    """

    def __init__(self, file: h5py.File, name: str, *, untrusted: bool = False) -> None:
        self.file = file
        self.name = name
        with self.reading("record the run again"):
            if untrusted:
                contents.check_near(file)
            check_format(file, name)
            self._group = file["wingedge"]
            self.header, self._seal = read_header(self._group, name)
            columns = layout.tables(self.header.rules)
            if layout.OVERLAPS not in self._group:
                del columns[layout.OVERLAPS]
            self._tables = {
                k: self._group[k] for k in (*columns, layout.ENDS, layout.SEALS)
            }
            self._world = file["VTKHDF/bodies/Points"]
            for table, column in columns.items():
                data = self._tables[table]
                if data.dtype != column.dtype or data.shape[1:] != column.width:
                    raise TypeError(f"the columns of {table!r} are others")
            self._names = tuple(columns)
            steps = self._steps()
            self._ends = self._rows_of(layout.ENDS, 0, steps)
            self._seals = self._rows_of(layout.SEALS, 0, steps)
            self._frames = self._rows_of("frames", 0, steps)
            contents.check_frames(self._frames)
            if untrusted:
                check_casts(self.header.casts)
                self.start(self.make_bodies())
        self._ahead: dict[str, tuple[int, Array]] = {}  # first row, rows, by table
        self._last: dict[int, tuple[int, Array]] = {}  # positions, by body
        self._first = first_vertices([cast.mesh for cast in self.header.casts])

    @classmethod
    def open(cls, path: Path, name: str, *, untrusted: bool = False) -> "Reader":
        """Open a file.

        Raises RecordingError if it is no recording, damaged or too new.
        """
        try:
            file = h5py.File(path, "r", locking=False)
        except OSError as error:
            raise RecordingError(
                f"{path}: cannot be read ({reason(error)}); it may be cut off - copy "
                f"it once more, or record the run again"
            ) from error
        try:
            return cls(file, name, untrusted=untrusted)
        except BaseException:
            file.close()
            raise

    def __len__(self) -> int:
        return len(self._frames)

    @contextmanager
    def reading(
        self,
        advice: str = "read the frames before the damage, or record the run again",
        frame: int | None = None,
    ) -> Iterator[None]:
        """Turn what HDF5 says about a damaged file into one sentence.

        It names the frame that was to be read, by its place from 0.
        """
        if not self.file:
            raise RecordingError(f"{self.name} is closed; open it again to read on")
        try:
            yield
        except RecordingError:
            raise
        except (
            OSError,
            LookupError,
            RuntimeError,
            ValueError,
            TypeError,
            ArithmeticError,
            AttributeError,
            MemoryError,
        ) as error:
            why = reason(error)
            told = frame is None or f"frame {frame} " in why
            where = "" if told else f" in frame {frame}"
            raise RecordingError(
                f"{self.name}: the recording is damaged{where} ({why}); {advice}"
            ) from error

    def make_bodies(self) -> list[Body]:
        """Make the bodies anew, at rest."""
        return [cast.make() for cast in self.header.casts]

    def index(self, k: int) -> int:
        """Return the number that a frame had in its run."""
        return int(self._frames[k]["index"])

    @property
    def times(self) -> NDArray[Float]:
        """The times of all frames, not yet held against their seals."""
        times: NDArray[Float] = self._frames["time"]
        return times

    def happened(self) -> Iterator[int]:
        """Go through the frames in which something happened, held against their seals.

        Of all frames, what a story is told from is read, and nothing else.
        """
        for k in range(len(self)):
            with self.reading():
                rows, _ = self._rows(k, layout.STORY)
                self._story(k, rows)
            if len(rows["events"]):
                yield k

    def start(self, bodies: Sequence[Body]) -> Checkpoint:
        """Read what was carried into the first frame."""
        with self.reading():
            return read_start(self._group, bodies)

    def carried_into(self, k: int, bodies: Sequence[Body]) -> Checkpoint:
        """Read what was carried into frame k, of all pairs ever looked at."""
        carried = self.start(bodies)
        if not k:
            return carried
        with self.reading():
            ends = self._ends[:k, self._names.index("states")]
            pairs = self._rows_of("states", 0, int(ends[-1]))["pair"]
        # the last row of every pair, and the frames in which they are
        backwards = np.unique(pairs[::-1], axis=0, return_index=True)[1]
        rows = len(pairs) - 1 - backwards
        frames = np.union1d(np.searchsorted(ends, rows, side="right"), [k - 1])
        for frame in frames.tolist():
            carried = carried.after(self.carry(frame, bodies))
        return carried

    def carry(self, k: int, bodies: Sequence[Body]) -> Checkpoint:
        """Read what was carried out of frame k, of the pairs answered for in it."""
        with self.reading(frame=k):
            raw = self.raw(k)
            return carry_of(raw, self._states(raw, bodies))

    def frame(self, k: int) -> Frame:
        """Read a frame, with bodies of its own."""
        return self.whole(k)[0]

    def whole(self, k: int) -> tuple[Frame, Checkpoint]:
        """Read a frame, with bodies of its own, and what is carried out of it."""
        with self.reading(frame=k):
            raw = self.raw(k)
            bodies = self.make_bodies()
            for body, placement in zip(bodies, raw.placements, strict=True):
                placement.put(body)
            places = {body.name: k for k, body in enumerate(bodies)}
            meshes = tuple(body.mesh for body in bodies)
            points = tuple(placement.points for placement in raw.placements)
            poses = np.array([body.transform for body in bodies]).reshape(-1, 3, 4)
            snapshots = Snapshots(places, meshes, points, poses)
            states = self._states(raw, bodies)
            pairs = _reported(raw, states, tuple(places))
            events = events_of(raw, states)
            index, time, _ = raw.rows["frames"][0].tolist()
            carry = carry_of(raw, states)
            law = find("unpack")(carry.law) if carry.law else {}
            cut = raw.cut(places)
            frame = Frame(index, time, pairs, events, snapshots, cut, (), law)
            return frame, carry

    def answers(
        self, k: int, bodies: Sequence[Body]
    ) -> tuple[PairAnswers, tuple[Event, ...]]:
        """Read what a frame says of bodies that may be anywhere: answers and events."""
        with self.reading(frame=k):
            raw = self.raw(k)
            states = self._states(raw, bodies)
            names = tuple(body.name for body in bodies)
            return _reported(raw, states, names), events_of(raw, states)

    def raw(self, k: int) -> Raw:
        """Read the rows of a frame and hold them against its seals.

        Raises ValueError if they are not what was written.
        """
        rows, start = self._rows(k, [n for n in self._names if n not in layout.SHARED])
        story = self._story(k, rows)
        shared: list[bytes] = []
        placements = []
        hulls: Hulls = []
        placed = rows["placements"]
        columns = (placed[name].tolist() for name in ("points", "hull", "hull_faces"))
        poses, flags = placed["transform"].reshape(-1, 3, 4), placed["open"].tolist()
        for b, (at, hull, count) in enumerate(zip(*columns, strict=True)):
            points, faces = self._points(k, b, at), None
            shared.append(b"" if at == layout.AT_REST else layout.points_seal(points))
            placements.append(Placement(poses[b], points, flags[b]))
            if hull != layout.NO_HULL:
                faces = self._rows_of("hulls", hull, hull + count)
                contents.check_hull(faces, self.header.casts[b].mesh)
                shared.append(layout.points_seal(faces))
            hulls.append(faces)
        seal = self._seals[k].tobytes()
        if layout.frame_seal(story, rows, shared) != seal[8:]:
            raise ValueError(f"frame {k} is not what was written")
        return Raw(rows, start, placements, hulls)

    def bits(self) -> Iterator[bytes]:
        """Go through all bits of positions, poses and states; not what they cost."""
        lists = [*RAGGED, *(REGION_TABLES if self.header.rules.regions else ())]
        parts: dict[str, list[Array]] = {name: [] for name in ("states", *lists)}
        with self.reading():
            for name in ("index", "time"):
                yield self._frames[name].tobytes()
            for k in range(len(self)):
                raw = self.raw(k)
                for placement in raw.placements:
                    yield placement.transform.astype("<f8").tobytes()
                    yield placement.points.astype("<f8").tobytes()
                    yield bytes([placement.flags & layout.OPEN])
                for name, rows in parts.items():
                    rows.append(raw.rows[name])
        for rows in parts.values():
            if not rows:
                continue
            whole = np.concatenate(rows)
            if whole.dtype == STATE:
                for column in STATE.names or ():
                    if column != "work":
                        yield whole[column].tobytes()
            else:
                yield whole.tobytes()

    def _states(self, raw: Raw, bodies: Sequence[Body]) -> list[PairState]:
        """Decode the states of a frame; they stand on these bodies."""
        answers = decode(raw.rows, raw.start)
        regions: Iterable[tuple[Region, ...]] = [()] * len(answers)
        if self.header.rules.regions:
            regions = decode_regions(raw.rows, raw.start)
        return [
            contents.checked_state(row, answer, bodies, on, raw.hulls)
            for row, answer, on in zip(
                raw.rows["states"], answers, regions, strict=True
            )
        ]

    def _points(self, k: int, b: int, row: int) -> NDArray[Float]:
        """Read the positions of a body, (V, 3), body frame, read-only."""
        mesh = self.header.casts[b].mesh
        if row == layout.AT_REST:
            return mesh.points
        if row == layout.IN_WORLD:
            first = int(self._first[-1]) * k + int(self._first[b])
            points: Array = self._world[first : first + mesh.n_vertices]
        elif row == self._last.get(b, (layout.AT_REST,))[0]:
            return self._last[b][1]  # the same array: it did not change
        else:
            points = self._rows_of("positions", row, row + mesh.n_vertices)
        if len(points) != mesh.n_vertices:
            raise ValueError(f"positions of body {b} in frame {k} are missing")
        points.setflags(write=False)
        self._last[b] = row, points
        return points

    def _rows(
        self, k: int, names: Collection[str]
    ) -> tuple[dict[str, Array], dict[str, int]]:
        """Read what a frame added to some tables, and how long all were before."""
        ends = self._ends[k].tolist()
        before = self._ends[k - 1].tolist() if k else [0] * len(ends)
        start = dict(zip(self._names, before, strict=True))
        end = dict(zip(self._names, ends, strict=True))
        rows = {}
        for i, name in enumerate(self._names):
            if name not in names:
                continue
            first, last = start[name], end[name]
            at, ahead = self._ahead.get(name, (-1, NOTHING))
            if not at <= first <= last <= at + len(ahead):
                size, whole = self._tables[name].dtype.itemsize, self._ends[-1][i]
                more = min(first + AHEAD // size, int(whole), len(self._tables[name]))
                more = last if last < first else max(last, more)
                at, ahead = self._ahead[name] = first, self._rows_of(name, first, more)
            rows[name] = ahead[first - at : last - at]
        return rows, start

    def _rows_of(self, name: str, first: int, last: int) -> Array:
        table = self._tables[name]
        if not 0 <= first <= last <= len(table):
            what = f"rows {first} to {last} of {len(table)} in {name!r}"
            raise ValueError(f"{what} are missing")
        rows: Array = table[first:last]
        return rows

    def _story(self, k: int, rows: dict[str, Array]) -> bytes:
        """Return the seal of what the story of a frame is told from, if it holds."""
        seal = layout.story_seal(self._seal, k, self._ends[k], rows)
        if seal != self._seals[k].tobytes()[:8]:
            raise ValueError(f"frame {k} is not what was written")
        return seal

    def _steps(self) -> int:
        """Return how many frames are whole."""
        said = [int(self.file[f"VTKHDF/{b}/Steps"].attrs["NSteps"]) for b in BLOCKS]
        # both go out in one write, which a kill may cut in two
        if min(said) < 0 or max(said) - min(said) > 1:
            raise ValueError(f"it has {said[0]} frames, or {said[1]}")
        return min(said)


def _reported(
    raw: Raw, states: Sequence[PairState], names: tuple[str, ...]
) -> PairAnswers:
    """Return the answers that a frame shows."""
    shown = zip(states, raw.rows["states"]["reported"].tolist(), strict=True)
    return PairAnswers.among((state for state, told in shown if told), names)
