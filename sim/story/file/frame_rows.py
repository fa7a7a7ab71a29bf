"""One frame of a recording as the rows that it adds to its tables, and back."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.guard import checked
from sim.body.placed import same_bits
from sim.body.pose import Pose, check_matrix
from sim.events.event import Event, FrameEvents
from sim.events.touch import shown
from sim.frame import Frame, Snapshots
from sim.result.answers import PairAnswers
from sim.result.state import PairState
from sim.story.checkpoint import Checkpoint
from sim.story.file import layout
from sim.story.file.header import Header, ids_of, memories_of, overlaps_of, standing_of
from sim.story.file.states import encode, encode_regions

Array = NDArray[Any]
IDENTITY = Pose.identity().matrix.ravel()


class Kept(NamedTuple):
    """Rows that were written last of a body: a frame may refer to them."""

    rows: Array | None = None
    at: int = 0  # in their table
    seal: bytes = b""


Shared = dict[tuple[str, int], Kept]  # by table and body


class FrameRows:
    """Turn frames into rows."""

    def __init__(self, header: Header, first: NDArray[np.int64]) -> None:
        self._place = {cast.name: k for k, cast in enumerate(header.casts)}
        self._regions = header.rules.regions
        self._columns = layout.tables(header.rules)
        self._first = first  # (B + 1,) the first vertex of every body in the world

    def of(
        self, frame: Frame, carry: Checkpoint, ends: dict[str, int], shared: Shared
    ) -> tuple[dict[str, Array], list[bytes], NDArray[np.float64], Shared]:
        """Return the rows for tables that are so long, in the order of the tables.

        And the seals of all positions and hulls, all points in the world, (V, 3), and
        what the next frame may refer to, after what this one may.
        """
        head = frame.index, frame.time, carry.next_contact
        rows: dict[str, Array] = {"frames": np.array([head], layout.FRAME)}
        rows |= self._events_of(frame.events, carry, ends)
        placed, seals, world, after = self._bodies_of(frame, carry, ends, shared)
        rows |= placed
        answers = carry.pairs
        both = answers.ends, frame.pairs.ends
        own, shown = (e[:, 0] * len(frame.bodies) + e[:, 1] for e in both)
        rows |= encode(answers, np.isin(own, shown), ends)
        rows |= {"memories": memories_of(carry)}
        if self._regions:
            rows |= encode_regions(answers, ends)
        rows[layout.OVERLAPS] = ids_of(carry.overlaps)
        rows["law"] = np.frombuffer(carry.law, np.uint8)
        kinds = self._columns
        found = {k: np.asarray(rows[k], kinds[k].dtype) for k in kinds}
        return found, seals, world, after

    def _events_of(
        self, events: Sequence[Event], carry: Checkpoint, ends: dict[str, int]
    ) -> dict[str, Array]:
        if isinstance(events, FrameEvents):
            events = tuple(events.bare())
        number: dict[tuple[int | None, ...], int] = {}
        if events:
            number = dict(zip(carry.pairs.pairs(), count(ends["states"])))
        place = self._place.get
        lines = [f"{event}\n".encode() for event in events]
        stops = accumulate(map(len, lines), initial=ends["lines"])
        next(stops)
        rows = [
            (e.contact, number.get((place(e.a), place(e.b)), layout.NO_STATE), stop)
            for e, stop in zip(events, stops, strict=True)
        ]
        text = np.frombuffer(b"".join(lines), np.uint8)
        return {"events": np.array(rows, layout.EVENT), "lines": text}

    def _world(self, bodies: Snapshots, poses: Array) -> Array:
        """Return all points in the world, by the operations of ``Pose.apply``."""
        if not len(bodies):
            return np.empty((0, 3))
        x, y, z = np.concatenate(bodies.points).T
        m = np.repeat(poses, np.diff(self._first), axis=0).T
        with np.errstate(over="ignore", invalid="ignore"):
            rows = [
                m[i] * x + m[i + 1] * y + m[i + 2] * z + m[i + 3] for i in (0, 4, 8)
            ]
        return np.stack(rows, axis=1)

    def _bodies_of(
        self, frame: Frame, carry: Checkpoint, ends: dict[str, int], shared: Shared
    ) -> tuple[dict[str, Array], list[bytes], NDArray[np.float64], Shared]:
        after, at = dict(shared), dict(ends)
        added: dict[str, list[Array]] = {
            "positions": [np.empty((0, 3))],
            "hulls": [np.empty((0, 3), np.int32)],
        }

        def kept(table: str, k: int, rows: Array, same: bool) -> Kept:
            if not same:
                after[table, k] = Kept(rows, at[table], layout.points_seal(rows))
                added[table].append(rows)
                at[table] += len(rows)
            return after[table, k]

        bodies = frame.bodies
        assert isinstance(bodies, Snapshots), "what a world or a file makes"
        poses = bodies.poses.reshape(-1, 12)
        world = self._world(bodies, poses)
        placements = np.zeros(len(bodies), layout.PLACEMENT)
        placements["transform"], placements["open"] = poses, carry.opened
        placements["open"][[bodies.places[name] for name in frame.cut]] |= layout.CUT
        placements["open"][list(carry.new)] |= layout.NEW
        placements["points"], placements["hull"] = layout.AT_REST, layout.NO_HULL
        told = [s or layout.UNKNOWN for s in carry.statuses]
        placements["standing"] = np.array(told, np.int8).reshape(-1, 3)
        seals = [b""] * len(bodies)
        in_world = (poses == IDENTITY).all(axis=1).tolist()
        for k, (points, mesh) in enumerate(
            zip(bodies.points, bodies.meshes, strict=True)
        ):
            if points is mesh.points and not in_world[k]:
                continue
            last = after.get(("positions", k), Kept())
            same = points is last.rows
            if in_world[k]:
                # not in ``positions``: where the pose changes they are written there
                seal = last.seal if same else layout.points_seal(points)
                now = after["positions", k] = Kept(points, layout.IN_WORLD, seal)
                world[self._first[k] : self._first[k + 1]] = points
            else:
                same = same and last.at != layout.IN_WORLD
                now = kept("positions", k, points, same)
            placements["points"][k], seals[k] = now.at, now.seal
        faces = {
            bodies.places[body.name]: triangles
            for state in carry.pairs.kept.values()
            for body, triangles in zip((state.a, state.b), state.hulls, strict=True)
            if triangles is not None
        }
        for k, triangles in sorted(faces.items(), key=lambda item: item[0]):
            last = after.get(("hulls", k), Kept())
            same = last.rows is not None and np.array_equal(last.rows, triangles)
            hull = kept("hulls", k, triangles, same)
            placements["hull"][k], seals[k] = hull.at, seals[k] + hull.seal
            placements["hull_faces"][k] = len(triangles)
        rows = {name: np.concatenate(found) for name, found in added.items()}
        return {"placements": placements, **rows}, seals, world, after


Float = np.float64
Hulls = list[Array | None]


class Placement(NamedTuple):
    """Where one body was in one frame."""

    transform: NDArray[Float]  # (3, 4)
    points: NDArray[Float]  # (V, 3), body frame, read-only
    flags: int  # the sum of OPEN, CUT, NEW

    def put(self, body: Body) -> None:
        """Put a body there, as open or closed as it was.

        Raises ValueError if it cannot be there.
        """
        check_matrix(self.transform, body.name)
        body.transform[...] = self.transform
        if self.flags & layout.OPEN:
            body.points[...] = checked(self.points, self.points.shape, body.name)
        elif not same_bits(body.positions, self.points):
            body.points = self.points
        elif self.flags & layout.NEW:
            body.renew()


class Raw(NamedTuple):
    """The rows of one frame, as its seals say that they were written."""

    rows: dict[str, Array]
    start: dict[str, int]  # how long the tables were before
    placements: list[Placement]
    hulls: Hulls  # triangles of what stands for a body, or None

    def cut(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names of the bodies that jumped here on purpose."""
        placed = zip(names, self.placements, strict=True)
        return tuple(sorted(name for name, at in placed if at.flags & layout.CUT))


def carry_of(raw: Raw, states: list[PairState]) -> Checkpoint:
    """Say what is carried out of a frame, given its states decoded."""
    carried, placed = raw.rows["memories"], raw.rows["placements"]
    pairs = PairAnswers.of(states, raw.rows["states"]["pair"].astype(np.int32))
    ids = raw.rows.get(layout.OVERLAPS, np.empty(0, np.int32))
    return Checkpoint(
        pairs,
        carried["contact"].astype(np.int32),
        carried["next_region"].astype(np.int32),
        tuple(map(standing_of, placed["standing"].tolist())),
        tuple(map(bool, (placed["open"] & layout.OPEN).tolist())),
        int(raw.rows["frames"]["next_contact"][0]),
        raw.rows["law"].tobytes() if "law" in raw.rows else b"",
        overlaps_of(ids, pairs),
        frozenset(np.flatnonzero(placed["open"] & layout.NEW).tolist()),
    )


def events_of(raw: Raw, states: list[PairState]) -> tuple[Event, ...]:
    """Say what happened in a frame, given its states decoded."""
    text = raw.rows["lines"].tobytes().decode()
    first = raw.start["states"]
    found = []
    told = zip(raw.rows["events"].tolist(), text.splitlines(), strict=True)
    for (contact, row, _), line in told:
        if row != layout.NO_STATE and not 0 <= row - first < len(states):
            raise ValueError(f"{shown(line)} is of an answer that is not there")
        state = None if row == layout.NO_STATE else states[row - first]
        found.append(Event.parse(line).of(state, contact))
    return tuple(found)
