"""Read a recording: from its journal back to frames."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import compress, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from sim.body.body import Body
from sim.contact_manager import ContactManager, FrameRecord
from sim.errors import RecordingError, reason
from sim.events.changes import telling
from sim.events.event import Event
from sim.frame import Frame, Snapshots
from sim.result.answers import PairAnswers
from sim.story.file.header import read_header
from sim.story.file.journal import AHEAD, HEAD, open_journal
from sim.story.file.rows import CUT, NEW, OPEN, SHAPES, Array, Raw, Rows, unpack
from sim.story.file.states import REGIONS, STATES, bits_of, decode
from sim.table import Table
from wingedge.registry import wings
from wingedge.tables import frozen

BATCH = 1 << 22  # bytes of frames that are read at once, and of their positions
DAMAGE = (
    *(OSError, LookupError, RuntimeError, ValueError, TypeError),
    *(ArithmeticError, AttributeError, MemoryError, EOFError),
)


class Reader:
    """Read frames from what a ``Recorder`` wrote, whole or cut short."""

    def __init__(self, path: Path, name: str) -> None:
        self.name, self.path = name, path
        self._last: dict[tuple[str, int], tuple[int, Array]] = {}  # and its frame
        self._closed = False
        with self.reading():
            self._journal = open_journal(path)
            self.header = read_header(self._journal.block(HEAD))
            self.names = tuple(cast.name for cast in self.header.casts)
            frames = self._journal.blocks[AHEAD:]
            self.indices, self.times = frames["index"], frames["time"]
            if (np.diff(self.indices) != 1).any() or (self.indices < 0).any():
                raise ValueError("its frames do not follow one another")
            if not np.isfinite(self.times).all():
                raise ValueError("a frame is at no time")

    def __len__(self) -> int:
        return len(self.times)

    def close(self) -> None:
        """Read no more; frames that were read stay."""
        self._closed = True
        self._journal.data = self._journal.data[:0].copy()
        self._last.clear()

    @contextmanager
    def reading(self, frame: int = -1) -> Iterator[None]:
        """Turn what HDF5 says about a damaged file into one sentence.

        It names the frame that was to be read, by its place from 0; -1: the start.
        """
        if self._closed:
            raise RecordingError(f"{self.name} is closed; open it again to read on")
        try:
            yield
        except RecordingError:
            raise
        except DAMAGE as error:
            why, where, advice = reason(error), "", "record the run again"
            if frame >= 0:
                where = "" if f"frame {frame} " in why else f" in frame {frame}"
                advice = f"read the others, or {advice}"
            raise RecordingError(
                f"{self.name}: the recording is damaged{where} ({why}); {advice}"
            ) from error

    def make_bodies(self) -> list[Body]:
        """Make the bodies anew, at rest."""
        return [Body(**cast._asdict()) for cast in self.header.casts]

    def happened(self) -> Iterator[Event]:
        """Go through what happened in all frames, each of which holds its seal."""
        for k in range(len(self)):
            with self.reading(k):
                rows = self._rows(k + AHEAD)
            if len(rows["events"]):
                yield from self.frame(k).events

    def stage(self) -> ContactManager:
        """Return a stage where bodies carry what they did before the run."""
        with self.reading():
            stage = ContactManager(self.make_bodies(), self.header.rules)
            stage.told = self.carried(stage)
        return stage

    def carried(self, stage: ContactManager, k: int = 0) -> FrameRecord:
        """Return what a stage of the same bodies goes on with in frame k."""
        raw = self.raw(k - 1)
        with self.reading(k - 1):
            told = raw.after(stage.told, raw.answers(stage.bodies))
        if k and self.header.rules.resolution:
            again = self.stage()
            deque(self.play(again, k), 0)
            told = told._replace(held=again.told.held)
        return told

    def play(self, stage: ContactManager, end: int) -> Iterator[Frame]:
        """Put the bodies where they were, frame by frame, and answer for them there."""
        for k in range(end):
            raw = self.raw(k)
            with self.reading(k):
                raw.put(stage.bodies)
                stage.lasted(map(bool, raw.flagged(NEW)))
            try:
                told = stage.told = stage.answer(int(self.indices[k]))
            except ValueError as error:  # bodies that refuse what somebody wrote
                raise RecordingError(
                    f"{self.name}: frame {k} cannot be answered for ({error})"
                ) from error
            if self.header.rules.law:
                packed = raw.rows["law"].tobytes()
                stage.told = stage.told._replace(law=(packed, None))
            yield self._made(k, raw, told.pairs, told.events)

    def part(self, ks: range) -> tuple[Raw, Iterator[tuple[int, float, Raw]]]:
        """Return what was carried into frames, and these, to be written once more."""
        rest = [cast.mesh.points for cast in self.header.casts]
        start = self.raw(ks.start - 1)._replace(points=rest)
        frames = ((int(self.indices[k]), float(self.times[k]), self.raw(k)) for k in ks)
        return start, frames

    def frame(self, k: int) -> Frame:
        """Read a frame, with bodies of its own."""
        raw, bodies = self.raw(k), self.make_bodies()
        with self.reading(k):
            raw.put(bodies)
            answers = raw.answers(bodies)
            pairs = answers if raw.shown.all() else answers.where(raw.shown)
            return self._made(k, raw, pairs, [raw.events(answers)])

    def _made(
        self, k: int, raw: Raw, pairs: PairAnswers, events: Sequence[Iterable[Event]]
    ) -> Frame:
        """Make a frame of its pairs and events."""
        meshes = tuple(cast.mesh for cast in self.header.casts)
        places = {name: b for b, name in enumerate(self.names)}
        bodies = Snapshots(places, meshes, tuple(raw.points), raw.poses)
        law = raw.rows["law"].tobytes()
        cut = sorted(compress(self.names, raw.flagged(CUT)))
        known = wings.unpack(law) if law else {}
        here = int(self.indices[k]), float(self.times[k]), pairs, (), bodies
        return telling(Frame(*here, tuple(cut), (), known), events)

    def batches(self) -> Iterator[tuple[int, list[Raw], PairAnswers]]:
        """Read all frames, some megabytes at once: the first, all, what they report.

        The bodies of the m-th frame of a batch are numbered from m times their count
        on; they are at rest.
        """
        bodies = self.make_bodies()
        room = 24 * sum(body.mesh.n_vertices for body in bodies)
        ends = np.cumsum(self._journal.blocks["bytes"][AHEAD:] + room) // BATCH
        cuts = [0, *(np.flatnonzero(np.diff(ends)) + 1), len(self)]
        for first, end in pairwise(cuts if len(self) else ()):
            raws = [self.raw(k) for k in range(first, end)]
            frames, hulls = [raw.rows for raw in raws], [raw.hulls for raw in raws]
            try:
                answers = decode(frames, bodies, hulls)
            except DAMAGE:
                deque(map(self.frame, range(first, end)), 0)  # says in which
                raise
            shown = np.concatenate([raw.shown for raw in raws])
            yield first, raws, answers if shown.all() else answers.where(shown)

    def table(self) -> Table:
        """Read all reported pairs of all frames, a row each."""
        who, n = np.array(self.names, str), max(len(self.names), 1)

        def told(first: int, pairs: PairAnswers) -> Table:
            k = first + pairs.a // n
            head = {"frame": self.indices[k], "time": self.times[k]}
            both = {"a": who[pairs.a % n], "b": who[pairs.b % n]}
            return Table({**head, **both, **pairs.columns()})

        start = self.raw(-1)
        with self.reading():
            pairs = start.answers(self.make_bodies())
        columns = told(0, pairs.where(np.zeros(len(pairs), bool)))
        rows = (told(first, pairs) for first, _, pairs in self.batches())
        return Table.stacked([columns, *rows])

    def raw(self, k: int) -> Raw:
        """Read the rows of a frame, -1 of the start, and what they refer to.

        Raises RecordingError if they are not what was written.
        """
        block = k + AHEAD
        points: list[Any] = [cast.mesh.points for cast in self.header.casts]
        hulls: list[Any] = [None] * len(points)
        with self.reading(k):
            rows = self._rows(block)
            for column, shapes in (("points", points), ("hull", hulls)):
                for b in np.flatnonzero(rows["placements"][column]).tolist():
                    shapes[b] = self._written(column, b, block, rows)
        next_contact = int(self._journal.blocks["next_contact"][block])
        return Raw(rows, next_contact, points, hulls)

    def bits(self) -> Iterator[bytes]:
        """Go through all bits of positions, poses and states; not what they cost."""
        tables = list[Rows]()
        yield self.indices.tobytes() + self.times.tobytes()
        for k in range(len(self)):
            raw = self.raw(k)
            tables.append({name: raw.rows[name] for name in (*STATES, *REGIONS)})
            placed = zip(raw.poses, raw.points, raw.flagged(OPEN), strict=True)
            for pose, points, opened in placed:
                yield pose.astype("<f8").tobytes()
                yield points.astype("<f8").tobytes()
                yield bytes([opened])
        if tables:
            yield from bits_of(tables, regions=self.header.rules.regions)

    def _rows(self, block: int) -> Rows:
        rows = unpack(self._journal.block(block))
        if len(rows["placements"]) != len(self.header.casts):
            raise ValueError(f"frame {block - AHEAD} is of other bodies")
        return rows

    def _written(self, column: str, b: int, block: int, rows: Rows) -> Array:
        """Return what a block wrote of a body, the same array while it is that.

        Parameters: ``block``, ``rows``: what refers to it.
        """
        at, table = int(rows["placements"][column][b]), SHAPES[column]
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
