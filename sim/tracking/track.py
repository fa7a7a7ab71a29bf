"""The answers of a whole trajectory, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.body.audit import RingTest
from sim.engine.bound import floats, ints
from sim.kernels import trajectory
from sim.kernels.trajectory import Placements, Shapes, Trajectory
from sim.result.answer import LETTERS, Hulls, Numbers, Region, Work
from sim.result.state import PairState
from sim.tracking.options import REGIMES

if TYPE_CHECKING:
    from sim.body.body import Body

Float = np.float64
T = TypeVar("T", bound=np.generic)
PROOFS = ("ring", "scan", "search", "epa", "none")
NONE = np.zeros((1, 3))
SAME = Shapes(floats(NONE), 0, RingTest(None, NONE).taken[0], 0)  # of a stiff body
POOL = 64  # places that a pool begins with
POOL_LIMIT = 2**31 - 1  # places are counted by int32


class Track:
    """One answer per frame of a trajectory, T in all; a value that never changes.

    World frame, length unit of the input.  ``track[t]`` is the ``PairState`` of frame
    t, the same to the bit as that of a loop over ``update``; the attributes are the
    same numbers as arrays.
    """

    def __init__(self, a: Body, b: Body, first: int, frames: int) -> None:
        self._a = a
        self._b = b
        self._editions = a.edition, b.edition
        self._first = first  # number of the first frame
        self._length = 0
        self._numbers = np.zeros((frames, trajectory.NUMBERS))
        self._facts = np.zeros((frames, trajectory.FACTS), np.int32)
        self._parts = np.zeros(POOL + 2 * frames, np.int32)
        self._corners = np.zeros(6 * POOL)
        self._labels = np.zeros(4 * POOL, np.int32)
        self._parts_used = 0
        self._corners_used = 0
        self._reasons: dict[int, str] = {}
        self._regions: dict[int, tuple[Region, ...]] = {}
        self._hulls: dict[int, Hulls] = {}

    def __len__(self) -> int:
        """Count the frames."""
        return self._length

    def __iter__(self) -> Iterator[PairState]:
        """Go through the states in order."""
        return map(self._state, range(self._length))

    def __getitem__(self, t: int) -> PairState:
        """Return the state of frame t, counted from the first of the trajectory."""
        try:
            k = range(self._length)[t]
        except IndexError:
            raise IndexError(f"frame {t} of a track of {self._length} frames") from None
        except TypeError:
            k = None
        if not isinstance(k, int):
            raise TypeError(
                f"a track takes one frame number, got {t!r}; slice its arrays instead"
            )
        return self._state(k)

    def __repr__(self) -> str:
        """Name the bodies and count the frames."""
        return f"Track({self._a.name}/{self._b.name}, {self._length} frames)"

    # --- arrays ----------------------------------------------------------------------

    @property
    def distance(self) -> NDArray[Float]:
        """Signed distance of the two surfaces, (T,)."""
        return self._column(trajectory.DISTANCE)

    @property
    def lower(self) -> NDArray[Float]:
        """Proven: the true signed distance is at least this, (T,)."""
        return self._column(trajectory.LOWER)

    @property
    def upper(self) -> NDArray[Float]:
        """Proven: the true signed distance is at most this, (T,)."""
        return self._column(trajectory.UPPER)

    @property
    def certified(self) -> NDArray[np.bool_]:
        """Whether the bounds certify the distance, (T,); see ``PairState``."""
        size = self._column(trajectory.SIZE)
        limit = 1e-9 * np.abs(self.distance) + 1e-14 * size
        certified: NDArray[np.bool_] = self.upper - self.lower <= limit
        return certified

    @property
    def unique(self) -> NDArray[np.bool_]:
        """Whether there is only one pair of closest points, (T,)."""
        unique: NDArray[np.bool_] = self._fact(trajectory.UNIQUE) == 1
        return unique

    @property
    def kind(self) -> NDArray[np.str_]:
        """The kinds, A's letter first, (T,): VV VE EV EE VF FV EF FE FF."""
        kinds = np.array([a + b for a in LETTERS for b in LETTERS])
        pairs = 3 * self._fact(trajectory.DIMENSION_A) + self._fact(
            trajectory.DIMENSION_B
        )
        found: NDArray[np.str_] = kinds[pairs]
        return found

    @property
    def regime(self) -> NDArray[np.str_]:
        """The regimes, (T,): "separated", "contact" or "penetrating"."""
        return np.array(REGIMES)[self._fact(trajectory.REGIME_NOW)]

    @property
    def feature_a(self) -> NDArray[np.int32]:
        """The closest features of A, (T, 2): dimension (0 vertex ...) and number."""
        return self._feature(trajectory.DIMENSION_A, self._fact(trajectory.PARTS_AT))

    @property
    def feature_b(self) -> NDArray[np.int32]:
        """The closest features of B, (T, 2): dimension (0 vertex ...) and number."""
        at = self._fact(trajectory.PARTS_AT) + self._fact(trajectory.PARTS_A)
        return self._feature(trajectory.DIMENSION_B, at)

    @property
    def point_a(self) -> NDArray[Float]:
        """The closest points on A, (T, 3)."""
        return self._columns(trajectory.POINT_A)

    @property
    def point_b(self) -> NDArray[Float]:
        """The closest points on B, (T, 3)."""
        return self._columns(trajectory.POINT_B)

    @property
    def normal(self) -> NDArray[Float]:
        """The unit normals from A to B, (T, 3)."""
        return self._columns(trajectory.NORMAL)

    def _column(self, k: int) -> NDArray[Float]:
        return self._numbers[: self._length, k].copy()

    def _columns(self, k: int) -> NDArray[Float]:
        return self._numbers[: self._length, k : k + 3].copy()

    def _fact(self, k: int) -> NDArray[np.int32]:
        return self._facts[: self._length, k]

    def _feature(self, dimension: int, at: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.stack([self._fact(dimension), self._parts[at]], axis=1)

    # --- rows ------------------------------------------------------------------------

    def _state(self, t: int) -> PairState:
        f = self._facts[t].tolist()
        n = self._numbers[t].tolist()
        middle = f[trajectory.PARTS_AT] + f[trajectory.PARTS_A]
        end = middle + f[trajectory.PARTS_B]
        begin, count = f[trajectory.CORNERS_AT], f[trajectory.CORNERS]
        numbers = Numbers(
            n[trajectory.DISTANCE],
            n[trajectory.LOWER],
            n[trajectory.UPPER],
            n[trajectory.SIZE],
            tuple(n[trajectory.NORMAL : trajectory.NORMAL + 3]),
            tuple(n[trajectory.POINT_A : trajectory.POINT_A + 3]),
            tuple(n[trajectory.POINT_B : trajectory.POINT_B + 3]),
            f[trajectory.DIMENSION_A],
            tuple(self._parts[f[trajectory.PARTS_AT] : middle].tolist()),
            f[trajectory.DIMENSION_B],
            tuple(self._parts[middle:end].tolist()),
            tuple(self._corners[6 * begin : 6 * (begin + count)].tolist()),
            tuple(self._labels[4 * begin : 4 * (begin + count)].tolist()),
            f[trajectory.UNIQUE] == 1,
            PROOFS[f[trajectory.PROOF]],
            self._reasons.get(t, ""),
            Work(*f[trajectory.WORK : trajectory.WORK + 5]),
        )
        regime = REGIMES[f[trajectory.REGIME_NOW]]
        frame = self._first + t
        found = self._regions.get(t, ())
        a, b, hulls = self._a, self._b, self._hulls.get(t, (None, None))
        return PairState(numbers, regime, frame, a, b, self._editions, found, hulls)

    def pools(
        self,
        maps_a: Placements,
        maps_b: Placements,
        contact: float,
        release: float,
        shapes: tuple[Shapes, Shapes] = (SAME, SAME),
    ) -> Trajectory:
        """Lay the rows out for the kernels; good until a pool grows."""
        cursor = np.zeros(trajectory.CURSOR, np.int32)
        cursor[trajectory.FRAME] = self._length
        cursor[trajectory.PARTS_USED] = self._parts_used
        cursor[trajectory.CORNERS_USED] = self._corners_used
        if self._length:
            cursor[trajectory.REGIME] = self._facts[
                self._length - 1, trajectory.REGIME_NOW
            ]
        return Trajectory(
            maps_a=maps_a,
            maps_b=maps_b,
            shapes_a=shapes[0],
            shapes_b=shapes[1],
            contact=contact,
            release=release,
            cursor=ints(cursor),
            numbers=floats(self._numbers),
            facts=ints(self._facts),
            parts=ints(self._parts),
            parts_room=len(self._parts),
            corners=floats(self._corners),
            labels=ints(self._labels),
            corners_room=len(self._labels) // 4,
        )

    def took(self, pools: Trajectory) -> None:
        """Note how far the kernels got."""
        self._length = pools.cursor[trajectory.FRAME]
        self._parts_used = pools.cursor[trajectory.PARTS_USED]
        self._corners_used = pools.cursor[trajectory.CORNERS_USED]

    def put(
        self,
        n: Numbers,
        regime: str,
        regions: tuple[Region, ...] = (),
        hulls: Hulls = (None, None),
    ) -> None:
        """Add the row of one more frame; the pools grow where it does not fit."""
        t = self._length
        corners = len(n.labels) // 4
        parts = n.parts_a + n.parts_b
        self._parts = _grown(self._parts, self._parts_used + len(parts))
        end = self._corners_used + corners
        self._labels = _grown(self._labels, 4 * end)
        self._corners = _grown(self._corners, 6 * len(self._labels) // 4)
        self._numbers[t] = (
            n.distance,
            n.lower,
            n.upper,
            n.size,
            *n.normal,
            *n.point_a,
            *n.point_b,
        )
        self._facts[t] = (
            n.dimension_a,
            n.dimension_b,
            self._parts_used,
            len(n.parts_a),
            len(n.parts_b),
            self._corners_used,
            corners,
            int(n.unique),
            PROOFS.index(n.proof),
            REGIMES.index(regime),
            *n.work,
        )
        self._parts[self._parts_used : self._parts_used + len(parts)] = parts
        self._corners[6 * self._corners_used : 6 * end] = n.corners
        self._labels[4 * self._corners_used : 4 * end] = n.labels
        if n.reason:
            self._reasons[t] = n.reason
        if regions:
            self._regions[t] = regions
        if any(faces is not None for faces in hulls):
            self._hulls[t] = hulls
        self._parts_used += len(parts)
        self._corners_used = end
        self._length = t + 1


def _grown(array: NDArray[T], needed: int) -> NDArray[T]:
    if needed <= len(array):
        return array
    if needed > POOL_LIMIT:
        raise MemoryError(f"a track cannot hold {needed} parts; track fewer frames")
    more = np.zeros(min(max(needed, 2 * len(array)), POOL_LIMIT), array.dtype)
    more[: len(array)] = array
    return more
