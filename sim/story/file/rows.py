"""One frame of a recording as tables of numbers, packed into bytes, and back."""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.guard import checked, same_bits
from sim.body.pose import check_matrix
from sim.contact_manager import ContactManager, FrameRecord
from sim.events.body_status import BodyStatus
from sim.events.event import Event
from sim.frame import Frame, Snapshots
from sim.kernels.rows import COLD
from sim.result.answers import PairAnswers
from sim.result.renaming import renamed
from sim.result.state import PairState
from sim.story.file.states import REGIONS, STATES, decode, encode, encode_regions
from sim.tracking.carried import Ids, Memory, left_by

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

SHAPES = {"points": "positions", "hull": "hulls"}  # their tables, by column

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


class Raw(NamedTuple):
    """One frame as rows, and the shapes that they refer to."""

    rows: Rows
    next_contact: int
    points: Sequence[NDArray[Float]]  # of each body (V, 3), body frame, read-only
    hulls: Sequence[Array | None]  # triangles of what stands for a body

    @classmethod
    def of(
        cls, stage: ContactManager, told: FrameRecord, frame: Frame | None = None
    ) -> Self:
        """Write down what a stage told of a frame, and carries out of it.

        Parameters: ``frame``: None of what is carried into the first, where bodies are
        nowhere yet.
        """
        pairs, bodies = told.answers, stage.bodies
        placed = np.zeros(len(bodies), PLACEMENT)
        placed["standing"] = [status or UNKNOWN for status in told.statuses] or 0
        rows: dict[str, Any] = {"placements": placed, "contacts": told.contacts}
        points: Sequence[NDArray[Float]] = [body.mesh.points for body in bodies]
        hulls: list[Array | None] = [None] * len(bodies)
        shown: Any = True
        if frame is not None:
            shown = stage.rows(pairs.ends, frame.pairs) != COLD
            here = cast("Snapshots", frame.bodies)
            points = here.points
            placed["transform"] = here.poses.reshape(-1, 12)
            placed["flags"] = [body.is_open for body in bodies]
            placed["flags"][[here.places[name] for name in frame.cut]] |= CUT
            placed["flags"][list(told.new)] |= NEW
            of_bodies, of_pairs = told.events
            events = [*of_bodies, *(of_pairs and replace(of_pairs, bare=True))]
            text = "".join(f"{event}\n" for event in events).encode()
            rows["events"] = [event.contact for event in events]
            rows["lines"] = np.frombuffer(text, np.uint8)
        for k, state in pairs.kept.items():
            for b, triangles in zip(pairs.ends[k].tolist(), state.hulls, strict=True):
                hulls[b] = hulls[b] if triangles is None else triangles
        placed["hull_faces"] = [0 if hull is None else len(hull) for hull in hulls]
        remembered = sorted(told.memory.overlaps(pairs.pairs()).items())
        ids = [([*pair, len(own)], own) for pair, own in remembered]
        rows["overlaps"] = np.concatenate([*chain.from_iterable(ids)]) if ids else []
        rows["law"] = np.frombuffer(told.law[0], np.uint8)
        if stage.rules.regions:
            rows |= encode_regions(pairs)
            rows["next_regions"] = [(*p, n) for p, n in told.regions.items() if n]
        return cls(encode(pairs, shown) | rows, told.next_contact, points, hulls)

    def packed(
        self, block: int, last: Shared, rest: Sequence[NDArray[Float]]
    ) -> tuple[bytes, Shared]:
        """Return the bytes of the frame, and what the next one may refer to.

        Shapes are in it where they are other ones than before.

        Parameters: ``block``: where it is written; ``last``: what it may refer to;
        ``rest``: positions that need not be written, of each body.
        """
        rows, after = dict[str, Any](self.rows), dict(last)
        rows["placements"] = placed = rows["placements"].copy()
        both = zip(self.points, rest, strict=True)
        moved = [None if points is known else points for points, known in both]
        given: Any = (moved, operator.is_), (self.hulls, np.array_equal)
        for (column, table), (shapes, same) in zip(SHAPES.items(), given, strict=True):
            written, placed[column] = list[Array](), 0
            for b, shape in enumerate(shapes):
                if shape is not None:
                    was = after.get((table, b))
                    if was is None or not same(was[0], shape):
                        after[table, b] = shape, block
                        written.append(shape)
                    placed[column][b] = after[table, b][1]
            rows[table] = np.concatenate(written) if written else []
        return pack(rows), after

    @property
    def poses(self) -> NDArray[Float]:
        """Where the bodies are, (B, 3, 4)."""
        return np.reshape(self.rows["placements"]["transform"], (-1, 3, 4))

    def flagged(self, flag: int) -> list[int]:
        """Return for every body OPEN, CUT or NEW if it is so, else 0."""
        return list[int]((self.rows["placements"]["flags"] & flag).tolist())

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
                body.forget()

    def answers(self, bodies: Sequence[Body]) -> PairAnswers:
        """Decode the answers of the frame; they stand on these bodies."""
        return decode([self.rows], bodies, [self.hulls])

    @property
    def shown(self) -> NDArray[np.bool_]:
        """Which of the answers the frame reports."""
        return np.asarray(self.rows["states"]["reported"] == 1)

    def after(self, told: FrameRecord, answers: PairAnswers) -> FrameRecord:
        """Return what a stage tells after the frame, given its answers.

        Raises ValueError if what pairs remember is of others.
        """
        contacts, ids = self.rows["contacts"], self.rows["overlaps"].astype(np.int32)
        overlaps, at = dict[tuple[int, int], Ids](), 0
        while at < len(ids):
            i, j, length = ids[at : at + 3].tolist()
            overlaps[i, j] = ids[at + 3 : at + 3 + max(length, 0)]
            at += 3 + max(length, 0)
        if len(contacts) != len(answers) or not {*overlaps} <= {*answers.pairs()}:
            raise ValueError("what pairs remember is of others")
        memory = Memory(len(answers), 0)
        for k, (pair, state) in enumerate(zip(answers.pairs(), answers, strict=True)):
            # begins anew where that cannot be
            memory.take(k, *left_by(state, overlaps.get(pair)))
        standing = self.rows["placements"]["standing"].tolist()
        return told._replace(
            answers=answers,
            memory=memory,
            contacts=contacts.astype(np.int32),
            regions={(i, j): n for i, j, n in self.rows["next_regions"].tolist()},
            statuses=tuple(
                None if row[0] < 0 else BodyStatus(*map(bool, row)) for row in standing
            ),
            next_contact=self.next_contact,
            law=(self.rows["law"].tobytes(), None),
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


def carried_on(stage: ContactManager) -> FrameRecord:
    """Return what is carried into the next frame, in the names of today.

    Raises ValueError if a pair is in contact by a feature that is gone from a body's
    mesh.
    """
    told = stage.told
    if told.answers.editions == tuple(body.edition for body in stage.bodies):
        return told
    found, memory = dict[int, PairState](), Memory(len(told.answers), 0)
    for k, state in enumerate(told.answers):
        last = renamed(state)
        lost = last is not state and state.regions
        if lost or (last is None and state.regime != "separated"):
            raise ValueError(
                f"bodies '{state.a.name}' and '{state.b.name}' touched by features "
                "that their meshes no longer have; step the world once before it "
                "is recorded"
            )
        if last is state:
            memory.take(len(found), told.memory, k)
        elif last is not None:  # ids of another mesh
            memory.begin(len(found), last)
        if last is not None:
            found[k] = last
    left = list(found)
    answers = PairAnswers.of(found.values(), told.answers.ends[left])
    return told._replace(answers=answers, memory=memory, contacts=told.contacts[left])
