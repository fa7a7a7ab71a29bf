"""One frame of a recording as the rows that it adds to its tables, and back."""

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.guard import checked
from sim.body.placed import Actor, same_bits
from sim.body.pose import Pose, check_matrix
from sim.contact_manager import Checkpoint, PairCheckpoint
from sim.events.event import Event
from sim.events.touch import shown
from sim.frame import BodySnapshot, Frame
from sim.result.state import PairState
from sim.story.file import layout
from sim.story.file.header import Header, standing_of
from sim.story.file.states import encode, encode_regions

Array = NDArray[Any]
Kept = tuple[Array | None, int, bytes]  # an array, its row in the table, its seal
NOTHING: Kept = (None, 0, b"")
IDENTITY = Pose.identity()


class Shared(NamedTuple):
    """What was written last of every body: a frame may refer to it."""

    points: tuple[Kept, ...]
    hulls: tuple[Kept, ...]


class FrameRows:
    """Turn frames into rows."""

    def __init__(self, header: Header, first: NDArray[np.int64]) -> None:
        self._regions = header.rules.regions
        self._columns = layout.tables(header.rules)
        self._first = first  # (B + 1,) the first vertex of every body in the world
        self._place = {cast.name: k for k, cast in enumerate(header.casts)}
        nothing = (NOTHING,) * len(header.casts)
        self.nothing = Shared(nothing, nothing)

    def of(
        self, frame: Frame, carry: Checkpoint, ends: dict[str, int], shared: Shared
    ) -> tuple[dict[str, Array], list[bytes], NDArray[np.float64], Shared]:
        """Return the rows for tables that are so long, in the order of the tables.

        And the seals of all positions and hulls, all points in the world, (V, 3), and
        what the next frame may refer to, after what this one may.
        """
        states = [memory.state for memory in carry.memories]
        head = frame.index, frame.time, carry.next_contact
        rows = {"frames": np.array([head], layout.FRAME)}
        rows |= self._events_of(frame.events, states, ends)
        placed, seals, world, after = self._bodies_of(frame, carry, ends, shared)
        rows |= placed
        reported = {id(state) for state in frame.pairs}
        answers = [(m.pair, id(m.state) in reported, m.state) for m in carry.memories]
        carried = [(m.contact, m.next_region) for m in carry.memories]
        rows |= encode(answers, ends) | {"memories": np.array(carried, layout.MEMORY)}
        if self._regions:
            rows |= encode_regions(states, ends)
        kinds = self._columns
        found = {k: np.asarray(rows[k], kinds[k].dtype) for k in kinds}
        return found, seals, world, after

    def _events_of(
        self, events: tuple[Event, ...], states: list[PairState], ends: dict[str, int]
    ) -> dict[str, Array]:
        number = {id(state): ends["states"] + k for k, state in enumerate(states)}
        lines = [f"{event}\n".encode() for event in events]
        stops = accumulate(map(len, lines), initial=ends["lines"])
        next(stops)
        rows = [
            (event.contact, number.get(id(event.state), layout.NO_STATE), stop)
            for event, stop in zip(events, stops, strict=True)
        ]
        text = np.frombuffer(b"".join(lines), np.uint8)
        return {"events": np.array(rows, layout.EVENT), "lines": text}

    def _bodies_of(
        self, frame: Frame, carry: Checkpoint, ends: dict[str, int], shared: Shared
    ) -> tuple[dict[str, Array], list[bytes], NDArray[np.float64], Shared]:
        points_of, hulls_of = list(shared.points), list(shared.hulls)
        world = np.empty((int(self._first[-1]), 3))
        placements = np.empty(len(frame.bodies), layout.PLACEMENT)
        positions: list[Array] = [np.empty((0, 3))]
        hulls: list[Array] = [np.empty((0, 3), np.int32)]
        seals: list[bytes] = []
        faces = {
            body.name: triangles
            for memory in carry.memories
            for body, triangles in zip(
                (memory.state.a, memory.state.b), memory.state.hulls, strict=True
            )
            if triangles is not None
        }
        at, hull_at = ends["positions"], ends["hulls"]
        for k, body in enumerate(frame.bodies):
            here = world[self._first[k] : self._first[k + 1]]
            row, points_of[k] = _placed(body, here, at, points_of[k])
            if row == at and row >= 0:
                positions.append(body.points)
                at += len(body.points)
            seals.append(points_of[k][2] if row != layout.AT_REST else b"")
            hull, hull_faces = layout.NO_HULL, 0
            found = faces.get(body.name)
            if found is not None:
                kept = hulls_of[k]
                if kept[0] is None or not np.array_equal(kept[0], found):
                    kept = hulls_of[k] = (found, hull_at, layout.points_seal(found))
                    hulls.append(found)
                    hull_at += len(found)
                hull, hull_faces = kept[1], len(found)
                seals.append(kept[2])
            standing = carry.statuses[k] or layout.UNKNOWN
            transform = body.pose.matrix.ravel()
            opened = carry.opened[k]
            placements[k] = (transform, row, opened, standing, hull, hull_faces)
        rows = {
            "placements": placements,
            "positions": np.concatenate(positions),
            "hulls": np.concatenate(hulls),
        }
        return rows, seals, world, Shared(tuple(points_of), tuple(hulls_of))


def _placed(body: BodySnapshot, here: Array, at: int, kept: Kept) -> tuple[int, Kept]:
    """Write a body's points in the world; return where its positions are."""
    if body.pose == IDENTITY:
        here[...] = body.points
        if body.points is not kept[0]:
            # not in ``positions``: where the pose changes they are written there
            kept = (body.points, layout.IN_WORLD, layout.points_seal(body.points))
        return layout.IN_WORLD, kept
    here[...] = body.world_points()
    if body.points is body.mesh.points:
        return layout.AT_REST, kept
    if body.points is not kept[0]:
        kept = (body.points, at, layout.points_seal(body.points))
    elif kept[1] == layout.IN_WORLD:
        kept = (body.points, at, kept[2])
    return kept[1], kept


Float = np.float64
Hulls = list[Array | None]


class Placement(NamedTuple):
    """Where one body was in one frame."""

    transform: NDArray[Float]  # (3, 4)
    points: NDArray[Float]  # (V, 3), body frame, read-only
    is_open: bool

    def put(self, body: Actor) -> None:
        """Put a body there, as open or closed as it was.

        Raises ValueError if it cannot be there.
        """
        check_matrix(self.transform, body.name)
        body.transform[...] = self.transform
        if self.is_open:
            body.points[...] = checked(self.points, self.points.shape, body.name)[0]
        elif not same_bits(body.positions, self.points):
            body.points = self.points


class Raw(NamedTuple):
    """The rows of one frame, as its seals say that they were written."""

    rows: dict[str, Array]
    start: dict[str, int]  # how long the tables were before
    placements: list[Placement]
    hulls: Hulls  # triangles of what stands for a body, or None


def carry_of(raw: Raw, states: list[PairState]) -> Checkpoint:
    """Say what is carried out of a frame, given its states decoded."""
    pairs = raw.rows["states"]["pair"].tolist()
    carried = raw.rows["memories"].tolist()
    placed = raw.rows["placements"]
    return Checkpoint(
        tuple(
            PairCheckpoint((a, b), contact, state, next_region)
            for (a, b), (contact, next_region), state in zip(
                pairs, carried, states, strict=True
            )
        ),
        tuple(map(standing_of, placed["standing"].tolist())),
        tuple(map(bool, placed["open"].tolist())),
        int(raw.rows["frames"]["next_contact"][0]),
    )


def events_of(raw: Raw, states: list[PairState]) -> tuple[Event, ...]:
    """Say what happened in a frame, given its states decoded."""
    rows = raw.rows["events"].tolist()
    text = raw.rows["lines"].tobytes().decode()
    first = raw.start["states"]
    found = []
    for (contact, row, _), line in zip(rows, text.splitlines(), strict=True):
        if row != layout.NO_STATE and not 0 <= row - first < len(states):
            raise ValueError(f"{shown(line)} is of an answer that is not there")
        state = None if row == layout.NO_STATE else states[row - first]
        found.append(Event.parse(line).of(state, contact))
    return tuple(found)
