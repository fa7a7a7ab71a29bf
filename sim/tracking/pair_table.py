"""The pairs of many bodies in one table: one call answers for all that are plain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.audit import expansion
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
from sim.result.answers import PairAnswers, grown
from sim.result.plain import PlainState
from sim.tracking.broadphase import BodyBoxes
from sim.tracking.carried import NOTHING, Memory
from sim.tracking.options import rest_size
from sim.tracking.pair import PairTracker
from sim.tracking.views import make_view, make_workspace, proved, scratch_for

Ids = NDArray[np.int32]
Floats = NDArray[np.float64]
TOLERANCE = 1e-12  # heights within this, per unit of size, are level
POOL_ROOM = 1 << 10  # ids that lists begin with
SKIPPED = -1  # the status of a pair that somebody else answers for


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
        self._after: tuple[object, object] = None, None  # the last change that is known
        self.saw: Sequence[int | None] = (None,) * len(bodies)  # a frame before
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
        said: dict[str, Any] = {"placed": ints(self._placed), "odd": ints(self._odd)}
        self._fixed = {**said, "reach": floats(np.array(reach, np.float64))}
        self._row_room = 0, 0  # of the answers: for parts, and for corners
        self._memories: list[Memory] = []  # two, by turns

    def look(self, frame: int) -> BodyBoxes:
        """Refuse bodies that may not be answered for; bound all of them in the world.

        Returns their boxes, written anew in every frame.

        Cost: one pass over all vertices.
        """
        last = LAST_CHANGE[0]
        if last is not self._after[0] or self.saw is not self._after[1]:
            self._unasked = self._not_seen(range(len(self._bodies)))
            self._after = last, self.saw
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
        others = [k for k in places if self._bodies[k]._quiet is not self._seen[k]]
        bodies, seen, saw = self._bodies, self._seen, self.saw
        return [k for k in others if not bodies[k].moved_on(seen[k], saw[k])]

    def _make_views(self) -> None:
        """View all bodies twice for every thread, the first and the second of a pair.

        All firsts work in one room, and all seconds: it stays in the cache.
        """
        meshes = [body.mesh for body in self._bodies]
        counts = [(mesh.n_vertices, mesh.n_edges, mesh.n_faces) for mesh in meshes]
        self._most = tuple(map(max, zip(*counts, strict=True))) or (0, 0, 0)
        count = range(2 * self._threads)
        self._scratch = [(scratch_for(meshes), expansion()) for _ in count]
        self._views = list(map(list, zip(*map(self._view, self._bodies), strict=True)))
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
            for views, view in zip(self._views, self._view(body), strict=True):
                views[k] = view
        for views in self._views:
            if views[k].spread != body._spread:
                views[k] = views[k]._replace(spread=body._spread)

    def _view(self, body: Body) -> list[BodyView]:
        """Lay out a body as most are: nothing to replace once it was asked.

        What is found of new positions in a frame is found for all threads.
        """
        views = [make_view(body, *room) for room in self._scratch]
        sag = views[0].sag
        return [view._replace(scanned=0, edges_prove=1, sag=sag) for view in views]

    def _ask(self, k: int, body: Body) -> None:
        """Ask a body how it proves a support: only those that answers hang on."""
        new = body.is_new(self.saw[k])
        for views in self._views:
            views[k] = proved(views[k], body, new=new)
        self._odd[k] = body.odd(new=new)
        self._seen[k] = body.quiet(new=new) or NOTHING

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
        memory = self._room_beside(before, count)
        parts, corners = self._row_room
        answers.parts = grown(answers.parts, parts)
        answers.labels = grown(answers.labels, 4 * corners)
        answers.corners = grown(answers.corners, 6 * len(answers.labels) // 4)
        status = np.where(skipped, SKIPPED, 0).astype(np.int32)
        pairs = [
            kernel.Pairs(
                firsts=firsts,
                seconds=seconds,
                **self._fixed,
                ends=ints(ends),
                begun=ints(begun),
                before=before.laid_out(),
                after=memory.laid_out(),
                status=ints(status),
            )
            for firsts, seconds in zip(*[iter(self._rows)] * 2, strict=True)
        ]
        shares = _Share.of(self._threads, answers, memory)
        while full := self._run(answers, memory, pairs, shares):
            for share, what in full:
                share.enlarge(answers, memory, what)
        cursors = [share.cursor for share in shares]
        answers.parts_used = max(cursor[PARTS_USED] for cursor in cursors)
        answers.corners_used = max(cursor[CORNERS_USED] for cursor in cursors)
        memory.used = max(cursor[POOL_USED] for cursor in cursors)
        used = answers.parts_used, answers.corners_used
        self._row_room = used[0] + used[0] // 4, used[1] + used[1] // 4
        return memory, status

    def _room_beside(self, before: Memory, rows: int) -> Memory:
        """Return room for a frame: that of the one before last, if it fits."""
        for memory in self._memories:
            if len(memory.ids) >= rows and memory is not before:
                return memory
        memory = Memory(rows + rows // 4, max(before.used, POOL_ROOM))
        self._memories = [before, memory]
        return memory

    def _run(
        self,
        answers: PairAnswers,
        memory: Memory,
        pairs: list[kernel.Pairs],
        shares: list[_Share],
    ) -> list[tuple[_Share, int]]:
        """Answer for the pairs of all shares; return those that ran out of room."""
        after, rows = memory.laid_out(), answers.lay_out()
        calls = [
            (
                run,
                its
                if its.after is after and share.ends[POOL_USED] == after.room
                else its._replace(after=after._replace(room=share.ends[POOL_USED])),
                room,
                rows._replace(
                    cursor=share.cursor,
                    parts_room=share.ends[PARTS_USED],
                    corners_room=share.ends[CORNERS_USED],
                ),
            )
            for run, its, room, share in zip(
                self._runs, pairs, self._rooms, shares, strict=True
            )
        ]
        (run, *given), *others = calls
        if others:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(len(others), "wingedge")
            wait(self._begun)  # of a frame that an interrupt has left
            self._begun = [self._pool.submit(go, *its) for go, *its in others]
        ended = [run(*given)]  # in this thread
        ended += [other.result() for other in self._begun]
        return [(s, how) for s, how in zip(shares, ended, strict=True) if how != DONE]


class _Share:
    """The pairs that one thread answers for, and its room in what all write to."""

    def __init__(
        self, pairs: tuple[int, int], rooms: dict[int, tuple[int, int]]
    ) -> None:
        self.cursor = ints(np.zeros(CURSOR, np.int32))
        self.cursor[FRAME], self.cursor[END] = pairs
        self.ends = {k: end for k, (_, end) in rooms.items()}
        for k, (begin, _) in rooms.items():
            self.cursor[k] = begin
        self._least = POOL_ROOM  # that it gets when it has run full
        self._begun = self.cursor.tolist()  # then

    @classmethod
    def of(cls, count: int, answers: PairAnswers, memory: Memory) -> list[_Share]:
        """Divide the pairs, and the room that is there."""
        sizes = len(answers.parts), len(answers.labels) // 4, len(memory.pool)
        kinds = PARTS_USED, CORNERS_USED, POOL_USED

        def part(t: int, size: int) -> tuple[int, int]:
            return size * t // count, size * (t + 1) // count

        return [
            cls(
                part(t, len(answers)),
                {k: part(t, size) for k, size in zip(kinds, sizes, strict=True)},
            )
            for t in range(count)
        ]

    def enlarge(self, answers: PairAnswers, memory: Memory, full: int) -> None:
        """Give room behind all that there is; what is written stays where it is.

        For each pair that is left as much as those took that were answered since.
        """
        now, begun = self.cursor.tolist(), self._begun
        done, left = max(now[FRAME] - begun[FRAME], 1), now[END] - now[FRAME]
        self._least *= 2

        def needed(k: int) -> int:
            took = (now[k] - begun[k]) * left // done
            return took + took // 8 + self._least

        if full == kernel.FULL:
            room = len(memory.pool), needed(POOL_USED)
            memory.pool = grown(memory.pool, sum(room))
            rooms = {POOL_USED: room}
        else:
            rooms = {
                PARTS_USED: (len(answers.parts), needed(PARTS_USED)),
                CORNERS_USED: (len(answers.labels) // 4, needed(CORNERS_USED)),
            }
            answers.parts = grown(answers.parts, sum(rooms[PARTS_USED]))
            answers.labels = grown(answers.labels, 4 * sum(rooms[CORNERS_USED]))
            answers.corners = grown(answers.corners, 6 * len(answers.labels) // 4)
        for k, (begin, size) in rooms.items():
            self.cursor[k], self.ends[k] = begin, begin + size
        self._begun = self.cursor.tolist()


def hand_on(tracker: PairTracker, memory: Memory, row: int) -> bool:
    """Let the table go on after a tracker; False where it could not."""
    if not (tracker._plain or isinstance(tracker.state, PlainState)):
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
