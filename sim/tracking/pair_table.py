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
from sim.kernels import sweep, trajectory
from sim.kernels.layout import WANTED
from sim.kernels.workspace import BodyView
from sim.result.answers import PairAnswers, grown
from sim.tracking.alone import NOTHING
from sim.tracking.broadphase import BodyBoxes
from sim.tracking.buffers import (
    NO_TREE,
    audited,
    is_audited,
    make_view,
    make_workspace,
    proved,
    scratch_for,
)
from sim.tracking.carried import Memory
from sim.tracking.options import thresholds
from wingedge.registry import wings

Ids = NDArray[np.int32]
TOLERANCE = 1e-12  # heights within this, per unit of size, are level
USED = trajectory.PARTS_USED, trajectory.CORNERS_USED, trajectory.POOL_USED
POOL_ROOM = 16  # ids of a pair that lists begin with
MOST_THREADS = 256  # each takes room and time to begin
SKIPPED = -1  # the status of a pair that somebody else answers for


class PairTable:
    """Answer for pairs of bodies that need no tracker of their own.

    Parameters: ``bodies``: those of the world; one that stands for its hull is not for
    the table; ``threads``: into how many runs of pairs, one after the other in their
    order, the work is divided; any number gives the same bits.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        contact: float | None,
        resolution: Sequence[float],
        threads: int,
    ) -> None:
        self._bodies = bodies
        self.plain = np.array([body.convexity != "hull" for body in bodies], bool)
        self._laid = [(body.edition, body.transform) for body in bodies]
        self._threads = threads = max(1, min(threads, len(bodies), MOST_THREADS))
        self._after: tuple[object, object] = None, None  # the last change that is known
        self.saw: Sequence[int | None] = (None,) * len(bodies)  # a frame before
        self._make_views()
        self._runs = [Bound(kernel.answer_pairs) for _ in range(threads)]
        self._place, self._bound = map(Bound, (sweep.place_bodies, sweep.bound_bodies))
        self._pool = ThreadPoolExecutor(threads, "wingedge")  # begins none as yet
        self._begun: list[Future[int]] = []
        self._cursors: list[memoryview[int]] = []  # one for each thread
        count = len(bodies)
        self._placed, self._odd = np.zeros((2, count), np.int32)
        self.far = np.zeros(count)  # shown already of new positions; see ``Proofs``
        self.boxes = BodyBoxes.of(count)  # written by ``bound``
        if count > 0:
            low, high, radius = map(floats, self.boxes)
            room = ints(self._placed), floats(self.far), low, high, radius
            self._bounds = sweep.PlacedBodies(self._rows[0], count, *room)
        self.reach = [thresholds(b, b, contact, None)[0] for b in bodies]
        self._fixed: dict[str, Any] = {
            "placed": ints(self._placed),
            "odd": ints(self._odd),
            "reach": floats(np.array(self.reach, np.float64)),
            "release": -1.0,
            "resolution": floats(np.array(resolution, float)),
        }
        self._left_open = False  # whether kernels were left in the middle
        self._row_room = 0, 0  # of the answers: for parts, and for corners
        self._memories: list[Memory] = []  # two, by turns

    def look(self, frame: int) -> None:
        """Refuse bodies that may not be answered for."""
        if self._left_open:  # by an interrupt, with marks in the scratch
            self._make_views()
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

    def bound(self) -> BodyBoxes:
        """Bound all bodies in the world as last looked at; all vertices are read."""
        if self._bodies:
            self._bound(self._bounds)
        return self.boxes

    def _not_seen(self, places: Iterable[int]) -> list[int]:
        """Return which of some bodies must be asked before they are answered for."""
        others = [k for k in places if self._bodies[k]._quiet is not self._seen[k]]
        bodies, seen, saw = self._bodies, self._seen, self.saw
        return [k for k in others if not bodies[k].moved_on(seen[k], saw[k])]

    def _make_views(self) -> None:
        """View all bodies twice for every thread: as first and as second of a pair."""
        meshes = [body.mesh for body in self._bodies]
        counts = [(mesh.n_vertices, mesh.n_edges, mesh.n_faces) for mesh in meshes]
        self._most = tuple(map(max, zip(*counts, strict=True))) or (0, 0, 0)
        # all firsts work in one room, and all seconds: it stays in the cache
        many = range(2 * self._threads)
        self._scratch = [(scratch_for(meshes), expansion()) for _ in many]
        self._views = list(map(list, zip(*map(self._view, self._bodies), strict=True)))
        self._rows = [tuple(views) for views in self._views]  # as kernels take them
        self._trees: list[dict[str, Any]] = []  # room for these, once they are asked
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
        self._views[0][k].proofs.spread = body._spread

    def _view(self, body: Body) -> list[BodyView]:
        """Lay out a body: what is known of its positions is known to all threads."""
        views = [make_view(body, *room) for room in self._scratch]
        proofs, sag = views[0].proofs, views[0].sag
        return [view._replace(proofs=proofs, sag=sag) for view in views]

    def _ask(self, k: int, body: Body) -> None:
        """Ask a body how it proves a support: only those that answers hang on."""
        new = body.is_new(self.saw[k])
        for views in self._views:
            views[k] = proved(views[k], body, new=new)
        self._odd[k] = body.odd(new=new)
        self._seen[k] = body.quiet(new=new)

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
        # in the room of the frame before last, if that fits
        rooms = [x for x in self._memories if x is not before and len(x.ids) >= count]
        if not rooms:
            more = Memory(count + count // 4, max(before.used, POOL_ROOM * count))
            rooms, self._memories = [more], [before, more]
        memory = rooms[0]
        answers.make_room(*self._row_room)
        status = SKIPPED * skipped.astype(np.int32)
        kept = ints(np.arange(count, dtype=np.int32))
        given = self._fixed | {"ends": ints(ends), "begun": ints(begun), "kept": kept}
        given |= {"status": ints(status), "before": before.laid_out()}
        self._left_open = True
        while lacks := self._run(answers, memory, given):
            wanted = status == WANTED
            status[wanted] = 0
            if kernel.FULL in lacks:
                memory.pool = grown(memory.pool, 4 * len(memory.pool))
            if kernel.CROWDED in lacks:  # more for what is half full, else for both
                room = np.array([len(answers.parts), len(answers.labels) // 4])
                shares = np.arange(self._threads)[:, None] * room // self._threads
                used = np.array(self._cursors)[:, USED[:2]] - shares
                tight = (2 * self._threads * used > room).any(axis=0)
                answers.make_room(*np.where(tight | ~tight[::-1], 4 * room, room))
            if lacks == {WANTED} and not self._supply(ends[wanted]):
                status[wanted] = WANTED
                break
        self._left_open = False
        answers.parts_used, answers.corners_used, memory.used = (
            max(cursor[k] for cursor in self._cursors) for k in USED
        )
        self._row_room = 5 * answers.parts_used // 4, 5 * answers.corners_used // 4
        return memory, status

    def _supply(self, ends: Ids) -> bool:
        """Lay out what pairs want of these bodies, audits and trees; False: nothing.

        Bodies whose positions are new are audited by trackers.
        """
        laid = False
        for k in np.unique(ends).tolist():
            body, view = self._bodies[k], self._views[0][k]
            if not is_audited(view):
                if body.is_new(self.saw[k]):
                    continue
                own = [audited(views[k], body) for views in self._views]
                self._odd[k] = body.odd(new=False)
            elif view.tree.leaves == 0:
                own = [
                    views[k]._replace(tree=wings.make_tree(body.mesh, room))
                    for views, room in zip(self._views, self._tree_rooms(), strict=True)
                ]
            else:
                continue
            for views, view in zip(self._views, own, strict=True):
                views[k] = view
            laid = True
        self._take_rows()
        return laid

    def _tree_rooms(self) -> list[dict[str, Any]]:
        """Make room for trees, and for a search of them, in every thread; once."""
        if not self._trees:
            v, e, _ = self._most
            leaves = wings.leaves_for(2 * e)
            self._trees = [wings.room_for(v, leaves) for _ in self._views]
            most = NO_TREE._replace(leaves=leaves)
            self._rooms = [
                room._replace(search=wings.make_search(most, most))
                for room in self._rooms
            ]
        return self._trees

    def _run(
        self, answers: PairAnswers, memory: Memory, given: dict[str, Any]
    ) -> set[int]:
        """Answer for all pairs, a share of them and of all room in each thread.

        Returns what ran out: as nothing is read that is written here, all is run again.
        """
        after, rows, count = memory.laid_out(), answers.laid_out(), self._threads
        rooms = len(answers), rows.parts_room, rows.corners_room, after.room
        calls: list[tuple[Any, ...]] = []
        self._cursors = []
        for t, run in enumerate(self._runs):
            begun, ended = ([k * room // count for room in rooms] for k in (t, t + 1))
            self._cursors.append(cursor := ints(np.zeros(trajectory.CURSOR, np.int32)))
            for k, at in zip((trajectory.FRAME, *USED), begun, strict=True):
                cursor[k] = at
            cursor[trajectory.END], parts, corners, ids = ended
            one, two = self._rows[2 * t : 2 * t + 2]
            room = after if count == 1 else after._replace(room=ids)
            pairs = kernel.Pairs(firsts=one, seconds=two, after=room, **given)
            some = rows._replace(cursor=cursor, parts_room=parts, corners_room=corners)
            calls.append((run, pairs, self._rooms[t], some))
        (run, *own), *others = calls
        if others:
            wait(self._begun)  # of a frame that an interrupt has left
            self._begun = [self._pool.submit(go, *its) for go, *its in others]
        told = {run(*own)} | {other.result() for other in self._begun}
        return told - {kernel.DONE}
