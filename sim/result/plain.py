"""Answers of kernels as plain numbers, and the state that is read from a row."""

from itertools import chain
from operator import attrgetter
from struct import Struct
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sim.engine.bound import floats, ints
from sim.kernels import trajectory
from sim.kernels.trajectory import FACTS, NORMAL, NUMBERS, POINT_A, POINT_B, AnswerRows
from sim.kernels.workspace import Result
from sim.result.answer import Numbers, Vec, Work
from sim.result.state import PairState

Vector = NDArray[np.float64]
Ids = NDArray[np.int32]
PROOFS = ("ring", "scan", "search", "epa", "none")
ROWS, PARTS, CORNERS = 16, 80, 16  # of one memory: half of a pool is a patch of boxes
FLOATS = ROWS * NUMBERS + 6 * CORNERS
IDS = ROWS * FACTS + PARTS + 4 * CORNERS  # after the floats, two in the room of one
_facts, _numbers = Struct(f"{FACTS}i").unpack_from, Struct(f"{NUMBERS}d").unpack_from
_new = tuple.__new__  # of a NamedTuple: in half the time


def answered(
    result: Result,
    at: Vec,
    parts_a: tuple[int, ...],
    parts_b: tuple[int, ...],
    patch: tuple[float, ...] = (),
    labels: tuple[int, ...] = (),
    said: tuple[str, str] = ("none", ""),
) -> Numbers:
    """Return what a kernel found, moved back to the world, in its order.

    Parameters: ``at``: the translation of the first body, which the rest is relative
    to; ``parts_a`` to ``labels``, 4 per corner: its lists; ``said``: proof, reason.
    """
    found = Result.numbers.unpack_from(result)
    d, lower, upper, size, nx, ny, nz, ax, ay, az, bx, by, bz = found[:13]
    x, y, z = at
    if patch:
        on_a = [[p + at[i] for p in patch[i::4]] for i in range(3)]
        step = d * nx, d * ny, d * nz
        on_b = [[p + step[i] for p in on_a[i]] for i in range(3)]
        patch = tuple(chain.from_iterable(zip(*on_a, *on_b, strict=True)))
    return Numbers(
        d,
        lower,
        upper,
        size,
        (nx, ny, nz),
        (ax + x, ay + y, az + z),
        (bx + x, by + y, bz + z),
        result.part_a.dimension,
        parts_a,
        result.part_b.dimension,
        parts_b,
        patch,
        labels,
        result.parallel == 0,
        *said,
        _new(Work, found[-5:]),
    )


def work_of(result: Result) -> Work:
    """Return what a frame cost: the last five numbers."""
    return Work._make(Result.numbers.unpack_from(result)[-5:])


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


def decoded(rows: Any, k: int) -> Numbers:
    """Return the answer of a row of ``AnswerArrays``, or of ``AnswerRows``."""
    d, lower, upper, size, nx, ny, nz, ax, ay, az, bx, by, bz = _numbers(
        rows.numbers, 8 * NUMBERS * k
    )
    kind_a, kind_b, at, count, more, begin, corners, unique, proof, _, *work = _facts(
        rows.facts, 4 * FACTS * k
    )
    parts = tuple(rows.parts[at : at + count + more].tolist())
    patch = labels = ()
    if corners > 0:
        patch = tuple(rows.corners[6 * begin : 6 * (begin + corners)].tolist())
        labels = tuple(rows.labels[4 * begin : 4 * (begin + corners)].tolist())
    points = (nx, ny, nz), (ax, ay, az), (bx, by, bz)
    named = kind_a, parts[:count], kind_b, parts[count:], patch, labels
    said = unique == 1, PROOFS[proof], "", _new(Work, work)
    return _new(Numbers, (d, lower, upper, size, *points, *named, *said))


class RowBlock:
    """Rows in one memory, that of the kernels until they begin it anew; then a copy.

    ``flat`` iterates over it: a slice of that is a copy, sooner made than a view;
    ``rows``: the same laid out, made of a copy when asked; ``known``: what was decoded.
    """

    __slots__ = ("flat", "known", "rows")

    def __init__(self, memory: Vector, rows: AnswerRows) -> None:
        self.flat = memory.flat
        self.known: dict[int, Numbers] = {}
        self.rows: AnswerArrays | AnswerRows | None = rows


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
        block, row = self._block, self._row
        found = block.known.get(row)
        if found is None:
            rows = block.rows = block.rows or AnswerArrays.of(block.flat.base)
            block.known[row] = found = decoded(rows, row)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the row says."""
        return PairState, (self.numbers, self._regime, self._frame, *self._pair)
