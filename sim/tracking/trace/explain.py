"""What an update looked at and tried: the frame once more, with buffers that listen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.kernels import layout
from sim.kernels.frames import hull_frame, one_frame
from sim.kernels.order import comes_after
from sim.tracking.buffers import Buffers, Started
from sim.tracking.trace.notes import Notes
from sim.tracking.trace.start import Start, restore
from sim.tracking.trace.tried import Tried, linked, pair_name
from wingedge import Feature

if TYPE_CHECKING:
    from sim.contact import Numbers, PairState
    from sim.tracking.paper.rules import Look


class Explanation(NamedTuple):
    """What the last update read and where it went."""

    before: tuple[Feature, Feature] | None  # closest features that it started from
    after: tuple[Feature, Feature]  # and that it ended at
    visited_a: NDArray[np.int32]  # vertices of A whose positions were read, ascending
    visited_b: NDArray[np.int32]
    steps: tuple[Tried, ...]  # the parts that were tried, in order; the last one won
    text: str  # the same in words, a line for each step

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


def explained(
    own: Buffers,
    started: Started,
    before: PairState | None,
    state: PairState,
    swapped: bool,
) -> Explanation:
    """Run the last frame again; see ``PairTracker.explain``."""
    again = Buffers(*own.bodies, own.workspace.tolerance)
    again.choose_proofs()
    again.result.dent = own.result.dent
    numbers = None
    if before is not None and before.editions == state.editions:
        numbers = before.numbers
    if numbers is not None and swapped:
        numbers = numbers.mirrored()
    a, b, tried = trace(again, Start(*started), numbers, swapped)
    if swapped:
        a, b = b, a
    return describe(before, state, a, b, tried)


def trace(
    buffers: Buffers,
    started: Start,
    numbers: Numbers | None,
    swapped: bool,
) -> tuple[Trail, Trail, list[Tried]]:
    """Run a frame again from what was remembered; return what was read and tried.

    ``buffers`` are of the same bodies in the same order, with scratch of their own;
    ``numbers`` is the answer before, in kernel order, or None after a cold start;
    ``swapped`` says that the kernel takes body B first.
    """
    first, second = Trail(buffers.first.points), Trail(buffers.second.points)  # type: ignore[arg-type]
    a = buffers.first._replace(points=first)
    b = buffers.second._replace(points=second)
    if a.size == b.size:
        comes_after(a.points, a.pose, b.points, b.pose, a.size)
    buffers.simplex[:] = memoryview(started.simplex).cast("i")
    buffers.last[:] = memoryview(started.last).cast("i")
    if numbers is not None:
        restore(buffers, numbers, started)
    bodies = buffers.bodies
    notes = Notes(
        (buffers.first, buffers.second),
        (bodies[0].mesh, bodies[1].mesh),
        buffers.origin(),
        buffers.workspace,
        swapped,
    )
    workspace = buffers.workspace._replace(note=notes)
    status = (hull_frame if started.hulls else one_frame)(a, b, workspace)
    if status not in (layout.CERTIFIED, layout.BOUNDED):
        first.visited[:] = True
        second.visited[:] = True
    return first, second, notes.tried


def describe(
    before: PairState | None,
    after: PairState,
    a: Trail,
    b: Trail,
    tried: list[Tried],
) -> Explanation:
    """Put what was read and tried into words."""
    start = "started cold, from a scan of all vertices"
    if tried and tried[-1].test == "certified" and after.proof != "search":
        last = tried[-1]
        text = f"{last.text}; certified by {after.proof}"
        tried[-1] = last._replace(text=text)
    else:
        tried.append(_searched(after))
    return _told(before, after, (a.visited, b.visited), linked(tried), start)


def retell(before: PairState | None, after: PairState, seen: Look) -> Explanation:
    """Put what the paper's search examined into words.

    Visited are the vertices that the search read; the widths of the bodies, which
    bound the distance from below, read all.
    """
    visited = []
    for mesh, read in (
        (after.mesh_a, seen.visited_a),
        (after.mesh_b, seen.visited_b),
    ):
        mask = np.zeros(mesh.n_vertices, bool)
        mask[list(read)] = True
        visited.append(mask)
    start = "started cold, from all pairs"
    return _told(before, after, (visited[0], visited[1]), seen.tried, start)


def _searched(after: PairState) -> Tried:
    """Write a search down as one step, with its result."""
    a, b = after.feature_a, after.feature_b
    name = pair_name(after.mesh_a, a, after.mesh_b, b)
    by = "the polytope" if after.proof == "epa" else "a search of both surfaces"
    if after.work.fallbacks:
        by = "exhaustive search"
    trust = "certified" if after.certified else f"not certified: {after.reason}"
    text = f"{name}: found by {by}, distance {after.distance:.9g}; {trust}"
    test = "epa" if after.proof == "epa" else "search"
    return Tried(a, b, test, 0.0, None, "", None, text)


def _told(
    before: PairState | None,
    after: PairState,
    visited: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    steps: tuple[Tried, ...],
    cold: str,
) -> Explanation:
    work = after.work
    start = cold
    if before is not None:
        start = "started from " + pair_name(
            before.mesh_a, before.feature_a, before.mesh_b, before.feature_b
        )
    a, b = visited
    lines = [
        f"frame {after.frame}: {start}",
        *(f"  {step.text}" for step in steps),
        f"  read {int(a.sum())} of {len(a)} vertices of {after.a.name} and "
        f"{int(b.sum())} of {len(b)} of {after.b.name}; {work.steps} steps, "
        f"{work.scans} scans, {work.fallbacks} exhaustive searches; ended at "
        f"{after.kind} {after.feature_a} {after.feature_b}, proof by {after.proof}",
    ]
    return Explanation(
        None if before is None else (before.feature_a, before.feature_b),
        (after.feature_a, after.feature_b),
        np.nonzero(a)[0].astype(np.int32),
        np.nonzero(b)[0].astype(np.int32),
        steps,
        "\n".join(lines),
    )
