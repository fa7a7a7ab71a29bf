"""What an update looked at: the frame run once more with buffers that take notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.kernels import layout
from sim.kernels.answer import answer
from sim.kernels.order import comes_after
from sim.tracking.buffers import Buffers, Start
from wingedge import Feature

if TYPE_CHECKING:
    from sim.contact import Numbers, PairState


class Explanation(NamedTuple):
    """What the last update read and where it went."""

    before: tuple[Feature, Feature] | None  # closest features that it started from
    after: tuple[Feature, Feature]  # and that it ended at
    visited_a: NDArray[np.int32]  # vertices of A whose positions were read, ascending
    visited_b: NDArray[np.int32]
    text: str  # the same in words

    def __str__(self) -> str:
        """Return the text."""
        return self.text


class Trail:
    """A float buffer that remembers which vertices were read."""

    def __init__(self, points: memoryview[float]) -> None:
        self._points = points
        self.visited = np.zeros(len(points) // 3, bool)

    def __getitem__(self, i: int) -> float:
        """Read one coordinate and remember its vertex."""
        self.visited[i // 3] = True
        return self._points[i]

    def __setitem__(self, i: int, value: float) -> None:
        """Refuse: kernels never write positions."""
        raise TypeError("positions are read-only in a kernel")

    def __array__(
        self, dtype: object = None, copy: bool | None = None
    ) -> NDArray[np.float64]:
        """Hand out the whole buffer, for a scan: every vertex is read."""
        self.visited[:] = True
        return np.asarray(self._points)


def trace(
    buffers: Buffers,
    started: Start,
    numbers: Numbers | None,
) -> tuple[Trail, Trail]:
    """Run a frame again from what was remembered; return what each side read.

    ``buffers`` are of the same bodies in the same order, with scratch of their own;
    ``numbers`` is the answer before, in kernel order, or None after a cold start.
    """
    first, second = Trail(buffers.first.points), Trail(buffers.second.points)  # type: ignore[arg-type]
    a = buffers.first._replace(points=first)
    b = buffers.second._replace(points=second)
    if a.size == b.size:
        comes_after(a.points, a.pose, b.points, b.pose, a.size)
    buffers.simplex[:] = memoryview(started.simplex).cast("i")
    buffers.last[:] = memoryview(started.last).cast("i")
    if started.known and numbers is not None:
        buffers.restore(numbers)
    status = answer(a, b, buffers.origin(), buffers.slate)
    if status != layout.CERTIFIED:
        first.visited[:] = True
        second.visited[:] = True
    return first, second


def describe(
    before: PairState | None, after: PairState, a: Trail, b: Trail
) -> Explanation:
    """Put what was read into words."""
    work = after.work
    start = (
        "started cold, from a scan of all vertices"
        if before is None
        else f"started from {before.kind} {before.feature_a} {before.feature_b}"
    )
    read = f"read {int(a.visited.sum())} of {len(a.visited)} vertices of {after.a.name}"
    other = f"{int(b.visited.sum())} of {len(b.visited)} of {after.b.name}"
    ended = f"ended at {after.kind} {after.feature_a} {after.feature_b}"
    steps = (
        f"{work.steps} steps, {work.scans} scans, {work.fallbacks} exhaustive searches"
    )
    return Explanation(
        None if before is None else (before.feature_a, before.feature_b),
        (after.feature_a, after.feature_b),
        np.nonzero(a.visited)[0].astype(np.int32),
        np.nonzero(b.visited)[0].astype(np.int32),
        f"frame {after.frame}: {start}; {read} and {other}; {steps}; {ended}, "
        f"proof by {after.proof}",
    )
