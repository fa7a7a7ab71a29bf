"""Turn frames into floats and bytes, and back, bit for bit.

What changes in every frame, positions and poses, are floats that are copied; what is
said about pairs is small, and pickled. What stays, meshes and names, is the preface of
a mailbox: it is written once, and again when a body gets another mesh.
"""

import io
import pickle
from collections import deque
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from sim import Body, Event, Frame, Pose
from sim.body.placed import same_bits
from sim.frame import BodySnapshot
from sim.result.answer import Numbers, Region
from sim.result.answers import PairAnswers
from sim.result.state import PairState
from sim.story.file.header import Cast, same_mesh
from viewer.process.mailbox import Message
from wingedge import WingedEdgeMesh
from wingedge.tables import Floats

EVENTS_ROOM = 2**18  # bytes of events that wait until a frame is taken
POSE = 12  # floats


class _Packing(pickle.Pickler):
    """Pickle meshes by their arrays: tables that can be made anew are left out."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, WingedEdgeMesh):
            return WingedEdgeMesh, tuple(getattr(obj, f.name) for f in fields(obj))
        return NotImplemented


class Packer:
    """Turn frames into messages; ``lost`` counts events for which there was no room."""

    def __init__(self) -> None:
        self.preface = b""
        self.floats = 0
        self.lost = 0
        self._casts: list[Cast] = []
        self._place: dict[str, int] = {}
        self._actors: list[Body | None] = []  # as far as pairs have told
        self._waiting: deque[tuple[int, int, bytes]] = deque()
        self._weight = 0

    def suits(self, frame: Frame) -> bool:
        """Tell whether the preface says all that is needed; else there is a new one."""
        casts, actors, place = self._casts, self._actors, self._place
        if len(frame.bodies) != len(casts) or not all(
            cast.mesh is body.mesh and cast.name == body.name
            for cast, body in zip(casts, frame.bodies, strict=True)
        ):
            place = {body.name: k for k, body in enumerate(frame.bodies)}
            known = {(cast.name, id(cast.mesh)): cast for cast in casts}
            casts = [
                known.get((body.name, id(body.mesh))) or Cast(body.name, body.mesh)
                for body in frame.bodies
            ]
            actors = [None] * len(casts)
        for state in frame.pairs:
            for actor in (state.a, state.b):
                k = place.get(actor.name)
                if k is None:
                    raise ValueError(
                        f"frame {frame.index} has an answer for {state.a.name}/"
                        f"{state.b.name}, but no body {actor.name!r}"
                    )
                if actors[k] is not actor:
                    actors[k] = actor
                    told = Cast.of(actor)._replace(mesh=casts[k].mesh)
                    if told[2:] != casts[k][2:]:
                        casts = [*casts[:k], told, *casts[k + 1 :]]
        if casts is self._casts:
            return True
        self._casts, self._actors, self._place = casts, actors, place
        self.floats = sum(POSE + body.points.size for body in frame.bodies)
        file = io.BytesIO()
        _Packing(file, 5).dump([tuple(cast) for cast in casts])
        self.preface = file.getvalue()
        return False

    def pack(
        self, number: int, frame: Frame, events: Sequence[Event], taken: int
    ) -> tuple[list[Floats], list[bytes]]:
        """Return a frame as floats and bytes, with all events since one was taken."""
        place = self._place
        arrays = [body.points for body in frame.bodies]
        arrays += [body.pose.matrix for body in frame.bodies]
        states = [
            (  # a body by its place in the frame
                place[state.a.name],
                place[state.b.name],
                tuple(state.numbers),
                state.regime,
                state.frame,
                tuple((r.identity, tuple(r.numbers), r.faces) for r in state.regions),
                state.hulls,
            )
            for state in frame.pairs
        ]
        waiting = self._waiting
        while waiting and waiting[0][0] <= taken:
            self._weight -= len(waiting.popleft()[2])
        if events:
            stripped = [replace(event, state=None) for event in events]
            told = pickle.dumps((number, stripped), 5)
            waiting.append((number, len(events), told))
            self._weight += len(told)
            while self._weight > EVENTS_ROOM and len(waiting) > 1:
                _, count, told = waiting.popleft()
                self._weight -= len(told)
                self.lost += count
        plain = frame.index, frame.time, states, len(waiting), frame.law
        head = pickle.dumps(plain, 5)
        return arrays, [head, *(told for _, _, told in waiting)]


class Unpacker:
    """Turn messages back into frames."""

    def __init__(self) -> None:
        self._casts: list[Cast] = []
        self._actors: list[Body] = []
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
            if old is not None and same_mesh(old[0].mesh, told.mesh):
                told = told._replace(mesh=old[0].mesh)
                last = old[2]
                actor = old[1] if old[0][2:] == told[2:] else told.make()
            else:
                actor, mesh = told.make(), told.mesh
                last = BodySnapshot(told.name, mesh, mesh.points, Pose.identity())
            self._casts.append(told)
            self._actors.append(actor)
            self._last.append(last)

    def unpack(self, message: Message) -> tuple[Frame, tuple[Event, ...]]:
        """Return a frame, and all events since the one that was unpacked before."""
        file = io.BytesIO(message.text)
        index, time, plain, entries, law = pickle.load(file)
        bodies = self._placed(message.floats)
        states = tuple(map(self._answer, plain))
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
        rows = PairAnswers.among(states, [body.name for body in bodies])
        frame = Frame(index, time, rows, tuple(now), bodies, law=law)
        return frame, tuple(told)

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

    def _answer(self, plain: tuple[Any, ...]) -> PairState:
        """Make a state of what `Packer.pack` says of it."""
        a, b, numbers, regime, frame, told, hulls = plain
        regions = tuple(Region(k, Numbers._make(n), faces) for k, n, faces in told)
        for region in regions:
            region.faces.setflags(write=False)
        one, other = self._actors[a], self._actors[b]
        n = Numbers._make(numbers)
        return PairState(n, regime, frame, one, other, regions=regions, hulls=hulls)
