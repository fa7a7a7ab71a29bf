"""Read a recording: from its journal back to frames."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.contact_manager import HeldPairs
from sim.errors import RecordingError, reason
from sim.events.event import Event
from sim.events.touch import Touch
from sim.frame import Frame, Snapshots
from sim.result.answers import PairAnswers
from sim.story.checkpoint import Checkpoint
from sim.story.file import rows as layout
from sim.story.file.header import check_casts, read_header
from sim.story.file.journal import AHEAD, HEAD, open_journal
from sim.story.file.rows import Array, Raw, Rows, unpack
from sim.story.file.states import REGIONS, STATES, bits_of
from sim.table import Table
from sim.tracking.held import HeldParts
from wingedge.registry import find
from wingedge.tables import frozen

Float = np.float64
DAMAGE = (
    *(OSError, LookupError, RuntimeError, ValueError, TypeError),
    *(ArithmeticError, AttributeError, MemoryError, EOFError),
)


class Reader:
    """Read frames from what a ``Recorder`` wrote, whole or cut short.

    Parameters: ``untrusted``: look at every mesh before anything is made of it.
    """

    def __init__(self, path: Path, name: str, *, untrusted: bool = False) -> None:
        self.name, self.path = name, path
        self._last: dict[tuple[str, int], tuple[int, Array]] = {}  # and its frame
        self._closed = False
        with self.reading("record the run again"):
            self._journal = open_journal(path)
            self.header = read_header(self._journal.block(HEAD))
            self._frames = self._journal.blocks[AHEAD:]
            index = self._frames["index"]
            if (np.diff(index) != 1).any() or (index < 0).any():
                raise ValueError("its frames do not follow one another")
            if not np.isfinite(self.times).all():
                raise ValueError("a frame is at no time")
            if untrusted:
                check_casts(self.header.casts)
                self.carried_into(0, self.make_bodies())

    def __len__(self) -> int:
        return len(self._frames)

    def close(self) -> None:
        """Read no more; frames that were read stay."""
        self._closed = True
        self._journal.data = self._journal.data[:0].copy()
        self._last.clear()

    @contextmanager
    def reading(
        self, advice: str = "record the run again", frame: int | None = None
    ) -> Iterator[None]:
        """Turn what HDF5 says about a damaged file into one sentence.

        It names the frame that was to be read, by its place from 0.
        """
        if self._closed:
            raise RecordingError(f"{self.name} is closed; open it again to read on")
        try:
            yield
        except RecordingError:
            raise
        except DAMAGE as error:
            why, where = reason(error), ""
            if frame is not None:
                where = "" if f"frame {frame} " in why else f" in frame {frame}"
                advice = f"read the others, or {advice}"
            raise RecordingError(
                f"{self.name}: the recording is damaged{where} ({why}); {advice}"
            ) from error

    def make_bodies(self) -> list[Body]:
        """Make the bodies anew, at rest."""
        casts = (cast._asdict() for cast in self.header.casts)
        return [Body(cast.pop("mesh"), **cast) for cast in casts]

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

    def happened(self) -> Iterator[Event]:
        """Go through what happened in all frames, each of which holds its seal."""
        for k in range(len(self)):
            with self.reading(frame=k):
                rows = self._rows(k + AHEAD)
            if len(rows["events"]):
                yield from self.frame(k).events

    def carried_into(self, k: int, bodies: Sequence[Body]) -> Checkpoint:
        """Read what was carried into frame k."""
        with self.reading(frame=k - 1 if k else None):
            raw = self.raw(k - 1)
            carry = raw.carry(raw.answers(bodies))
        known = self.header.rules.resolution
        return carry._replace(held=self._held_at(k - 1)) if known else carry

    def _held_at(self, k: int) -> HeldPairs:
        """Find the pairs that were told with other features than frame k names."""
        told: dict[tuple[str, str], tuple[int, Touch | None]] = {}
        for i in range(k + 1):
            with self.reading(frame=i):
                happened = len(self._rows(i + AHEAD)["events"])
            for event in self.frame(i).events if happened else ():
                if event.kind in ("begin", "change"):
                    told[event.a, event.b] = i, event.after
        held: dict[tuple[int, int], tuple[Touch, HeldParts]] = {}
        for state in self._answers(k) if told else ():
            a, b = state.a.name, state.b.name
            i, touch = told.get((a, b), (k, None))
            if state.regime != "separated" and touch and touch != Touch.of(state):
                pair = self.names.index(a), self.names.index(b)
                before = (self._answers(m) for m in range(k - 1, i - 1, -1))
                named = (answers.state(answers.row_of(*pair)) for answers in before)
                last = next(state for state in named if Touch.of(state) == touch)
                held[pair] = touch, HeldParts.of(last)
        return held

    def _answers(self, k: int) -> PairAnswers:
        """Decode all answers of a frame, reported or not, on bodies of its own."""
        with self.reading(frame=k):
            raw, bodies = self.raw(k), self.make_bodies()
            raw.put(bodies)
            return raw.answers(bodies)

    def frame(self, k: int) -> Frame:
        """Read a frame, with bodies of its own."""
        return self.whole(k)[0]

    def whole(self, k: int) -> tuple[Frame, Checkpoint]:
        """Read a frame, with bodies of its own, and what is carried out of it."""
        with self.reading(frame=k):
            raw, bodies = self.raw(k), self.make_bodies()
            raw.put(bodies)
            answers = raw.answers(bodies)
            frame = self.made(k, raw, raw.reported(answers), raw.events(answers))
            return frame, raw.carry(answers)

    def made(
        self, k: int, raw: Raw, pairs: PairAnswers, events: Sequence[Event]
    ) -> Frame:
        """Make a frame of its pairs and events."""
        meshes = tuple(cast.mesh for cast in self.header.casts)
        places = {name: b for b, name in enumerate(self.names)}
        bodies = Snapshots(places, meshes, tuple(raw.points), raw.poses)
        law = raw.rows["law"].tobytes()
        jumped = zip(self.names, raw.flagged(layout.CUT), strict=True)
        cut = tuple(sorted(name for name, did in jumped if did))
        known = find("unpack")(law) if law else {}
        time = float(self.times[k])
        return Frame(self.index(k), time, pairs, events, bodies, cut, (), known)

    def table(self) -> Table:
        """Read all reported pairs of all frames, a row each."""
        who, bodies = np.array(self.names, str), self.make_bodies()
        parts = list[Table]()
        for k in range(min(0, len(self) - 1), len(self)):
            with self.reading(frame=k):
                raw = self.raw(k)  # where there is no frame at all, none of the start
                shown = (raw.rows["states"]["reported"] == 1) & (k >= 0)
                answers = raw.answers(bodies).where(shown)
            when = self._journal.blocks[[k + AHEAD] * len(answers)]
            head = {"frame": when["index"], "time": when["time"]}
            both = {"a": who[answers.a], "b": who[answers.b]}
            parts.append(Table({**head, **both, **answers.columns()}))
        return Table.stacked(parts)

    def raw(self, k: int) -> Raw:
        """Read the rows of a frame, -1 of the start, and what they refer to.

        Raises ValueError if they are not what was written.
        """
        block = k + AHEAD
        rows = self._rows(block)
        points = [cast.mesh.points for cast in self.header.casts]
        hulls: list[Array | None] = [None] * len(points)
        for b in np.flatnonzero(rows["placements"]["points"]).tolist():
            points[b] = self._written("positions", "points", b, block, rows)
        for b in np.flatnonzero(rows["placements"]["hull"]).tolist():
            hulls[b] = self._written("hulls", "hull", b, block, rows)
        next_contact = int(self._journal.blocks["next_contact"][block])
        return Raw(rows, next_contact, points, hulls)

    def bits(self) -> Iterator[bytes]:
        """Go through all bits of positions, poses and states; not what they cost."""
        regions = self.header.rules.regions
        parts: dict[str, list[Array]] = {name: [] for name in (*STATES, *REGIONS)}
        for name in ("index", "time"):
            yield self._frames[name].tobytes()
        for k in range(len(self)):
            with self.reading(frame=k):
                raw = self.raw(k)
            for name, rows in parts.items():
                rows.append(raw.rows[name])
            placed = zip(raw.poses, raw.points, raw.flagged(layout.OPEN), strict=True)
            for pose, points, opened in placed:
                yield pose.astype("<f8").tobytes()
                yield points.astype("<f8").tobytes()
                yield bytes([opened])
        if len(self):
            tables = {name: np.concatenate(rows) for name, rows in parts.items()}
            yield from bits_of(tables, regions=regions)

    def _rows(self, block: int) -> Rows:
        rows = unpack(self._journal.block(block))
        if len(rows["placements"]) != len(self.header.casts):
            raise ValueError(f"frame {block - AHEAD} is of other bodies")
        return rows

    def _written(
        self, table: str, column: str, b: int, block: int, rows: Rows
    ) -> Array:
        """Return what a block wrote of a body, the same array while it is that.

        Parameters: ``block``, ``rows``: what refers to it.
        """
        at = int(rows["placements"][column][b])
        if self._last.get((table, b), (0,))[0] != at:
            if not AHEAD - 1 <= at <= block:
                raise ValueError(f"frame {block - AHEAD} refers to what comes later")
            rows = rows if at == block else self._rows(at)
            own = np.flatnonzero(rows["placements"][column] == at)
            sizes = np.array([cast.mesh.n_vertices for cast in self.header.casts])
            counts = rows["placements"]["hull_faces"] if table == "hulls" else sizes
            parts = np.split(rows[table], np.cumsum(counts[own]))
            if [*map(len, parts)] != [*counts[own], 0]:
                raise ValueError(f"frame {at - AHEAD} wrote other {table}")
            for i, part in zip(own.tolist(), parts, strict=False):
                self._last[table, i] = at, frozen(part.copy())
            if b not in own:
                raise ValueError(f"frame {at - AHEAD} wrote no {table} of body {b}")
        return self._last[table, b][1]
