"""One frame of a recording as tables of numbers, packed into bytes, and back."""

import operator
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.guard import checked, same_bits
from sim.body.pose import check_matrix
from sim.events.body_status import BodyStatus
from sim.events.event import Event, FrameEvents
from sim.frame import Frame, Snapshots
from sim.result.answers import PairAnswers
from sim.story.checkpoint import Checkpoint
from sim.story.file.states import REGIONS, STATES, decode, encode, encode_regions
from sim.tracking.carried import Ids, is_of

Float = np.float64
Array = NDArray[Any]
Rows = Mapping[str, Array]  # by table

PLACEMENT = np.dtype(
    [
        ("transform", "<f8", (12,)),
        ("points", "<i8"),  # the block that has its positions; 0: it is at rest
        ("flags", "u1"),  # the sum of OPEN, CUT, NEW
        ("standing", "i1", (3,)),  # convex, inverted, collapsed; UNKNOWN: not looked at
        ("hull", "<i8"),  # the block that has its hull; 0: none was asked for
        ("hull_faces", "<i8"),  # and of how many triangles that is
    ]
)
# Positions are written freely; it jumped here on purpose; positions are new.
OPEN, CUT, NEW = 1, 2, 4
UNKNOWN = (-1, -1, -1)
TABLES: dict[str, np.dtype[Any]] = {
    "events": np.dtype("<i8"),  # their contacts
    "lines": np.dtype("u1"),  # and their lines, UTF-8
    "placements": PLACEMENT,
    "positions": np.dtype(("<f8", (3,))),  # body frame, of bodies with new ones
    "hulls": np.dtype(("<i4", (3,))),  # triangles, of bodies with new ones
    **STATES,
    "contacts": np.dtype("<i4"),  # of every state
    "overlaps": np.dtype("<i4"),  # A, B, how many ids, and those; `tracking.carried`
    **REGIONS,
    "next_regions": np.dtype(("<i4", (3,))),  # A, B, and the next identity there
    "law": np.dtype("u1"),  # what it remembers, packed
}

# what was written last of a body, by table and body: the rows, and in which block
Shared = dict[tuple[str, int], tuple[Array, int]]


def pack(rows: Rows) -> bytes:
    """Turn the rows of a frame into bytes: how long each table is, then all of them."""
    parts = [
        np.asarray(rows[name], kind.base).tobytes() if name in rows else b""
        for name, kind in TABLES.items()
    ]
    return b"".join([np.array([*map(len, parts)], "<i8").tobytes(), *parts])


def unpack(data: bytes) -> dict[str, Array]:
    """Return the rows that were packed, read-only.

    Raises ValueError if the tables have other sizes.
    """
    sizes = np.frombuffer(data, "<i8", len(TABLES))
    ends = sizes.nbytes + np.cumsum(sizes)
    if sizes.min() < 0 or ends[-1] != len(data):
        raise ValueError("its tables end elsewhere")
    cuts = zip(TABLES.items(), (ends - sizes).tolist(), ends.tolist(), strict=True)
    return {name: np.frombuffer(data[i:j], kind) for (name, kind), i, j in cuts}


def rows_of(
    carry: Checkpoint,
    block: int,
    last: Shared,
    frame: Frame | None = None,
    *,
    regions: bool,
) -> tuple[dict[str, Array], Shared]:
    """Return the rows of a frame, and what the next one may refer to.

    Parameters: ``block``: where it is written; ``last``: what it may refer to;
    ``frame``: None of what is carried into the first, where bodies are nowhere yet.
    """
    placed = np.zeros(len(carry.statuses), PLACEMENT)
    placed["standing"] = [status or UNKNOWN for status in carry.statuses] or 0
    shown: Any = True
    moved, hulls = dict[int, Array](), dict[int, Array]()
    told: dict[str, Any] = {"placements": placed, "contacts": carry.contacts}
    if frame is not None:
        both, n = (carry.pairs.ends, frame.pairs.ends), len(frame.bodies)
        own, reported = (pairs[:, 0] * n + pairs[:, 1] for pairs in both)
        shown = np.isin(own, reported)
        bodies, events = frame.bodies, frame.events
        assert isinstance(bodies, Snapshots), "what a world or a file makes"
        placed["transform"], placed["flags"] = (
            bodies.poses.reshape(-1, 12),
            carry.opened,
        )
        placed["flags"][[bodies.places[name] for name in frame.cut]] |= CUT
        placed["flags"][list(carry.new)] |= NEW
        shapes = enumerate(zip(bodies.points, bodies.meshes, strict=True))
        moved = {b: points for b, (points, mesh) in shapes if points is not mesh.points}
        events = tuple(events.bare()) if isinstance(events, FrameEvents) else events
        text = "".join(f"{event}\n" for event in events).encode()
        told["events"] = [event.contact for event in events]
        told["lines"] = np.frombuffer(text, np.uint8)
    for k, state in carry.pairs.kept.items():
        ends = zip(carry.pairs.ends[k].tolist(), state.hulls, strict=True)
        hulls |= {b: triangles for b, triangles in ends if triangles is not None}
    placed["hull_faces"][list(hulls)] = [*map(len, hulls.values())]
    after = dict(last)
    for table, column, written, same in (
        ("positions", "points", moved, operator.is_),
        ("hulls", "hull", hulls, np.array_equal),
    ):
        for b in sorted(written):  # in full where it is another one than before
            was = after.get((table, b))
            if was is None or not same(was[0], written[b]):
                after[table, b] = written[b], block
                told.setdefault(table, []).append(written[b])
            placed[column][b] = after[table, b][1]
        if table in told:
            told[table] = np.concatenate(told[table])
    remembered = sorted(carry.overlaps.items())
    ids = [([*pair, len(own)], own) for pair, own in remembered]
    told["overlaps"] = np.concatenate([*chain.from_iterable(ids)]) if ids else []
    told["law"] = np.frombuffer(carry.law, np.uint8)
    if regions:
        told |= encode_regions(carry.pairs)
        told["next_regions"] = [(*pair, n) for pair, n in carry.regions.items() if n]
    return encode(carry.pairs, shown) | told, after


class Raw(NamedTuple):
    """The rows of one frame, as its seals say that they were written."""

    rows: Rows
    next_contact: int
    points: list[NDArray[Float]]  # of each body (V, 3), body frame, read-only
    hulls: list[Array | None]  # triangles of what stands for a body

    @property
    def poses(self) -> NDArray[Float]:
        """Where the bodies are, (B, 3, 4)."""
        poses: NDArray[Float] = self.rows["placements"]["transform"].reshape(-1, 3, 4)
        return poses

    def flagged(self, flag: int) -> list[int]:
        """Return for every body OPEN, CUT or NEW if it is so, else 0."""
        found: list[int] = (self.rows["placements"]["flags"] & flag).tolist()
        return found

    def put(self, bodies: Sequence[Body]) -> None:
        """Put bodies where they were, as open or closed as they were.

        Raises ValueError if one cannot be there.
        """
        flags = self.flagged(OPEN | NEW)
        rows = zip(bodies, self.poses, self.points, flags, strict=True)
        for body, pose, points, flag in rows:
            check_matrix(pose, body.name)
            body.transform[...] = pose
            if flag & OPEN:
                body.points[...] = checked(points, points.shape, body.name)
            elif not same_bits(body.positions, points):
                body.points = points
            elif flag:
                body.renew()

    def answers(self, bodies: Sequence[Body]) -> PairAnswers:
        """Decode the answers of the frame; they stand on these bodies."""
        return decode(self.rows, bodies, self.hulls)

    def reported(self, answers: PairAnswers) -> PairAnswers:
        """Return the answers that the frame shows."""
        shown = self.rows["states"]["reported"] == 1
        return answers if shown.all() else answers.where(shown)

    def carry(self, answers: PairAnswers) -> Checkpoint:
        """Say what is carried out of the frame, given its answers.

        Raises ValueError if an overlap remembers what it cannot.
        """
        contacts, ids = self.rows["contacts"], self.rows["overlaps"]
        found, at = dict[tuple[int, int], Ids](), 0
        while at < len(ids):
            i, j, length = ids[at : at + 3].tolist()
            own = ids[at + 3 : at + 3 + length]
            at += 3 + length
            sizes = [answers.bodies[k].mesh.n_vertices for k in (i, j)]
            if length < 0 or answers.row_of(i, j) < 0:
                raise ValueError("an overlap remembers what is not there")
            if is_of(own, (sizes[0], sizes[1])):  # else it begins anew
                found[i, j] = own.astype(np.int32)
        if len(contacts) != len(answers):
            raise ValueError("what pairs remember is of others")
        told = self.rows["placements"]["standing"].tolist()
        return Checkpoint(
            answers,
            contacts.astype(np.int32),
            {(i, j): n for i, j, n in self.rows["next_regions"].tolist()},
            tuple(None if row[0] < 0 else BodyStatus(*map(bool, row)) for row in told),
            tuple(map(bool, self.flagged(OPEN))),
            self.next_contact,
            self.rows["law"].tobytes(),
            found,
            frozenset(np.flatnonzero(self.flagged(NEW)).tolist()),
        )

    def events(self, answers: PairAnswers) -> tuple[Event, ...]:
        """Say what happened in the frame, given its answers."""
        lines = self.rows["lines"].tobytes().decode().splitlines()
        row = {pair: k for k, pair in enumerate(answers.pairs())} if lines else {}
        places = {body.name: b for b, body in enumerate(answers.bodies)}
        found = []
        for contact, line in zip(self.rows["events"].tolist(), lines, strict=True):
            event = Event.parse(line, places)
            k = row.get((places.get(event.a, -1), places.get(event.b, -1)))
            found.append(event.of(None if k is None else answers.state(k), contact))
        return tuple(found)
