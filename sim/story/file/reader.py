"""Read a recording: from the tables of its file back to frames."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.errors import RecordingError, reason
from sim.events.event import Event
from sim.frame import Frame, Snapshots
from sim.result.answer import Hulls
from sim.result.answers import PairAnswers
from sim.result.state import PairState
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
from sim.story.file.rows import Placement, Raw, seal_of
from sim.story.file.states import RAGGED, STATE, decode
from sim.story.file.vtkhdf import BLOCKS, first_vertices
from wingedge.registry import find
from wingedge.tables import frozen

Float = np.float64
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
        except DAMAGE as error:
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
                carried = carried.after(raw.carry(_states(raw, bodies)))
        return carried

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
            states = _states(raw, bodies)
            carry = raw.carry(states)
            head = self.index(k), float(self.times[k]), _reported(raw, states, bodies)
            law = find("unpack")(carry.law) if carry.law else {}
            cut = raw.cut(places)
            frame = Frame(*head, raw.events(states), snapshots, cut, (), law)
            return frame, carry

    def answers(
        self, k: int, bodies: Sequence[Body]
    ) -> tuple[PairAnswers, tuple[Event, ...]]:
        """Read what a frame says of bodies that may be anywhere: answers and events."""
        with self.reading(frame=k):
            raw = self.raw(k)
            states = _states(raw, bodies)
            return _reported(raw, states, bodies), raw.events(states)

    def raw(self, k: int) -> Raw:
        """Read the rows of a frame, and what they refer to.

        Raises ValueError if they are not what was written.
        """
        rows = self._rows(k)
        placed = rows["placements"]
        points, hulls, sums = self._placed(k, placed)
        if not np.array_equal(sums, rows["sums"]):
            raise ValueError(f"frame {k} is not what was written")
        poses, flags = placed["transform"].reshape(-1, 3, 4), placed["open"].tolist()
        placements = list(map(Placement, poses, points, flags))
        return Raw(rows, int(self._frames["next_contact"][k]), placements, hulls)

    def bits(self) -> Iterator[bytes]:
        """Go through all bits of positions, poses and states; not what they cost."""
        regions = layout.REGIONS if self.header.rules.regions else ()
        parts: dict[str, list[Array]] = {k: [] for k in ("states", *RAGGED, *regions)}
        start: Counter[str] = Counter()
        with self.reading():
            for name in ("index", "time"):
                yield self._frames[name].tobytes()
            for k in range(len(self)):
                raw = self.raw(k)
                for placement in raw.placements:
                    yield placement.transform.astype("<f8").tobytes()
                    yield placement.points.astype("<f8").tobytes()
                    yield bytes([placement.flags & layout.OPEN])
                rows = layout.counted_from(raw.rows, start)
                for name, found in parts.items():
                    found.append(rows[name])
                    start[name] += len(rows[name])
        for found in filter(None, parts.values()):
            whole = np.concatenate(found)
            columns = [name for name in whole.dtype.names or () if name != "work"]
            if whole.dtype == STATE:
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


def _states(raw: Raw, bodies: Sequence[Body]) -> list[PairState]:
    """Decode the states of a frame; they stand on these bodies."""

    def hulls(_: int, a: int, b: int) -> Hulls:
        return raw.hulls[a], raw.hulls[b]

    return decode(raw.rows, bodies, hulls)


def _reported(
    raw: Raw, states: Sequence[PairState], bodies: Sequence[Body]
) -> PairAnswers:
    """Return the answers that a frame shows."""
    shown = zip(states, raw.rows["states"]["reported"].tolist(), strict=True)
    names = [body.name for body in bodies]
    return PairAnswers.among((state for state, told in shown if told), names)
