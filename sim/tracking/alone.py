"""A pair that is tracked alone: a table of one pair, and how it is handed on."""

from __future__ import annotations

from operator import is_
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from sim.body.body import Body, attribute
from sim.body.pose import Pose
from sim.engine.bound import Bound, floats, ints
from sim.kernels import trajectory as kernel
from sim.kernels.pairs import Alone, Pairs, follow_pair, keep_frame
from sim.kernels.trajectory import STIFF, STILL, AnswerRows, Trajectory
from sim.result.answer import RowBlock
from sim.result.state import BodyPair, PairState
from sim.tracking import options
from sim.tracking.buffers import POLYTOPE_ROOM, Buffers, parted
from sim.tracking.carried import Ids, Left, Memory, left_by
from sim.tracking.fallback import corner_of
from wingedge.registry import wings

NOTHING = object()  # what no body is known by: it must be asked
MOST_OF_HULL = 23 * POLYTOPE_ROOM  # ids of a polytope that is full
HERE = Trajectory(1, STILL, STILL, STIFF, STIFF)  # one frame, where they are
ENDS = ints(np.arange(2, dtype=np.int32))  # the first pair of two bodies


class LonePair:
    """Two bodies laid out as a table of one pair, and what its next frame begins with.

    Of the kind that the pair needs: of hulls, if a body stands for its own, or paper.
    """

    _given: dict[str, Any]
    paths: Any = None  # room for what happens between two frames, once it is asked
    saw: options.Saw = (None, None)  # versions of A and B that were answered for last

    def __new__(cls, a: Any = None, b: Any = None, **options: Any) -> Self:
        """Make an empty tracker of the kind that the pair needs."""
        kind: type = cls
        if any(isinstance(c, Body) and c.convexity == "hull" for c in (a, b)):
            kind = wings.HullTracker
        elif options.get("strategy") == "paper":
            kind = wings.PaperTracker
        made: Any = object.__new__(kind)
        made._given = options
        return cast("Self", made)

    def __repr__(self) -> str:
        name = f"{type(self).__name__}({self.a.name}/{self.b.name}"
        return f"{name}, {self.next_frame} frames answered)"

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel with bodies, options and what the next answer depends on."""
        last = self._state, self.next_region, self.overlap(), self.next_frame, self.saw
        given = {**self._given, "resolution": self.resolution}
        return _copied, (type(self), self.a, self.b, given, last)

    ends: options.Ends
    contact_distance: float = attribute(
        "ends.contact_distance", "At this distance or less the pair is in contact."
    )
    release_distance: float = attribute(
        "ends.release_distance", "Beyond this distance the contact ends."
    )
    resolution: float = attribute(
        "ends.resolution", "How far vertices may be off [length unit of the input]."
    )

    def advance(
        self,
        pose_a: Pose | None = None,
        pose_b: Pose | None = None,
        points_a: ArrayLike | None = None,
        points_b: ArrayLike | None = None,
        distance: float | None = None,
    ) -> Any:
        """Take the bodies to new places, and say what happens on the way.

        Every vertex goes straight in the world, ``x(t) = (1 - t) x0 + t x1``, t from 0,
        where the bodies are now, to 1; a curve is cut into chords.  The tracker ends as
        after ``update()`` there.

        Returns a ``sim.between.passage.Passage``: ``state``, ``touch``, ``parting``,
        ``proof`` and the rest, each computed when asked for.

        Raises TypeError or ValueError for what is no pose, no positions of this mesh,
        or no length, before anything moves; as ``update``, with the bodies back where
        they were.

        Cost: an update, and for the first touch some 6 more and O(V) each, when asked.

        Parameters
        ----------
        pose_a, pose_b : Pose, optional
            Where the bodies go; a body stays where it is if left out.
        points_a, points_b : (V, 3) array_like, optional
            Where their vertices go, body frame.
        distance : float, optional
            Ask when the surfaces are this near; 0, when they touch, if left out.
        """
        ends = pose_a, pose_b, points_a, points_b
        return wings.advance(self, ends, distance)

    @property
    def next_region(self) -> int:
        """The identity of the next region that is new."""
        return self._regions.next_identity if self._regions else 0

    def _begin(self, a: Body, b: Body, tolerance: float) -> None:
        """Make the table, of a pair that nothing is known of."""
        self.a, self.b, self.next_frame = a, b, 0
        self._tolerance = tolerance
        self._state: PairState | None = None
        self._previous: PairState | None = None
        self._regions: Any = None  # a RegionTracker, if one is asked for
        self._stale = False  # whether an update was left in the middle
        # what A and B were known by at the last update, and the engine of that
        self._seen_a, self._seen_b, self._engine = NOTHING, NOTHING, NOTHING
        self.news = False, False  # whether the positions of A and B were, then
        self._odd = 0  # what answers must say of them; see ``Judged.odd``
        self._simple = False  # whether a table could have answered, if no plain state
        self._rows = RowBlock.empty()
        self._ids = parted(begun=1, kept=1, status=1, placed=2, odd=2)
        self._tables: tuple[Alone, ...] = ()
        self._laid: tuple[object, ...] = (None,) * 4  # what these are of
        self._entries = Bound(follow_pair, brief=True), Bound(keep_frame, brief=True)
        self._lay_pair(anew=True)

    def _lay_pair(self, *, anew: bool) -> None:
        """Lay the bodies out; ``anew``: with other meshes, begin after the last."""
        a, b = self.a, self.b
        self._buffers = Buffers(a, b, self._tolerance)
        if self._stale:  # rows that an interrupt left may be ahead of their numbers
            self._rows = RowBlock.empty()
        self._pair, self._stale = BodyPair(a, b, (a.edition, b.edition)), False
        self._rows.cursor[kernel.HELD] = 0
        if anew:
            parts = sum(m.n_vertices + m.n_edges + m.n_faces for m in (a.mesh, b.mesh))
            self._memory = Memory(2, 0, parts + MOST_OF_HULL)
            self._ids["begun"][0], self._ids["kept"][0] = 0, 1
            self.remember(self._state)

    def _lay_table(self) -> None:
        """Bind what answers a frame, until a body is laid out otherwise."""
        views, memory = self._buffers.views, self._memory.laid_out()
        laid = *views, memory, self._buffers.workspace
        if not all(map(is_, laid, self._laid)):
            contact, release, known = self.ends
            reach, off = (floats(np.full(2, length)) for length in (contact, known))
            own: dict[str, Any] = {"firsts": views, "seconds": views, "ends": ENDS}
            own |= {"before": memory, "after": memory, "release": release}
            pairs = Pairs(reach=reach, resolution=off, **own, **self._ids)
            self._laid = laid
            self._tables = (Alone(pairs, laid[-1], self._rows.rows, HERE),)
        self._run = self._entries[0].call(self._tables)

    def remember(self, state: PairState | None) -> None:
        """Begin the next frame after a state, in the names of the present meshes."""
        row = self._ids["begun"][0]
        self._rows.cursor[kernel.HELD] = 0
        if state is not None and state.editions == self._pair[2]:
            self._memory.begin(row, state)
            return
        swapped = self.a.mesh.n_vertices > self.b.mesh.n_vertices
        regime, last = "separated", None
        if state is not None:
            from sim.result.renaming import renamed  # here: few trackers need it

            regime, last = state.regime, renamed(state, self._pair[2])
        corner = None if last is None else last.numbers
        self._memory.begin_at(row, swapped, regime, corner)

    @property
    def is_swapped(self) -> bool:
        """Whether the kernels took B first in the last frame."""
        return self._memory.is_swapped(self._ids["begun"][0])

    @property
    def corner(self) -> Ids:
        """The labels of the last corner, in kernel order; may be written."""
        self._rows.cursor[kernel.HELD] = 0
        at = kernel.LAST
        corner: Ids = self._memory.ids[self._ids["begun"][0], at : at + 4]
        return corner

    def left(self) -> Left:
        """Return the memory and the row that the next frame begins with."""
        return self._memory, self._ids["begun"][0]

    def resume(
        self, state: PairState | None, next_region: int = 0, left: Left | None = None
    ) -> None:
        """Go on after a state that another tracker of this pair answered, or cold.

        A state leaves its regime, regions and, where the closest points are not unique,
        the corner or axis that was chosen; an overlap its polytope, too.  Other ids
        only save work.  ``left``: a memory and its row, which may have all that.
        """
        self._state, self._previous = state, None
        if left is None or state is None or state.editions != self._pair[2]:
            self.remember(state)
        else:
            self._memory.take(self._ids["begun"][0], *left)
            n, swapped = state.numbers, self.is_swapped
            self.corner[:] = corner_of(n, swapped) if n.labels else -1
        if self._regions is not None:
            self._regions.resume(state, next_region)

    def overlap(self) -> Ids | None:
        """Return what an overlap leaves to the next frame beside its state, if any."""
        return self._memory.overlap(self._ids["begun"][0])

    def run_trajectory(self, rows: AnswerRows, ways: Trajectory) -> int:
        """Answer frames until the reel ends or stops; see ``pairs.follow_pair``."""
        self._seen_a, self._stale = NOTHING, True  # until it is known how it ended
        self._rows.cursor[kernel.HELD] = 0
        status = Bound(follow_pair)(self._tables[0]._replace(rows=rows, ways=ways))
        for k in (kernel.SWAPPED, kernel.REGIME):
            self._rows.cursor[k] = rows.cursor[k]
        self._stale = False
        return status

    def went_on(self, state: PairState) -> PairState:
        """Let a state be the last one; return it."""
        self._previous, self._state = self._state, state
        self.next_frame = state.frame + 1
        return state


def _copied(kind: type, a: Body, b: Body, given: dict[str, Any], last: Any) -> Any:
    """Make a tracker that goes on where another one was."""
    tracker = kind(a, b, **given)
    state, region, overlap, tracker.next_frame, tracker.saw = last
    if state is not None:
        tracker.resume(state, region, left_by(state, overlap))
    return tracker
