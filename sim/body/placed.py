"""Many bodies, as a world moves them and its frames show them."""

from collections.abc import Sequence
from operator import attrgetter, is_
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.audit import Taking
from sim.body.body import DOUBLE, Body
from sim.body.guard import checked
from sim.body.judged import LAST_CHANGE
from wingedge.positions import refuse_masked

_STATE = attrgetter("version", "is_open")
_EDITION = attrgetter("edition")
_AT_ONCE = attrgetter("takes_at_once")


class BodyScan:
    """Know which bodies may have changed; they are asked after changes of any only.

    Attributes: ``states``: their versions, and whether they are open; ``changed``:
    places of those that are not as they were made, most never deform; ``open``: of
    those whose live arrays were handed out; ``versions``; ``editions``.
    """

    def __init__(self, bodies: Sequence[Body]) -> None:
        self._bodies = bodies
        self._after: object = None  # which change
        self.news = True  # whether all that changed must be looked at; reset by others

    def look(self) -> None:
        """Look at the bodies, if anything may have changed since."""
        last = LAST_CHANGE[0]
        if last is not self._after:
            states = self.states = list(map(_STATE, self._bodies))
            self.changed = [k for k, state in enumerate(states) if state != (0, False)]
            self.open = [k for k in self.changed if states[k][1]]
            self.versions = tuple(version for version, _ in states)
            self.editions = tuple(map(_EDITION, self._bodies))
            self.news = True
            self._after = last


class BodyPositions:
    """Give all of many bodies new positions, in one pass where they are closed."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        self._bodies = bodies
        self._laid: list[Any] | None = None  # the positions that this is laid out for

    def _lay_out(self, points: list[Any]) -> None:
        ends = np.cumsum([0, *map(len, points)])
        self._parts = list(map(slice, ends[:-1].tolist(), ends[1:].tolist()))
        self._taking = Taking(points)
        self._laid = points

    def take(self, new: ArrayLike) -> None:
        """Take positions, (sum V, 3), those of one body after those of another.

        Raises TypeError or ValueError if they are none, and nobody takes any; MeshError
        where a body refuses its own, and those before it have theirs.
        """
        points = [body._points for body in self._bodies]
        if self._laid is None or not all(map(is_, points, self._laid)):
            self._lay_out(points)
        refuse_masked(new, "world.points")
        array, taking = np.asarray(new), self._taking
        shape = taking.given.shape
        if array.shape != shape:
            raise ValueError(
                f"world.points has shape {array.shape}; the bodies have {shape[0]} "
                f"vertices together, so it needs {shape}"
            )
        bodies = self._bodies
        if array.dtype is DOUBLE and all(map(_AT_ONCE, bodies)):
            taking.given[...] = array
            if taking.offer() == 0:
                others = [b for b, t in zip(bodies, taking.told, strict=False) if t]
                for body in others:
                    body.forget()
                taking.take()
                for body in others:
                    body.took(1)
                return
        for body, part in zip(bodies, self._parts, strict=True):
            checked(array[part], array[part].shape, body.name)  # says why
        for body, part in zip(bodies, self._parts, strict=True):
            body.points = array[part]


def same_bits(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    """Compare two float64 arrays bit by bit: 0.0 is not -0.0, and NaN equals itself."""
    return np.array_equal(a.view(np.int64), b.view(np.int64))
