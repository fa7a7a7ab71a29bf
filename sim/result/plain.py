"""The state of a plain frame: one row, copied, and read when somebody asks."""

import numpy as np
from numpy.typing import NDArray

from sim.kernels.workspace import Row
from sim.result.answer import Hulls, Numbers, Region, Work
from sim.result.state import Pair, PairState

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
    i, a, j, b, unique, scanned = found[13:19]
    vectors = found[4:7], found[7:10], found[10:13]
    proof, work = "scan" if scanned else "ring", Work._make(found[19:24])
    named = i, (a,), j, (b,), (), ()
    tail = unique == 1, proof, "", work
    return Numbers._make((*found[:4], *vectors, *named, *tail))
