"""Read a recording: from the tables of its file back to frames."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import groupby
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.errors import RecordingError, reason
from sim.events.event import Event
from sim.frame import Frame, Snapshots
from sim.result.answers import PairAnswers
from sim.story.checkpoint import Checkpoint
from sim.story.file import layout
from sim.story.file.header import (
    check_casts,
    check_format,
    check_near,
    read_header,
    read_start,
)
from sim.story.file.layout import Array, Former, Packed, Pieces, Rows
from sim.story.file.rows import Raw, seal_of
from sim.story.file.states import RAGGED, STATE, decode
from sim.story.file.vtkhdf import BLOCKS, first_vertices
from sim.table import Table
from wingedge.registry import find
from wingedge.tables import frozen

Float = np.float64
SHOWN = 6  # runs of lost frames that an error lists
DAMAGE = (
    *(OSError, LookupError, RuntimeError, ValueError, TypeError),
    *(ArithmeticError, AttributeError, MemoryError),
)


class Reader:
    """Read frames from a file that a ``Recorder`` wrote, whole or cut short.

    Parameters: ``untrusted``: look at every mesh before anything is made of it, and
    follow no link to elsewhere.
    """

    def __init__(self, file: h5py.File, name: str, *, untrusted: bool = False) -> None:
        self.file = file
        self.name = name
        self._last: dict[tuple[str, int], tuple[object, Array, int]] = {}  # and seal
        with self.reading("record the run again"):
            if untrusted:
                check_near(file)
            check_format(file, name)
            group = self._group = file["wingedge"]
            self.header, self._seal = read_header(group, name)
            self._first = first_vertices([cast.mesh for cast in self.header.casts])
            self._shared = {k: Pieces(group, k, x) for k, x in layout.SHARED.items()}
            points = Pieces(file["VTKHDF/bodies"], "Points", layout.POINTS)
            self._shared["world"] = points
            kind = Packed if "data" in group else Former
            self._stored: Packed | Former = kind(group, self._steps())
            frames = self._frames = self._stored.frames
            index = frames["index"]
            if (np.diff(index) != 1).any() or (index < 0).any():
                raise ValueError("its frames do not follow one another")
            if not np.isfinite(self.times).all():
                raise ValueError("a frame is at no time")
            if untrusted:
                check_casts(self.header.casts)
                self.start(self.make_bodies())

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
        self, advice: str = "record the run again", frame: int | None = None
    ) -> Iterator[None]:
        """Turn what HDF5 says about a damaged file into one sentence.

        It names the frame that was to be read, by its place from 0, and all that are
        lost.
        """
        if not self.file:
            raise RecordingError(f"{self.name} is closed; open it again to read on")
        try:
            yield
        except RecordingError:
            raise
        except DAMAGE as error:
            why, where = reason(error), ""
            if frame is not None:
                where = "" if f"frame {frame} " in why else f" in frame {frame}"
                rest = "read the frames before the damage"  # sealed, and cannot be
                if self.lost:
                    rest = f"lost are {self._lost_ranges()}; read the others"
                advice = f"{rest}, or {advice}"
            raise RecordingError(
                f"{self.name}: the recording is damaged{where} ({why}); {advice}"
            ) from error

    @cached_property
    def lost(self) -> list[int]:
        """The places of the frames that are not what was written.

        Cost: reads all of the file.
        """
        found = []
        for k in range(len(self)):
            try:
                self.raw(k)
            except DAMAGE:
                found.append(k)
        return found

    def _lost_ranges(self) -> str:
        """List the frames that are lost, the first of them where they are many."""
        runs = groupby(enumerate(self.lost), lambda at: at[1] - at[0])
        ends = [[k for _, k in run] for _, run in runs]
        told = [f"{r[0]} to {r[-1]}" if r[1:] else str(r[0]) for r in ends]
        listed = ", ".join(told[:SHOWN] + ["..."] * (len(told) > SHOWN))
        return f"{len(self.lost)} of {len(self)} frames: {listed}"

    def make_bodies(self) -> list[Body]:
        """Make the bodies anew, at rest."""
        return [cast.make() for cast in self.header.casts]

    def index(self, k: int) -> int:
        """Return the number that a frame had in its run."""
        return int(self._frames[k]["index"])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bodies, in their order."""
        return tuple(cast.name for cast in self.header.casts)

    @property
    def times(self) -> NDArray[Float]:
        """The times of all frames, not yet held against their seals."""
        times: NDArray[Float] = self._frames["time"]
        return times

    def happened(self) -> Iterator[int]:
        """Go through the frames in which something happened; all hold their seals."""
        for k in range(len(self)):
            with self.reading(frame=k):
                rows = self._rows(k)
            if len(rows["events"]):
                yield k

    def start(self, bodies: Sequence[Body]) -> Checkpoint:
        """Read what was carried into the first frame."""
        with self.reading():
            return read_start(self._group, bodies)

    def carried_into(self, k: int, bodies: Sequence[Body]) -> Checkpoint:
        """Read what was carried into frame k, of all pairs ever looked at."""
        carried, last = self.start(bodies), dict[object, int]()
        for frame in range(k):  # in which each pair is for the last time
            with self.reading(frame=frame):
                pairs = self._rows(frame)["states"]["pair"]
            last |= dict.fromkeys(["", *map(tuple, pairs.tolist())], frame)
        for frame in sorted({*last.values()}):
            with self.reading(frame=frame):
                raw = self.raw(frame)
                carried = carried.after(raw.carry(raw.answers(bodies)))
        return carried

    def frame(self, k: int) -> Frame:
        """Read a frame, with bodies of its own."""
        return self.whole(k)[0]

    def whole(self, k: int) -> tuple[Frame, Checkpoint]:
        """Read a frame, with bodies of its own, and what is carried out of it."""
        with self.reading(frame=k):
            raw, bodies = self.raw(k), self.make_bodies()
            raw.put(bodies)
            meshes = tuple(body.mesh for body in bodies)
            places = {name: b for b, name in enumerate(self.names)}
            snapshots = Snapshots(places, meshes, tuple(raw.points), raw.poses)
            answers = raw.answers(bodies)
            events = raw.events(answers)
            frame = self.made(k, raw, raw.reported(answers), events, snapshots)
            return frame, raw.carry(answers)

    def made(
        self,
        k: int,
        raw: Raw,
        pairs: PairAnswers,
        events: Sequence[Event],
        bodies: Snapshots,
    ) -> Frame:
        """Make a frame of its pairs, events and bodies."""
        law = raw.rows["law"].tobytes()
        jumped = zip(self.names, raw.flagged(layout.CUT), strict=True)
        cut = tuple(sorted(name for name, did in jumped if did))
        known = find("unpack")(law) if law else {}
        time = float(self.times[k])
        return Frame(self.index(k), time, pairs, events, bodies, cut, (), known)

    def events(self, k: int, bodies: Sequence[Body]) -> tuple[Event, ...]:
        """Read what happened in a frame, to bodies that may be anywhere."""
        with self.reading(frame=k):
            raw = self.raw(k)
            return raw.events(raw.answers(bodies))

    def table(self) -> Table:
        """Read all reported pairs of all frames, a row each."""
        names = ("states", *RAGGED)
        parts: list[Rows] = []
        hulls: list[list[Array | None]] = []
        for k in range(len(self)):
            with self.reading(frame=k):
                rows = self._rows(k)
                lids = (rows["placements"]["hull"] != layout.NO_HULL).any()
                hulls.append(self.raw(k).hulls if lids else [None] * len(self.names))
            parts.append({name: rows[name] for name in names})
        counts = np.array([len(rows["states"]) for rows in parts], int)
        frames = np.repeat(np.arange(len(parts)), counts)
        with self.reading():
            whole = {**layout.EMPTY, **layout.stacked(parts, names)}
            whole["states"]["frame"] = 0  # none is kept as a state for being of others
            answers = decode(
                whole,
                self.make_bodies(),
                lambda k, a, b: (hulls[frames[k]][a], hulls[frames[k]][b]),
            )
        shown = whole["states"]["reported"] == 1
        answers, frames = answers.where(shown), frames[shown]
        who = np.array(self.names, str)
        head = {"frame": self._frames["index"][frames], "time": self.times[frames]}
        both = {"a": who[answers.a], "b": who[answers.b]}
        return Table({**head, **both, **answers.columns()})

    def raw(self, k: int) -> Raw:
        """Read the rows of a frame, and what they refer to.

        Raises ValueError if they are not what was written.
        """
        rows = self._rows(k)
        points, hulls, sums = self._placed(k, rows["placements"])
        if not np.array_equal(sums, rows["sums"]):
            raise ValueError(f"frame {k} is not what was written")
        return Raw(rows, int(self._frames["next_contact"][k]), points, hulls)

    def bits(self) -> Iterator[bytes]:
        """Go through all bits of positions, poses and states; not what they cost."""
        regions = layout.REGIONS if self.header.rules.regions else ()
        names, parts = ("states", *RAGGED, *regions), list[Rows]()
        for name in ("index", "time"):
            yield self._frames[name].tobytes()
        for k in range(len(self)):
            with self.reading(frame=k):
                raw = self.raw(k)
            parts.append({name: raw.rows[name] for name in names})
            placed = zip(raw.poses, raw.points, raw.flagged(layout.OPEN), strict=True)
            for pose, points, opened in placed:
                yield pose.astype("<f8").tobytes()
                yield points.astype("<f8").tobytes()
                yield bytes([opened])
        for whole in layout.stacked(parts, names).values() if parts else ():
            if whole.dtype == STATE:
                columns = [name for name in STATE.names or () if name != "work"]
                yield from (whole[name].tobytes() for name in columns)
            else:
                yield whole.tobytes()

    def _rows(self, k: int) -> Rows:
        return self._stored.rows(k, self._seal, lambda *at: self._placed(*at)[2])

    def _placed(
        self, k: int, placed: Array
    ) -> tuple[list[Array], list[Array | None], Array]:
        """Read where the points of the bodies are, and their hulls; and their seals."""
        points: list[Array] = []
        hulls: list[Array | None] = []
        sums = np.zeros((len(placed), 2), "<u8")
        world = (int(self._first[-1]) * k + self._first).tolist()
        columns = (placed[name].tolist() for name in ("points", "hull", "hull_faces"))
        for b, (at, hull, n) in enumerate(zip(*columns, strict=True)):
            mesh = self.header.casts[b].mesh
            own, faces = mesh.points, None
            if at != layout.AT_REST:
                inside = at == layout.IN_WORLD
                where = ("world", world[b]) if inside else ("positions", at)
                own, sums[b, 0] = self._read(b, *where, mesh.n_vertices)
            if hull != layout.NO_HULL:
                faces, sums[b, 1] = self._read(b, "hulls", hull, n)
            points.append(own)
            hulls.append(faces)
        return points, hulls, sums

    def _read(self, b: int, name: str, first: int, n: int) -> tuple[Array, int]:
        """Read rows of a body, the same array as before if they are those."""
        where, rows, seal = self._last.get((name, b), (None, None, 0))
        if rows is None or where != (first, n):
            rows = frozen(self._shared[name].rows(first, first + n).copy())
            seal = seal_of(rows)
            self._last[name, b] = (first, n), rows, seal
        return rows, seal

    def _steps(self) -> int:
        """Return how many frames are whole."""
        said = [int(self.file[f"VTKHDF/{b}/Steps"].attrs["NSteps"]) for b in BLOCKS]
        # both go out in one write, which a kill may cut in two
        if min(said) < 0 or max(said) - min(said) > 1:
            raise ValueError(f"it has {said[0]} frames, or {said[1]}")
        return min(said)
