"""A pair laid out for the kernels, and what it carries from frame to frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import Body
from sim.body.pose import Pose
from sim.body.revisions import MeshRevision
from sim.engine.bound import floats, ints
from sim.kernels.language import Later
from sim.kernels.overlap.polytope import FREE
from sim.kernels.trajectory import REGIME, SWAPPED
from sim.kernels.workspace import Workspace
from sim.result.answer import Numbers
from sim.result.answers import REGIMES, PairAnswers, grown
from sim.result.renaming import renamed
from sim.result.state import PairState
from sim.tracking import options
from sim.tracking.buffers import Buffers
from sim.tracking.fallback import corner_of, in_order
from sim.tracking.views import POLYTOPE_ROOM
from wingedge.registry import find

if TYPE_CHECKING:
    from sim.kernels.pairs import PairMemory

kernel = Later("sim.kernels.pairs")  # of tables of pairs: not loaded by a tracker
Ids = NDArray[np.int32]
Pair = tuple[int, int]
# What an overlap remembers beside its state, one after the other: 1 where B comes
# first, the simplex, the polytope (its lists as ``kernels.rows.copy_hull`` has them).
SIMPLEX = slice(1, 10)
FILLED = slice(10, 13)
LISTS = 13  # where they begin


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

    def laid_out(self) -> PairMemory:
        """View the memory as the kernels do."""
        if self._laid[0] is not self.pool:
            views = ints(self.ids), floats(self.normals), ints(self.pool)
            self._laid = self.pool, kernel.PairMemory(*views, len(self.pool))
        laid: PairMemory = self._laid[1]
        return laid

    def begin(self, row: int, state: PairState, overlap: Ids | None = None) -> None:
        """Remember of a pair what decides the next frame, and no ids that save work.

        Parameters: ``overlap``: what else an overlap remembers.
        """
        ids = self.ids[row]
        n, swapped = state.numbers, state.mesh_a.n_vertices > state.mesh_b.n_vertices
        if overlap is not None:
            swapped = bool(overlap[0])
        ids[:] = 0
        ids[kernel.LAST] = -1
        ids[kernel.REGIME] = REGIMES.index(state.regime)
        ids[kernel.SWAPPED] = swapped
        if n.labels:
            ids[kernel.LAST : kernel.LAST + 4] = corner_of(n, swapped)
        self.normals[row] = n.normal
        if swapped:
            self.normals[row] *= -1.0
        ids[kernel.BY_HULL] = n.proof == "epa"  # then this axis is kept among equals
        if overlap is not None:
            self._put_overlap(row, overlap)

    def _put_overlap(self, row: int, overlap: Ids) -> None:
        ids, lists = self.ids[row], overlap[LISTS:]
        ids[kernel.SIMPLEX : kernel.LAST] = overlap[SIMPLEX]
        ids[kernel.HULL : kernel.HULL + 3] = overlap[FILLED]
        ids[kernel.POOL_AT], end = self.used, self.used + len(lists)
        self.pool = grown(self.pool, end)
        self.pool[self.used : end] = lists
        self.used = end

    def vouched(self, answers: PairAnswers) -> Memory:
        """Return what decides the next frame of these pairs, and no ids that save work.

        Of overlaps no more than these bodies can have remembered.
        """
        total = len(answers)
        memory = Memory(total, 0)
        kept = kernel.SWAPPED, kernel.BY_HULL, *range(kernel.LAST, kernel.LAST + 4)
        memory.ids[:total, kept] = self.ids[:total, kept]
        memory.ids[:total, kernel.REGIME] = answers.regimes
        memory.normals[:total] = self.normals[:total]
        for k in np.flatnonzero(self.ids[:total, kernel.HULL]).tolist():
            sizes = [answers.editions[i].mesh.n_vertices for i in answers.ends[k]]
            overlap = self.overlap(k)
            if overlap is not None and is_of(overlap, (sizes[0], sizes[1])):
                memory._put_overlap(k, overlap)
        return memory

    def is_swapped(self, row: int) -> bool:
        """Say whether the kernels take B first."""
        return bool(self.ids[row, kernel.SWAPPED])

    def overlap(self, row: int) -> Ids | None:
        """Return what a pair remembers of an overlap; None where it has no polytope."""
        own = self.ids[row]
        ids = own.tolist()
        v, t = ids[kernel.HULL : kernel.HULL + 2]
        if v == 0:
            return None
        at = ids[kernel.POOL_AT]
        if ids[kernel.KNOWN] == 1:
            for part in (kernel.PART_A, kernel.PART_B):
                at += sum(ids[part + 3 : part + 6])
        lists = self.pool[at : at + 2 * v + 7 * t]
        simplex = own[kernel.SIMPLEX : kernel.LAST]
        filled = own[kernel.HULL : kernel.HULL + 3]
        return np.concatenate([own[kernel.SWAPPED, None], simplex, filled, lists])

    def overlaps(self, pairs: Sequence[Pair]) -> dict[Pair, Ids]:
        """Return what the overlaps among these pairs remember, a row each."""
        rows = np.flatnonzero(self.ids[: len(pairs), kernel.HULL]).tolist()
        found = {pairs[k]: self.overlap(k) for k in rows}
        return {pair: ids for pair, ids in found.items() if ids is not None}


def overlap_of(pair: Workspace, swapped: bool) -> Ids | None:
    """Return what the workspace of a pair remembers of an overlap; see ``Memory``."""
    hull, (v, t, _) = pair.hull, list(pair.hull.filled)  # type: ignore[call-overload]
    if v == 0:
        return None
    views = (
        (hull.ids, 2 * v),
        (hull.corners, 3 * t),
        (hull.across, 3 * t),
        (hull.state, t),
    )
    lists = [np.asarray(ids)[:count] for ids, count in views]
    return np.concatenate([[np.int32(swapped)], pair.simplex, hull.filled, *lists])


def is_of(overlap: Ids, sizes: tuple[int, int]) -> bool:
    """Say whether a pair can have remembered this: ids in range, a closed polytope.

    Parameters: ``sizes``: how many vertices A and B have.
    """
    first, second = sizes[::-1] if len(overlap) and overlap[0] == 1 else sizes
    if len(overlap) < LISTS or overlap[0] not in (0, 1):
        return False
    count, v, t = int(overlap[1]), int(overlap[10]), int(overlap[11])
    most = 0 <= count <= 4 and 4 <= v <= POLYTOPE_ROOM and 4 <= t <= 3 * POLYTOPE_ROOM
    if not (most and overlap[12] in (0, 1) and len(overlap) == LISTS + 2 * v + 7 * t):
        return False
    ids, corners, across, state = np.split(
        overlap[LISTS:], [2 * v, 2 * v + 3 * t, 2 * v + 6 * t]
    )
    ranges = (
        (overlap[2 : 2 + count], first),
        (overlap[6 : 6 + count], second),
        (ids[::2], first),
        (ids[1::2], second),
        (corners, v),
        (across, t),
        (state, 4),
    )
    if not all(((own >= 0) & (own < total)).all() for own, total in ranges):
        return False
    faces = np.flatnonzero(state != FREE)
    tail = corners.reshape(-1, 3)[faces].astype(np.int64)
    tip = tail[:, [1, 2, 0]]
    out, back = (tail * v + tip).ravel(), (tip * v + tail).ravel()
    order = np.argsort(out)
    at = np.searchsorted(out[order], back).clip(max=len(out) - 1)
    beyond = np.repeat(faces, 3)[order[at]]
    closed = np.unique(out).size == out.size and (out[order[at]] == back).all()
    return bool(closed and (beyond == across.reshape(-1, 3)[faces].ravel()).all())


NOTHING, MOVING = object(), object()  # what no body is known by: it must be asked


class CarriedPair:
    """Two bodies in kernel order, and what the next frame of them begins with.

    Of the kind that the pair needs: of hulls, if a body stands for its own, or paper.
    """

    a: Body
    b: Body
    _given: dict[str, Any]
    _contact: float
    _release: float
    _regions: options.Regions | None
    _buffers: Buffers
    _swapped: bool  # whether the kernels take B first
    _pair: tuple[Body, Body, tuple[MeshRevision, MeshRevision]]
    _state: PairState | None
    _previous: PairState | None
    _seen_a: object  # what A was known by at the last update
    _torn: bool  # whether an update was left in the middle
    _left: tuple[Memory, int] | None  # by another tracker, and not read yet
    next_frame: int
    paths: Any = None  # room for what happens between two frames, once it is asked
    saw: options.Saw = (None, None)  # versions of A and B that were answered for last

    def __new__(cls, a: Body, b: Body, **options: Any) -> Self:
        """Make an empty tracker of the kind that the pair needs."""
        kind: type = cls
        if any(isinstance(c, Body) and c.convexity == "hull" for c in (a, b)):
            kind = find("HullTracker")
        elif options.get("strategy") == "paper":
            kind = find("PaperTracker")
        made: Any = object.__new__(kind)
        made._given = options
        return cast("Self", made)

    def __repr__(self) -> str:
        """Say who is tracked, and how far."""
        name = f"{type(self).__name__}({self.a.name}/{self.b.name}"
        return f"{name}, {self.next_frame} frames answered)"

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel with bodies, options and what the next answer depends on."""
        last = self._state, self.next_region, self.overlap(), self.next_frame, self.saw
        return _copied, (type(self), self.a, self.b, self._given, last)

    @property
    def contact_distance(self) -> float:
        """At this distance or less the pair is in contact."""
        return self._contact

    @property
    def release_distance(self) -> float:
        """Beyond this distance the contact ends."""
        return self._release

    def advance(
        self,
        pose_a: Pose | None = None,
        pose_b: Pose | None = None,
        points_a: ArrayLike | None = None,
        points_b: ArrayLike | None = None,
        distance: float | None = None,
        path: str = "straight",
    ) -> Any:
        """Take the bodies to new places, and say what happens on the way.

        Every vertex goes straight in the world, ``x(t) = (1 - t) x0 + t x1``, t from 0,
        where the bodies are now, to 1.  The tracker ends as after ``update()`` there.

        Parameters
        ----------
        pose_a, pose_b : Pose, optional
            Where the bodies go; a body stays where it is if left out.
        points_a, points_b : (V, 3) array_like, optional
            Where their vertices go, body frame.
        distance : float, optional
            Ask when the surfaces are this near; 0, when they touch, if left out.
        path : {"straight"}
            A curve is cut into chords, each advanced along.

        Returns
        -------
        sim.between.passage.Passage
            ``state``, ``touch``, ``parting``, ``proof``, each computed when asked for.

        Raises
        ------
        TypeError, ValueError
            For what is no pose, no positions of this mesh, or no length: before
            anything moves.  As ``update``, with the bodies back where they were.

        Notes
        -----
        Cost: an update, and for the first touch some 6 more and O(V) each, when asked.
        """
        ends = pose_a, pose_b, points_a, points_b
        return find("advance")(self, ends, distance, path)

    @property
    def finds_regions(self) -> bool:
        """Whether all contacts are found in every frame."""
        return self._regions is not None

    @property
    def next_region(self) -> int:
        """The identity of the next region that is new."""
        return 0 if self._regions is None else self._regions.next_identity

    def resume(
        self, state: PairState | None, next_region: int = 0, overlap: Ids | None = None
    ) -> None:
        """Go on after a state that another tracker of this pair answered, or cold.

        All that a state leaves to the next one is its regime, its regions and, where
        the closest points are not unique, the corner or axis that was chosen; of an
        overlap its polytope too (``overlap``).  Other ids only save work.  So buffers
        that an interrupt left in the middle are made anew.
        """
        self._torn = self._torn or self._state is not None
        self.go_on(state, None)
        if state is not None:
            sizes = state.mesh_a.n_vertices, state.mesh_b.n_vertices
            known = overlap is not None and is_of(overlap, sizes)
            memory = Memory(1, 0)
            memory.begin(0, state, overlap if known else None)
            self._left = memory, 0
        if self._regions is not None:
            self._regions.resume(state, next_region)

    def go_on(self, state: PairState | None, left: tuple[Memory, int] | None) -> None:
        """Go on after a state with the row of a memory, read by the next update."""
        self._state, self._previous = state, None
        self._seen_a, self._left = NOTHING, left

    def went_on(self, previous: PairState | None, state: PairState) -> None:
        """Remember the last two states of a reel."""
        self._previous, self._state = previous, state
        self.next_frame = state.frame + 1
        self._put_row()

    def overlap(self) -> Ids | None:
        """Return what an overlap leaves to the next frame beside its state, if any."""
        if self._left is not None:
            memory, row = self._left
            return memory.overlap(row)
        return overlap_of(self._buffers.workspace, self._swapped)

    def _take_up(self, memory: Memory, row: int) -> None:
        """Begin with what another tracker left."""
        assert self._state is not None
        edited = self._state.editions != (self.a.edition, self.b.edition)
        if self._torn or edited:
            self._lay_out()
        if not edited:
            if memory.is_swapped(row) != self._swapped:
                self._turn()
            kernel.recall(memory.laid_out(), row, *self._buffers.tables)
        self._left = None
        self._put_row()

    def _lay_out(self) -> None:
        """Lay the bodies out anew: of the frame before the corner is known, no ids."""
        tolerance = self._buffers.workspace.tolerance
        if self._torn and self._regions is not None:
            self._regions.lay_out()
        self._buffers, self._swapped = in_order(self.a, self.b, tolerance)
        self._pair = self.a, self.b, (self.a.edition, self.b.edition)
        self._torn = False
        self._put_row()
        last = renamed(self._state)
        if last is not None:
            self._keep_corner(last.numbers)

    def _turn(self) -> None:
        """Let the bodies change places."""
        self._buffers.exchange()
        self._swapped = not self._swapped
        self._seen_a = NOTHING  # the bodies are laid out in the other order
        self._put_row()

    def _put_row(self) -> None:
        """Write what the kernel of a plain frame reads: the order, the regime."""
        cursor = self._buffers.answers.cursor
        regime = "separated" if self._state is None else self._state.regime
        cursor[SWAPPED], cursor[REGIME] = int(self._swapped), REGIMES.index(regime)

    def _keep_corner(self, source: Numbers) -> None:
        """Remember the corner that carries the points."""
        self._buffers.last[0] = -1
        if source.labels:
            self._buffers.last[:] = corner_of(source, self._swapped)


def _copied(
    kind: type,
    a: Body,
    b: Body,
    given: dict[str, Any],
    last: tuple[PairState | None, int, Ids | None, int, options.Saw],
) -> Any:
    """Make a tracker that goes on where another one was."""
    tracker = kind(a, b, **given)
    state, region, overlap, tracker.next_frame, tracker.saw = last
    if state is not None:
        tracker.resume(state, region, overlap)
    return tracker
