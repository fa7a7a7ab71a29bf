"""Let a law move the bodies of a world, so that a step is taken whole or not at all."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import Body
from sim.body.guard import checked
from sim.body.pose import Pose, check_matrix
from sim.contact_manager import ContactManager, FrameRecord
from sim.frame import Frame
from sim.scripts import Law

Array = NDArray[np.float64]
Names = Iterable[str]


class Bodies(tuple[Body, ...]):
    """The bodies of a world, in its order; ``bodies["jelly"]`` is one by its name.

    Attributes: ``prescribed``: names of those that scripts move or deform, a hand
    holds, or ``cut`` names; they are where they will be in the next frame.  ``cut``: of
    those that jump there, and pass nothing on the way.  ``held``: of those that a hand
    holds (`World.hold`).
    """

    prescribed: frozenset[str] = frozenset()
    cut: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()

    def __getitem__(self, k: Any) -> Any:
        """Return a body by its name or its place, or those of a slice."""
        if not isinstance(k, str):
            return super().__getitem__(k)
        named = {body.name: body for body in self}
        if k not in named:
            raise KeyError(f"no body {k!r}; there are {', '.join(named)}")
        return named[k]


class LawRunner:
    """Ask a law where bodies go, check that, and move them.

    What the law remembers after a frame is kept in its record (``FrameRecord.law``); a
    law that has gone another way, since a step was not taken or a recording is resumed,
    is restored from there before it is asked again.

    Parameters: ``poses`` (B, 3, 4): where the bodies of the manager are, live.
    """

    def __init__(
        self, law: Law, manager: ContactManager, poses: Array, dt: float
    ) -> None:
        self._law = law
        self._name = type(law).__name__
        self._manager = manager
        self._poses = poses
        self._dt = dt
        self._place = {body.name: k for k, body in enumerate(manager.bodies)}
        self._saved: dict[int, tuple[Array, int]] = {}  # positions before the step
        manager.told = manager.told._replace(law=(pack(law.state()), None))
        self._at: object = manager.told.law

    @contextmanager
    def trying(self, deforming: Names) -> Iterator[None]:
        """Put bodies back where they were if the frame within is not taken."""
        law = self._manager.told.law
        if self._at is not law:
            self._at = None
            self._law.restore(unpack(law[0]))
        poses, self._saved = self._poses.copy(), {}
        for name in deforming:
            self._save(self._place[name])
        try:
            yield
        except BaseException:
            if self._manager.told.law is law:
                self._poses[...] = poses
                for k, (points, version) in self._saved.items():
                    self._manager.bodies[k].put_back(points, version)
            raise

    def move(
        self, index: int, moved: Names, deformed: Names, held: Names, cut: Names
    ) -> None:
        """Ask the law, and put bodies where it says, but for those that others lead.

        Raises TypeError or ValueError naming law, body, frame and time if it says what
        is no place; no body has moved then; what the law raises, with a note.
        """
        still, stiff = {*moved, *held, *cut}, {*deformed, *held, *cut}
        bodies = Bodies(self._manager.bodies)
        bodies.prescribed, bodies.cut = frozenset(still | stiff), frozenset(cut)
        bodies.held = frozenset(held)
        when = f"frame {index}, time {index * self._dt:g}"
        self._at = None
        try:
            answer = self._law.advance(bodies, self._manager.told.law[1], self._dt)
        except Exception as error:
            error.add_note(f"law {self._name}, {when}: nothing was moved")
            if self._manager.told.law[1] is None and "NoneType" in str(error):
                error.add_note("frame is None before the first frame")
            raise
        if not isinstance(answer, Mapping):
            raise TypeError(
                f"law {self._name}, {when}: advance returned {type(answer).__name__}; "
                "it must return {name: sim.Pose or positions}"
            )
        for k, body, array in [self._checked(*to, when) for to in answer.items()]:
            if array.shape == (3, 4):
                if body.name not in still:
                    self._poses[k] = array
            elif body.name not in stiff:
                if k not in self._saved:
                    self._save(k)
                body.take(array, index)

    def _checked(
        self, name: str, to: Pose | ArrayLike, when: str
    ) -> tuple[int, Body, Array]:
        """Return the place of a body, the body, and its map or positions."""
        if name not in self._place:
            known = ", ".join(self._place)
            raise ValueError(
                f"law {self._name}, {when}: it moves {name!r}, but there is no such "
                f"body; there are {known}"
            )
        body = self._manager.bodies[k := self._place[name]]
        shape = body.mesh.points.shape
        try:
            array = to.matrix if isinstance(to, Pose) else np.asarray(to)
            if array.shape == (3, 4):
                array = np.asarray(array, np.float64)
                check_matrix(array)
                return k, body, array
            if array.shape != shape:
                raise ValueError(
                    f"it has shape {array.shape}; give a sim.Pose, a map of shape "
                    f"(3, 4), or positions of shape {shape}"
                )
            return k, body, checked(array, shape, name)
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            said = str(error).removeprefix(f"body '{name}'").removeprefix(": ")
            raise kind(
                f"body '{name}', {when}: law {self._name} returned what cannot be "
                f"used: {said}"
            ) from None

    def _save(self, k: int) -> None:
        body = self._manager.bodies[k]
        self._saved[k] = body.positions.copy(), body.version

    def record(self, after: FrameRecord, frame: Frame) -> tuple[FrameRecord, Frame]:
        """Keep what the law remembers with a frame that is about to be taken."""
        state = pack(self._law.state())
        frame = replace(frame, law=unpack(state))
        self._at = law = state, frame
        return after._replace(law=law), frame


NUMBERS = "biufc"  # kinds of arrays that are kept


def pack(arrays: Mapping[str, ArrayLike]) -> bytes:
    """Turn arrays of numbers into bytes: a line that names them, and their bits.

    Raises TypeError if one holds no numbers; names it.
    """
    if not isinstance(arrays, Mapping):
        raise TypeError(
            f"state() of a law returned {type(arrays).__name__}; it must return "
            "{name: array}"
        )
    head, parts = [], [b""]
    for name, value in arrays.items():
        array = np.asarray(value)
        if not isinstance(name, str) or array.dtype.kind not in NUMBERS:
            raise TypeError(
                f"state() of a law: {name!r} is of {array.dtype}; give arrays of "
                "numbers by name"
            )
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        head.append([name, array.dtype.str, array.shape])
        parts.append(array.tobytes())
    parts[0] = json.dumps(head).encode() + b"\n"
    return b"".join(parts)


def unpack(data: bytes) -> dict[str, NDArray[Any]]:
    """Return fresh arrays of what was packed.

    Raises ValueError if the bytes are no arrays.
    """
    line, _, body = data.partition(b"\n")
    arrays, at = {}, 0
    for name, kind, shape in json.loads(line):
        end = at + np.dtype(kind).itemsize * prod(shape)
        arrays[name] = np.frombuffer(body[at:end], kind).reshape(shape).copy()
        at = end
    return arrays
