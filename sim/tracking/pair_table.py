"""The pairs of many bodies in one table: one call answers for all that are plain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.judged import LAST_CHANGE
from sim.engine.bound import Bound, floats, ints
from sim.kernels import pairs as kernel
from sim.kernels.frames import DONE
from sim.kernels.trajectory import (
    CORNERS_USED,
    CURSOR,
    END,
    FRAME,
    PARTS_USED,
    POOL_USED,
    REGIME,
    SWAPPED,
)
from sim.kernels.workspace import BodyView
from sim.result.answers import REGIMES, PairAnswers, grown
from sim.result.state import PairState
from sim.tracking.broadphase import BodyBoxes
from sim.tracking.fallback import corner_of
from sim.tracking.options import rest_size
from sim.tracking.pair import NOTHING, PairTracker
from sim.tracking.views import make_view, make_workspace, proved, scratch_for

Ids = NDArray[np.int32]
Floats = NDArray[np.float64]
TOLERANCE = 1e-12  # heights within this, per unit of size, are level
SKIPPED = -1  # the status of a pair that somebody else answers for


class Memory:
    """What pairs carry from one frame to the next; see ``kernels.pairs.PairMemory``."""

    def __init__(self, rows: int, room: int) -> None:
        self.ids = np.zeros((max(rows, 1), kernel.IDS), np.int32)
        self.normals = np.zeros((max(rows, 1), 3))
        self.pool = np.empty(max(room, 1), np.int32)
        self.used = 0  # of the pool
        self._laid: tuple[object, Any] = None, None  # a pool, and the view with it

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the view, which is of this memory."""
        return {**self.__dict__, "_laid": (None, None)}

    def laid_out(self) -> kernel.PairMemory:
        """View the memory as the kernels do."""
        if self._laid[0] is not self.pool:
            views = ints(self.ids), floats(self.normals), ints(self.pool)
            self._laid = self.pool, kernel.PairMemory(*views, len(self.pool))
        laid: kernel.PairMemory = self._laid[1]
        return laid

    def begin(self, row: int, state: PairState) -> None:
        """Remember of a pair what a state leaves to the next one, and no ids."""
        ids = self.ids[row]
        swapped = state.mesh_a.n_vertices > state.mesh_b.n_vertices
        ids[:] = 0
        ids[kernel.LAST] = -1
        ids[kernel.REGIME] = REGIMES.index(state.regime)
        ids[kernel.SWAPPED] = swapped
        if state.numbers.labels:
            corner = corner_of(state.numbers, swapped)
            ids[kernel.LAST : kernel.LAST + 4] = corner


class PairTable:
    """Answer for pairs of bodies that need no tracker of their own.

    Parameters: ``bodies``: those of the world; one that stands for its hull is not for
    the table; ``threads``: into how many runs of pairs, one after the other in their
    order, the work is divided; any number gives the same bits.
    """

    def __init__(
        self, bodies: Sequence[Body], contact: float | None, threads: int
    ) -> None:
        self._bodies = bodies
        self.plain = np.array([body.convexity != "hull" for body in bodies], bool)
        self._laid = [(body.edition, body.transform) for body in bodies]
        self._threads = threads
        self._after: object = None  # the last change that is known
        self._make_views()
        self._runs = [Bound(kernel.answer_pairs) for _ in range(threads)]
        self._place = Bound(kernel.place_bodies)
        self._pool: ThreadPoolExecutor | None = None
        self._begun: list[Future[int]] = []
        count = len(bodies)
        self._placed, self._odd = np.zeros((2, count), np.int32)
        self.boxes = BodyBoxes.of(count)
        if count > 0:
            low, high, radius = map(floats, self.boxes)
            room = ints(self._placed), low, high, radius
            self._bounds = kernel.PlacedBodies(self._rows[0], count, *room)
        reach = [contact] * count
        if contact is None:
            reach = [1e-3 * rest_size(body) for body in self._bodies]
        self._reach = np.array(reach, np.float64)
        self._pool_room = 1 << 10
        self._row_room = 0, 0  # of the answers: for parts, and for labels of corners
        self._memories: list[Memory] = []  # two, by turns

    def look(self, frame: int) -> BodyBoxes:
        """Refuse bodies that may not be answered for; bound all of them in the world.

        Returns their boxes, written anew in every frame.

        Cost: one pass over all vertices.
        """
        last = LAST_CHANGE[0]
        if last is not self._after:
            self._unasked = self._not_seen(range(len(self._bodies)))
            self._after = last
        for k in self._unasked:
            self._bodies[k].check_update(frame)
            self._lay_out(k, self._bodies[k])
        if self._unasked:
            self._take_rows()
        if self._bodies and self._place(self._bounds) < len(self._bodies):
            for k in np.flatnonzero(self._placed == 0).tolist():
                self._bodies[k].check_placed(frame)
        return self.boxes

    def _not_seen(self, places: Iterable[int]) -> list[int]:
        """Return which of some bodies must be asked before they are answered for."""
        return [k for k in places if self._bodies[k]._quiet is not self._seen[k]]

    def _make_views(self) -> None:
        """View all bodies twice for every thread, the first and the second of a pair.

        All firsts work in one room, and all seconds: it stays in the cache.
        """
        meshes = [body.mesh for body in self._bodies]
        counts = [(mesh.n_vertices, mesh.n_edges, mesh.n_faces) for mesh in meshes]
        self._most = tuple(map(max, zip(*counts, strict=True))) or (0, 0, 0)
        self._scratch = [scratch_for(meshes) for _ in range(2 * self._threads)]
        self._views = [
            [_convex_view(b, s) for b in self._bodies] for s in self._scratch
        ]
        self._rows = [tuple(views) for views in self._views]  # as kernels take them
        room = 2 * self._most[0]
        self._rooms = [make_workspace(room, TOLERANCE) for _ in range(self._threads)]
        self._seen = [NOTHING] * len(self._bodies)
        self._unasked = list(range(len(self._bodies)))

    def _lay_out(self, k: int, body: Body) -> None:
        """View a body where its positions and its map are now."""
        edition, transform = self._laid[k]
        if edition is not body.edition or transform is not body.transform:
            self._laid[k] = body.edition, body.transform
            mesh = body.mesh
            sizes = mesh.n_vertices, mesh.n_edges, mesh.n_faces
            if any(size > most for size, most in zip(sizes, self._most, strict=True)):
                self._make_views()
            for views, scratch in zip(self._views, self._scratch, strict=True):
                views[k] = _convex_view(body, scratch)
        for views in self._views:
            if views[k].spread != body._spread:
                views[k] = views[k]._replace(spread=body._spread)

    def _ask(self, k: int, body: Body) -> None:
        """Ask a body how it proves a support: only those that answers hang on."""
        for views in self._views:
            views[k] = proved(views[k], body, body.outward_mesh())
        self._odd[k] = body._odd
        self._seen[k] = body._quiet or NOTHING

    def _take_rows(self) -> None:
        """Hand the views to the kernels: the same tuple while nothing has changed."""
        for t, views in enumerate(self._views):
            if not all(map(is_, views, self._rows[t])):
                self._rows[t] = tuple(views)
        if self._bodies and self._bounds.bodies is not self._rows[0]:
            self._bounds = self._bounds._replace(bodies=self._rows[0])

    def answer(
        self,
        answers: PairAnswers,
        begun: Ids,
        before: Memory,
        skipped: NDArray[np.bool_],
    ) -> tuple[Memory, Ids]:
        """Write the rows of all pairs that are plain; return what they remember.

        And a status per pair, CERTIFIED where its row is written.  Parameters:
        ``begun`` (P,): the row of each pair in the memory before, or COLD; ``skipped``
        (P,): pairs to pass over.
        """
        count = len(answers)
        if count == 0:
            return Memory(0, 0), np.empty(0, np.int32)
        ends = answers.ends
        if self._unasked:
            wanted = set(np.unique(ends[~skipped]).tolist())
            for k in wanted.intersection(self._unasked):
                self._ask(k, self._bodies[k])
            self._take_rows()
            self._unasked = self._not_seen(self._unasked)
        while True:
            parts, labels = self._row_room
            answers.parts = grown(answers.parts, parts)
            answers.labels = grown(answers.labels, labels)
            answers.corners = grown(answers.corners, 6 * len(answers.labels) // 4)
            memory = self._room_beside(before, count)
            status = np.where(skipped, SKIPPED, 0).astype(np.int32)
            tables = [
                kernel.Pairs(
                    firsts=firsts,
                    seconds=seconds,
                    placed=ints(self._placed),
                    odd=ints(self._odd),
                    reach=floats(self._reach),
                    ends=ints(ends),
                    begun=ints(begun),
                    before=before.laid_out(),
                    after=memory.laid_out(),
                    status=ints(status),
                )
                for firsts, seconds in zip(*[iter(self._rows)] * 2, strict=True)
            ]
            ended = self._run(answers, tables, memory)
            if min(ended) == DONE:
                return memory, status
            # once more, with more room: the rows are written anew
            if kernel.FULL in ended:
                self._pool_room *= 4
            if kernel.CROWDED in ended:
                self._row_room = 4 * len(answers.parts), 4 * len(answers.labels)

    def _room_beside(self, before: Memory, rows: int) -> Memory:
        """Return room for a frame: that of the one before last, if it fits."""
        for memory in self._memories:
            fits = len(memory.ids) >= rows and len(memory.pool) >= self._pool_room
            if fits and memory is not before:
                return memory
        memory = Memory(rows + rows // 4, self._pool_room)
        self._memories = [before, memory]
        return memory

    def _run(
        self, answers: PairAnswers, tables: list[kernel.Pairs], memory: Memory
    ) -> list[int]:
        """Answer for the pairs, in as many runs as tables; return how each ended."""
        runs = len(tables)
        pools = []
        for t in range(runs):
            pool, share = answers.lay_out(), [(t + k) / runs for k in (0, 1)]
            begin, end = (int(len(answers) * x) for x in share)
            parts, parts_room = (int(pool.parts_room * x) for x in share)
            corners, corners_room = (int(pool.corners_room * x) for x in share)
            used, pool_room = (int(self._pool_room * x) for x in share)
            pool.cursor[FRAME], pool.cursor[END] = begin, end
            pool.cursor[PARTS_USED], pool.cursor[CORNERS_USED] = parts, corners
            pool.cursor[POOL_USED] = used
            if runs > 1:
                after = tables[t].after._replace(room=pool_room)
                tables[t] = tables[t]._replace(after=after)
            pool = pool._replace(parts_room=parts_room, corners_room=corners_room)
            pools.append(pool)
        calls = list(zip(self._runs, tables, self._rooms, pools, strict=True))
        (run, *given), *others = calls
        if others:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(runs - 1, "wingedge")
            wait(self._begun)  # of a frame that an interrupt has left
            self._begun = [self._pool.submit(go, *its) for go, *its in others]
        ended = [run(*given)]  # in this thread
        ended += [other.result() for other in self._begun]
        answers.parts_used = pools[-1].cursor[PARTS_USED]
        memory.used = pools[-1].cursor[POOL_USED]
        answers.corners_used = pools[-1].cursor[CORNERS_USED]
        return ended


def go_on(tracker: PairTracker, memory: Memory, row: int, state: PairState) -> None:
    """Let a new tracker go on after a state, with what the table remembers."""
    if memory.ids[row, kernel.SWAPPED] != tracker._swapped:
        tracker._turn()
    buffers = tracker._buffers
    if tracker._pair[2] == state.editions:
        kernel.recall(memory.laid_out(), row, *buffers.tables)
    else:  # of the ids of another mesh the simplex is renamed
        simplex = memory.ids[row, kernel.SIMPLEX : kernel.LAST]
        buffers.simplex[:] = ints(simplex.copy())
        tracker._pair = tracker.a, tracker.b, state.editions
    tracker.went_on(None, state)


def hand_on(tracker: PairTracker, memory: Memory, row: int) -> bool:
    """Let the table go on after a tracker; False where it could not."""
    if not tracker._plain:
        return False
    tables, answer = tracker._buffers.tables, tracker._buffers.answers
    needed = memory.used + kernel.room_for(*tables)
    memory.pool = grown(memory.pool, needed)
    cursor = ints(np.zeros(CURSOR, np.int32))
    cursor[SWAPPED], cursor[REGIME] = answer.cursor[SWAPPED], answer.cursor[REGIME]
    cursor[POOL_USED] = memory.used
    kernel.remember(memory.laid_out(), row, *tables, cursor)
    memory.used = cursor[POOL_USED]
    return True


def _convex_view(body: Body, scratch: dict[str, Any]) -> BodyView:
    """Lay out a body as most are: nothing to replace once it was asked."""
    return make_view(body, scratch)._replace(scanned=0, edges_prove=1)
