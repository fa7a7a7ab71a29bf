"""One row of answers in one memory, and the state that keeps a copy of it."""

from collections.abc import Sequence
from operator import attrgetter
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engine.bound import floats, ints
from sim.kernels import trajectory
from sim.kernels.trajectory import FACTS, NORMAL, NUMBERS, POINT_A, POINT_B, AnswerRows
from sim.result.answer import Numbers, Work
from sim.result.state import PairState

Vector = NDArray[np.float64]
Ids = NDArray[np.int32]
PROOFS = ("ring", "scan", "search", "epa", "none")
PARTS, CORNERS = 17, 8  # what one row has room for: two boxes on each other
FLOATS = NUMBERS + 6 * CORNERS
IDS = FACTS + PARTS + 4 * CORNERS  # after the floats, two in the room of one
_N, _A, _B = (slice(k, k + 3) for k in (NORMAL, POINT_A, POINT_B))
_EVERYTHING = Struct(f"={FLOATS}d{IDS}i").unpack_from


def one_row() -> tuple[Vector, AnswerRows]:
    """Make room for one row and its pools: one memory, and as the kernels see it."""
    memory = np.zeros(FLOATS + IDS // 2)
    ids = memory[FLOATS:].view(np.int32)
    pools = ids[FACTS : FACTS + PARTS], memory[NUMBERS:FLOATS], ids[FACTS + PARTS :]
    return memory, rows_of(memory[:NUMBERS], ids[:FACTS], *pools)


def rows_of(
    numbers: Vector, facts: Ids, parts: Ids, corners: Vector, labels: Ids
) -> AnswerRows:
    """Lay rows and their pools out for the kernels, the cursor at their beginning."""
    cursor = ints(np.zeros(trajectory.CURSOR, np.int32))
    pool = ints(parts), len(parts), floats(corners), ints(labels), len(labels) // 4
    return AnswerRows(cursor, floats(numbers), ints(facts), *pool)


def decoded(
    n: Sequence[float],
    f: Sequence[int],
    parts: Sequence[int],
    corners: Sequence[float],
    labels: Sequence[int],
) -> Numbers:
    """Return the answer of a row: its numbers, its facts, its own part of the pools."""
    vectors = (tuple(n[k : k + 3]) for k in (NORMAL, POINT_A, POINT_B))
    middle = f[trajectory.PARTS_A]
    part_a = f[trajectory.DIMENSION_A], tuple(parts[:middle])
    part_b = f[trajectory.DIMENSION_B], tuple(parts[middle:])
    patch = tuple(corners), tuple(labels), f[trajectory.UNIQUE] == 1
    work = Work._make(f[trajectory.WORK :])
    proof = PROOFS[f[trajectory.PROOF]]
    return Numbers._make(
        (*n[:NORMAL], *vectors, *part_a, *part_b, *patch, proof, "", work)
    )


class PlainState(PairState):
    """The state of a frame whose row says all: the row, read when asked.

    Its maker writes the fields, which costs half of what a call with them does.
    ``_flat`` iterates over the row: a slice of it is a copy, sooner made than a view.
    """

    __slots__ = ("_distance", "_flat")
    _distance: float
    _flat: "np.flatiter[Vector]"
    _regions = ()
    _hulls = (None, None)
    __init__ = object.__init__

    distance = property(attrgetter("_distance"), doc=PairState.distance.__doc__)

    @property
    def lower(self) -> float:
        """Proven: the true signed distance is at least this."""
        return self._flat.base.item(trajectory.LOWER)

    @property
    def upper(self) -> float:
        """Proven: the true signed distance is at most this."""
        return self._flat.base.item(trajectory.UPPER)

    @property
    def size(self) -> float:
        """The scale of rounding: the largest coordinate of what counts, and origins."""
        return self._flat.base.item(trajectory.SIZE)

    @property
    def normal(self) -> Vector:
        """The unit normal from A to B, (3,)."""
        return self._flat[_N]

    @property
    def point_a(self) -> Vector:
        """The closest point on A, (3,)."""
        return self._flat[_A]

    @property
    def point_b(self) -> Vector:
        """The closest point on B, (3,)."""
        return self._flat[_B]

    @property
    def work(self) -> Work:
        """What the answer cost."""
        return self.numbers.work

    @property
    def numbers(self) -> Numbers:
        """The plain numbers that everything is decoded from."""
        try:
            return self._source  # type: ignore[return-value]  # once it was asked for
        except AttributeError:
            found = _EVERYTHING(self._flat.base.data)
        f, ids = found[FLOATS : FLOATS + FACTS], found[FLOATS + FACTS :]
        parts = ids[: f[trajectory.PARTS_A] + f[trajectory.PARTS_B]]
        count = f[trajectory.CORNERS]
        corners = found[NUMBERS : NUMBERS + 6 * count]
        labels = ids[PARTS : PARTS + 4 * count]
        self._source = decoded(found[:NUMBERS], f, parts, corners, labels)
        return self._source

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the row says."""
        return PairState, (self.numbers, self._regime, self._frame, *self._pair)
