"""A pair laid out for the kernels, and what it carries from frame to frame."""

from __future__ import annotations

from sim.body.body import Body
from sim.body.guard import ConvexityCache
from sim.body.revisions import MeshRevision
from sim.kernels.trajectory import REGIME, SWAPPED
from sim.result.answer import Numbers
from sim.result.answers import REGIMES
from sim.result.renaming import renamed
from sim.result.state import PairState
from sim.tracking import options
from sim.tracking.buffers import Buffers
from sim.tracking.fallback import corner_of, remeshed
from sim.tracking.memory import Ids, Memory, is_of, overlap_of

NOTHING = ConvexityCache()  # what no body is known by: it must be asked


class CarriedPair(options.Chosen):
    """Two bodies in kernel order, and what the next frame of them begins with."""

    _buffers: Buffers
    _swapped: bool  # whether the kernels take B first
    _pair: tuple[Body, Body, tuple[MeshRevision, MeshRevision]]
    _state: PairState | None
    _previous: PairState | None
    _seen_a: object  # what A was known by at the last update
    _torn: bool  # whether an update was left in the middle
    _left: tuple[Memory, int] | None  # by another tracker, and not read yet

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
        if self._torn:
            self._lay_out()
        if memory.is_swapped(row) != self._swapped:
            self._turn()
        assert self._state is not None
        edited = self._state.editions != self._pair[2]
        memory.recall(row, self._buffers.tables, edited=edited)
        if edited:
            self._pair = self.a, self.b, self._state.editions
        self._left = None
        self._put_row()

    def _lay_out(self) -> None:
        """Lay out bodies whose mesh was replaced, or anew, and rename what is known."""
        kept = None if self._torn else (self._swapped, self._pair[2])
        made = remeshed(self._buffers, kept, self.a, self.b)
        if self._torn and self._regions is not None:
            self._regions.lay_out()
        self._buffers, self._swapped = made
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
