"""Read a recording: from the tables of its file back to frames."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.errors import RecordingError, reason
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


class Reader:
    """Read frames from a file that a ``Recorder`` wrote, whole or cut short."""

    def __init__(
        self, file: h5py.File, name: str, suspected: int | None = None
    ) -> None:
        self.file = file
        self.name = name
        with self.reading("record the run again"):
            if suspected is not None:  # the size of a file that nothing is known of
                contents.check_structure(file, suspected)
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
            if suspected is not None:
                check_casts(self.header.casts)
                self.start(self.make_bodies())
        self._last: dict[int, tuple[int, Array]] = {}  # positions, by body
        self._first = first_vertices([cast.mesh for cast in self.header.casts])

    @classmethod
    def open(cls, path: Path, name: str, *, wary: bool = False) -> "Reader":
        """Open a file that HDF5 can be trusted with; see ``sim.story.file.inspection``.

        Parameters: ``wary``: trust nothing in it: look at its structure before anything
        is read, and at every mesh before anything is made of it.

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
            return cls(file, name, path.stat().st_size if wary else None)
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

    def find_rows(self) -> None:
        """Ask HDF5 once where all rows are that are read frame by frame."""
        with self.reading():
            for data in (*self._tables.values(), self._world):
                if data.chunks:
                    data.id.chunk_iter(lambda chunk: None)

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

    def happened(self) -> list[int]:
        """List the frames in which something happened, held against their seals."""
        found = []
        with self.reading():
            end = self._end(len(self) - 1)
            rows = {name: self._rows_of(name, 0, end[name]) for name in layout.STORY}
            for k in range(len(self)):
                start, end = self._end(k - 1), self._end(k)
                own = {
                    name: rows[name][start[name] : end[name]] for name in layout.STORY
                }
                self._story(k, own)
                if len(own["events"]):
                    found.append(k)
        return found

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
            shown = zip(states, raw.rows["states"]["reported"].tolist(), strict=True)
            pairs = PairAnswers.among((s for s, r in shown if r), tuple(places))
            events = events_of(raw, states)
            index, time, _ = raw.rows["frames"][0].tolist()
            carry = carry_of(raw, states)
            law = find("LawState")(carry.law) if carry.law else {}
            cut = raw.cut(places)
            frame = Frame(index, time, pairs, events, snapshots, cut, (), law)
            return frame, carry

    def raw(self, k: int) -> Raw:
        """Read the rows of a frame and hold them against its seals.

        Raises ValueError if they are not what was written.
        """
        start, end = self._end(k - 1), self._end(k)
        rows = {
            name: self._rows_of(name, start[name], end[name])
            for name in self._names
            if name not in layout.SHARED
        }
        story = self._story(k, rows)
        shared: list[bytes] = []
        placements = []
        hulls: Hulls = []
        for b, row in enumerate(rows["placements"]):
            points = self._points(k, b, int(row["points"]))
            shared.append(
                b"" if row["points"] == layout.AT_REST else layout.points_seal(points)
            )
            matrix = row["transform"].reshape(3, 4)
            placements.append(Placement(matrix, points, int(row["open"])))
            faces = None
            if row["hull"] != layout.NO_HULL:
                at = int(row["hull"])
                faces = self._rows_of("hulls", at, at + int(row["hull_faces"]))
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

    def _end(self, k: int) -> dict[str, int]:
        """Return how long the tables were after frame k; all empty before the first."""
        row = self._ends[k].tolist() if k >= 0 else [0] * len(self._names)
        return dict(zip(self._names, row, strict=True))

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
