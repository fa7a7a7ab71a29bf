"""Bodies with pieces or without, as a world moves them and its frames show them."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import Body
from sim.body.judged import LAST_CHANGE
from sim.body.pose import Pose
from sim.body.revisions import MeshRevision
from wingedge.mesh import WingedEdgeMesh


class Placed(Protocol):
    """What a snapshot is taken of: a body, with pieces or without."""

    @property
    def name(self) -> str:
        """How it is called."""

    @property
    def mesh(self) -> WingedEdgeMesh:
        """What its numbers refer to."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Where its vertices are, body frame."""

    @property
    def pose(self) -> Pose:
        """Body frame to world."""

    @property
    def transform(self) -> NDArray[np.float64]:
        """The (3, 4) map to the world."""

    @property
    def is_open(self) -> bool:
        """Whether its live array was handed out."""

    @property
    def version(self) -> int:
        """How often it was given new positions."""

    @property
    def edition(self) -> MeshRevision:
        """Which mesh it is of those that the body had one after the other."""


@runtime_checkable
class Pieced(Placed, Protocol):
    """A body in pieces, as a world asks it."""

    pose: Pose

    @property
    def pieces(self) -> Sequence[Body]:
        """What it is made of."""

    @property
    def surface(self) -> Body | None:
        """The surface that they are parts of, if there is one."""

    @property
    def points(self) -> NDArray[np.float64]:
        """The live positions, body frame."""

    @points.setter
    def points(self, new: ArrayLike) -> None: ...

    def live_in(self, row: NDArray[np.float64]) -> None:
        """Keep the map to the world in this memory from now on."""

    def world_points(self) -> NDArray[np.float64]:
        """Return the positions in the world."""

    def piece_points(self) -> NDArray[np.float64]:
        """Return the world points of all pieces, which bound it."""

    def settle(self, frame: int | None = None) -> None:
        """Let the pieces follow what was written."""


Actor = Body | Pieced


_STATE = attrgetter("version", "is_open")
_EDITION = attrgetter("edition")


class BodyScan:
    """Know which bodies may have changed; they are asked after changes of any only.

    Attributes: ``changed``: places of those that are not as they were made, most never
    deform; ``open``: of those whose live arrays were handed out; ``editions``.
    """

    def __init__(self, bodies: Sequence[Placed]) -> None:
        self._bodies = bodies
        self._after: object = None  # which change
        self._whole = all(isinstance(body, Body) for body in bodies)

    def look(self) -> bool:
        """Look at the bodies; say whether there was anything to look at."""
        last = LAST_CHANGE[0]
        if last is self._after:
            return False
        states = list(map(_STATE, self._bodies))
        self.changed = [k for k, state in enumerate(states) if state != (0, False)]
        self.open = [k for k in self.changed if states[k][1]]
        self.editions = tuple(map(_EDITION, self._bodies))
        self._after = last if self._whole else None
        return True


def same_bits(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    """Compare two float64 arrays bit by bit: 0.0 is not -0.0, and NaN equals itself."""
    return np.array_equal(a.view(np.int64), b.view(np.int64))
