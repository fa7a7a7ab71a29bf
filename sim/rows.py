"""One answer as the kernel wrote it, copied; decoded only when somebody asks."""

from collections.abc import Sequence
from typing import NamedTuple

from sim.contact import Numbers, Vec, Work
from sim.kernels import layout


class Rows(NamedTuple):
    """The copied rows of one answer, in kernel order.

    Plain values, none of them live memory: whoever answers many frames in one go
    keeps pools of the rows and makes ``PairState(Rows(...), regime, frame, a, b)`` of
    the one frame that is asked for.
    """

    floats: Sequence[float]  # see ``kernels.layout``
    ints: Sequence[int]
    work: Sequence[int]  # the five counts of ``Work``
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
        return self.floats[layout.DISTANCE]

    @property
    def lower(self) -> float:
        """Lower bound."""
        return self.floats[layout.LOWER]

    @property
    def upper(self) -> float:
        """Upper bound."""
        return self.floats[layout.UPPER]

    @property
    def size(self) -> float:
        """The scale of rounding."""
        return self.floats[layout.SIZE]

    def numbers(self) -> Numbers:
        """Decode: move the points back to the world, the bodies to their order."""
        d, lower, upper, size, nx, ny, nz, ax, ay, az, bx, by, bz = self.floats[
            : layout.MISS
        ]
        ints = self.ints
        x, y, z = self.at
        parts_a, parts_b = self.parts or (
            (ints[layout.NAME_A],),
            (ints[layout.NAME_B],),
        )
        numbers = Numbers(
            d,
            lower,
            upper,
            size,
            (nx, ny, nz),
            (ax + x, ay + y, az + z),
            (bx + x, by + y, bz + z),
            ints[layout.DIMENSION_A],
            parts_a,
            ints[layout.DIMENSION_B],
            parts_b,
            self._corners((d * nx, d * ny, d * nz)),
            self.labels,
            ints[layout.PARALLEL] == 0,
            self.proof,
            self.reason,
            Work._make(self.work),
        )
        return numbers.mirrored() if self.swapped else numbers

    def _corners(self, step: Vec) -> tuple[float, ...]:
        """Return the corners of the patch in the world, on A and ``step`` on, on B."""
        found: list[float] = []
        for k in range(0, len(self.patch), 4):
            p = [self.patch[k + i] + self.at[i] for i in range(3)]
            found += p
            found += [p[i] + step[i] for i in range(3)]
        return tuple(found)
