"""Rows of answers as arrays, and the state that is read from one when asked."""

from operator import attrgetter
from typing import Any, NamedTuple, Self

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
ROWS, PARTS, CORNERS = 16, 80, 16  # of one memory: half of a pool is a patch of boxes
FLOATS = ROWS * NUMBERS + 6 * CORNERS
IDS = ROWS * FACTS + PARTS + 4 * CORNERS  # after the floats, two in the room of one


class AnswerArrays(NamedTuple):
    """What ``AnswerRows`` are, as arrays: (R, NUMBERS), (R, FACTS), and three pools."""

    numbers: Vector
    facts: Ids
    parts: Ids
    corners: Vector
    labels: Ids

    @classmethod
    def of(cls, memory: Vector) -> Self:
        """View one memory as rows and their pools."""
        ids, end = memory[FLOATS:].view(np.int32), ROWS * FACTS
        numbers = memory[: ROWS * NUMBERS].reshape(-1, NUMBERS)
        facts, parts = ids[:end].reshape(-1, FACTS), ids[end : end + PARTS]
        corners = memory[ROWS * NUMBERS : FLOATS]
        return cls(numbers, facts, parts, corners, ids[end + PARTS :])

    def laid_out(self) -> AnswerRows:
        """Lay the rows out for the kernels, the cursor at their beginning."""
        cursor = ints(np.zeros(trajectory.CURSOR, np.int32))
        cursor[trajectory.END] = len(self.numbers)
        parts, labels = ints(self.parts), ints(self.labels)
        pool = parts, len(parts), floats(self.corners), labels, len(labels) // 4
        return AnswerRows(cursor, floats(self.numbers), ints(self.facts), *pool)

    def decoded(self, k: int) -> Numbers:
        """Return the answer of a row."""
        f, n = self.facts[k].tolist(), self.numbers[k].tolist()
        at, begin = f[trajectory.PARTS_AT], f[trajectory.CORNERS_AT]
        middle = at + f[trajectory.PARTS_A]
        last, end = middle + f[trajectory.PARTS_B], begin + f[trajectory.CORNERS]
        return Numbers(
            n[trajectory.DISTANCE],
            n[trajectory.LOWER],
            n[trajectory.UPPER],
            n[trajectory.SIZE],
            tuple(n[NORMAL : NORMAL + 3]),
            tuple(n[POINT_A : POINT_A + 3]),
            tuple(n[POINT_B : POINT_B + 3]),
            f[trajectory.DIMENSION_A],
            tuple(self.parts[at:middle].tolist()),
            f[trajectory.DIMENSION_B],
            tuple(self.parts[middle:last].tolist()),
            tuple(self.corners[6 * begin : 6 * end].tolist()),
            tuple(self.labels[4 * begin : 4 * end].tolist()),
            f[trajectory.UNIQUE] == 1,
            PROOFS[f[trajectory.PROOF]],
            "",
            Work._make(f[trajectory.WORK :]),
        )


class RowBlock:
    """Rows in one memory, that of the kernels until they begin it anew; then a copy.

    ``flat`` iterates over it: a slice of that is a copy, sooner made than a view.
    """

    __slots__ = ("flat",)

    def __init__(self, memory: Vector) -> None:
        self.flat = memory.flat


_AT = tuple(range(0, ROWS * NUMBERS, NUMBERS))  # where rows begin


def _number(name: str, k: int) -> property:
    """Make the property that reads a number of the row."""
    at, doc = tuple(i + k for i in _AT), getattr(PairState, name).__doc__
    return property(lambda s: s._block.flat.base.item(at[s._row]), doc=doc)


def _vector(name: str, k: int) -> property:
    """Make the property that copies three numbers of the row."""
    at = tuple(slice(i + k, i + k + 3) for i in _AT)
    doc = getattr(PairState, name).__doc__
    return property(lambda s: s._block.flat[at[s._row]], doc=doc)


class PlainState(PairState):
    """The state of a frame whose row says all: the row, read when asked.

    Its maker writes the fields, which costs half of what a call with them does.
    """

    __slots__ = ("_block", "_distance", "_row")
    _block: RowBlock
    _distance: float
    _row: int
    _regions = ()
    _hulls = (None, None)
    __init__ = object.__init__

    distance = property(attrgetter("_distance"), doc=PairState.distance.__doc__)
    lower = _number("lower", trajectory.LOWER)
    upper = _number("upper", trajectory.UPPER)
    size = _number("size", trajectory.SIZE)
    normal, point_a = _vector("normal", NORMAL), _vector("point_a", POINT_A)
    point_b = _vector("point_b", POINT_B)

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
            rows = AnswerArrays.of(self._block.flat.base)
        self._source = found = rows.decoded(self._row)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the row says."""
        return PairState, (self.numbers, self._regime, self._frame, *self._pair)
