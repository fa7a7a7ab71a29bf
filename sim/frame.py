"""One frame of a world, as values that stay true when the bodies move on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.body.placed import Placed, same_bits
from sim.body.pose import Pose
from sim.events.event import Event
from sim.result.state import PairState
from wingedge.mesh import WingedEdgeMesh
from wingedge.tables import frozen

Float = np.float64


@dataclass(frozen=True, slots=True, eq=False)
class BodySnapshot:
    """Where one body was in one frame, and what shape it had.

    Attributes: ``points`` (V, 3): positions, body frame, read-only; shared with the
    frame before where the body did not change; ``pose``: body frame to world.
    """

    name: str
    mesh: WingedEdgeMesh
    points: NDArray[Float]
    pose: Pose

    def world_points(self) -> NDArray[Float]:
        """Return the positions in the world, (V, 3), a fresh array."""
        return self.pose.apply(self.points)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What a world looked like at one time, and what happened then.

    Attributes
    ----------
    index : int
        The number of the frame, from 0.
    time : float
        ``index * dt``.
    pairs : tuple of PairState
        The reported pairs, in the order of the bodies.
    events : tuple of Event
        What happened in this frame: to the bodies in their order, then pair by pair,
        in the one order of `sim.story.order`.
    bodies : tuple of BodySnapshot
        Every body, in the order that the world was given.
    """

    index: int
    time: float
    pairs: tuple[PairState, ...]
    events: tuple[Event, ...]
    bodies: tuple[BodySnapshot, ...]

    def pair(self, a: str, b: str) -> PairState:
        """Return the state of two bodies by name, with A and B as asked for.

        Raises KeyError if there is no such body, or the pair was not reported in this
        frame.
        """
        for state in self.pairs:
            names = state.a.name, state.b.name
            if names == (a, b):
                return state
            if names == (b, a):
                return state.swapped()
        known = [body.name for body in self.bodies]
        for name in (a, b):
            if name not in known:
                raise KeyError(
                    f"frame {self.index} has no body {name!r}; it has "
                    f"{', '.join(known)}"
                )
        raise KeyError(
            f"frame {self.index} does not report {a}/{b}: the pair is ignored, farther "
            f"apart than the margin, or one body"
        )

    def body(self, name: str) -> BodySnapshot:
        """Return the snapshot of a body by name.

        Raises KeyError if there is no such body.
        """
        for snapshot in self.bodies:
            if snapshot.name == name:
                return snapshot
        raise KeyError(
            f"frame {self.index} has no body {name!r}; it has "
            f"{', '.join(body.name for body in self.bodies)}"
        )


class SnapshotRecorder:
    """Take snapshots of a body frame after frame, copying only what changed."""

    __slots__ = ("_body", "_last", "_version")

    def __init__(self, body: Placed) -> None:
        self._body = body
        self._last: BodySnapshot | None = None
        self._version = -1

    def take(self) -> BodySnapshot:
        """Return the body as it is now.

        Cost: nothing where a closed body was given no positions since; else one
        comparison, and one copy where a bit differs.
        """
        body = self._body
        points = body.mesh.points if self._last is None else self._last.points
        known = self._last is not None and not body.is_open
        known = known and self._version == body.version
        if not known and not same_bits(body.positions, points):
            points = frozen(body.positions.copy())
        self._last = BodySnapshot(body.name, body.mesh, points, body.pose)
        self._version = body.version
        return self._last
