"""Many bodies, as a world moves them and its frames show them."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import DOUBLE, Body
from sim.body.guard import ConvexityCache, checked
from sim.body.judged import LAST_CHANGE
from sim.engine.bound import Bound, floats, ints
from sim.kernels.audit.hinges import Offers, look_at_offers, take_offers
from wingedge.positions import refuse_masked

Known = tuple[int, ConvexityCache, float]  # see ``Body.forget``
_STATE = attrgetter("version", "is_open")
_EDITION = attrgetter("edition")


class BodyScan:
    """Know which bodies may have changed; they are asked after changes of any only.

    Attributes: ``states``: their versions, and whether they are open; ``changed``:
    places of those that are not as they were made, most never deform; ``open``: of
    those whose live arrays were handed out; ``editions``.
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
            self.editions = tuple(map(_EDITION, self._bodies))
            self.news = True
            self._after = last


class BodyPositions:
    """Give all of many bodies new positions, in one pass where they are closed."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        self._bodies = bodies
        self._after: object = None  # the change that this is laid out after
        self._look, self._take = Bound(look_at_offers), Bound(take_offers)

    def _lay_out(self) -> None:
        """Find who takes positions by the kernel: who took some, and was asked."""
        ends = np.cumsum([0, *(body.mesh.n_vertices for body in self._bodies)])
        self._parts = list(map(slice, ends[:-1].tolist(), ends[1:].tolist()))
        self._shape = int(ends[-1]), 3
        found = [body.taking() for body in self._bodies]
        self._rest = [k for k, by in enumerate(found) if by is None]
        taken = [k for k, by in enumerate(found) if by is not None]
        self._taken: list[Any] = [self._bodies[k] for k in taken]
        self._proofs = np.array([by[1] for by in found if by], np.int32)
        self._found = np.empty_like(self._proofs)
        tables = tuple(by[0] for by in found if by)
        self._offers = Offers(
            taken=tables,
            offered=tuple(hinges._replace(points=hinges.given) for hinges in tables),
            total=len(tables),
            flat=floats(np.empty(0)),  # of every call its own
            start=ints(ends[taken].astype(np.int32)),
            found=ints(self._found),
        )

    def take(self, new: ArrayLike) -> None:
        """Take positions, (sum V, 3), those of one body after those of another.

        Raises TypeError or ValueError if they are none, and nobody takes any; MeshError
        where a body refuses its own, and those before it have theirs.
        """
        if self._after is not LAST_CHANGE[0]:
            self._lay_out()
        refuse_masked(new, "world.points")
        array, shape = np.asarray(new), self._shape
        if array.shape != shape:
            raise ValueError(
                f"world.points has shape {array.shape}; the bodies have {shape[0]} "
                f"vertices together, so it needs {shape}"
            )
        rest = list(range(len(self._bodies)))
        if array.dtype is DOUBLE:
            flat = floats(np.ascontiguousarray(array))
            self._offers = self._offers._replace(flat=flat)
            if self._look(self._offers) == 0:  # else who refuses says why
                rest = self._rest
        for k in rest:
            part = array[self._parts[k]]
            checked(part, part.shape, self._bodies[k].name)
        known = self._take_offers() if rest is self._rest else {}
        for k in rest:
            self._bodies[k].points = array[self._parts[k]]
        self._after = None if known or rest else LAST_CHANGE[0]

    def _take_offers(self) -> dict[int, Known]:
        """Put in place what was looked at; return of whom other things are known now.

        Of the others all is known that was, but for their version.
        """
        LAST_CHANGE[0] = object()
        known: dict[int, Known] = {}
        other = (self._found != self._proofs).tolist()
        for k, body in enumerate(self._taken):
            if other[k] or not body._findings.may_last():
                known[k] = body.forget()
            else:
                body._version += 1
        self._take(self._offers)
        for k, before in known.items():
            self._taken[k].took(before, 1, proof=int(self._found[k]))
        return known


def same_bits(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    """Compare two float64 arrays bit by bit: 0.0 is not -0.0, and NaN equals itself."""
    return np.array_equal(a.view(np.int64), b.view(np.int64))
