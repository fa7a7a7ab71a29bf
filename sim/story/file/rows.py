"""One frame of a recording as the rows that it adds to its tables, and back."""

from collections.abc import Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.guard import checked
from sim.body.placed import same_bits
from sim.body.pose import check_matrix
from sim.events.body_status import BodyStatus
from sim.events.event import Event, FrameEvents
from sim.events.touch import shown
from sim.frame import Frame, Snapshots
from sim.result.answers import PairAnswers
from sim.story.checkpoint import Checkpoint
from sim.story.file import layout
from sim.story.file.layout import Array, Rows
from sim.story.file.states import decode, encode, encode_regions
from sim.tracking.carried import Ids, is_of

Float = np.float64


# what was written last of a body, by table and body: the rows, and in which frame
Shared = dict[tuple[str, int], tuple[Array, int]]


def rows_of_frame(
    frame: Frame, carry: Checkpoint, k: int, last: Shared, *, regions: bool
) -> tuple[dict[str, Array], Shared]:
    """Return the rows of a frame, and what the next one may refer to.

    Parameters: ``k``: its place in the recording; ``last``: what it may refer to.
    """
    both, n = (carry.pairs.ends, frame.pairs.ends), len(frame.bodies)
    own, told = (pairs[:, 0] * n + pairs[:, 1] for pairs in both)
    placed, after = _placed(frame, carry, k, last)
    rows = carried(carry, np.isin(own, told), regions=regions)
    return {**_events(frame, carry), **placed, **rows}, after


def carried(
    carry: Checkpoint, reported: Any = True, *, regions: bool
) -> dict[str, Array]:
    """Return what is carried out of a frame as rows, but for the bodies' own."""
    memories = np.zeros(len(carry.pairs), layout.MEMORY)
    memories["contact"], memories["next_region"] = carry.contacts, carry.regions
    overlaps = [np.empty(0, np.int32)]
    for pair, ids in sorted(carry.overlaps.items()):
        overlaps += [np.array([*pair, len(ids)], np.int32), ids]
    rows = encode(carry.pairs, reported)
    if regions:
        rows |= encode_regions(carry.pairs)
    rows |= {"memories": memories, "overlaps": np.concatenate(overlaps)}
    return rows | {"law": np.frombuffer(carry.law, np.uint8)}


def standings_of(carry: Checkpoint) -> NDArray[np.int8]:
    """Return what the bodies were told to be, (B, 3)."""
    told = [status or layout.UNKNOWN for status in carry.statuses]
    return np.array(told, np.int8).reshape(-1, 3)


def _events(frame: Frame, carry: Checkpoint) -> dict[str, Array]:
    events: Any = frame.events
    if isinstance(events, FrameEvents):
        events = tuple(events.bare())
    bodies: Any = frame.bodies
    place, number = bodies.places.get, dict[tuple[int | None, ...], int]()
    if events:
        number = dict(zip(carry.pairs.pairs(), count()))
    rows = [
        (e.contact, number.get((place(e.a), place(e.b)), layout.NO_STATE))
        for e in events
    ]
    text = "".join(f"{event}\n" for event in events).encode()
    lines = np.frombuffer(text, np.uint8)
    return {"events": np.array(rows, layout.EVENT), "lines": lines}


def _placed(
    frame: Frame, carry: Checkpoint, at: int, last: Shared
) -> tuple[dict[str, Array], Shared]:
    """Return where bodies are; positions and hulls are written where they changed."""
    after = dict(last)
    added: dict[str, list[Array]] = {"positions": [], "hulls": []}
    bodies = frame.bodies
    assert isinstance(bodies, Snapshots), "what a world or a file makes"
    rows = np.zeros(len(bodies), layout.PLACEMENT)
    rows["transform"], rows["open"] = bodies.poses.reshape(-1, 12), carry.opened
    rows["open"][[bodies.places[name] for name in frame.cut]] |= layout.CUT
    rows["open"][list(carry.new)] |= layout.NEW
    rows["points"], rows["hull"] = layout.AT_REST, layout.NO_HULL
    rows["standing"] = standings_of(carry)
    for k, (points, mesh) in enumerate(zip(bodies.points, bodies.meshes, strict=True)):
        if points is not mesh.points:
            was = after.get(("positions", k))
            if was is None or points is not was[0]:
                after["positions", k] = points, at
                added["positions"].append(points)
            rows["points"][k] = after["positions", k][1]
    faces = {
        bodies.places[body.name]: triangles
        for state in carry.pairs.kept.values()
        for body, triangles in zip((state.a, state.b), state.hulls, strict=True)
        if triangles is not None
    }
    for k, triangles in sorted(faces.items(), key=lambda item: item[0]):
        was = after.get(("hulls", k))
        if was is None or not np.array_equal(was[0], triangles):
            after["hulls", k] = triangles, at
            added["hulls"].append(triangles)
        rows["hull"][k], rows["hull_faces"][k] = after["hulls", k][1], len(triangles)
    found = {name: np.concatenate(parts) for name, parts in added.items() if parts}
    return {"placements": rows, **found}, after


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
        found: list[int] = (self.rows["placements"]["open"] & flag).tolist()
        return found

    def put(self, bodies: Sequence[Body]) -> None:
        """Put bodies where they were, as open or closed as they were.

        Raises ValueError if one cannot be there.
        """
        flags = self.flagged(layout.OPEN | layout.NEW)
        rows = zip(bodies, self.poses, self.points, flags, strict=True)
        for body, pose, points, flag in rows:
            check_matrix(pose, body.name)
            body.transform[...] = pose
            if flag & layout.OPEN:
                body.points[...] = checked(points, points.shape, body.name)
            elif not same_bits(body.positions, points):
                body.points = points
            elif flag:
                body.renew()

    def answers(self, bodies: Sequence[Body]) -> PairAnswers:
        """Decode the answers of the frame; they stand on these bodies."""
        return decode(self.rows, bodies, lambda _, a, b: (self.hulls[a], self.hulls[b]))

    def reported(self, answers: PairAnswers) -> PairAnswers:
        """Return the answers that the frame shows."""
        shown = self.rows["states"]["reported"] == 1
        return answers if shown.all() else answers.where(shown)

    def carry(self, answers: PairAnswers) -> Checkpoint:
        """Say what is carried out of the frame, given its answers."""
        standings = self.rows["placements"]["standing"]
        carry = checkpoint_of(self.rows, answers, standings, self.next_contact)
        new = frozenset(np.flatnonzero(self.flagged(layout.NEW)).tolist())
        opened = tuple(map(bool, self.flagged(layout.OPEN)))
        return carry._replace(opened=opened, new=new)

    def events(self, answers: PairAnswers) -> tuple[Event, ...]:
        """Say what happened in the frame, given its answers."""
        lines = self.rows["lines"].tobytes().decode().splitlines()
        found = []
        for (contact, k), line in zip(self.rows["events"].tolist(), lines, strict=True):
            if k != layout.NO_STATE and not 0 <= k < len(answers):
                raise ValueError(f"{shown(line)} is of an answer that is not there")
            state = None if k == layout.NO_STATE else answers.state(k)
            found.append(Event.parse(line).of(state, contact))
        return tuple(found)


def checkpoint_of(
    rows: Rows, answers: PairAnswers, standings: Array, next_contact: int
) -> Checkpoint:
    """Say what is carried on; bodies are closed, and none of them is new.

    Raises ValueError if an overlap remembers what it cannot.
    """
    carried, ids = rows["memories"], rows["overlaps"]
    found, at = dict[tuple[int, int], Ids](), 0
    while at < len(ids):
        i, j, length = ids[at : at + 3].tolist()
        own = ids[at + 3 : at + 3 + length]
        at += 3 + length
        sizes = [answers.bodies[k].mesh.n_vertices for k in (i, j)]
        if length < 0 or answers.row_of(i, j) < 0:
            raise ValueError("an overlap remembers what is not there")
        if is_of(own, (sizes[0], sizes[1])):  # else it begins anew, as a tracker does
            found[i, j] = own.astype(np.int32)
    told = (None if row[0] < 0 else map(bool, row) for row in standings.tolist())
    if len(carried) != len(answers):
        raise ValueError("what pairs remember is of others")
    return Checkpoint(
        answers,
        carried["contact"].astype(np.int32),
        carried["next_region"].astype(np.int32),
        tuple(None if row is None else BodyStatus(*row) for row in told),
        (False,) * len(standings),
        next_contact,
        rows["law"].tobytes(),
        found,
    )
