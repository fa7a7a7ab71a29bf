"""Many bodies, as a world moves them and its frames show them."""

from collections.abc import Sequence
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.judged import LAST_CHANGE

_STATE = attrgetter("version", "is_open")
_EDITION = attrgetter("edition")


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


def same_bits(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    """Compare two float64 arrays bit by bit: 0.0 is not -0.0, and NaN equals itself."""
    return np.array_equal(a.view(np.int64), b.view(np.int64))
