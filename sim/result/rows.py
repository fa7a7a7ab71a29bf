"""One answer as the kernel wrote it, copied; decoded only when somebody asks."""

from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.kernels.workspace import Result, Row
from sim.result.answer import Hulls, Numbers, Region, Vec, Work
from sim.result.state import Pair, PairState


class Rows(NamedTuple):
    """The copied record of one answer, in kernel order.

    Plain values, none of them live memory: whoever answers many frames in one go
    keeps pools of the rows and makes ``PairState(Rows(...), regime, frame, a, b)`` of
    the one frame that is asked for.
    """

    result: Result  # a copy
    at: Vec  # translation of the first body: the rows are relative to it
    proof: str
    swapped: bool = False  # the first body of the kernel is B of the answer
    reason: str = ""
    parts: tuple[tuple[int, ...], tuple[int, ...]] | None = None  # None: one each
    patch: tuple[float, ...] = ()  # 4 per corner
    labels: tuple[int, ...] = ()  # 4 per corner

    @property
    def distance(self) -> float:
        """Signed distance."""
        return self.result.distance

    @property
    def lower(self) -> float:
        """Lower bound."""
        return self.result.lower

    @property
    def upper(self) -> float:
        """Upper bound."""
        return self.result.upper

    @property
    def size(self) -> float:
        """The scale of rounding."""
        return self.result.size

    @property
    def work(self) -> Work:
        """What the answer cost."""
        return work_of(self.result)

    def numbers(self) -> Numbers:
        """Decode: move the points back to the world, the bodies to their order."""
        # All numbers at once: one by one they cost ten times as much.
        found = Result.numbers.unpack_from(self.result)
        d, lower, upper, size, nx, ny, nz, ax, ay, az, bx, by, bz = found[:13]
        dimension_a, name_a, _, _, _, dimension_b, name_b = found[15:22]
        x, y, z = self.at
        parts_a, parts_b = self.parts or ((name_a,), (name_b,))
        numbers = Numbers(
            d,
            lower,
            upper,
            size,
            (nx, ny, nz),
            (ax + x, ay + y, az + z),
            (bx + x, by + y, bz + z),
            dimension_a,
            parts_a,
            dimension_b,
            parts_b,
            self._corners((d * nx, d * ny, d * nz)),
            self.labels,
            self.result.parallel == 0,
            self.proof,
            self.reason,
            Work._make(found[-5:]),
        )
        return numbers.mirrored() if self.swapped else numbers

    def _corners(self, step: Vec) -> tuple[float, ...]:
        """Return the corners of the patch in the world, on A and ``step`` on, on B."""
        on_a = [[p + self.at[i] for p in self.patch[i::4]] for i in range(3)]
        on_b = [[p + step[i] for p in on_a[i]] for i in range(3)]
        return tuple(chain.from_iterable(zip(*on_a, *on_b, strict=True)))


_NUMBERS = Row.numbers.unpack_from
_LOWER, _UPPER, _SIZE, _NORMAL, _POINT_A, _POINT_B = (
    Row.layout[name][0] // 8
    for name in ("lower", "upper", "size", "normal", "point_a", "point_b")
)
Vector = NDArray[np.float64]


class PlainState(PairState):
    """The state of a frame whose row says all: the row, read when asked."""

    __slots__ = ("_decoded", "_row")
    _decoded: Numbers | None

    def __init__(self, row: Vector, regime: str, frame: int, pair: Pair) -> None:
        self._row = row
        self._regime = regime
        self._frame = frame
        self._pair = pair
        self._decoded = None

    @property
    def distance(self) -> float:
        """Signed distance of the two surfaces."""
        return self._row.item(0)

    @property
    def lower(self) -> float:
        """Proven: the true signed distance is at least this."""
        return self._row.item(_LOWER)

    @property
    def upper(self) -> float:
        """Proven: the true signed distance is at most this."""
        return self._row.item(_UPPER)

    @property
    def size(self) -> float:
        """The scale of rounding: the largest coordinate of what counts, and origins."""
        return self._row.item(_SIZE)

    @property
    def normal(self) -> Vector:
        """The unit normal from A to B, (3,)."""
        return self._row[_NORMAL : _NORMAL + 3].copy()

    @property
    def point_a(self) -> Vector:
        """The closest point on A, (3,)."""
        return self._row[_POINT_A : _POINT_A + 3].copy()

    @property
    def point_b(self) -> Vector:
        """The closest point on B, (3,)."""
        return self._row[_POINT_B : _POINT_B + 3].copy()

    @property
    def regions(self) -> tuple[Region, ...]:
        """No regions: a row has no room for them."""
        return ()

    @property
    def hulls(self) -> Hulls:
        """No hulls: each body is itself."""
        return None, None

    @property
    def work(self) -> Work:
        """What the answer cost."""
        return self.numbers.work

    @property
    def numbers(self) -> Numbers:
        """The plain numbers that everything is decoded from."""
        if self._decoded is None:
            self._decoded = _decoded(self._row)
        return self._decoded


def _decoded(row: Vector) -> Numbers:
    found = _NUMBERS(row.data)
    d, lower, upper, size, nx, ny, nz, ax, ay, az, bx, by, bz = found[:13]
    dimension_a, name_a, dimension_b, name_b, unique, scanned = found[13:19]
    return Numbers(
        d,
        lower,
        upper,
        size,
        (nx, ny, nz),
        (ax, ay, az),
        (bx, by, bz),
        dimension_a,
        (name_a,),
        dimension_b,
        (name_b,),
        (),
        (),
        unique == 1,
        "scan" if scanned else "ring",
        "",
        Work._make(found[19:24]),
    )


def work_of(result: Result) -> Work:
    """Return what a frame cost: the last five numbers."""
    return Work._make(Result.numbers.unpack_from(result)[-5:])
