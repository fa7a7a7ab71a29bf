"""Frames from floats and bytes, bit for bit what was packed."""

import io
import pickle
from dataclasses import fields, replace
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from sim import Event, Frame, Pose
from sim.contact import Numbers, PairState
from sim.frame import BodySnapshot, same_bits
from sim.region import Region
from sim.story.file.header import Actor, Cast
from viewer.process.mailbox import Message
from viewer.process.packing import POSE, State
from wingedge import WingedEdgeMesh

if TYPE_CHECKING:
    from sim import Body

Floats = NDArray[np.float64]


class Unpacker:
    """Turn messages back into frames."""

    def __init__(self) -> None:
        self._casts: list[Cast] = []
        self._actors: list[Actor] = []
        self._last: list[BodySnapshot] = []
        self._told = 0  # the newest message whose events were told

    def learn(self, preface: bytes) -> None:
        """Read another preface; bodies that did not change stay what they are."""
        before = list(zip(self._casts, self._actors, self._last, strict=True))
        kept = {cast.name: (cast, actor, last) for cast, actor, last in before}
        self._casts, self._actors, self._last = [], [], []
        for values in pickle.loads(preface):
            told = Cast(*values)
            old = kept.get(told.name)
            if old is not None and _equal(old[0].mesh, told.mesh):
                told = told._replace(mesh=old[0].mesh)
                last = old[2]
                actor = old[1] if _alike(old[0], told) else told.make()
            else:
                actor, mesh = told.make(), told.mesh
                last = BodySnapshot(told.name, mesh, mesh.points, Pose.identity())
            self._casts.append(told)
            self._actors.append(actor)
            self._last.append(last)

    def unpack(self, message: Message) -> tuple[Frame, tuple[Event, ...]]:
        """Return a frame, and all events since the one that was unpacked before."""
        file = io.BytesIO(message.text)
        index, time, plain, entries = pickle.load(file)
        bodies = self._placed(message.floats)
        states = tuple(self._answer(State(*state)) for state in plain)
        pairs = {(state.a.name, state.b.name): state for state in states}
        told: list[Event] = []
        now: list[Event] = []
        for _ in range(entries):
            number, events = pickle.load(file)
            if number == message.number:
                now = [replace(e, state=pairs.get((e.a, e.b))) for e in events]
                told += now
            elif number > self._told:
                told += events
        self._told = message.number
        return Frame(index, time, states, tuple(now), bodies), tuple(told)

    def _placed(self, floats: Floats) -> tuple[BodySnapshot, ...]:
        """Return where the bodies are; what did not move is what it was."""
        at, pose_at = 0, len(floats) - POSE * len(self._casts)
        for k, last in enumerate(self._last):
            size = last.points.size
            points = floats[at : at + size].reshape(-1, 3)
            matrix = floats[pose_at : pose_at + POSE].reshape(3, 4)
            at, pose_at = at + size, pose_at + POSE
            if same_bits(points, last.points):
                points = last.points
            else:
                points = points.copy()  # else a part would keep the whole
                points.setflags(write=False)
            moved = not same_bits(matrix, last.pose.matrix)
            pose = Pose.from_matrix(matrix) if moved else last.pose
            self._last[k] = BodySnapshot(last.name, last.mesh, points, pose)
        return tuple(self._last)

    def _answer(self, plain: State) -> PairState:
        regions = tuple(
            Region(identity, Numbers._make(numbers), faces)
            for identity, numbers, faces in plain.regions
        )
        for region in regions:
            region.faces.setflags(write=False)
        a, b = cast("tuple[Body, Body]", (self._actors[plain.a], self._actors[plain.b]))
        return PairState(
            Numbers._make(plain.numbers),
            plain.regime,
            plain.frame,
            a,
            b,
            regions=regions,
            hulls=plain.hulls,
        )


def _alike(one: Cast, other: Cast) -> bool:
    """Compare two casts of one mesh in two processes."""
    return (
        one[2:4] == other[2:4]
        and one.has_surface == other.has_surface
        and len(one.pieces) == len(other.pieces)
        and all(map(_equal, one.pieces, other.pieces))
    )


def _equal(one: WingedEdgeMesh, other: WingedEdgeMesh) -> bool:
    """Compare two meshes number by number."""
    return all(
        np.array_equal(getattr(one, field.name), getattr(other, field.name))
        for field in fields(one)
    )
