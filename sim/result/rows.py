"""One answer as the kernel wrote it, copied; decoded only when somebody asks."""

from itertools import chain
from typing import NamedTuple

from sim.kernels.workspace import Result
from sim.result.answer import Numbers, Vec, Work


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


def work_of(result: Result) -> Work:
    """Return what a frame cost: the last five numbers."""
    return Work._make(Result.numbers.unpack_from(result)[-5:])
